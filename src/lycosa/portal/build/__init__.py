"""The build of a portal: from a crawl to portal.db and its index."""

from lycosa.portal.build.pipeline import build_portal
from lycosa.portal.build.progress import BuildProgress
from lycosa.portal.build.summary import Holdings, Summary

__all__ = ["BuildProgress", "Holdings", "Summary", "build_portal"]
