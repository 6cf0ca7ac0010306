"""The build of a portal: from a crawl to portal.db and its index."""

from lycosa.portal.build.pipeline import build_portal
from lycosa.portal.build.progress import BuildProgress
from lycosa.portal.build.summary import BuildSummary, Holdings

__all__ = ["BuildProgress", "BuildSummary", "Holdings", "build_portal"]
