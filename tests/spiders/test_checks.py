import itertools

import numpy as np
import pytest

from lycosa.core import (
    DeferringPolicy,
    ExplainingPolicy,
    ScoreContribution,
    Scores,
    WrappingPolicy,
)
from lycosa.errors import ContractError
from lycosa.spiders import BreadthFirst, check_policy
from small_sites import DictSite

COUNT = itertools.count()


def site():
    return DictSite({"a": ["b", "c"], "b": ["d"], "c": []}, {"papers": ["d"]})


class Broken(BreadthFirst):
    def __init__(self, score=None, observe=None, name="broken"):
        self.name = name
        self._score, self._observe = score, observe

    def score(self, page):
        return self._score(page) if self._score else super().score(page)

    def observe(self, step):
        return self._observe(step) if self._observe else None


def forgetful():
    """Scores by the number of pages ever seen: `start` does not reset it."""
    seen = itertools.count()
    latest = [0.0]

    def observe(step):
        latest[0] = float(next(seen))

    return Broken(lambda page: np.full(len(page.targets), latest[0]), observe)


def spoil(page):
    page.targets[:] = 0
    return np.zeros(len(page.targets))


def spoil_content(step):
    step.page.content.paths[:] = 9


@pytest.mark.parametrize(
    ("broken", "words"),
    [
        (Broken(name=""), "needs a name"),
        (Broken(lambda page: np.zeros(9)), "which has 2 links, scores of shape"),
        (Broken(lambda page: np.full(len(page.targets), np.inf)), "not finite"),
        (Broken(lambda page: [0.0] * len(page.targets)), "array of numbers"),
        (Broken(lambda page: np.full(len(page.targets), "x")), "array of numbers"),
        (Broken(lambda page: page.targets + next(COUNT)), "different results"),
        (forgetful(), "start must forget"),
        (Broken(spoil), "pages are read-only"),
        (Broken(observe=spoil_content), "pages are read-only"),
        (Broken(observe=lambda step: ([1], [1.0])), "observe of a must return None, or Scores"),
        (Broken(observe=lambda step: Scores(np.array([1]), np.array([np.nan]))), "Scores"),
        (Broken(observe=lambda step: Scores(np.array([1]), np.array([1.0, 2.0]))), "Scores"),
        (Broken(observe=lambda step: Scores(np.array([-1]), np.array([1.0]))), "Scores"),
    ],
)
def test_names_the_broken_rule(broken, words):
    with pytest.raises(ContractError, match=words):
        check_policy(broken, site())


def test_requires_all_methods():
    class Half:
        name = "half"

        def start(self, budget): ...

    with pytest.raises(ContractError, match="start, observe and score"):
        check_policy(Half(), site())


def test_accepts_new_scores():
    new = Scores(np.array([1, 2]), np.array([0.5, 0.25]))
    check_policy(Broken(observe=lambda step: new), site())


class Hooked(BreadthFirst):
    """A policy with the given attributes."""

    def __init__(self, **hooks):
        vars(self).update(hooks)


@pytest.mark.parametrize(
    ("hooks", "words"),
    [
        ({"explain": 1}, "explain must be a method"),
        ({"explain": lambda page, index: ["good"]}, "sequence of ScoreContribution"),
        ({"explain": lambda page, index: None}, "sequence of ScoreContribution"),
        ({"explain": lambda page, index: [ScoreContribution("a", np.nan)]}, "finite values"),
        ({"deferral_reason": "calendar"}, "deferral_reason must be a method"),
        ({"deferral_reason": lambda number: 3}, "a reason in words or None"),
        ({"policy": object()}, "must be the policy inside"),
    ],
)
def test_checks_the_optional_hooks(hooks, words):
    with pytest.raises(ContractError, match=words):
        check_policy(Hooked(**hooks), site())


def test_accepts_policies_with_hooks():
    part = ScoreContribution("part", 1.0)
    hooked = Hooked(
        explain=lambda page, index: [part], deferral_reason=lambda number: None, policy=Broken()
    )
    assert isinstance(hooked, ExplainingPolicy)
    assert isinstance(hooked, DeferringPolicy)
    assert isinstance(hooked, WrappingPolicy)
    check_policy(hooked, site())
