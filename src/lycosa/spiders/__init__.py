"""Spiders: policies that choose the next link, one module each.

`registry` has the table of all of them, `lookup` finds one by its name.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from lycosa.lazy import lazy_exports

if TYPE_CHECKING:
    from lycosa.spiders.breadth_first import BreadthFirst
    from lycosa.spiders.checks import check_policy
    from lycosa.spiders.criteria import CRITERIA, Criterion
    from lycosa.spiders.default import House
    from lycosa.spiders.depth_first import DepthFirst
    from lycosa.spiders.explanation import explain_link, explain_score, predictive_words
    from lycosa.spiders.factory import Setup, Spider
    from lycosa.spiders.keywords import Keywords
    from lycosa.spiders.lookup import spider
    from lycosa.spiders.model_file import TrainedSpider, load_spider, save_spider
    from lycosa.spiders.optimal import Optimal
    from lycosa.spiders.random import Random
    from lycosa.spiders.registry import SPIDERS
    from lycosa.spiders.traps import Wary

_HOMES = {
    "breadth_first": "BreadthFirst",
    "checks": "check_policy",
    "criteria": "CRITERIA Criterion",
    "default": "House",
    "depth_first": "DepthFirst",
    "explanation": "explain_link explain_score predictive_words",
    "factory": "Setup Spider",
    "keywords": "Keywords",
    "lookup": "spider",
    "model_file": "TrainedSpider load_spider save_spider",
    "optimal": "Optimal",
    "random": "Random",
    "registry": "SPIDERS",
    "traps": "Wary",
}
__getattr__, __dir__ = lazy_exports(__name__, _HOMES)

__all__ = [
    "CRITERIA",
    "SPIDERS",
    "BreadthFirst",
    "Criterion",
    "DepthFirst",
    "House",
    "Keywords",
    "Optimal",
    "Random",
    "Setup",
    "Spider",
    "TrainedSpider",
    "Wary",
    "check_policy",
    "explain_link",
    "explain_score",
    "load_spider",
    "predictive_words",
    "save_spider",
    "spider",
]
