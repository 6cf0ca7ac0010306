"""Looking into the folder of a crawl, at rest and at work."""

import os
import shutil
import sqlite3

import pytest

from crawler.storage.writer import image, page, write
from lycosa.crawler.storage.reader import CrawlReader
from lycosa.crawler.storage.sqlite import SqliteStore
from lycosa.errors import StoreError, UsageError


@pytest.fixture
def folder(tmp_path):
    with SqliteStore.open(tmp_path / "crawl") as store:
        write(store, 30)
    return tmp_path / "crawl"


def test_entries_are_the_rows_of_the_step_log(folder):
    with SqliteStore.open(folder) as store:
        rows = [row for row, _ in store.replay()]
        counts = store.counts()
    with CrawlReader.open(folder) as ledger:
        entries = list(ledger.entries())
        assert (ledger.steps, ledger.bytes) == (counts.steps, counts.bytes)
        assert ledger.note("steps") == 30
        assert ledger.note("nothing") is None
    for row, entry in zip(rows, entries, strict=True):
        for name in ("n", "url", "final", "status", "type", "fault", "reward", "source"):
            assert getattr(row, name) == getattr(entry, name)
        assert entry.time == row.when.isoformat()
        assert (entry.file, entry.offset, entry.length) == (row.location or (None, None, None))


def test_responses_are_read_from_the_archive(folder):
    with CrawlReader.open(folder) as ledger:
        for entry in ledger.entries():
            found = ledger.answer(entry)
            assert (found is None) == (entry.fault is not None)
            if found:
                assert found.body == page(entry.n).body


def test_a_damaged_or_missing_archive_gives_no_responses(folder):
    volume = folder / "archive" / "00001.warc.gz"
    volume.write_bytes(bytes(volume.stat().st_size))
    with CrawlReader.open(folder) as ledger:
        assert not any(ledger.answer(entry) for entry in ledger.entries())
        shutil.rmtree(folder / "archive")
        assert not any(ledger.answer(entry) for entry in ledger.entries())


def test_a_reader_shows_the_state_at_its_opening_while_a_crawl_writes(folder):
    with SqliteStore.open(folder) as store, CrawlReader.open(folder) as ledger:
        assert ledger.at_work
        entries = ledger.entries()
        assert next(entries).n == 1
        write(store, 50)
        assert len(list(entries)) == 29
        assert ledger.steps == 30
    with CrawlReader.open(folder) as ledger:
        assert ledger.steps == 80
        assert not ledger.at_work


def test_a_reader_takes_no_lock(folder):
    with CrawlReader.open(folder) as ledger:
        assert not ledger.at_work
        with SqliteStore.open(folder) as store:
            write(store, 5)
        assert len(list(ledger.entries())) == 30


def test_a_killed_crawl_can_be_read(folder, tmp_path):
    with SqliteStore.open(folder) as store:
        write(store, 5)
        copy = image(folder, tmp_path / "copy")  # with its -wal, as a kill leaves it
    with CrawlReader.open(copy) as ledger:
        assert ledger.steps == 35


def test_a_reader_cannot_write(folder):
    with (
        CrawlReader.open(folder) as ledger,
        pytest.raises(sqlite3.OperationalError, match="readonly"),
    ):
        ledger._database.execute("DELETE FROM steps")


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_a_read_only_folder_can_be_read(folder):
    folder.chmod(0o555)
    try:
        with CrawlReader.open(folder) as ledger:
            assert len(list(ledger.entries())) == 30
    finally:
        folder.chmod(0o755)


def test_a_folder_name_may_have_odd_characters(folder, tmp_path):
    odd = tmp_path / "a?mode=rw#b%20 ü"
    folder.rename(odd)
    with CrawlReader.open(odd) as ledger:
        assert ledger.steps == 30


def test_notes_that_are_not_json_are_none(folder):
    database = sqlite3.connect(folder / "crawl.db")
    database.execute("INSERT OR REPLACE INTO notes VALUES ('run', '{')")
    database.commit()
    database.close()
    with CrawlReader.open(folder) as ledger:
        assert ledger.note("run") is None


def test_a_folder_without_a_crawl_is_refused(tmp_path):
    with pytest.raises(UsageError, match=r"no crawl in .* it has no crawl\.db"):
        CrawlReader.open(tmp_path)
    assert list(tmp_path.iterdir()) == []
    (tmp_path / "crawl.db").write_bytes(b"")
    with pytest.raises(UsageError, match="no crawl in"):
        CrawlReader.open(tmp_path)


def test_another_database_is_refused(tmp_path):
    database = sqlite3.connect(tmp_path / "crawl.db")
    database.execute("CREATE TABLE recipes (name)")
    database.close()
    with pytest.raises(UsageError, match="not the step log of a crawl"):
        CrawlReader.open(tmp_path)


def test_a_file_that_is_not_a_database_is_refused(tmp_path):
    (tmp_path / "crawl.db").write_bytes(b"Dear diary, " * 1000)
    with pytest.raises(StoreError, match="damaged"):
        CrawlReader.open(tmp_path)


def test_a_newer_format_is_refused(folder):
    database = sqlite3.connect(folder / "crawl.db")
    database.execute("PRAGMA user_version=99")
    database.close()
    with pytest.raises(UsageError, match="newer Lycosa"):
        CrawlReader.open(folder)
