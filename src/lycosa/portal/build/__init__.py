"""From a crawl to portal.db and its index."""

from lycosa.portal.build.pipeline import build
from lycosa.portal.build.summary import Holdings, Summary
from lycosa.portal.build.watcher import Watcher

__all__ = ["Holdings", "Summary", "Watcher", "build"]
