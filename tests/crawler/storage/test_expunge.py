"""Pages deleted from the archive: their bytes are gone, and everything else is as it was."""

import gzip
import sqlite3
from datetime import UTC, datetime
from hashlib import sha256

import pytest

from lycosa.archive.reader import read_warc
from lycosa.crawler.http.response import Response
from lycosa.crawler.storage.expunge import expunge_pages
from lycosa.crawler.storage.repair import repair_crawl
from lycosa.crawler.storage.sqlite import SqliteStore
from lycosa.documents.conversion import conversion_key
from lycosa.errors import UsageError

SECRET = b"zanzibarquux " * 200
OPEN = b"spiders hunt " * 200
WHEN = datetime(2026, 1, 1, tzinfo=UTC)
GONE = "http://a.example/gone"


def fetched(url, body, **more):
    kind = ((b"Content-Type", b"text/plain"),)
    return Response(url, WHEN, 200, "HTTP/1.1 200 OK", kind, body, **more)


@pytest.fixture
def folder(tmp_path):
    with SqliteStore.open(tmp_path) as store:
        store.add(1, "http://a.example/", fetched("http://a.example/", OPEN), reward=1.0)
        store.add(2, GONE, fetched(GONE, SECRET, request=(("Host", "a.example"),)), reward=1.0)
        store.add(3, "http://a.example/short", fetched("http://a.example/short", b"x"))
        store.add(4, "http://b.example/copy", fetched("http://b.example/copy", SECRET))
        store.add(5, "http://a.example/to", fetched(GONE, SECRET[::-1]))
        store.keep_conversion(conversion_key(SECRET, "text/plain"), b"zanzibarquux")
        store.commit()
    return tmp_path


def contents(folder):
    """All bytes of a folder, compressed ones also as they are inside."""
    found = b""
    for path in sorted(folder.rglob("*")):
        if path.is_file():
            data = path.read_bytes()
            found += data + (gzip.decompress(data) if path.suffix == ".gz" else b"")
    return found


def steps(folder):
    with SqliteStore.open(folder) as store:
        return [
            (step.n, step.fault, step.reward, answer and answer.body)
            for step, answer in store.replay()
        ]


def test_nothing_is_left_and_the_rest_is_as_it_was(folder):
    assert b"zanzibarquux" in contents(folder)
    archive = folder / "archive" / "00001.warc.gz"
    size = archive.stat().st_size
    everywhere = {sha256(SECRET).hexdigest()}
    assert expunge_pages(folder, {GONE}.__contains__, everywhere) == 3  # a copy of the body, too
    assert b"zanzibarquux" not in contents(folder)
    assert SECRET[::-1][:12] not in contents(folder)
    assert archive.stat().st_size == size
    assert steps(folder) == [
        (1, None, 1.0, OPEN),
        (2, "removed", 0.0, None),
        (3, None, 0.0, b"x"),
        (4, "removed", 0.0, None),
        (5, "removed", 0.0, None),
    ]


def test_the_archive_can_be_read_and_needs_no_repair(folder):
    expunge_pages(folder, {GONE, "http://b.example/copy"}.__contains__)
    records = list(read_warc(folder / "archive" / "00001.warc.gz"))
    assert sum(record.type == "response" for record in records) == 2
    before = steps(folder)
    assert not repair_crawl(folder).repaired
    (folder / "crawl.db").unlink()
    assert repair_crawl(folder).lost == []
    assert steps(folder) == before


@pytest.mark.parametrize("short", [1, 40, 400])
def test_an_expunging_that_was_killed_is_repeated(folder, short):
    with sqlite3.connect(folder / "crawl.db") as database:
        row = 'SELECT "offset", length FROM steps WHERE n = 2'
        offset, length = database.execute(row).fetchone()
    database.close()
    with (folder / "archive" / "00001.warc.gz").open("r+b") as file:
        file.seek(offset)
        file.write(bytes(min(short, length)))  # as far as the first attempt has come
    expunge_pages(folder, {GONE, "http://b.example/copy"}.__contains__)
    assert expunge_pages(folder, {GONE, "http://b.example/copy"}.__contains__) == 0
    assert b"zanzibarquux" not in contents(folder)
    assert not repair_crawl(folder).repaired


def test_a_running_crawl_is_left_alone(folder):
    with SqliteStore.open(folder), pytest.raises(UsageError):
        expunge_pages(folder, {GONE}.__contains__)


def test_cut_off_records_are_overwritten_too(folder):
    torn = folder / "archive" / "torn"
    torn.mkdir()
    (torn / "00001-0-0.warc.gz").write_bytes((folder / "archive" / "00001.warc.gz").read_bytes())
    expunge_pages(folder, {GONE, "http://b.example/copy"}.__contains__)
    assert b"zanzibarquux" not in contents(folder)
