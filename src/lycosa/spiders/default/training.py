"""What the house spider is taught by other sites, and how far it is to be trusted.

A logistic regression learns the rate of the page behind every link; bags of
words are scaled to the same length for it. How far its word holds on a site it
has not seen is found out beforehand: each training site in turn is judged by a
model of the others, and a second regression weighs what that model says against
what the keywords say (stacking, Wolpert 1992).
"""

from __future__ import annotations

from array import array
from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import sqrt

import numpy as np
from numpy.typing import NDArray

from lycosa.content import Ints
from lycosa.core import Budget, Site
from lycosa.errors import UsageError
from lycosa.goals.profiles import profile
from lycosa.learn.hashed_model import HashedModel, WeightedWord
from lycosa.learn.link_words import Rows
from lycosa.learn.logistic import Floats, fit
from lycosa.sites.graph import Graph
from lycosa.spiders.default.features import COLUMNS, Bags, Features, scaled
from lycosa.spiders.default.rates import rates_of
from lycosa.spiders.keywords import Keywords

LINKS = 8
"""Links to a page that are looked at, in a crawl too; the menu of a site says the same again."""

_STIFFNESS = 1.0
_LOOSE = 1e-3  # of what is no word
_STEPS, _TURNS = 8, 12
_MOST = 20_000  # links of a site, drawn at random
_UNTESTED = 0.6, 1.0, -0.7  # trust, faith and base where there is a single training site
_TELLING = 500  # columns whose words are kept for explanations


@dataclass(frozen=True, slots=True, eq=False)
class _Lesson:
    """The links of a site: their columns, what they are worth, what keywords say of them."""

    rows: Rows
    values: Floats
    worths: Floats
    keywords: Floats


@dataclass(frozen=True, slots=True)
class DefaultTraining:
    """How a house spider is taught; there is but one way."""

    def train(self, sites: Sequence[Site], goal: str, seed: int = 0) -> HashedModel:
        """What was learned from these sites."""
        if not sites:
            raise UsageError("A spider cannot be taught without sites; give at least one.")
        every = [_lesson(site, goal, seed) for site in sites]
        lessons = [lesson for lesson in every if lesson is not None]
        if not lessons:
            raise UsageError("None of the training sites has a link to learn from.")
        weights = _taught(lessons)
        trust, faith, base = _trust(lessons) if len(lessons) > 1 else _UNTESTED
        words = tuple(_telling(sites, weights[:-1]))
        return HashedModel(weights[:-1], float(weights[-1]), trust, faith, base, words)


def keywords_of(goal: str) -> Keywords | None:
    """What the words of a goal say; None for a goal without a single word."""
    try:
        return Keywords(profile(goal))
    except UsageError:
        return None


def log_odds_of(model: HashedModel, bags: Bags) -> float:
    """The log-odds that a model gives to a link; bags are scaled as in its lessons."""
    weights = model.weights.data
    *others, place = bags
    said = model.bias + sum([weights[column] for column in place])
    for bag in others:
        if bag:
            said += sum([weights[column] for column in bag]) / sqrt(len(bag))
    return said


def _lesson(site: Site, goal: str, seed: int) -> _Lesson | None:
    graph = Graph.of(site)
    rewards = np.zeros(len(site))
    rewards[site.wanted(goal)] = 1.0
    worths = rates_of(graph, site.seeds, rewards)
    depths = graph.distances(site.seeds)
    chance = np.random.default_rng(seed)
    share = min(1.0, _MOST / max(1, min(len(graph.targets), LINKS * len(site))))
    keywords = keywords_of(goal)
    if keywords is not None:
        keywords.start(Budget())
    features = Features()
    sizes, words, scales = array("i"), array("H"), array("d")
    values, keys = [], []
    times = np.zeros(len(site), np.int64)
    for number in _order(graph, site.seeds):
        page = site.page(number)
        links = np.flatnonzero(times[page.targets] < LINKS)
        times[page.targets] += 1
        if not len(page.content.paths):
            continue
        if share < 1:
            links = links[chance.random(len(links)) < share]
        if not len(links):
            continue
        depth = max(int(depths[number]), 0)
        for bags in features.see(page, links.tolist(), depth):
            sizes.append(sum(map(len, bags)))
            for bag, value in scaled(bags):
                words.extend(bag)
                scales.extend([value] * len(bag))
        values.append(worths[page.targets[links]])
        said = np.zeros(len(links)) if keywords is None else keywords.score_some(page, links)
        keys.append(said)
    if not sizes:
        return None
    rows = Rows(np.concatenate(([0], np.cumsum(sizes))), np.array(words, np.int32))
    return _Lesson(rows, np.array(scales), np.concatenate(values), np.concatenate(keys))


