from datetime import UTC, datetime, timedelta

import pytest

from lycosa.crawler.http.response import Response
from lycosa.crawler.storage.reader import CrawlReader
from lycosa.crawler.storage.sqlite import SqliteStore
from lycosa.portal.build.documents import departed_documents
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
                return [entry.n for entry in select_steps(crawl).steps.values()]

    return chosen


def test_ignores_pages_without_reward(chosen):
    assert chosen((0, 200, "text/html")) == []


def test_selects_the_new_version_of_a_target_without_reward(chosen):
    assert chosen((1, 200, "text/html"), (0, 200, "text/html")) == [2]


def test_keeps_the_old_version_of_a_page_that_is_gone_or_has_another_type(chosen):
    visits = (1, 200, "application/pdf"), (0, 404, "application/pdf"), (0, 200, "text/html")
    assert chosen(*visits) == [1]


OTHER = "http://a.example/moved"


class Visits:
    """A crawl in the making, a step a day."""

    def __init__(self, folder):
        self.folder = folder
        self.store = SqliteStore.open(folder)
        self.n = 0

    def add(self, url, status=200, *, final=None, reward=0.0, moved=False, fault=None):
        self.n += 1
        when = datetime(2026, 1, self.n, tzinfo=UTC)
        headers = ((b"Content-Type", b"text/html"),)
        body = b"%d" % self.n
        page = Response(final or url, when, status, raw_headers=headers, body=body, fault=fault)
        self.store.add(self.n, url, page, reward=reward)
        if moved:
            self.store.put(f"moved:{self.n}", True)

    def selected(self):
        self.store.commit()
        with CrawlReader.open(self.folder) as crawl:
            return select_steps(crawl)


@pytest.fixture
def visits(tmp_path):
    made = Visits(tmp_path)
    with made.store:
        yield made


def test_a_document_that_moves_for_good_stays_the_same_with_another_url(visits):
    visits.add(URL, reward=1.0)
    visits.add(URL, final=OTHER, reward=1.0, moved=True)
    visits.add(OTHER)
    found = visits.selected()
    assert {name: (step.n, step.final) for name, step in found.steps.items()} == {URL: (3, OTHER)}
    assert not found.gone
    assert not found.merged


def test_a_temporary_redirect_moves_nothing(visits):
    visits.add(URL, reward=1.0)
    visits.add(URL, final=OTHER)
    assert {name: step.n for name, step in visits.selected().steps.items()} == {URL: 1}


@pytest.mark.parametrize("fault", [None, "known-page"])
def test_a_document_that_moves_to_another_is_part_of_it_until_it_is_back(visits, fault):
    visits.add(URL, reward=1.0)
    visits.add(OTHER, reward=1.0)
    final = URL if fault else OTHER
    visits.add(URL, 0 if fault else 200, final=final, moved=True, fault=fault)
    found = visits.selected()
    assert set(found.steps) == {OTHER}
    assert {name: step.n for name, step in found.merged.items()} == {URL: 3}
    visits.add(URL)
    found = visits.selected()
    assert (set(found.steps), found.merged) == ({URL, OTHER}, {})


def test_gone_since_the_first_of_the_visits_that_did_not_find_it(visits):
    visits.add(URL, reward=1.0)
    for status in (404, 410, 500):
        visits.add(URL, status)
    found = visits.selected()
    assert found.gone[URL].n == 2
    assert found.steps[URL].n == 1
    at = [datetime(2026, 1, day, 1, tzinfo=UTC) for day in (8, 10)]
    grace = timedelta(days=7)
    assert [set(departed_documents(found, grace, now)) for now in at] == [set(), {URL}]
    visits.add(URL)
    found = visits.selected()
    assert (found.gone, found.steps[URL].n) == ({}, 5)
