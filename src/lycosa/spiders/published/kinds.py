"""The rivals by name. None takes arguments; only a context graph needs training sites."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from lycosa.goals.profiles import profile
from lycosa.spiders.published.best_first import BestFirst
from lycosa.spiders.published.context_graph import ContextGraph, Layers
from lycosa.spiders.published.double_q import DoubleQ
from lycosa.spiders.published.infospiders import InfoSpiders
from lycosa.spiders.published.opic import OPIC
from lycosa.spiders.published.pagerank import PageRank
from lycosa.spiders.published.qmin import QMin
from lycosa.spiders.published.shark_search import SharkSearch
from lycosa.spiders.published.sleeping_bandit import SleepingBandit
from lycosa.spiders.spider import PolicyFactory

RIVALS: Mapping[str, PolicyFactory] = MappingProxyType(
    {
        "best-first": lambda setup, _: BestFirst(profile(setup.goal).words),
        "shark-search": lambda setup, _: SharkSearch(profile(setup.goal).words),
        "qmin": lambda setup, _: QMin(profile(setup.goal).words),
        "opic": lambda setup, _: OPIC(),
        "pagerank": lambda setup, _: PageRank(),
        "sleeping-bandit": lambda setup, _: SleepingBandit(setup.seed),
        "double-q": lambda setup, _: DoubleQ(setup.seed),
        "context-graph": lambda setup, _: ContextGraph(Layers.of(setup.training, setup.goal)),
        "infospiders": lambda setup, _: InfoSpiders(profile(setup.goal).words, setup.seed),
    }
)
"""By name: how each is made."""
