"""What is wanted: objects that give a page its reward."""

from lycosa.goals.checks import check_goal
from lycosa.goals.combined import Categories, Combinable, weighted
from lycosa.goals.function import Function
from lycosa.goals.listed import Listed
from lycosa.goals.parametric import LinkCount, OfType, WordCount
from lycosa.goals.query import Query

__all__ = [
    "Categories",
    "Combinable",
    "Function",
    "LinkCount",
    "Listed",
    "OfType",
    "Query",
    "WordCount",
    "check_goal",
    "weighted",
]
