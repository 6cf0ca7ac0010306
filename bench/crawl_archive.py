"""The archive of a crawl: what request records cost, and the speed of repair and export.

Real pages of recorded sites are stored as a crawl would, with and without request
records; then the step log is deleted and rebuilt, and the archive exported as WACZ.
"""

from __future__ import annotations

import itertools
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

from bench.page import SHARED, table, write
from lycosa.archive.archive import Archive
from lycosa.crawler.http.response import Response
from lycosa.crawler.storage.records import response_records
from lycosa.crawler.storage.repair import repair_crawl
from lycosa.crawler.storage.sqlite import SqliteStore
from lycosa.crawler.storage.store import StoredStep
from lycosa.project.wacz_export import export_wacz

PAGES = 3000
COMMIT_STEPS = 100
SITES = SHARED / "sites" / "departments"
SENT = (
    ("Host", "www.cs.example.edu"),
    ("User-Agent", "lycosa (+you@example.org)"),
    ("Accept", "text/html,application/xhtml+xml,*/*;q=0.5"),
    ("Accept-Encoding", "gzip, deflate, br, zstd"),
)


def pages() -> Iterator[Response]:
    """Yield pages of the recorded sites, as a fetcher returns them."""
    for path in sorted(SITES.glob("*/pages.warc*")):
        for url, answer in Archive(path):
            raw = tuple((n.encode(), v.encode()) for n, v in answer.headers.items())
            now = datetime.now(UTC)
            yield Response(url, now, 200, "HTTP/1.1 200 OK", raw, answer.body, request=SENT)


def cpu_seconds(work: Callable[[], object]) -> float:
    """Return the CPU time of a call."""
    began = time.process_time()
    work()
    return time.process_time() - began


def store(folder: Path, fetched: list[Response]) -> None:
    """Store pages as the steps of a crawl."""
    with SqliteStore.open(folder) as books:
        for n, page in enumerate(fetched, 1):
            books.add(n, page.url, page, source=n // 2, score=0.5)
            if n % COMMIT_STEPS == 0:
                books.commit()


def records(fetched: list[Response]) -> int:
    """Return the bytes of the records of pages."""
    size = 0
    for n, page in enumerate(fetched, 1):
        step = StoredStep.of(n, page.url, page, reward=0.0, source=n // 2, score=0.5)
        size += sum(map(len, response_records(page, step).members))
    return size


def main() -> None:
    """Measure and write the part of docs/benchmarks.md."""
    fetched = list(itertools.islice(pages(), PAGES))
    bare = [replace(page, request=()) for page in fetched]
    count = len(fetched)
    rows = []
    for name, given in (("without request records", bare), ("with request records", fetched)):
        seconds = min(cpu_seconds(lambda given=given: records(given)) for _ in range(3))
        rows.append([name, f"{records(given) / count:,.0f}", f"{1e6 * seconds / count:,.0f}"])
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place) / "crawl"
        stored = cpu_seconds(lambda: store(folder, fetched))
        (folder / "crawl.db").unlink()
        repaired = cpu_seconds(lambda: repair_crawl(folder))
        exported = cpu_seconds(lambda: export_wacz(folder, Path(place) / "crawl.wacz"))
    speeds = [
        ["stored", f"{count / stored:,.0f}"],
        ["repaired after the loss of crawl.db", f"{count / repaired:,.0f}"],
        ["exported as WACZ", f"{count / exported:,.0f}"],
    ]
    body = "\n\n".join(
        [
            f"{count:,} real pages of {sum(len(page.body) for page in fetched) / count:,.0f} bytes "
            "on average, one compressed member for each record:",
            table(["records", "bytes a page", "µs of CPU a page"], rows),
            table(["", "pages per second of CPU"], speeds),
        ]
    )
    write("crawl-archive", "The archive of a crawl", body, "bench-crawl")


if __name__ == "__main__":
    main()
