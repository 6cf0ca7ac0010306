import itertools

import numpy as np
import pytest

from lycosa.core import Scores
from lycosa.errors import ContractError
from lycosa.spiders import BreadthFirst, check_policy
from tiny import Tiny

COUNT = itertools.count()


def site():
    return Tiny({"a": ["b", "c"], "b": ["d"], "c": []}, {"papers": ["d"]})


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
        (Broken(lambda page: page.targets + next(COUNT)), "two answers"),
        (forgetful(), "start must forget"),
        (Broken(spoil), "pages are read-only"),
        (Broken(observe=spoil_content), "pages are read-only"),
        (Broken(observe=lambda step: ([1], [1.0])), "observe of a must return None, or Scores"),
        (Broken(observe=lambda step: Scores(np.array([1]), np.array([np.nan]))), "Scores"),
        (Broken(observe=lambda step: Scores(np.array([1]), np.array([1.0, 2.0]))), "Scores"),
        (Broken(observe=lambda step: Scores(np.array([-1]), np.array([1.0]))), "Scores"),
    ],
)
def test_a_broken_spider_is_told_what_is_wrong(broken, words):
    with pytest.raises(ContractError, match=words):
        check_policy(broken, site())


def test_methods_are_needed():
    class Half:
        name = "half"

        def start(self, budget): ...

    with pytest.raises(ContractError, match="start, observe and score"):
        check_policy(Half(), site())


def test_new_scores_are_fine():
    new = Scores(np.array([1, 2]), np.array([0.5, 0.25]))
    check_policy(Broken(observe=lambda step: new), site())
