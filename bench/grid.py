"""All combinations of criterion, text, classifier, bins and gamma, with leave-one-out sites.

A model that does not change during the crawl scores all links of a site at once,
so a combination costs its training and one simulation. Every process takes one
site; what combinations share (texts, vocabularies, matrices) is computed once.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import numpy as np

from lycosa.core import Budget, Page, Site, Step
from lycosa.crawler.simulation import simulate
from lycosa.goals.listed import Listed
from lycosa.lab import Run
from lycosa.learn.bins import Bins
from lycosa.learn.examples import LinkBags, TrainingLinks
from lycosa.learn.linear_model import LinearModel, scale_by_root_length, softmax
from lycosa.learn.matrices import feature_matrix
from lycosa.learn.naive_bayes import NaiveBayes
from lycosa.learn.neighbourhoods import neighbourhood
from lycosa.learn.svm import train_svm
from lycosa.learn.vocabularies import WeightLookup
from lycosa.sites import open_site
from lycosa.spiders import BreadthFirst
from lycosa.spiders.criteria import CRITERIA
from lycosa.spiders.training import values_of


@dataclass(frozen=True)
class Combination:
    """One spider of the table, with the parameters of seed 002."""

    learner: str
    text: str
    bins: int
    criterion: str
    gamma: float

    @property
    def name(self) -> str:
        """The name that `--spiders` takes."""
        options = f"bins={self.bins}, gamma={self.gamma:g}"
        return f"rl({self.learner}, {self.text}, {self.criterion}, {options})"


def combinations(texts: Sequence[str], gammas: Sequence[float]) -> Iterator[Combination]:
    """Yield all combinations, those that share most next to each other."""
    for text in texts:
        for gamma in gammas:
            for criterion, bins in _criteria():
                if criterion == "immediate" and gamma != gammas[0]:
                    continue
                for learner in ("nb", "svm"):
                    yield Combination(learner, text, bins, criterion, gamma)


def _criteria() -> Iterator[tuple[str, int]]:
    yield "immediate", 2
    yield from (("future-three", 3), ("future-four", 4), ("future-five", 5))
    # Four bins, as the best spider of the paper has.
    yield from ((criterion, 4) for criterion in ("distance", "parallel", "cutoff", "future"))


class _FixedScores:
    """A policy whose scores were all computed before."""

    name = "fixed-scores"

    def __init__(self, scores: dict[int, np.ndarray]) -> None:
        self._scores = scores

    def start(self, budget: Budget) -> None:
        """Do nothing: there is no state."""

    def observe(self, step: Step) -> None:
        """Do nothing: nothing is learned."""

    def score(self, page: Page) -> np.ndarray:
        """Return the scores of the page."""
        return self._scores[page.number]


def run_grid(folders: Sequence[Path], goal: str, todo: Sequence[Combination]) -> list[Run]:
    """Run every combination on every site, trained on the others."""
    jobs = [(tuple(folders), k, goal, tuple(todo)) for k in range(len(folders))]
    with ProcessPoolExecutor(2, mp_context=get_context("spawn")) as pool:
        return [run for runs in pool.map(_site, jobs) for run in runs]


def _site(job: tuple[tuple[Path, ...], int, str, tuple[Combination, ...]]) -> list[Run]:
    folders, k, goal, todo = job
    sites = [open_site(folder) for folder in folders]
    test = sites.pop(k)
    rewards = [step.reward for step in simulate(test, BreadthFirst(), Listed.of(test, goal))]
    pages, targets = len(rewards), sum(reward > 0 for reward in rewards)
    values: dict[Any, list[np.ndarray]] = {}
    runs = []
    text = ""
    for c in todo:
        if c.text != text:
            text = c.text
            texts = neighbourhood(text)
            links = [_links(site, text) for site in sites]
            shown = _links(test, text)
            known = TrainingLinks.of(texts, links, [np.zeros(len(one)) for one in links])
            rows = feature_matrix(known)
        key = (c.criterion, c.gamma)
        if key not in values:
            rule = CRITERIA[c.criterion](*(() if c.criterion == "immediate" else (c.gamma,)))
            values[key] = [values_of(site, goal, rule) for site in sites]
        labels = [v[m.targets] for v, m in zip(values[key], links, strict=True)]
        examples = TrainingLinks(texts, known.sites, tuple(labels), known.vocabularies)
        model = _model(c, examples, rows)
        hits = _crawl(test, goal, _scores(model, test, shown), pages)
        runs.append(Run(test.name, goal, c.name, 0, pages, targets, tuple(hits), pages, "", 0.0))
    return runs


def _links(site: Site, text: str) -> LinkBags:
    pages = [site.page(number) for number in range(len(site))]
    return LinkBags.of(pages, site.tables, neighbourhood(text))


def _model(c: Combination, examples: TrainingLinks, rows: Any) -> LinearModel:
    bins = Bins.by_powers(c.bins, c.gamma)
    if c.learner == "svm":
        return train_svm(examples, bins, rows=rows)
    learner = NaiveBayes(examples, bins)
    learner.learn(examples)
    return learner.model()


def probabilities(model: LinearModel, links: LinkBags) -> np.ndarray:
    """Return the probability of every bin for all links at once."""
    total = np.zeros((len(links), len(model.means)))
    for k, channel in enumerate(model.neighbourhood.channels):
        lens = WeightLookup(model.vocabularies[k], model.weights[k], links.table(channel))
        sums = np.sum([bag.sums_by(lens.rows) for bag in links.bags[k]], axis=0)
        total += scale_by_root_length(list(links.bags[k]), sums) if model.root else sums
    return softmax(model.slope * (total + model.bias))


def _scores(model: LinearModel, site: Site, links: LinkBags) -> dict[int, np.ndarray]:
    values = probabilities(model, links) @ model.means
    scores, begin = {}, 0
    for number in range(len(site)):
        size = len(site.page(number).targets)
        if size:
            scores[number] = values[begin : begin + size]
            begin += size
    return scores


def _crawl(site: Site, goal: str, scores: dict[int, np.ndarray], pages: int) -> list[int]:
    steps = simulate(site, _FixedScores(scores), Listed.of(site, goal), Budget(pages=pages))
    return [step.n for step in steps if step.reward]
