"""Readable names become the right recipes; wrong ones are told in a sentence."""

from __future__ import annotations

import pytest

import lycosa
from lycosa.errors import UnknownName, UsageError
from lycosa.learn.neighbourhoods import NEIGHBOURHOODS
from lycosa.spiders import Setup, spider
from lycosa.spiders.change_policy import ChangePolicy
from lycosa.spiders.criteria import CRITERIA, Cutoff, DistanceTable, Future, Immediate, Parallel
from lycosa.spiders.immediate_and_future import ImmediateAndFuture
from lycosa.spiders.learned import LEARNERS
from lycosa.spiders.rl import RL
from lycosa.spiders.training import Recipe
from lycosa.spiders.transductive import Transductive


def made(learner, text, criterion, bins=3, gamma=0.5, **options):
    return Recipe(learner, NEIGHBOURHOODS[text], criterion, bins, gamma, **options)


@pytest.mark.parametrize(
    ("name", "recipes"),
    [
        ("rl", [made("nb", "related", Future())]),
        ("rl(svm)", [made("svm", "related", Future())]),
        ("rl(nb, full-page)", [made("nb", "full-page", Future())]),
        ("rl(nb, near, parallel)", [made("nb", "near", Parallel())]),
        (
            "rl(nb, related, future, bins=4, gamma=0.3)",
            [made("nb", "related", Future(0.3), 4, 0.3)],
        ),
        (
            "rl(svm, full, cutoff, cutoff=0.2, gamma=0.1)",
            [made("svm", "full", Cutoff(0.1, 0.2), 3, 0.1)],
        ),
        ("rl(nb, related, cutoff)", [made("nb", "related", Cutoff(0.5, 0.1))]),
        ("rl(nb, related, immediate)", [made("nb", "related", Immediate(), 2)]),
        (
            "rl(nb, quantiles=yes, least=5)",
            [made("nb", "related", Future(), quantiles=True, least=5)],
        ),
        ("rl-immediate", [made("nb", "related", Immediate(), 2)]),
        ("rl-future", [made("nb", "related", Future())]),
        ("rl-future(svm, placed, bins=5)", [made("svm", "placed", Future(), 5)]),
        ("rl-distance", [made("nb", "related", DistanceTable())]),
        (
            "immediate-and-future",
            [made("svm", "related", Immediate(), 2), made("svm", "related", Future())],
        ),
        (
            "immediate-and-future(nb, near, bins=4, gamma=0.3, least=3)",
            [
                made("nb", "near", Immediate(), 2, 0.3, least=3),
                made("nb", "near", Future(0.3), 4, 0.3, least=3),
            ],
        ),
        ("change-policy", [made("svm", "related", Future()), made("nb", "related", Future())]),
        (
            "change-policy(immediate-and-future(nb), rl(nb, near, bins=4), at=auto)",
            [
                made("nb", "related", Immediate(), 2),
                made("nb", "related", Future()),
                made("nb", "near", Future(), 4),
            ],
        ),
        ("change-policy(breadth-first, rl-immediate)", [made("nb", "related", Immediate(), 2)]),
        ("rl(tsvm)", []),  # it keeps the examples themselves
    ],
)
def test_names_become_recipes(name, recipes):
    found = spider(name)
    assert found.name == name
    assert list(found.recipes) == recipes


