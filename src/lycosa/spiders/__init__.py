"""Policies: one file per spider."""

from lycosa.spiders.breadth_first import BreadthFirst
from lycosa.spiders.checks import check_policy
from lycosa.spiders.depth_first import DepthFirst
from lycosa.spiders.optimal import Optimal
from lycosa.spiders.random import Random
from lycosa.spiders.registry import SPIDERS, spider
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
