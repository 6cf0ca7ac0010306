"""Spiders: policies that choose the next link, one module each.

`registry` has the table of all of them, `lookup` finds one by its name.
"""

from lycosa.spiders.breadth_first import BreadthFirst
from lycosa.spiders.checks import check_policy
from lycosa.spiders.depth_first import DepthFirst
from lycosa.spiders.lookup import spider
from lycosa.spiders.optimal import Optimal
from lycosa.spiders.random import Random
from lycosa.spiders.registry import SPIDERS
from lycosa.spiders.spider import Setup, Spider

__all__ = [
    "SPIDERS",
    "BreadthFirst",
    "DepthFirst",
    "Optimal",
    "Random",
    "Setup",
    "Spider",
    "check_policy",
    "spider",
]