def _order(graph: Graph, seeds: Ints) -> list[int]:
    """All pages as a crawl might come by, breadth-first; what cannot be reached comes last."""
    order = dict.fromkeys(seeds.tolist())
    queue = deque(order)
    while queue:
        page = queue.popleft()
        for target in graph.targets[graph.offsets[page] : graph.offsets[page + 1]].tolist():
            if target not in order:
                order[target] = None
                queue.append(target)
    return list(order | dict.fromkeys(range(len(graph))))


def _telling(sites: Sequence[Site], weights: Floats) -> Iterator[WeightedWord]:
    """The words behind the largest weights, the largest first.

    A column does not know its words, so the pages are looked through again
    until each was met.
    """
    best = np.argsort(-np.abs(weights), kind="stable")[:_TELLING]
    best = best[weights[best] != 0]
    missing = set(best.tolist())
    found: dict[int, tuple[str, str]] = {}
    for site in sites:
        features = Features()
        for number in range(len(site)):
            if not missing:
                break
            page = site.page(number)
            if not len(page.content.paths):
                continue
            for link, bags in enumerate(features.words(page, range(len(page.targets)))):
                if all(missing.isdisjoint(bag) for bag in bags):
                    continue
                for column, name, bag in features.named_words(page, link):
                    if column in missing:
                        missing.remove(column)
                        found[column] = name, bag
    for column in best.tolist():
        if column in found:
            yield WeightedWord(*found[column], float(weights[column]))


def _taught(lessons: Sequence[_Lesson]) -> Floats:
    """The weights of a regression, the bias the last."""
    sizes = np.concatenate([np.diff(lesson.rows.starts) for lesson in lessons])
    starts = np.concatenate(([0], np.cumsum(sizes)))
    rows = Rows(starts, np.concatenate([lesson.rows.words for lesson in lessons]))
    worths = np.concatenate([lesson.worths for lesson in lessons])
    stiffness = np.append(np.full(COLUMNS, _STIFFNESS), _LOOSE)
    start = np.zeros(COLUMNS + 1)
    ones = np.ones((len(rows), 1))
    values = np.concatenate([lesson.values for lesson in lessons])
    return fit(rows, ones, worths, stiffness, start, steps=_STEPS, turns=_TURNS, values=values)


def _trust(lessons: Sequence[_Lesson]) -> tuple[float, float, float]:
    """How much the model, and how much the keywords, are to be listened to elsewhere."""
    opinions: list[NDArray[np.float64]] = []
    for k, lesson in enumerate(lessons):
        weights = _taught([other for n, other in enumerate(lessons) if n != k])
        rows, count = lesson.rows, len(lesson.rows)
        added = weights.take(rows.words) * lesson.values
        said = np.bincount(rows.owners, added, count) + weights[-1]
        opinions.append(np.stack((said, lesson.keywords, np.ones(count)), axis=1))
    dense = np.concatenate(opinions)
    worths = np.concatenate([lesson.worths for lesson in lessons])
    none = Rows(np.zeros(len(dense) + 1, np.int64), np.zeros(0, np.int32))
    loose = np.full(3, _LOOSE)
    trust, faith, base = fit(
        none, dense, worths, loose, np.zeros(3), steps=_STEPS, turns=_TURNS
    ).tolist()
    return max(trust, 0.0), max(faith, 0.0), base
