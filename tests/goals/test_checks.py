import itertools

import pytest

from lycosa.errors import ContractError
from lycosa.goals import check_goal
from tiny import Tiny

COUNT = itertools.count()
PAGES = [Tiny({"a": ["b"]}).page(0)]


def goal(answer, name="odd"):
    class Odd:
        def __call__(self, page):
            return answer(page)

    odd = Odd()
    odd.name = name
    return odd


def spoil(page):
    page.targets[:] = 7
    return 0.0


@pytest.mark.parametrize(
    ("broken", "words"),
    [
        (goal(lambda page: 0.0, name=""), "needs a name"),
        (goal(lambda page: "much"), "not a number"),
        (goal(lambda page: True), "not a number"),
        (goal(lambda page: -1.0), "finite and not negative"),
        (goal(lambda page: float("nan")), "finite and not negative"),
        (goal(lambda page: float(next(COUNT))), "first 0.0, then 1.0"),
        (goal(spoil), "changed the links of a"),
    ],
)
def test_a_broken_goal_is_told_what_is_wrong(broken, words):
    with pytest.raises(ContractError, match=words):
        check_goal(broken, [Tiny({"a": ["b"]}).page(0)])


def test_a_goal_must_be_callable():
    class Silent:
        name = "silent"

    with pytest.raises(ContractError, match="cannot be called"):
        check_goal(Silent(), PAGES)


def test_failed_pages_are_tried_too():
    def answer(page):
        return 1.0 if page.error is None else -1.0

    with pytest.raises(ContractError, match="not negative"):
        check_goal(goal(answer), PAGES)
