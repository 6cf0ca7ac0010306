"""The spiders that need no training sites, by their readable names.

    keywords, keywords(WORD, WORD, ...)            without words: those of the goal
    yield(partial, depth=2, mode=anytime)          or mode=contract
    yield(generalised, LEARNER, depth=2)           learners: knn (if not given), tree, ridge
    yield(combined, LEARNER, depth=2)              ridge if not given; with keywords
    front-advancement(FILE, fade=0)                FILE: a profile on each line
    minimal-distance(FILE), sum-of-distances(FILE)

Without a file every word of the goal is a profile of its own.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import TypeAlias

from lycosa.core import Policy
from lycosa.errors import UsageError
from lycosa.goals.profiles import Profile, profile, read_profiles
from lycosa.search import FrontAdvancement, MinimalDistance, SumOfDistances
from lycosa.spiders.arguments import Arguments
from lycosa.spiders.distances import ByDistances
from lycosa.spiders.keywords import Keywords
from lycosa.spiders.learned import FindSpider
from lycosa.spiders.names import SpiderName
from lycosa.spiders.spider import Setup, Spider
from lycosa.spiders.yields import (
    LEVEL,
    Estimate,
    KeywordEstimate,
    Learner,
    SiblingEstimate,
    SimilarLinksEstimate,
    Yield,
)
from lycosa.web.words import words

KINDS = ("partial", "generalised", "combined")
LEARNERS = ("knn", "tree", "ridge")
DEEPEST = 8


def _keywords(name: SpiderName, find: FindSpider) -> Spider:
    arguments = Arguments(name)
    texts = arguments.rest()
    arguments.end()
    given = tuple(word for text in texts for word in words(text))
    if texts and not given:
        raise UsageError(f"In {name} there are no words to look for.")
    mine = Profile(given) if given else None
    title = str(name)
    return Spider(title, lambda setup, _: Keywords(mine or profile(setup.goal), title))


def _yield(name: SpiderName, find: FindSpider) -> Spider:
    arguments = Arguments(name)
    kind = arguments.choice("kind of yield", KINDS, "combined")
    # In company ridge regression does as well as the neighbours, at a tenth of the cost.
    usual = "ridge" if kind == "combined" else "knn"
    learner = "" if kind == "partial" else arguments.choice("learner", LEARNERS, usual)
    depth = arguments.whole("depth", LEVEL)
    contract = arguments.option_of("mode", ("anytime", "contract"), "anytime") == "contract"
    arguments.end()
    if not 1 <= depth <= DEEPEST:
        raise UsageError(f"In {name}, depth must be from 1 to {DEEPEST}.")
    title = str(name)

    def make(setup: Setup, models: object) -> Policy:
        parts: list[Estimate] = []
        if kind == "combined":
            parts.append(KeywordEstimate(Keywords(profile(setup.goal))))
        if learner:
            parts.append(SimilarLinksEstimate(lambda: _learner(learner)))
        if kind != "generalised":
            # Among others its word has less weight, and need not be so exact.
            parts.append(SiblingEstimate(0.05 if kind == "partial" else 0.2))
        return Yield(parts, title, level=depth, contract=contract)

    return Spider(title, make)


def _learner(name: str) -> Learner:
    """Loaded when needed: scipy and scikit-learn take their time."""
    match name:
        case "tree":
            from lycosa.learn.decision_tree import DecisionTree

            return DecisionTree()
        case "ridge":
            from lycosa.learn.ridge import Ridge

            return Ridge()
    from lycosa.learn.nearest_neighbours import NearestNeighbours

    return NearestNeighbours()


_Distance: TypeAlias = type[FrontAdvancement[int] | MinimalDistance[int] | SumOfDistances[int]]


def _by_distances(heuristic: _Distance, fade: float) -> Callable[[SpiderName, FindSpider], Spider]:
    """A spider that goes by one of the heuristics over distances."""

    def spider(name: SpiderName, find: FindSpider) -> Spider:
        arguments = Arguments(name)
        file = arguments.next("")
        factor = arguments.number("fade", fade)
        arguments.end()
        if not 0 <= factor <= 1:
            raise UsageError(f"In {name}, fade must be from 0, found is forgotten, to 1.")
        given = read_profiles(Path(file)) if file else []
        title = str(name)

        def make(setup: Setup, models: object) -> Policy:
            profiles = given or [Profile((word,)) for word in profile(setup.goal).words]
            return ByDistances(
                profiles, lambda distances, group: heuristic(distances, group, fade=factor), title
            )

        return Spider(title, make)

    return spider


COLD: Mapping[str, Callable[[SpiderName, FindSpider], Spider]] = MappingProxyType(
    {
        "keywords": _keywords,
        "yield": _yield,
        "front-advancement": _by_distances(FrontAdvancement, 0.0),
        "minimal-distance": _by_distances(MinimalDistance, 1.0),
        "sum-of-distances": _by_distances(SumOfDistances, 1.0),
    }
)
"""By kind: a name, and how to find other spiders, to a spider."""
