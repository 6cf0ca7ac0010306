"""Search of a portal: the index that a build writes and the engine that reads it."""

from lycosa.portal.search.engine import Engine
from lycosa.portal.search.entry import IndexEntry
from lycosa.portal.search.index import Index
from lycosa.portal.search.results import FacetValue, HighlightedText, Hit, Results

__all__ = ["Engine", "FacetValue", "HighlightedText", "Hit", "Index", "IndexEntry", "Results"]
