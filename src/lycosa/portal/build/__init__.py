"""The build of a portal: from a crawl to portal.db and its index."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lycosa.lazy import lazy_exports

if TYPE_CHECKING:
    from lycosa.portal.build.pipeline import build_portal
    from lycosa.portal.build.progress import BuildProgress
    from lycosa.portal.build.summary import BuildSummary, Holdings

# Processes that read documents import this package, and need neither its index nor its topics.
_HOMES = {
    "pipeline": "build_portal",
    "progress": "BuildProgress",
    "summary": "BuildSummary Holdings",
}
__getattr__, __dir__ = lazy_exports(__name__, _HOMES)

__all__ = ["BuildProgress", "BuildSummary", "Holdings", "build_portal"]
