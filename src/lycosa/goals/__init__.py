"""Goals: objects that give a page its reward."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lycosa.lazy import lazy_exports

if TYPE_CHECKING:
    from lycosa.goals.checks import check_goal
    from lycosa.goals.combined import Categories, Combinable, weighted
    from lycosa.goals.examples import Examples
    from lycosa.goals.function import Function
    from lycosa.goals.language import Language
    from lycosa.goals.listed import Listed
    from lycosa.goals.parametric import LinkCount, OfType, WordCount
    from lycosa.goals.position import Depth, InLinks, PageRank
    from lycosa.goals.query import Query
    from lycosa.goals.research_paper import ResearchPaper
    from lycosa.goals.table import read_goal

_HOMES = {
    "checks": "check_goal",
    "combined": "Categories Combinable weighted",
    "examples": "Examples",
    "function": "Function",
    "language": "Language",
    "listed": "Listed",
    "parametric": "LinkCount OfType WordCount",
    "position": "Depth InLinks PageRank",
    "query": "Query",
    "research_paper": "ResearchPaper",
    "table": "read_goal",
}
__getattr__, __dir__ = lazy_exports(__name__, _HOMES)

__all__ = [
    "Categories",
    "Combinable",
    "Depth",
    "Examples",
    "Function",
    "InLinks",
    "Language",
    "LinkCount",
    "Listed",
    "OfType",
    "PageRank",
    "Query",
    "ResearchPaper",
    "WordCount",
    "check_goal",
    "read_goal",
    "weighted",
]
