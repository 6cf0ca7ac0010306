"""The factories of spiders that are trained before the crawl.

    rl(LEARNER, NEIGHBOURHOOD, CRITERION, bins=3, gamma=0.5)
    rl-immediate, rl-future, rl-distance           the three spiders of the papers
    immediate-and-future(LEARNER, NEIGHBOURHOOD, bins=3, gamma=0.5)
    change-policy(SPIDER, SPIDER, at=0.3)          or at=auto

Learners: nb, svm, tsvm. Omitted arguments have the defaults shown here.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from lycosa.core import Policy
from lycosa.errors import UsageError
from lycosa.learn.linear_model import LinearModel
from lycosa.learn.neighbourhoods import neighbourhood
from lycosa.spiders.arguments import Arguments
from lycosa.spiders.change_policy import ChangePolicy
from lycosa.spiders.criteria import CRITERIA
from lycosa.spiders.factory import FindSpider, Model, Setup, Spider
from lycosa.spiders.immediate_and_future import ImmediateAndFuture
from lycosa.spiders.names import SpiderName
from lycosa.spiders.rl import RL
from lycosa.spiders.training import Recipe, bins_of, examples_of

LEARNERS = ("nb", "svm", "tsvm")


def _recipe(arguments: Arguments, learner: str, text: str, criterion: str) -> Recipe:
    """Parse the remaining arguments of a name as a recipe."""
    immediate = criterion == "immediate"
    bins = arguments.whole("bins", 2 if immediate else 3)
    gamma = arguments.number("gamma", 0.5)
    options = {} if criterion in ("immediate", "distance-table") else {"gamma": gamma}
    if criterion == "cutoff":
        options["cutoff"] = arguments.number("cutoff", 0.1)
    recipe = Recipe(
        learner,
        neighbourhood(text),
        CRITERIA[criterion](**options),
        bins,
        gamma,
        quantiles=arguments.flag("quantiles"),
        least=arguments.whole("least", 2),
    )
    arguments.end()
    return recipe


def rl(name: SpiderName, find: FindSpider) -> Spider:
    """Return `rl(LEARNER, NEIGHBOURHOOD, CRITERION)`."""
    arguments = Arguments(name)
    learner, text = arguments.choice("learner", LEARNERS, "nb"), arguments.next("related")
    criterion = arguments.choice("criterion", CRITERIA, "future")
    return _of_recipe(name, _recipe(arguments, learner, text, criterion))


def rl_immediate(name: SpiderName, find: FindSpider) -> Spider:
    """Return `rl-immediate(LEARNER, NEIGHBOURHOOD)`."""
    return _of_criterion(name, "immediate")


def rl_future(name: SpiderName, find: FindSpider) -> Spider:
    """Return `rl-future(LEARNER, NEIGHBOURHOOD)`."""
    return _of_criterion(name, "future")


def rl_distance(name: SpiderName, find: FindSpider) -> Spider:
    """Return `rl-distance(LEARNER, NEIGHBOURHOOD)`."""
    return _of_criterion(name, "distance-table")


def _of_criterion(name: SpiderName, criterion: str) -> Spider:
    arguments = Arguments(name)
    learner, text = arguments.choice("learner", LEARNERS, "nb"), arguments.next("related")
    return _of_recipe(name, _recipe(arguments, learner, text, criterion))


def _of_recipe(name: SpiderName, recipe: Recipe) -> Spider:
    text = str(name)
    if recipe.learner == "tsvm":
        return Spider(text, lambda setup, _: _transductive(setup, recipe, text))
    return Spider(text, lambda _, models: RL(_linear(models[0]), text), (recipe,), portable=True)


def _linear(model: Model) -> LinearModel:
    """Return the model, which must be one that recipes make."""
    if not isinstance(model, LinearModel):
        raise UsageError("This spider is made of linear models; give it those it was trained with.")
    return model


def _transductive(setup: Setup, recipe: Recipe, name: str) -> Policy:
    from lycosa.learn.svm import require_scikit_learn, train_svm
    from lycosa.learn.transductive_svm import TransductiveSVM
    from lycosa.spiders.transductive import Transductive

    require_scikit_learn()
    examples = examples_of(setup.training, setup.goal, recipe)
    bins = bins_of(examples, recipe)
    given = train_svm(examples, bins, setup.seed)
    return Transductive(given, TransductiveSVM(examples, bins, setup.seed), name)


def immediate_and_future(name: SpiderName, find: FindSpider) -> Spider:
    """Return `immediate-and-future(LEARNER, NEIGHBOURHOOD)`."""
    arguments = Arguments(name)
    learner, text = arguments.choice("learner", LEARNERS, "svm"), arguments.next("related")
    future = _recipe(arguments, learner, text, "future")
    immediate = replace(future, criterion=CRITERIA["immediate"](), bins=2)
    title = str(name)
    if learner == "tsvm":
        raise UsageError(f"{title} is made of nb or svm models.")
    if future.quantiles:  # the first bin must be immediate reward
        raise UsageError(f"In {title}, bins go by powers of gamma; leave out quantiles.")
    return Spider(
        title,
        lambda _, models: ImmediateAndFuture(_linear(models[0]), _linear(models[1]), title),
        (immediate, future),
        portable=True,
    )


def change_policy(name: SpiderName, find: FindSpider) -> Spider:
    """Return `change-policy(SPIDER, SPIDER, at=SHARE)`."""
    arguments = Arguments(name)
    first = find(arguments.next("rl(svm, related, future)"))
    second = find(arguments.next("rl(nb, related, future)"))
    text = arguments.option("at", "0.3")
    arguments.end()
    try:
        at = None if text == "auto" else float(text)
    except ValueError:
        at = -1.0
    if at is not None and not 0 <= at <= 1:
        raise UsageError(f"In {name}, at must be auto or a share of the crawl such as 0.3.")
    title, border = str(name), len(first.recipes)

    def make(setup: Setup, models: Sequence[Model]) -> Policy:
        parts = first.make(setup, models[:border]), second.make(setup, models[border:])
        return ChangePolicy(*parts, at, title)

    portable = first.portable and second.portable
    optional = all(part.optional or not part.recipes for part in (first, second))
    seen = tuple(dict.fromkeys((*first.trained_on, *second.trained_on)))
    return Spider(title, make, (*first.recipes, *second.recipes), portable, seen, optional)
