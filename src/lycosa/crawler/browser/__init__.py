"""Rendering: pages as a headless Chromium shows them, with every request made by the crawl.

Everything a program needs is exported here; it is loaded when it is used.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from lycosa.lazy import lazy_exports

if TYPE_CHECKING:
    from lycosa.crawler.browser.config import RenderConfig, RenderFault
    from lycosa.crawler.browser.fetcher import RenderingFetcher

_HOMES = {"config": "RenderConfig RenderFault", "fetcher": "RenderingFetcher"}
__getattr__, __dir__ = lazy_exports(__name__, _HOMES)

__all__ = ["RenderConfig", "RenderFault", "RenderingFetcher"]
