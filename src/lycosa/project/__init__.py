"""Projects: a folder with a lycosa.toml that is crawled, reported and explained."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lycosa.lazy import lazy_exports

if TYPE_CHECKING:
    from lycosa.project.crawl_figures import figures
    from lycosa.project.crawl_report import report
    from lycosa.project.crawling import crawl
    from lycosa.project.explanation import why
    from lycosa.project.project import Project
    from lycosa.project.sections import Storage

_HOMES = {
    "crawl_figures": "figures",
    "crawl_report": "report",
    "crawling": "crawl",
    "explanation": "why",
    "project": "Project",
    "sections": "Storage",
}
__getattr__, __dir__ = lazy_exports(__name__, _HOMES)

__all__ = [
    "Project",
    "Storage",
    "crawl",
    "figures",
    "report",
    "why",
]
