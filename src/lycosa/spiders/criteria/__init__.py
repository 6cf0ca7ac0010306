"""Value criteria: the value of a link when the whole graph is known, one module each.

Learners are trained with these values.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType

from lycosa.spiders.criteria.criterion import Criterion
from lycosa.spiders.criteria.cutoff import Cutoff
from lycosa.spiders.criteria.distance import Distance
from lycosa.spiders.criteria.distance_table import DistanceTable
from lycosa.spiders.criteria.future import Future
from lycosa.spiders.criteria.future_steps import FutureFive, FutureFour, FutureThree
from lycosa.spiders.criteria.immediate import Immediate
from lycosa.spiders.criteria.parallel import Parallel

CRITERIA: Mapping[str, Callable[..., Criterion]] = MappingProxyType(
    {
        Immediate.name: Immediate,
        Future.name: Future,
        Distance.name: Distance,
        DistanceTable.name: DistanceTable,
        FutureThree.name: FutureThree,
        FutureFour.name: FutureFour,
        FutureFive.name: FutureFive,
        Parallel.name: Parallel,
        Cutoff.name: Cutoff,
    }
)
"""All criteria by name; call one with its parameters, as in `CRITERIA["future"](gamma=0.3)`."""

__all__ = [
    "CRITERIA",
    "Criterion",
    "Cutoff",
    "Distance",
    "DistanceTable",
    "Future",
    "FutureFive",
    "FutureFour",
    "FutureThree",
    "Immediate",
    "Parallel",
]
