"""Compaction of a project: its archive is reduced to what crawl, build and portal still need."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

from lycosa.crawler.storage.compaction import CompactionReport, OnVolume
from lycosa.crawler.storage.reader import CrawlReader
from lycosa.crawler.storage.sqlite import SqliteStore
from lycosa.errors import UsageError
from lycosa.files import FileLock
from lycosa.portal.build.database import FILE, LOCK
from lycosa.portal.build.selection import select_steps


def compact_project(
    folder: Path, on_volume: OnVolume = lambda done, total: None
) -> CompactionReport:
    """Compact the archive of a project, which is neither crawled nor built meanwhile.

    It may be served. Kept are the latest response of every URL, the versions that the next
    build selects, and those that the portal shows now.
    """
    if not (folder / "crawl.db").is_file():
        raise UsageError(f"There is no crawl in {folder}: it has no crawl.db.")
    lock = FileLock(folder / LOCK)  # a build reads records where the log said that they are
    try:
        with SqliteStore.open(folder, create=False) as store:
            with CrawlReader.open(folder) as crawl:
                needed = {step.n for step in select_steps(crawl).steps.values()}
            return store.compact(needed | _shown_steps(folder / FILE), on_volume)
    finally:
        lock.release()


def _shown_steps(path: Path) -> set[int]:
    if not path.is_file():
        return set()
    with closing(sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True)) as database:
        return {step for (step,) in database.execute("SELECT step FROM documents")}
