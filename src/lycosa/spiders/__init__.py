"""Policies, one file each, and the registry that knows them by name."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lycosa.lazy import lazy_exports

if TYPE_CHECKING:
    from lycosa.spiders.breadth_first import BreadthFirst
    from lycosa.spiders.checks import check_policy
    from lycosa.spiders.criteria import CRITERIA
    from lycosa.spiders.depth_first import DepthFirst
    from lycosa.spiders.explanation import explain_link, predictive_words
    from lycosa.spiders.factory import Setup, Spider
    from lycosa.spiders.lookup import spider
    from lycosa.spiders.model_file import load, save
    from lycosa.spiders.optimal import Optimal
    from lycosa.spiders.random import Random
    from lycosa.spiders.registry import SPIDERS
    from lycosa.spiders.traps import Wary

_HOMES = {
    "breadth_first": "BreadthFirst",
    "checks": "check_policy",
    "criteria": "CRITERIA",
    "depth_first": "DepthFirst",
    "explanation": "explain_link predictive_words",
    "factory": "Setup Spider",
    "lookup": "spider",
    "model_file": "load save",
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
    "DepthFirst",
    "Optimal",
    "Random",
    "Setup",
    "Spider",
    "Wary",
    "check_policy",
    "explain_link",
    "load",
    "predictive_words",
    "save",
    "spider",
]
