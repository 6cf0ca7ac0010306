"""The crawl: a state machine without input or output, and the runners that feed it.

How a link lives: it is **found** on a page and **scored** by the policy; it
waits in the **frontier** (`frontier.py`) until the **crawl** (`crawl.py`) gives
it out; the **scheduler** (`politeness/`) holds it until its host is due; the
**fetcher** (`http/`) brings a response or a named fault; the **page reader**
(`live/page_reader.py`) makes a page of it, the goal a reward and the crawl a
**step**; the **store** (`storage/`) has the step before it is given out.

Everything a program needs is exported here; it is loaded when it is used.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from lycosa.lazy import lazy_exports

if TYPE_CHECKING:
    from lycosa.crawler.crawl import Crawl
    from lycosa.crawler.frontier import Frontier, FrontierEntry
    from lycosa.crawler.http import (
        AddressPolicy,
        ClientConfig,
        DictFetcher,
        Fetcher,
        HttpFetcher,
        Limits,
        check_fetcher,
    )
    from lycosa.crawler.live.engine import LiveCrawl
    from lycosa.crawler.live.job import Job
    from lycosa.crawler.live.status import HostWait, Status
    from lycosa.crawler.politeness.pace import Pace
    from lycosa.crawler.recall import Estimate, Recall
    from lycosa.crawler.simulation import simulate
    from lycosa.crawler.storage import CrawlReader, MemoryStore, SqliteStore, Store, check_store

_HOMES = {
    "crawl": "Crawl",
    "frontier": "Frontier FrontierEntry",
    "http": "AddressPolicy ClientConfig DictFetcher Fetcher HttpFetcher Limits check_fetcher",
    "live.engine": "LiveCrawl",
    "live.job": "Job",
    "live.status": "HostWait Status",
    "politeness.pace": "Pace",
    "recall": "Estimate Recall",
    "simulation": "simulate",
    "storage": "CrawlReader MemoryStore SqliteStore Store check_store",
}
__getattr__, __dir__ = lazy_exports(__name__, _HOMES)

__all__ = [
    "AddressPolicy",
    "ClientConfig",
    "Crawl",
    "CrawlReader",
    "DictFetcher",
    "Estimate",
    "Fetcher",
    "Frontier",
    "FrontierEntry",
    "HostWait",
    "HttpFetcher",
    "Job",
    "Limits",
    "LiveCrawl",
    "MemoryStore",
    "Pace",
    "Recall",
    "SqliteStore",
    "Status",
    "Store",
    "check_fetcher",
    "check_store",
    "simulate",
]
