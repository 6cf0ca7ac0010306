"""The portal: a search engine built from what a crawl found (McCallum et al. 1999)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lycosa.lazy import lazy_exports

if TYPE_CHECKING:
    from lycosa.portal.build import BuildProgress, BuildSummary, Holdings, build_portal
    from lycosa.portal.catalogue import Catalogue
    from lycosa.portal.corrections import Corrections
    from lycosa.portal.search import Engine, Index, IndexEntry
    from lycosa.portal.web import Settings, make_app

_HOMES = {
    "build": "BuildProgress Holdings BuildSummary build_portal",
    "catalogue": "Catalogue",
    "corrections": "Corrections",
    "search": "Engine Index IndexEntry",
    "web": "Settings make_app",
}
__getattr__, __dir__ = lazy_exports(__name__, _HOMES)

__all__ = [
    "BuildProgress",
    "BuildSummary",
    "Catalogue",
    "Corrections",
    "Engine",
    "Holdings",
    "Index",
    "IndexEntry",
    "Settings",
    "build_portal",
    "make_app",
]
