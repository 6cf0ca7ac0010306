"""The training of the default policy on other sites.

A logistic regression learns the rate of the page behind every link; bags of words
are scaled to equal norms. How far its estimate holds on a site it has not seen is
measured by stacking (Wolpert 1992): each training site in turn is scored by a
model of the others, and a second regression weighs that model against the
keywords.
"""

from __future__ import annotations

from array import array
from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lycosa.content import Ints
from lycosa.core import Budget, Site
from lycosa.errors import UsageError
from lycosa.goals.profiles import profile
from lycosa.learn.hashed_model import HashedModel, WeightedWord
from lycosa.learn.link_words import Rows
from lycosa.learn.logistic import Floats, fit
from lycosa.reporting.progress import report
from lycosa.sites.graph import Graph
from lycosa.spiders.default.bags import scaled
from lycosa.spiders.default.features import COLUMNS, Features
from lycosa.spiders.default.rates import rates_of
from lycosa.spiders.keywords import Keywords

MAX_LINKS_TO_A_PAGE = 8
"""Links to a page that count, in a crawl too; the links of menus repeat each other."""

_STIFFNESS = 1.0  # the L2 penalty of the weight of a column
_BIAS_STIFFNESS = 1e-3  # the L2 penalty of other weights
_STEPS, _TURNS = 8, 12
_MAX_LINKS_OF_A_SITE = 20_000  # drawn at random
_UNSTACKED = 0.6, 1.0, -0.7  # trust, faith and base of a single training site
_MAX_NAMED_COLUMNS = 500  # whose words are kept for explanations


@dataclass(frozen=True, slots=True, eq=False)
class _SiteExamples:
    """The links of a site: columns with their values, rates, and keyword scores."""

    rows: Rows
    values: Floats
    rates: Floats
    keywords: Floats


@dataclass(frozen=True, slots=True)
class DefaultTraining:
    """The trainer of the default policy; it has no parameters."""

    def train(self, sites: Sequence[Site], goal: str, seed: int = 0) -> HashedModel:
        """Return the model of these sites."""
        if not sites:
            raise UsageError("Training needs sites to learn from; give at least one.")
        every = []
        for n, site in enumerate(sites):
            _report_steps(n, sites)
            every.append(_site_examples(site, goal, seed))
        examples = [one for one in every if one is not None]
        if not examples:
            raise UsageError("None of the training sites has a link to learn from.")
        _report_steps(len(sites), sites)
        weights = _fit(examples)
        trust, faith, base = _stack(examples) if len(examples) > 1 else _UNSTACKED
        words = tuple(_named_columns(sites, weights[:-1]))
        return HashedModel(weights[:-1], float(weights[-1]), trust, faith, base, words)


def _report_steps(done: int, sites: Sequence[Any]) -> None:
    """Report progress: each site is read, there is a fit for all, and one without each."""
    report(done, 2 * len(sites) + 1)


def keywords_of(goal: str) -> Keywords | None:
    """Return the keyword heuristic of a goal, with forms of words; None without words."""
    try:
        return Keywords(profile(goal), forms=True)
    except UsageError:
        return None


def _site_examples(site: Site, goal: str, seed: int) -> _SiteExamples | None:
    graph = Graph.of(site)
    rewards = np.zeros(len(site))
    rewards[site.wanted(goal)] = 1.0
    rates = rates_of(graph, site.seeds, rewards)
    depths = graph.distances(site.seeds)
    rng = np.random.default_rng(seed)
    share = min(
        1.0, _MAX_LINKS_OF_A_SITE / max(1, min(len(graph.targets), MAX_LINKS_TO_A_PAGE * len(site)))
    )
    keywords = keywords_of(goal)
    if keywords is not None:
        keywords.start(Budget())
    features = Features()
    sizes, words, scales = array("i"), array("H"), array("d")
    link_rates, scores = [], []
    times = np.zeros(len(site), np.int64)
    for number in _order(graph, site.seeds):
        page = site.page(number)
        links = np.flatnonzero(times[page.targets] < MAX_LINKS_TO_A_PAGE)
        times[page.targets] += 1
        if not len(page.content.paths):
            continue
        if share < 1:
            links = links[rng.random(len(links)) < share]
        if not len(links):
            continue
        depth = max(int(depths[number]), 0)
        for bags in features.columns(page, links.tolist(), depth):
            sizes.append(sum(map(len, bags)))
            for bag, value in scaled(bags):
                words.extend(bag)
                scales.extend([value] * len(bag))
        link_rates.append(rates[page.targets[links]])
        nothing = np.zeros(len(links))
        scores.append(nothing if keywords is None else keywords.score_some(page, links))
    if not sizes:
        return None
    rows = Rows(np.concatenate(([0], np.cumsum(sizes))), np.array(words, np.int32))
    return _SiteExamples(rows, np.array(scales), np.concatenate(link_rates), np.concatenate(scores))


def _order(graph: Graph, seeds: Ints) -> list[int]:
    """Return all pages in breadth-first order, unreachable ones last."""
    order = dict.fromkeys(seeds.tolist())
    queue = deque(order)
    while queue:
        page = queue.popleft()
        for target in graph.targets[graph.offsets[page] : graph.offsets[page + 1]].tolist():
            if target not in order:
                order[target] = None
                queue.append(target)
    return list(order | dict.fromkeys(range(len(graph))))


def _named_columns(sites: Sequence[Site], weights: Floats) -> Iterator[WeightedWord]:
    """Yield the words of the columns with the largest weights, the largest first.

    Columns are hashes, so the pages are read again until the words of each are
    found.
    """
    best = np.argsort(-np.abs(weights), kind="stable")[:_MAX_NAMED_COLUMNS]
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


def _fit(sites: Sequence[_SiteExamples]) -> Floats:
    """Return the weights of a regression, the bias last."""
    sizes = np.concatenate([np.diff(site.rows.starts) for site in sites])
    starts = np.concatenate(([0], np.cumsum(sizes)))
    rows = Rows(starts, np.concatenate([site.rows.words for site in sites]))
    rates = np.concatenate([site.rates for site in sites])
    stiffness = np.append(np.full(COLUMNS, _STIFFNESS), _BIAS_STIFFNESS)
    start = np.zeros(COLUMNS + 1)
    ones = np.ones((len(rows), 1))
    values = np.concatenate([site.values for site in sites])
    return fit(rows, ones, rates, stiffness, start, steps=_STEPS, turns=_TURNS, values=values)


def _stack(sites: Sequence[_SiteExamples]) -> tuple[float, float, float]:
    """Return the weights of the model and of the keywords on unseen sites, and the base."""
    inputs: list[NDArray[np.float64]] = []
    for k, site in enumerate(sites):
        _report_steps(len(sites) + 1 + k, sites)
        weights = _fit([other for n, other in enumerate(sites) if n != k])
        rows, count = site.rows, len(site.rows)
        terms = weights.take(rows.words) * site.values
        log_odds = np.bincount(rows.owners, terms, count) + weights[-1]
        inputs.append(np.stack((log_odds, site.keywords, np.ones(count)), axis=1))
    dense = np.concatenate(inputs)
    rates = np.concatenate([site.rates for site in sites])
    none = Rows(np.zeros(len(dense) + 1, np.int64), np.zeros(0, np.int32))
    stiffness = np.full(3, _BIAS_STIFFNESS)
    trust, faith, base = fit(
        none, dense, rates, stiffness, np.zeros(3), steps=_STEPS, turns=_TURNS
    ).tolist()
    return max(trust, 0.0), max(faith, 0.0), base
