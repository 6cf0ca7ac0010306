"""Training of linear models from sites, a goal and a recipe."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from lycosa.core import Site
from lycosa.errors import UsageError
from lycosa.learn.bins import Bins
from lycosa.learn.examples import LinkBags, TrainingLinks
from lycosa.learn.linear_model import LinearModel
from lycosa.learn.naive_bayes import NaiveBayes
from lycosa.learn.neighbourhoods import Neighbourhood
from lycosa.reporting.progress import report
from lycosa.sites.graph import Graph
from lycosa.spiders.criteria import Criterion
from lycosa.spiders.criteria.criterion import check_gamma


@dataclass(frozen=True, slots=True)
class Recipe:
    """The training of a linear model.

    `learner` is nb or svm, `neighbourhood` the words of a link, `criterion` its
    value. Values are sorted into `bins` by powers of `gamma`, or with `quantiles`
    into equal shares. Words that occur fewer than `least` times are ignored.
    """

    learner: str
    neighbourhood: Neighbourhood
    criterion: Criterion
    bins: int
    gamma: float
    quantiles: bool = False
    least: int = 2

    def __post_init__(self) -> None:
        check_gamma(self.gamma)
        if self.bins < 2:
            raise UsageError(f"{self.bins} bins cannot separate values; ask for at least 2.")

    def train(self, sites: Sequence[Site], goal: str, seed: int = 0) -> LinearModel:
        """Return a model of the value of links."""
        return train(sites, goal, self, seed)


def values_of(site: Site, goal: str, criterion: Criterion) -> NDArray[np.float64]:
    """Return the value of a link to each URL of a site."""
    rewards = np.zeros(len(site))
    rewards[site.wanted(goal)] = 1.0
    return criterion(Graph.of(site), rewards)


def examples_of(sites: Sequence[Site], goal: str, recipe: Recipe) -> TrainingLinks:
    """Return all links of the sites, labelled by the criterion."""
    if not sites:
        raise UsageError(
            "This spider learns from other sites, and there are none; give some to train on."
        )
    links, values = [], []
    for n, site in enumerate(sites):
        report(n, len(sites) + 1)  # and the model
        pages = [site.page(number) for number in range(len(site))]
        found = LinkBags.of(pages, site.tables, recipe.neighbourhood)
        links.append(found)
        values.append(values_of(site, goal, recipe.criterion)[found.targets])
    return TrainingLinks.of(recipe.neighbourhood, links, values, least=recipe.least)


def bins_of(examples: TrainingLinks, recipe: Recipe) -> Bins:
    """Return the bins of a recipe."""
    if recipe.quantiles:
        return Bins.by_quantiles(recipe.bins, examples.all_values)
    return Bins.by_powers(recipe.bins, recipe.gamma)


def train(sites: Sequence[Site], goal: str, recipe: Recipe, seed: int = 0) -> LinearModel:
    """Return a model of the value of links."""
    if recipe.learner != "nb":
        from lycosa.learn.svm import require_scikit_learn

        require_scikit_learn()  # before the pages of all sites are read
    examples = examples_of(sites, goal, recipe)
    report(len(sites), len(sites) + 1)
    bins = bins_of(examples, recipe)
    if recipe.learner == "nb":
        learner = NaiveBayes(examples, bins)
        learner.learn(examples)
        return learner.model()
    from lycosa.learn.svm import train_svm  # scikit-learn takes a second to load

    return train_svm(examples, bins, seed)
