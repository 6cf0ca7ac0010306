"""Sites for simulation: recorded sites, their link graphs, and the generated web."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lycosa.lazy import lazy_exports

if TYPE_CHECKING:
    from lycosa.sites.checks import check_page, check_site
    from lycosa.sites.compiled import CompiledSite
    from lycosa.sites.graph import Graph, SiteWithGraph
    from lycosa.sites.importers import ImportReport, import_folder, import_warcs
    from lycosa.sites.opening import open_site
    from lycosa.sites.recording import Recording, find_sites

_HOMES = {
    "checks": "check_page check_site",
    "compiled": "CompiledSite",
    "graph": "Graph SiteWithGraph",
    "importers": "ImportReport import_folder import_warcs",
    "opening": "open_site",
    "recording": "Recording find_sites",
}

__all__ = [
    "CompiledSite",
    "Graph",
    "ImportReport",
    "Recording",
    "SiteWithGraph",
    "check_page",
    "check_site",
    "find_sites",
    "import_folder",
    "import_warcs",
    "open_site",
]

__getattr__, __dir__ = lazy_exports(__name__, _HOMES)
