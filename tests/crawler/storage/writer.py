"""A process that crawls nothing and stores it, to be killed; and what must be true after."""

import multiprocessing
import os
import random
import resource
import shutil
import signal
import time
from datetime import UTC, datetime
from pathlib import Path

from warcio.archiveiterator import ArchiveIterator

from lycosa.crawler.http.response import Response
from lycosa.crawler.storage.sqlite import SqliteStore

# Processes are forked from a server that has no threads, and all that is slow to load.
CHILDREN = multiprocessing.get_context("forkserver")
CHILDREN.set_forkserver_preload(
    ["lycosa.crawler.storage.sqlite", "pytest", "warcio.archiveiterator"]
)

WHEN = datetime(2026, 1, 2, 3, 4, 5, 678901, tzinfo=UTC)
REQUEST = (("Host", "a.example"), ("User-Agent", "lycosa (+test@example.org)"))
LIMIT = 30_000
BATCH = 5


def page(n: int) -> Response:
    """The n-th page, the same in every process; every seventh is a fault."""
    url = f"http://a.example/{n}"
    if n % 7 == 0:
        return Response(url, WHEN, fault="dns")
    chance = random.Random(n)
    body = (b"<p>%d " % n) + chance.randbytes(chance.randrange(3000))
    headers = ((b"Content-Type", b"text/html"), (b"Set-Cookie", b"a=1"), (b"Set-Cookie", b"b=2"))
    return Response(
        url, WHEN, 200, "HTTP/1.1 200 OK", headers, body, address="192.0.2.1", request=REQUEST
    )


def robots(n: int) -> Response:
    return Response(f"http://a.example/robots.txt?{n}", WHEN, 200, "HTTP/1.1 200 OK", body=b"x")


def write(store: SqliteStore, steps: int) -> None:
    """Add so many steps, with a note and another record."""
    for n in range(store.steps + 1, store.steps + 1 + steps):
        if n % 10 == 1:
            store.keep(robots(n))
        store.add(n, f"http://a.example/from/{n}", page(n), reward=n % 2, source=n // 2, score=n)
    store.put("steps", store.steps + steps)
    store.commit()


def crawl(folder: Path, told: Path, stage: str = "", nth: int = 1) -> None:
    """Store pages until killed, or until a stage is reached for the nth time."""
    reached = 0

    def watch(name: str) -> None:
        nonlocal reached
        reached += name == stage
        if reached == nth:
            os.kill(os.getpid(), signal.SIGKILL)

    said = os.open(told, os.O_WRONLY | os.O_CREAT)
    told.with_name("begun").touch()
    store = SqliteStore.open(folder, limit=LIMIT, on_stage=watch)
    while True:
        write(store, BATCH)
        os.pwrite(said, b"%010d" % store.steps, 0)


def hold(folder: Path, told: Path) -> None:
    """Hold the folder until killed."""
    with SqliteStore.open(folder):
        told.touch()
        time.sleep(60)


def fill(folder: Path, told: Path) -> None:
    """Store pages until no file may grow; write the error to a file."""
    store = SqliteStore.open(folder)
    resource.setrlimit(resource.RLIMIT_FSIZE, (150_000, 150_000))
    try:
        # Many pages per commit, so that the archive reaches the limit first.
        while True:
            write(store, 10 * BATCH)
    except Exception as error:
        told.write_text(f"{type(error).__name__}: {error}")
    os._exit(0)


def open_read_only(folder: Path, told: Path) -> None:
    """Open the folder as a user who may not write to it."""
    said = told.open("w")
    if os.getuid() == 0:
        os.setuid(65534)
    try:
        SqliteStore.open(folder)
    except Exception as error:
        said.write(f"{type(error).__name__}: {error}")
    said.close()


def run(target, *arguments) -> None:
    """Run a function in another process, to its end."""
    process = CHILDREN.Process(target=target, args=arguments)
    process.start()
    process.join(120)
    assert process.exitcode is not None


def image(folder: Path, where: Path) -> Path:
    """Copy the folder as it is now, so that the original is still to be repaired."""
    shutil.rmtree(where, ignore_errors=True)
    shutil.copytree(folder, where)
    return where


def responses(folder: Path) -> list[tuple[str, int, int, bytes]]:
    """Return every response in the archive as warcio reads it: URL, file, offset, body."""
    found = []
    for path in sorted((folder / "archive").glob("*.warc.gz")):
        with path.open("rb") as file:
            records = ArchiveIterator(file, check_digests="raise")
            kinds = []
            for record in records:
                kinds.append(record.rec_type)
                url = record.rec_headers["WARC-Target-URI"]
                body = record.content_stream().read()
                if record.rec_type == "response":
                    place = (int(path.name[:5]), records.get_record_offset())
                    found.append((url, *place, body))
            assert kinds[0] == "warcinfo"
            assert set(kinds[1:]) <= {"request", "response", "metadata"}
    return found


def check(folder: Path, at_least: int) -> int:
    """All that must be true whenever the last process died; returns the number of steps."""
    with SqliteStore.open(folder, limit=LIMIT) as store:
        seen = list(store.replay())
        assert store.lost == 0
        assert store.steps == len(seen) >= at_least
        assert store.get("steps", 0) == len(seen)
    archived = responses(folder)
    steps = [found for found in archived if "robots.txt" not in found[0]]
    assert [row.n for row, _ in seen] == list(range(1, len(seen) + 1))
    for row, answer in seen:
        expected = page(row.n)
        assert (row.url, row.final) == (f"http://a.example/from/{row.n}", expected.url)
        assert (row.reward, row.source, row.score) == (row.n % 2, row.n // 2, row.n)
        assert (row.status, row.fault, row.when) == (expected.status, expected.fault, WHEN)
        if expected.fault:
            assert answer is None
        else:
            assert (answer.status, answer.type) == (200, "text/html")
            assert answer.body == expected.body
    # Each record is in the archive once, where the journal says, and no other is.
    placed = [(row, answer) for row, answer in seen if row.location]
    assert steps == [
        (row.final, row.location.file, row.location.offset, answer.body) for row, answer in placed
    ]
    kept = [found[0] for found in archived if "robots.txt" in found[0]]
    assert kept == [robots(n).url for n in range(1, len(seen) + 1, 10)]
    return len(seen)
