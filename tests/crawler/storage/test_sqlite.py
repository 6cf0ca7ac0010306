"""The store, killed at every moment, on a full disk, and in the hands of others."""

import errno
import math
import os
import random
import sqlite3
import subprocess
import tempfile
import threading
import time
from contextlib import contextmanager
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from crawler.storage import writer
from crawler.storage.writer import CHILDREN, LIMIT, WHEN, check, image, page, responses, run, write
from lycosa.archive.http_message import response_of
from lycosa.archive.reader import ReadReport, read_warc
from lycosa.crawler.http.response import Response
from lycosa.crawler.storage.reader import CrawlReader
from lycosa.crawler.storage.sqlite import STAGES, SqliteStore, StoreCounts
from lycosa.errors import ContractError, StoreError, UsageError
from small_disk import small_disk

# A file system in memory, if there is one: for copies that need no sync.
MEMORY = next((path for path in ("/dev/shm",) if os.access(path, os.W_OK)), None)


@pytest.fixture
def memory():
    with tempfile.TemporaryDirectory(dir=MEMORY) as place:
        yield Path(place)


def told(path):
    return int(path.read_text() or 0) if path.exists() else 0


def snapshot(folder):
    return {p: p.read_bytes() for p in folder.rglob("*") if p.is_file() and p.name != "lock"}


# Kills


def test_kills_at_random_moments_lose_nothing(tmp_path, memory):
    chance = random.Random(5)
    folder, said, begun = tmp_path / "crawl", tmp_path / "said", tmp_path / "begun"
    done = 0
    for _ in range(50):
        process = CHILDREN.Process(target=writer.crawl, args=(folder, said))
        process.start()
        # The kill comes while the process opens the folder, or after some commits.
        enough = done + chance.choice((0, 0, 5, 10, 20))
        while not begun.exists() or told(said) < enough:
            assert process.is_alive()
            time.sleep(0.001)
        time.sleep(chance.random() * 0.01)
        process.kill()
        process.join()
        begun.unlink()
        if folder.exists():
            done = check(image(folder, memory / "copy"), at_least=max(enough, told(said)))
    assert done > 100


@pytest.mark.parametrize("nth", [1, 5])
@pytest.mark.parametrize("stage", STAGES)
def test_kills_between_stages_of_a_commit_lose_nothing(tmp_path, memory, stage, nth):
    folder, said = tmp_path / "crawl", tmp_path / "said"
    for _ in range(2):
        before = told(said)
        run(writer.crawl, folder, said, stage, nth)
        done = check(image(folder, memory / "copy"), at_least=told(said))
        # What was committed and not yet reported is there as well.
        said_late = writer.BATCH if stage == "committed" and done else 0
        assert done == told(said) + said_late
        assert told(said) > before or nth < 5
    # The second run found the uncommitted records of the first, unless they were committed, or
    # the first died when it made the database.
    torn = stage != "committed" and (stage, nth) != ("inserted", 1)
    assert bool(list(folder.glob("archive/torn/*"))) == torn


