"""Export of a crawl as WACZ: its archive, with seeds and targets as the pages to start from."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import datetime
from pathlib import Path

from lycosa.archive.wacz import WaczPage, WaczSummary, WarcFile, write_wacz
from lycosa.crawler.storage.reader import CrawlReader
from lycosa.errors import UsageError
from lycosa.project.crawl_figures import page_title

_OK = 200


def export_wacz(
    folder: Path | str, out: Path, on_bytes: Callable[[int, int], None] = lambda done, total: None
) -> WaczSummary:
    """Write the crawl in a folder to a WACZ file; the crawl may run at the same time.

    `on_bytes` is called with the bytes done so far and their total.
    """
    with CrawlReader.open(folder) as reader:
        warcs = [WarcFile(path, length) for path, length in reader.volumes() if length]
        if not warcs:
            raise UsageError(f"The crawl in {folder} has no page to export yet.")
        total = sum(warc.length for warc in warcs)
        title = Path(folder).absolute().name
        return write_wacz(
            out, warcs, _pages(reader), title=title, on_bytes=lambda done: on_bytes(done, total)
        )


def _pages(reader: CrawlReader) -> Iterator[WaczPage]:
    """Yield every page that was fetched, each URL once; only the main ones have titles."""
    seen: set[int] = set()
    for entry in reader.entries():
        key = hash(entry.final)
        if entry.status != _OK or entry.file is None or key in seen:
            continue
        seen.add(key)
        main = entry.reward > 0 or entry.source == 0
        title = page_title(reader, entry) if main else ""
        yield WaczPage(entry.final, title, datetime.fromisoformat(entry.time), main)