def test_every_combination_has_a_name():
    for learner in LEARNERS:
        for text in NEIGHBOURHOODS:
            for criterion in CRITERIA:
                found = spider(f"rl({learner}, {text}, {criterion}, gamma=0.3, bins=4)")
                for recipe in found.recipes:
                    assert recipe.neighbourhood.name == text
                    assert recipe.criterion.name == criterion
                    assert getattr(recipe.criterion, "gamma", 0.3) == 0.3


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("rl(sv)", "There is no learner 'sv'; did you mean 'svm' or 'tsvm'? Known: nb, svm, tsvm."),
        ("rl(nb, relatd)", "There is no neighbourhood 'relatd'; did you mean 'related'"),
        ("rl(nb, near, futur)", "There is no criterion 'futur'; did you mean 'future'"),
        ("rl(nb, bin=3)", "There is no option of rl 'bin'; did you mean 'bins'?"),
        (
            "rl(nb, cutoff=0.2)",
            "There is no option of rl 'cutoff'. Known: bins, gamma, least, quantiles.",
        ),
        ("change-policy(bins=4)", "There is no option of change-policy 'bins'. Known: at."),
        (
            "rl(nb, near, future, more)",
            "In rl(nb, near, future, more), 'more' is one argument too many.",
        ),
        ("rl-future(nb, near, future)", "'future' is one argument too many."),
        ("change-policy(rl, rl, rl)", "'rl' is one argument too many."),
        ("rl(nb, bins=1)", "1 bins cannot separate values; ask for at least 2."),
        ("rl(nb, bins=x)", "In rl(nb, bins=x), bins must be a number."),
        ("rl(nb, bins=2.5)", "In rl(nb, bins=2.5), bins must be a whole number."),
        ("rl(nb, bins=nan)", "bins must be a whole number."),
        ("rl(nb, bins=inf)", "bins must be a whole number."),
        ("rl(nb, least=inf)", "least must be a whole number."),
        ("rl(nb, gamma=2)", "gamma must lie between 0 and 1, both excluded; it was 2.0."),
        ("rl-immediate(gamma=2)", "gamma must lie between 0 and 1, both excluded; it was 2.0."),
        ("rl-distance(gamma=nan)", "gamma must lie between 0 and 1, both excluded; it was nan."),
        ("rl(nb, near, cutoff, cutoff=-1)", "cutoff must be a number, 0 or more; it was -1.0."),
        ("rl(quantiles=maybe)", "In rl(quantiles=maybe), quantiles must be yes or no."),
        (
            "change-policy(at=7)",
            "In change-policy(at=7), at must be auto or a share of the crawl such as 0.3.",
        ),
        ("change-policy(at=soon)", "at must be auto or a share"),
        ("change-policy(at=nan)", "at must be auto or a share"),
        ("change-policy(rl(svn))", "There is no learner 'svn'; did you mean 'svm'"),
        ("change-policy(wolf)", "There is no spider 'wolf'"),
        (
            "immediate-and-future(tsvm)",
            "immediate-and-future(tsvm) is made of nb or svm models.",
        ),
        ("immediate-and-future(nb, quantiles=yes)", "leave out quantiles"),
    ],
)
def test_wrong_names_are_errors_of_one_sentence(name, message):
    with pytest.raises(UsageError) as caught:
        spider(name)
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)
    if message.startswith("There is no"):
        assert isinstance(caught.value, UnknownName)


WORLD = lycosa.World(seed=1, departments=2, pages=100)
SETUP = Setup(WORLD.department(0), "papers", seed=3, training=[WORLD.department(1)])


@pytest.mark.parametrize(
    ("name", "kind", "portable"),
    [
        ("rl(nb)", RL, True),
        ("rl(tsvm)", Transductive, False),
        ("immediate-and-future(nb)", ImmediateAndFuture, True),
        ("change-policy(rl(nb), breadth-first)", ChangePolicy, False),
        ("change-policy(rl(nb), rl-immediate)", ChangePolicy, True),
    ],
)
def test_names_become_policies(name, kind, portable):
    found = spider(name)
    policy = found(SETUP)
    assert type(policy) is kind
    assert policy.name == name
    assert found.portable == portable


def test_each_part_gets_its_models():
    name = "change-policy(immediate-and-future(nb), rl-distance, at=0)"
    whole = spider(name)(SETUP)
    parts = [spider(part)(SETUP) for part in ("immediate-and-future(nb)", "rl-distance")]
    page = SETUP.site.page(0)
    for policy in (whole, *parts):
        policy.start(lycosa.Budget(pages=10))
    assert whole.score(page).tolist() == parts[0].score(page).tolist()
    whole.observe(lycosa.Step(1, page, 0.0))
    assert whole.score(page).tolist() == parts[1].score(page).tolist()
    assert whole.score(page).tolist() != parts[0].score(page).tolist()


def test_refuses_training_without_sites():
    for name in ("rl", "rl(tsvm)", "change-policy"):
        with pytest.raises(UsageError, match="learns from other sites"):
            spider(name)(Setup(SETUP.site, "papers"))
