"""Storage: the `Store` interface, its implementations, and readers of a crawl's state.

Everything a program needs is exported here; it is loaded when it is used.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from lycosa.lazy import lazy_exports

if TYPE_CHECKING:
    from lycosa.crawler.storage.checks import check_store
    from lycosa.crawler.storage.memory import MemoryStore
    from lycosa.crawler.storage.reader import CrawlReader, LoggedStep
    from lycosa.crawler.storage.repair import LostPage, RepairReport, repair_crawl
    from lycosa.crawler.storage.sqlite import SqliteStore
    from lycosa.crawler.storage.store import (
        ArchivingStore,
        ConversionReader,
        ConversionStore,
        Store,
        StoredResponse,
        StoredStep,
    )

_HOMES = {
    "checks": "check_store",
    "memory": "MemoryStore",
    "reader": "CrawlReader LoggedStep",
    "repair": "LostPage RepairReport repair_crawl",
    "sqlite": "SqliteStore",
    "store": "ArchivingStore ConversionReader ConversionStore Store StoredResponse StoredStep",
}
__getattr__, __dir__ = lazy_exports(__name__, _HOMES)

__all__ = [
    "ArchivingStore",
    "ConversionReader",
    "ConversionStore",
    "CrawlReader",
    "LoggedStep",
    "LostPage",
    "MemoryStore",
    "RepairReport",
    "SqliteStore",
    "Store",
    "StoredResponse",
    "StoredStep",
    "check_store",
    "repair_crawl",
]
