"""Multiple-goal search on any graph (Davidov & Markovitch 2002)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lycosa.lazy import lazy_exports

if TYPE_CHECKING:
    from lycosa.search.best_first import Expansion, mg_best_first
    from lycosa.search.contract import contract_depth
    from lycosa.search.front_advancement import FrontAdvancement
    from lycosa.search.grid import Grid
    from lycosa.search.heuristic import BreadthFirst, Heuristic
    from lycosa.search.minimal_distance import MinimalDistance
    from lycosa.search.partial_yield import PartialYield
    from lycosa.search.sum_of_distances import SumOfDistances
    from lycosa.search.yields import optimistic_yield, pessimistic_yield

_HOMES = {
    "best_first": "Expansion mg_best_first",
    "contract": "contract_depth",
    "front_advancement": "FrontAdvancement",
    "grid": "Grid",
    "heuristic": "BreadthFirst Heuristic",
    "minimal_distance": "MinimalDistance",
    "partial_yield": "PartialYield",
    "sum_of_distances": "SumOfDistances",
    "yields": "optimistic_yield pessimistic_yield",
}
__getattr__, __dir__ = lazy_exports(__name__, _HOMES)

__all__ = [
    "BreadthFirst",
    "Expansion",
    "FrontAdvancement",
    "Grid",
    "Heuristic",
    "MinimalDistance",
    "PartialYield",
    "SumOfDistances",
    "contract_depth",
    "mg_best_first",
    "optimistic_yield",
    "pessimistic_yield",
]
