from datetime import UTC, datetime

import pytest

from lycosa.crawler.http.response import Response
from lycosa.crawler.storage.reader import CrawlReader
from lycosa.crawler.storage.sqlite import SqliteStore
from lycosa.portal.build.selection import select_steps

URL = "http://a.example/paper"


@pytest.fixture
def chosen(tmp_path):
    def chosen(*visits):
        with SqliteStore.open(tmp_path) as store:
            for n, (reward, status, kind) in enumerate(visits, 1):
                headers = ((b"Content-Type", kind.encode()),)
                now = datetime.now(UTC)
                page = Response(URL, now, status, raw_headers=headers, body=b"%d" % n)
                store.add(n, URL, page, reward=reward)
            store.commit()
            with CrawlReader.open(tmp_path) as crawl:
                return [entry.n for entry in select_steps(crawl).values()]

    return chosen


def test_ignores_pages_without_reward(chosen):
    assert chosen((0, 200, "text/html")) == []


def test_selects_the_new_version_of_a_target_without_reward(chosen):
    assert chosen((1, 200, "text/html"), (0, 200, "text/html")) == [2]


def test_keeps_the_old_version_of_a_page_that_is_gone_or_has_another_type(chosen):
    visits = (1, 200, "application/pdf"), (0, 404, "application/pdf"), (0, 200, "text/html")
    assert chosen(*visits) == [1]
