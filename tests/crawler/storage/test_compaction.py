"""Compaction of an archive, killed at every stage."""

import os
from datetime import UTC, datetime, timedelta

import pytest

from lycosa.crawler.http.response import Response
from lycosa.crawler.storage.reader import CrawlReader
from lycosa.crawler.storage.repair import repair_crawl
from lycosa.crawler.storage.sqlite import SqliteStore

BEGUN = datetime(2026, 1, 1, tzinfo=UTC)
ROUNDS, PAGES = 6, 5
LIMIT = 25_000


def url(page):
    return f"http://a.example/{page}"


def body(page, version):
    return f"{page} {version} ".encode() + os.urandom(2000).hex().encode()


def fill(folder):
    """Fetch pages again and again: page 0 never changes, 1 answers 304, the others change."""
    latest = {}
    with SqliteStore.open(folder, limit=LIMIT) as store:
        store.describe({}, revisits=True)
        store.keep(Response("http://a.example/robots.txt", BEGUN, 200, body=b"User-agent: *"))
        n = 0
        for turn in range(ROUNDS):
            for page in range(PAGES):
                n += 1
                when = BEGUN + timedelta(days=n)
                status = 304 if page == 1 and turn else 200
                content = body(page, turn) if page > 1 or not turn else latest.get(page, b"")
                if status == 200:
                    latest[page] = content
                headers = ((b"Content-Type", b"text/html"), (b"ETag", b"x%d" % turn))
                sent = (("Host", "a.example"),)
                content = content if status == 200 else b""
                store.add(n, url(page), Response(
                    url(page), when, status, raw_headers=headers, body=content, request=sent),
                    reward=float(not turn))  # fmt: skip
            store.commit()
    return latest


def state(folder):
    """Return what the store says: the latest bodies, all steps, and the size of the archive."""
    with SqliteStore.open(folder, limit=LIMIT) as store:
        rows = [(row.n, row.url, row.status, row.reward, row.when, row.digest)
                for row, _ in store.replay()]  # fmt: skip
        assert store.lost == 0
        found = {page: store.latest(url(page)).body for page in range(PAGES)}
    return found, rows


def size(folder):
    return sum(path.stat().st_size for path in (folder / "archive").rglob("*.warc.gz"))


def test_the_latest_version_of_every_page_and_what_is_named_is_kept(tmp_path):
    latest = fill(tmp_path)
    before, rows = state(tmp_path)
    assert before == latest
    with SqliteStore.open(tmp_path, limit=LIMIT) as store:
        first = next(answer for row, answer in store.replay() if row.n == 3).body
        done = store.compact({3})
    assert done.before > 2 * done.after
    assert done.volumes > 1
    assert size(tmp_path) == done.after
    assert state(tmp_path) == (latest, rows)
    with CrawlReader.open(tmp_path) as reader:
        assert reader.answer(reader.step(3)).body == first
        assert reader.answer(reader.step(4)) is None
    with SqliteStore.open(tmp_path) as store:  # the crawl goes on, and there is nothing to do
        store.add(len(rows) + 1, url(9), Response(url(9), BEGUN, 200, body=b"new"))
        store.commit()
        assert store.compact({3}).volumes == 0
    assert not (tmp_path / "archive" / "torn").exists()


def test_a_reader_finds_records_that_are_moved_meanwhile(tmp_path):
    latest = fill(tmp_path)
    with CrawlReader.open(tmp_path) as reader:
        steps = list(reader.entries())
        with SqliteStore.open(tmp_path, limit=LIMIT) as store:
            store.compact(())
        for step in steps[-PAGES:]:
            if step.status == 200:
                assert reader.answer(step).body == latest[int(step.url[-1])]


def test_a_repair_keeps_what_the_archive_has(tmp_path):
    latest = fill(tmp_path)
    with SqliteStore.open(tmp_path, limit=LIMIT) as store:
        store.compact(())
    (tmp_path / "crawl.db").unlink()
    repair_crawl(tmp_path)
    with SqliteStore.open(tmp_path) as store:
        store.describe({}, revisits=True)
        assert {page: store.latest(url(page)).body for page in range(PAGES)} == latest


def killed_at(folder, stage):
    """Compact in a process that ends at a stage; return whether it has come so far."""
    child = os.fork()
    if not child:
        left = stage

        def count(_):
            nonlocal left
            left -= 1
            if not left:
                os._exit(9)

        with SqliteStore.open(folder, limit=LIMIT, on_stage=count) as store:
            store.compact({3})
        os._exit(0)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 9


@pytest.mark.filterwarnings("ignore:.*fork:DeprecationWarning")
def test_nothing_is_lost_if_it_is_killed_at_any_stage(tmp_path):
    latest = fill(tmp_path)
    before = state(tmp_path)
    stages = 0
    while killed_at(tmp_path, stages % 7 + 1) and stages < 100:
        stages += 1
        assert state(tmp_path) == before
    assert stages > 5
    with SqliteStore.open(tmp_path, limit=LIMIT) as store:
        store.compact({3})
    assert state(tmp_path) == before
    archive = sum(path.stat().st_size for path in (tmp_path / "archive").glob("*.warc.gz"))
    assert archive < 10 * sum(map(len, latest.values()))