def test_records_are_synced_before_their_rows(tmp_path, memory, monkeypatch):
    """A power failure removes all that was not synced, but nothing that is in the step log."""
    synced: dict[str, int] = {}
    named: set[str] = set()
    really = os.fsync

    def fsync(descriptor):
        really(descriptor)
        path = Path(os.readlink(f"/proc/self/fd/{descriptor}"))
        if path.is_dir():
            named.update(p.name for p in path.iterdir())
        else:
            synced[path.name] = path.stat().st_size

    monkeypatch.setattr(os, "fsync", fsync)
    folder, seen = tmp_path / "crawl", []

    def watch(stage):
        if stage not in ("inserted", "committed") or not (folder / "archive").is_dir():
            return
        after = image(folder, memory / "after")
        for path in after.glob("archive/*.warc.gz"):
            if path.name in named:
                os.truncate(path, synced.get(path.name, 0))
            else:
                path.unlink()
        seen.append(check(after, at_least=len(seen) // 2 * writer.BATCH))

    with SqliteStore.open(folder, limit=LIMIT, on_stage=watch) as store:
        for _ in range(12):
            write(store, writer.BATCH)
    assert seen[-1] == 12 * writer.BATCH
    assert len(synced) > 2


def test_uncommitted_records_are_moved_to_torn(tmp_path):
    with SqliteStore.open(tmp_path) as store:
        write(store, 10)
    books = snapshot(tmp_path)[tmp_path / "crawl.db"]
    first = tmp_path / "archive" / "00001.warc.gz"
    size = first.stat().st_size
    with SqliteStore.open(tmp_path, limit=size) as store:
        write(store, 10)
    second = (tmp_path / "archive" / "00002.warc.gz").read_bytes()
    with first.open("ab") as file:
        file.write(b"torn")
    (tmp_path / "crawl.db").write_bytes(books)  # an old copy was restored
    assert check(tmp_path, at_least=10) == 10
    torn = tmp_path / "archive" / "torn"
    assert (torn / f"00001-{size}-0.warc.gz").read_bytes() == b"torn"
    assert (torn / "00002-0-0.warc.gz").read_bytes() == second
    with first.open("ab") as file:
        file.write(b"again")
    assert check(tmp_path, at_least=10) == 10
    assert (torn / f"00001-{size}-0.warc.gz").read_bytes() == b"torn"
    assert (torn / f"00001-{size}-1.warc.gz").read_bytes() == b"again"


@pytest.mark.parametrize("stage", STAGES)
def test_an_interrupted_commit_can_be_repeated(tmp_path, stage):
    armed = False

    def watch(name):
        nonlocal armed
        if armed and name == stage:
            armed = False
            raise KeyboardInterrupt

    with SqliteStore.open(tmp_path, limit=1, on_stage=watch) as store:
        write(store, 5)
        armed = True
        with pytest.raises(KeyboardInterrupt):
            write(store, 5)
    assert check(tmp_path, at_least=10) == 10


# Against a model

bodies = st.binary(max_size=300)
operations = st.lists(
    st.one_of(
        st.tuples(st.just("add"), bodies | st.none()),
        st.tuples(st.just("keep"), bodies),
        st.tuples(st.just("put"), st.integers(0, 2), st.integers()),
        st.just(("commit",)),
        st.just(("reopen",)),
        st.just(("crash",)),
        st.tuples(st.just("fail"), st.sampled_from(["begun", "written", "synced"])),
        st.just(("fail", "inserted")),
    ),
    max_size=30,
)


@settings(max_examples=100, deadline=None)
@given(operations)
def test_any_sequence_of_operations_keeps_what_was_committed(sequence):
    """Any mixture of calls, failures and crashes does what three lists would do."""
    failing = ""

    def watch(stage):
        if stage == failing:
            raise OSError(errno.ENOSPC, "No space left on device")

    with tempfile.TemporaryDirectory(dir=MEMORY) as place:
        folders = (Path(place, str(k)) for k in range(100))
        folder = next(folders)
        store = SqliteStore.open(folder, limit=1500, on_stage=watch)
        steps, kept, notes = [], 0, {}
        new_steps, new_kept, new_notes = [], 0, {}
        for name, *arguments in [*sequence, ("crash",)]:
            committed = name in ("commit", "reopen")
            match name, arguments:
                case "add", [body]:
                    new_steps.append(body)
                    n = len(steps) + len(new_steps)
                    store.add(n, f"http://a.example/{n}", answer(n, body), score=n)
                case "keep", [body]:
                    new_kept += 1
                    store.keep(answer(0, body))
                case "put", [key, value]:
                    new_notes[str(key)] = value
                    store.put(str(key), value)
                case "commit", []:
                    store.commit()
                case "reopen", []:
                    store.close()
                    store = SqliteStore.open(folder, limit=1500, on_stage=watch)
                case "fail", [stage]:
                    failing = stage
                    try:
                        store.commit()
                    except StoreError:
                        pass
                    else:  # it did not come to that stage
                        committed = True
                    failing = ""
                case "crash", []:
                    new_steps, new_kept, new_notes = [], 0, {}
                    copy = image(folder, next(folders))
                    store.close()
                    folder, store = copy, SqliteStore.open(copy, limit=1500, on_stage=watch)
            if committed:
                steps, kept, notes = steps + new_steps, kept + new_kept, notes | new_notes
                new_steps, new_kept, new_notes = [], 0, {}
            assert store.steps == len(steps)
            assert {k: store.get(k) for k in "012"} == dict.fromkeys("012") | notes | new_notes
            found = [(row.n, got and got.body) for row, got in store.replay()]
            assert found == list(enumerate(steps, 1))
        store.close()
        assert len(responses(folder)) == kept + sum(body is not None for body in steps)
        account = ReadReport()
        urls = [r.url for p in sorted(folder.glob("archive/*.gz")) for r in read_warc(p, account)]
        assert urls.count("http://a.example/0") == kept
        assert not account.places


def answer(n, body):
    url = f"http://a.example/{n}"
    if body is None:
        return Response(url, WHEN, fault="dns")
    return Response(url, WHEN, 200, "HTTP/1.1 200 OK", body=body)


def test_steps_can_be_added_during_a_commit(tmp_path):
    with SqliteStore.open(tmp_path, limit=LIMIT) as store:
        stop = threading.Event()

        def commit():
            while not stop.is_set():
                store.commit()

        thread = threading.Thread(target=commit)
        thread.start()
        for n in range(1, 1001):
            if n % 10 == 1:
                store.keep(writer.robots(n))
            fetched = page(n)
            url = f"http://a.example/from/{n}"
            store.add(n, url, fetched, reward=n % 2, source=n // 2, score=n)
            store.put("steps", n)
            assert store.get("steps") == n
        stop.set()
        thread.join()
    assert check(tmp_path, at_least=1000) == 1000


# What is written


def test_hostile_responses_are_stored_as_data(tmp_path):
    head = (
        (b"Content-Type", "text/html; charset=\u20ac".encode()),
        (b"X\r\nContent-Length", b"1\r\n\r\n\0"),
        (b"X-Latin", b"\xe9\xff"),
        (b"Content-Encoding", b"gzip"),
        (b"Transfer-Encoding", b"chunked"),
        (b"", b""),
    )
    body = b"5\r\nHTTP/1.1 200 OK\r\n\r\nWARC/1.1\r\n\r\n\r\n\r\n"
    lines = ["HTTP/1.1 404 Not\r\nFound", "HTTP/1.1 200 OK", "", "nonsense", "HTTP/1.1"]
    with SqliteStore.open(tmp_path) as store:
        for n, line in enumerate(lines, 1):
            url = f"http://a.example/{n}\r\nWARC-Type: metadata"
            store.add(n, "http://\ud800/", Response(url, WHEN, 404, line, head, body))
    with SqliteStore.open(tmp_path) as store:
        seen = list(store.replay())
    assert len(seen) == 5
    for row, got in seen:
        assert (row.url, row.status, row.type) == ("http://?/", 404, "text/html; charset=\u20ac")
        assert (got.status, got.body) == (404, body)
        assert got.headers["content-length"] == str(len(body))
    assert [found[3] for found in responses(tmp_path)] == [body] * 5
    ours = list(read_warc(tmp_path / "archive" / "00001.warc.gz"))
    assert [response_of(r).body for r in ours[1:]] == [body] * 5
    assert all(r.headers["warc-date"] == "2026-01-02T03:04:05.678901Z" for r in ours[1:])


def test_counts_are_those_of_committed_steps(tmp_path):
    with SqliteStore.open(tmp_path) as store:
        assert store.counts() == StoreCounts(0, 0, 0, 0)
        write(store, 10)
        store.add(11, "http://a.example/11", page(11))
        assert (store.steps, store.waiting) == (10, 1)
        size = (tmp_path / "archive" / "00001.warc.gz").stat().st_size
        assert store.counts() == StoreCounts(steps=10, answers=9, targets=5, bytes=size)


def test_seeds_have_an_infinite_score_and_times_are_kept_exactly(tmp_path):
    with SqliteStore.open(tmp_path) as store:
        store.add(1, "http://a.example/", page(1))
        store.commit()
        [(row, _)] = store.replay()
    assert (row.score, row.source, row.when) == (math.inf, 0, WHEN)


def test_a_damaged_record_costs_only_itself(tmp_path):
    with SqliteStore.open(tmp_path) as store:
        write(store, 10)
        place = next(row.location for row, _ in store.replay() if row.n == 4)
    with (tmp_path / "archive" / "00001.warc.gz").open("r+b") as file:
        file.seek(place.offset + place.length // 2)
        file.write(b"\0\0\0\0")
    with SqliteStore.open(tmp_path) as store:
        assert [row.n for row, got in store.replay() if got is None] == [4, 7]
        assert store.lost == 1


def test_a_record_with_another_digest_than_its_row_is_not_used(tmp_path):
    with SqliteStore.open(tmp_path) as store:
        write(store, 3)
    with database(tmp_path) as books:
        books.execute("UPDATE steps SET digest = (SELECT digest FROM steps WHERE n = 3)")
    with SqliteStore.open(tmp_path) as store:
        assert [row.n for row, got in store.replay() if got] == [3]
        assert store.lost == 2


@contextmanager
def database(folder):
    books = sqlite3.connect(folder / "crawl.db")
    with books:
        yield books
    books.close()


# Other processes, damage and full disks


def test_a_second_process_is_refused_with_the_id_of_the_first(tmp_path):
    folder, said = tmp_path / "crawl", tmp_path / "said"
    process = CHILDREN.Process(target=writer.hold, args=(folder, said))
    process.start()
    while not said.exists():
        assert process.is_alive()
        time.sleep(0.005)
    with pytest.raises(UsageError, match=rf"in use by process {process.pid}: wait for it"):
        SqliteStore.open(folder)
    process.kill()
    process.join()
    with SqliteStore.open(folder) as store:  # the lock file is still there, and locks nothing
        assert (folder / "lock").read_text() == f"{os.getpid()}\n"
        with pytest.raises(UsageError, match=f"process {os.getpid()}"):
            SqliteStore.open(folder)
        write(store, 1)


def test_a_lock_without_a_process_id_is_respected(tmp_path):
    (tmp_path / "lock").write_text("")
    script = f"exec 9>{tmp_path}/lock; flock 9; echo; read _"
    holder = subprocess.Popen(["bash", "-c", script], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    holder.stdout.readline()
    with pytest.raises(UsageError, match="in use by another process"):
        SqliteStore.open(tmp_path)
    holder.communicate(b"\n")
    SqliteStore.open(tmp_path).close()


def test_a_missing_or_short_archive_is_refused_and_nothing_is_changed(tmp_path):
    with SqliteStore.open(tmp_path, limit=2000) as store:
        write(store, 20)
    first, second, *_ = sorted((tmp_path / "archive").glob("*.gz"))
    with first.open("ab") as file:
        file.write(b"torn")
    whole = second.read_bytes()
    second.write_bytes(whole[:-1])
    before = snapshot(tmp_path)
    with pytest.raises(StoreError, match=r"00002.warc.gz has [\d,]+ of its [\d,]+ bytes: restore"):
        SqliteStore.open(tmp_path)
    second.unlink()
    with pytest.raises(StoreError, match=r"00002.warc.gz is missing: restore it"):
        SqliteStore.open(tmp_path)
    second.write_bytes(whole[:-1])
    assert snapshot(tmp_path) == before
    second.write_bytes(whole)
    assert check(tmp_path, at_least=20) == 20


def test_an_archive_without_a_step_log_is_refused(tmp_path):
    with SqliteStore.open(tmp_path) as store:
        write(store, 3)
    for damage in (lambda p: p.unlink(), lambda p: p.write_bytes(b"")):
        damage(tmp_path / "crawl.db")
        with pytest.raises(StoreError, match=r"an archive but no crawl\.db: restore"):
            SqliteStore.open(tmp_path)
        (tmp_path / "crawl.db").touch()
    assert len(responses(tmp_path)) == 4


def test_a_damaged_database_is_named_and_nothing_is_changed(tmp_path):
    with SqliteStore.open(tmp_path) as store:
        write(store, 500)
    file = tmp_path / "crawl.db"
    whole = file.read_bytes()
    file.write_bytes(b"no database " * 1000)
    before = snapshot(tmp_path)
    with pytest.raises(StoreError, match=r"crawl\.db is damaged .*: restore a copy"):
        SqliteStore.open(tmp_path)
    assert snapshot(tmp_path) == before
    middle = len(whole) // 2 // 4096 * 4096
    file.write_bytes(whole[:middle] + b"\xff" * 4096 + whole[middle + 4096 :])
    with (
        pytest.raises(StoreError, match=r"crawl\.db is damaged .*: restore a copy"),
        SqliteStore.open(tmp_path) as store,
    ):
        list(store.replay())
    file.write_bytes(whole)
    assert check(tmp_path, at_least=500) == 500


def test_a_newer_format_and_a_foreign_database_are_refused(tmp_path):
    SqliteStore.open(tmp_path / "newer").close()
    with database(tmp_path / "newer") as books:
        books.execute("PRAGMA user_version=2")
    with pytest.raises(UsageError, match=r"newer Lycosa \(format 2, this one knows 1\): update"):
        SqliteStore.open(tmp_path / "newer")
    (tmp_path / "foreign").mkdir()
    with database(tmp_path / "foreign") as books:
        books.execute("CREATE TABLE mine (x)")
    before = snapshot(tmp_path)
    with pytest.raises(UsageError, match=r"is not the step log of a crawl"):
        SqliteStore.open(tmp_path / "foreign")
    assert snapshot(tmp_path) == before


def test_an_unknown_column_is_ignored_and_a_missing_table_is_named(tmp_path):
    SqliteStore.open(tmp_path).close()
    with database(tmp_path) as books:
        books.execute("ALTER TABLE steps ADD COLUMN remark TEXT")
    with SqliteStore.open(tmp_path) as store:
        write(store, 5)
    assert check(tmp_path, at_least=5) == 5
    with database(tmp_path) as books:
        books.execute("DROP TABLE notes")
    for opened in (SqliteStore.open, CrawlReader.open):
        with pytest.raises(UsageError, match=r"crawl\.db lacks the table notes: choose another"):
            opened(tmp_path)


def test_a_missing_crawl_is_created_only_with_create(tmp_path):
    with pytest.raises(UsageError, match=r"There is no crawl in .*: it has no crawl\.db"):
        SqliteStore.open(tmp_path / "none", create=False)
    assert not (tmp_path / "none").exists()
    SqliteStore.open(tmp_path / "some" / "where").close()
    SqliteStore.open(str(tmp_path / "some" / "where"), create=False).close()


def test_a_read_only_folder_is_named(tmp_path):
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place) / "crawl"
        with SqliteStore.open(folder) as store:
            write(store, 3)
        Path(place).chmod(0o755)
        folder.chmod(0o555)
        for child in folder.iterdir():
            child.chmod(0o555 if child.is_dir() else 0o444)
        before = snapshot(folder)
        run(writer.open_read_only, folder, tmp_path / "said")
        said = (tmp_path / "said").read_text()
        assert said.startswith(f"StoreError: {folder} cannot be written: change its permissions")
        assert snapshot(folder) == before
        folder.chmod(0o755)


def test_a_database_locked_by_another_program_is_an_error_after_a_wait(tmp_path, monkeypatch):
    connect = sqlite3.connect
    monkeypatch.setattr(sqlite3, "connect", lambda *a, **k: connect(*a, timeout=0.01, **k))
    with SqliteStore.open(tmp_path, limit=LIMIT) as store:
        with database(tmp_path) as books:
            books.execute("BEGIN IMMEDIATE")
            with pytest.raises(StoreError, match=r"crawl\.db is locked by another program"):
                write(store, 5)
            books.rollback()
        store.commit()
    assert check(tmp_path, at_least=5) == 5


# On a full disk


def test_a_file_size_limit_is_one_sentence(tmp_path):
    folder, said = tmp_path / "crawl", tmp_path / "said"
    run(writer.fill, folder, said)
    assert said.read_text().startswith(f"StoreError: The disk of {folder} is full: make room")
    assert check(folder, at_least=20) % writer.BATCH == 0


def test_a_full_disk_is_one_sentence_and_the_commit_can_be_repeated(tmp_path):
    with small_disk(tmp_path / "disk", "600k") as disk:
        ballast = disk / "ballast"
        ballast.write_bytes(bytes(200_000))
        store = SqliteStore.open(disk / "crawl", limit=LIMIT)
        with pytest.raises(StoreError, match="is full: make room"):
            write_until_error(store)
        done = store.steps
        assert store.waiting >= writer.BATCH
        with pytest.raises(StoreError, match="is full: make room"):
            store.commit()
        assert check(image(disk / "crawl", tmp_path / "copy"), at_least=done) == done
        ballast.unlink()
        store.put("steps", done + writer.BATCH)
        store.close()
        copy = image(disk / "crawl", tmp_path / "copy")
    assert check(copy, at_least=1) == done + writer.BATCH


@pytest.mark.parametrize("cut", [True, False])
def test_a_partial_write_is_rolled_back_and_repeated(tmp_path, monkeypatch, cut):
    full = False

    def watch(stage):
        if stage == "written" and full:
            raise OSError(errno.ENOSPC, "No space left on device")

    def stuck(path, size):
        raise OSError(errno.EIO, "Input/output error")

    with SqliteStore.open(tmp_path, limit=LIMIT, on_stage=watch) as store:
        write(store, 5)
        before, full = snapshot(tmp_path / "archive"), True
        with monkeypatch.context() as patch:
            if not cut:
                patch.setattr(os, "truncate", stuck)
            with pytest.raises(StoreError, match="is full: make room"):
                write(store, 5)
        assert (snapshot(tmp_path / "archive") == before) == cut
        full = False
        store.commit()
    assert check(tmp_path, at_least=10) == 10
    assert not (tmp_path / "archive" / "torn").exists()


def write_until_error(store):
    while True:
        write(store, writer.BATCH)


# Misuse


def test_steps_are_numbered_in_order(tmp_path):
    with SqliteStore.open(tmp_path) as store:
        store.add(1, "http://a.example/", page(1))
        for n in (1, 3):
            with pytest.raises(ContractError, match=f"Step {n} was added, but the next step is 2"):
                store.add(n, "http://a.example/", page(2))
        with pytest.raises(ContractError, match="Step 2 has a reward or score that is not"):
            store.add(2, "http://a.example/", page(2), reward=math.nan)
        store.add(2, "http://a.example/", page(2))
    with (
        SqliteStore.open(tmp_path) as store,
        pytest.raises(ContractError, match="the next step is 3"),
    ):
        store.add(1, "http://a.example/", page(1))


def test_a_closed_store_refuses_use(tmp_path):
    store = SqliteStore.open(tmp_path)
    store.close()
    store.close()
    for use in (store.commit, store.counts, lambda: store.get("x"), lambda: list(store.replay())):
        with pytest.raises(UsageError, match="is closed: open it again"):
            use()


def test_notes_must_be_json(tmp_path):
    with SqliteStore.open(tmp_path) as store:
        with pytest.raises(TypeError):
            store.put("x", {1, 2})
        value = {"delays": {"a.example": 1.5}, "hash": "\ud800", "none": None}
        store.put("x", value)
        value["none"] = 1  # what was put is what was meant then
        assert store.get("x")["none"] is None
    with SqliteStore.open(tmp_path) as store:
        assert store.get("x") == value | {"none": None}
        assert store.get("y", "nothing") == "nothing"
