"""The registry of spiders: one table says which exist.

Names, the errors about unknown ones, help texts and documentation derive from
it. A new spider is a module with its policy and one row here. Importing this
module loads no spider.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from enum import Enum
from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple

from lycosa.errors import UsageError
from lycosa.plugins import load_reference
from lycosa.spiders.names import SpiderName, parse

if TYPE_CHECKING:
    from lycosa.spiders.factory import Spider


class Training(Enum):
    """Whether a spider learns from recorded sites before the crawl."""

    NONE = "none"
    OPTIONAL = "optional"
    REQUIRED = "required"


class SpiderEntry(NamedTuple):
    """A row of the registry.

    `factory` is a reference `module:attribute` in this package. Without
    `arguments` it is called with a `Setup` and returns the policy; with
    `arguments`, their syntax, it is called with the parsed name and a function
    that finds other spiders, and returns a `Spider`. `page` is the page of
    docs/explanation that describes the spider, `source` where it was published.
    `description` is one line for lists of spiders, and `training` says whether the
    spider learns from other sites.
    """

    factory: str
    description: str
    page: str
    source: str = ""
    training: Training = Training.NONE
    arguments: str = ""


_RENNIE = "Rennie & McCallum 1999"
_MOTAHARI = "Motahari Nezhad & Barfourosh 2003"
_DAVIDOV = "Davidov & Markovitch 2002"
_MODEL_ARGUMENTS = "LEARNER, NEIGHBOURHOOD, bins=3, gamma=0.5"
PUBLISHED_PAGE = "published-policies"

_ROWS = {
    "house": SpiderEntry(
        "default.named:house",
        "The default: keywords, other sites and this crawl combined.",
        page="house",
        training=Training.OPTIONAL,
        arguments="without=PART+PART",
    ),
    "breadth-first": SpiderEntry(
        "breadth_first:BreadthFirst", "First found, first followed.", page="baselines"
    ),
    "depth-first": SpiderEntry(
        "depth_first:DepthFirst", "Links of the newest page first.", page="baselines"
    ),
    "optimal": SpiderEntry(
        "optimal:Optimal.from_setup",
        "Knows the whole site; the upper bound of simulations.",
        page="baselines",
        source=_RENNIE,
    ),
    "random": SpiderEntry(
        "random:Random.from_setup", "A uniform choice among waiting links.", page="baselines"
    ),
    "keywords": SpiderEntry(
        "cold:keywords",
        "Words of the goal in and around a link.",
        page="multiple-goal-search",
        source=_DAVIDOV,
        arguments="WORD, WORD, ...",
    ),
    "yield": SpiderEntry(
        "cold:yield_spider",
        "Expected targets per page below a link, learned in the crawl.",
        page="yield",
        source=_DAVIDOV,
        arguments="KIND, LEARNER, depth=2, mode=anytime",
    ),
    "front-advancement": SpiderEntry(
        "cold:front_advancement",
        "Advance towards every profile in turn.",
        page="multiple-goal-search",
        source=_DAVIDOV,
        arguments="FILE, fade=0",
    ),
    "minimal-distance": SpiderEntry(
        "cold:minimal_distance",
        "Towards the nearest profile.",
        page="multiple-goal-search",
        source=_DAVIDOV,
        arguments="FILE, fade=1",
    ),
    "sum-of-distances": SpiderEntry(
        "cold:sum_of_distances",
        "Towards all profiles at once.",
        page="multiple-goal-search",
        source=_DAVIDOV,
        arguments="FILE, fade=1",
    ),
    "best-first": SpiderEntry(
        "published.best_first:BestFirst.from_setup",
        "Cosine of page and anchor to the goal.",
        page=PUBLISHED_PAGE,
        source="Cho, Garcia-Molina & Page 1998",
    ),
    "shark-search": SpiderEntry(
        "published.shark_search:SharkSearch.from_setup",
        "Inherited cosine and anchor context.",
        page=PUBLISHED_PAGE,
        source="Hersovici et al. 1998",
    ),
    "qmin": SpiderEntry(
        "published.qmin:QMin.from_setup",
        "The lowest quality of the linking pages.",
        page=PUBLISHED_PAGE,
        source="Pezzuti, MacAvaney & Tonellotto 2025",
    ),
    "opic": SpiderEntry(
        "published.opic:OPIC",
        "On-line page importance: cash passed along links.",
        page=PUBLISHED_PAGE,
        source="Abiteboul, Preda & Cobena 2003",
    ),
    "pagerank": SpiderEntry(
        "published.pagerank:PageRank",
        "PageRank of the known part of the web.",
        page=PUBLISHED_PAGE,
        source="Cho, Garcia-Molina & Page 1998",
    ),
    "sleeping-bandit": SpiderEntry(
        "published.sleeping_bandit:SleepingBandit.from_setup",
        "A bandit over groups of tag paths.",
        page=PUBLISHED_PAGE,
        source="Gauquier, Manolescu & Senellart 2026",
    ),
    "double-q": SpiderEntry(
        "published.double_q:DoubleQ.from_setup",
        "Double Q-learning with experience replay.",
        page=PUBLISHED_PAGE,
        source="van Hasselt 2010; TeamHG-Memex 2016",
    ),
    "context-graph": SpiderEntry(
        "published.context_graph:ContextGraph.from_setup",
        "The layer of a page, by naive Bayes.",
        page=PUBLISHED_PAGE,
        source="Diligenti et al. 2000",
        training=Training.REQUIRED,
    ),
    "infospiders": SpiderEntry(
        "published.infospiders:InfoSpiders.from_setup",
        "A population of crawlers that lives on rewards.",
        page=PUBLISHED_PAGE,
        source="Menczer & Belew 2000",
    ),
    "rl": SpiderEntry(
        "learned:rl",
        "Reinforcement learning with any learner, text and criterion.",
        page="rl",
        source=_MOTAHARI,
        training=Training.REQUIRED,
        arguments="LEARNER, NEIGHBOURHOOD, CRITERION, bins=3, gamma=0.5",
    ),
    "rl-immediate": SpiderEntry(
        "learned:rl_immediate",
        "RL for reward at the next page.",
        page="rl",
        source=_RENNIE,
        training=Training.REQUIRED,
        arguments=_MODEL_ARGUMENTS,
    ),
    "rl-future": SpiderEntry(
        "learned:rl_future",
        "RL for discounted future reward.",
        page="rl",
        source=_RENNIE,
        training=Training.REQUIRED,
        arguments=_MODEL_ARGUMENTS,
    ),
    "rl-distance": SpiderEntry(
        "learned:rl_distance",
        "RL for a table of distances to rewards.",
        page="rl",
        source=_RENNIE,
        training=Training.REQUIRED,
        arguments=_MODEL_ARGUMENTS,
    ),
    "immediate-and-future": SpiderEntry(
        "learned:immediate_and_future",
        "One model for reward now, one for later.",
        page="rl",
        source=_MOTAHARI,
        training=Training.REQUIRED,
        arguments=_MODEL_ARGUMENTS,
    ),
    "change-policy": SpiderEntry(
        "learned:change_policy",
        "One spider first, another from some point of the crawl on.",
        page="change-policy",
        source=_MOTAHARI,
        training=Training.REQUIRED,
        arguments="SPIDER, SPIDER, at=0.3",
    ),
    "wary": SpiderEntry(
        "traps.named:wary",
        "Any spider with trap detection around it.",
        page="traps",
        arguments="SPIDER",
    ),
}

SPIDERS: Mapping[str, SpiderEntry] = MappingProxyType(_ROWS)
"""All spiders of Lycosa by name, in the order in which they are listed."""


def published_names() -> tuple[str, ...]:
    """Return the names of the policies published by others, implemented for comparison."""
    return tuple(name for name, entry in SPIDERS.items() if entry.page == PUBLISHED_PAGE)


def listing() -> str:
    """Return all spiders with their descriptions, a line each, for help texts and pages.

    >>> print(listing().splitlines()[1])
    breadth-first                          First found, first followed.
    """
    rows = [
        (f"{name}({entry.arguments})" if entry.arguments else name, entry.description)
        for name, entry in SPIDERS.items()
    ]
    return "\n".join(
        f"{call:38} {text}" if len(call) <= 38 else f"{call}\n{'':38} {text}" for call, text in rows
    )


def named_spider(text: str, find: Callable[[str], Spider] | None = None) -> Spider:
    """Return the spider of a name in the registry or of an installed package.

    `find` looks up the spiders named in the arguments; it is this function by
    default. Neither files nor `module:attribute` references are looked up here.
    """
    from lycosa.spiders import plugins  # which loads numpy

    name = parse(text)
    entry = SPIDERS.get(name.kind)
    if entry is None:
        return plugins.installed(_without_arguments(name), SPIDERS)
    factory = load_reference(f"lycosa.spiders.{entry.factory}", "spider")
    if entry.arguments:
        return factory(name, find or named_spider)  # type: ignore[no-any-return]
    return plugins.from_object(factory, _without_arguments(name))


def _without_arguments(name: SpiderName) -> str:
    if name.arguments or name.options:
        raise UsageError(f"The spider {name.kind!r} takes no arguments; write just its name.")
    return name.kind
