"""The factories of spiders that need no training sites.

    keywords(WORD, WORD, ...)                      the words of the goal by default
    yield(partial, depth=2, mode=anytime)          or mode=contract
    yield(generalised, LEARNER, depth=2)           learners: knn (the default), tree, ridge
    yield(combined, LEARNER, depth=2)              ridge by default; with keywords
    front-advancement(FILE, fade=0)                FILE: one profile per line
    minimal-distance(FILE), sum-of-distances(FILE)

Without a file every word of the goal is a profile.
"""

from __future__ import annotations

from pathlib import Path
from typing import TypeAlias

from lycosa.core import Policy
from lycosa.errors import UsageError
from lycosa.goals.profiles import Profile, profile, read_profiles
from lycosa.search import FrontAdvancement, MinimalDistance, SumOfDistances
from lycosa.spiders.arguments import Arguments
from lycosa.spiders.distances import ByDistances
from lycosa.spiders.factory import FindSpider, Setup, Spider
from lycosa.spiders.keywords import Keywords
from lycosa.spiders.names import SpiderName
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
MAX_DEPTH = 8


def keywords(name: SpiderName, find: FindSpider) -> Spider:
    """Return `keywords(WORD, ...)`."""
    arguments = Arguments(name)
    texts = arguments.rest()
    arguments.end()
    given = tuple(word for text in texts for word in words(text))
    if texts and not given:
        raise UsageError(f"In {name} the arguments contain no words.")
    own = Profile(given) if given else None
    title = str(name)
    return Spider(title, lambda setup, _: Keywords(own or profile(setup.goal), title))


def yield_spider(name: SpiderName, find: FindSpider) -> Spider:
    """Return `yield(KIND, LEARNER, depth=2, mode=anytime)`."""
    arguments = Arguments(name)
    kind = arguments.choice("kind of yield", KINDS, "combined")
    # Combined with others, ridge regression does as well as nearest neighbours at a tenth of
    # the cost.
    usual = "ridge" if kind == "combined" else "knn"
    learner = "" if kind == "partial" else arguments.choice("learner", LEARNERS, usual)
    depth = arguments.whole("depth", LEVEL)
    contract = arguments.option_of("mode", ("anytime", "contract"), "anytime") == "contract"
    arguments.end()
    if not 1 <= depth <= MAX_DEPTH:
        raise UsageError(f"In {name}, depth must be from 1 to {MAX_DEPTH}.")
    title = str(name)

    def make(setup: Setup, models: object) -> Policy:
        parts: list[Estimate] = []
        if kind == "combined":
            parts.append(KeywordEstimate(Keywords(profile(setup.goal))))
        if learner:
            parts.append(SimilarLinksEstimate(lambda: _learner(learner)))
        if kind != "generalised":
            # Combined with others it has less weight, so a larger tolerance suffices.
            parts.append(SiblingEstimate(0.05 if kind == "partial" else 0.2))
        return Yield(parts, title, level=depth, contract=contract)

    return Spider(title, make)


def _learner(name: str) -> Learner:
    """Return a new learner; imported here because scipy and scikit-learn load slowly."""
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


def front_advancement(name: SpiderName, find: FindSpider) -> Spider:
    """Return `front-advancement(FILE, fade=0)`."""
    return _by_distances(name, FrontAdvancement, 0.0)


def minimal_distance(name: SpiderName, find: FindSpider) -> Spider:
    """Return `minimal-distance(FILE, fade=1)`."""
    return _by_distances(name, MinimalDistance, 1.0)


def sum_of_distances(name: SpiderName, find: FindSpider) -> Spider:
    """Return `sum-of-distances(FILE, fade=1)`."""
    return _by_distances(name, SumOfDistances, 1.0)


def _by_distances(name: SpiderName, heuristic: _Distance, fade: float) -> Spider:
    """Return a spider that follows one of the heuristics over distances."""
    arguments = Arguments(name)
    file = arguments.next("")
    factor = arguments.number("fade", fade)
    arguments.end()
    if not 0 <= factor <= 1:
        raise UsageError(f"In {name}, fade must be from 0 (drop a found profile) to 1 (keep it).")
    given = read_profiles(Path(file)) if file else []
    title = str(name)

    def make(setup: Setup, models: object) -> Policy:
        profiles = given or [Profile((word,)) for word in profile(setup.goal).words]
        return ByDistances(
            profiles, lambda distances, group: heuristic(distances, group, fade=factor), title
        )

    return Spider(title, make)
