"""Training: sites, a goal and a recipe become a model."""

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
from lycosa.sites.graph import Graph
from lycosa.spiders.criteria import Criterion
from lycosa.spiders.criteria.criterion import check_gamma


@dataclass(frozen=True, slots=True)
class Recipe:
    """How a learned spider is made: what to learn, from what, with what."""

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
        """Learn a model of what links are worth."""
        return train(sites, goal, self, seed)


def values_of(site: Site, goal: str, criterion: Criterion) -> NDArray[np.float64]:
    """The value of a link to each URL of a site."""
    rewards = np.zeros(len(site))
    rewards[site.wanted(goal)] = 1.0
    return criterion(Graph.of(site), rewards)


def examples_of(sites: Sequence[Site], goal: str, recipe: Recipe) -> TrainingLinks:
    """All links of the sites, valued by the criterion."""
    if not sites:
        raise UsageError("A learned spider needs other sites to learn from; there are none.")
    links, values = [], []
    for site in sites:
        pages = [site.page(number) for number in range(len(site))]
        mine = LinkBags.of(pages, site.tables, recipe.neighbourhood)
        links.append(mine)
        values.append(values_of(site, goal, recipe.criterion)[mine.targets])
    return TrainingLinks.of(recipe.neighbourhood, links, values, least=recipe.least)


def bins_of(examples: TrainingLinks, recipe: Recipe) -> Bins:
    """The bins that a recipe asks for."""
    if recipe.quantiles:
        return Bins.by_quantiles(recipe.bins, examples.all_values)
    return Bins.by_powers(recipe.bins, recipe.gamma)


def train(sites: Sequence[Site], goal: str, recipe: Recipe, seed: int = 0) -> LinearModel:
    """Learn a model of what links are worth."""
    if recipe.learner != "nb":
        from lycosa.learn.svm import require_scikit_learn

        require_scikit_learn()  # before the pages of all sites are read
    examples = examples_of(sites, goal, recipe)
    bins = bins_of(examples, recipe)
    if recipe.learner == "nb":
        learner = NaiveBayes(examples, bins)
        learner.learn(examples)
        return learner.model()
    from lycosa.learn.svm import train_svm  # scikit-learn takes a second to load

    return train_svm(examples, bins, seed)
