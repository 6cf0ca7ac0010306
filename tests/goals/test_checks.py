import itertools

import pytest

from lycosa.errors import ContractError
from lycosa.goals import check_goal
from small_sites import DictSite

COUNT = itertools.count()
PAGES = [DictSite({"a": ["b"]}).page(0)]


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
def test_reports_what_breaks_the_contract(broken, words):
    with pytest.raises(ContractError, match=words):
        check_goal(broken, [DictSite({"a": ["b"]}).page(0)])


def test_a_goal_must_be_callable():
    class Silent:
        name = "silent"

    with pytest.raises(ContractError, match="cannot be called"):
        check_goal(Silent(), PAGES)


def test_checks_failed_pages_too():
    def answer(page):
        return 1.0 if page.error is None else -1.0

    with pytest.raises(ContractError, match="not negative"):
        check_goal(goal(answer), PAGES)


class Observer:
    name = "observer"

    def __init__(self, returned=None):
        self.seen = 0
        self.returned = returned

    def __call__(self, page):
        return 1.0

    def see(self, page):
        self.seen += 1
        return self.returned


def test_the_hook_of_observing_goals_is_checked():
    observer = Observer()
    check_goal(observer, PAGES)
    assert observer.seen == 2, "a page and a page that failed"
    with pytest.raises(ContractError, match="returned 3 from see"):
        check_goal(Observer(3), PAGES)


def test_see_must_not_change_the_reward_of_the_page_it_is_shown():
    class Counter(Observer):
        def __call__(self, page):
            return float(self.seen)

    with pytest.raises(ContractError, match=r"then 1\.0"):
        check_goal(Counter(), PAGES)


@pytest.mark.parametrize("words", ["robot", ["Robot"], [3], None])
def test_the_words_of_a_goal_are_checked(words):
    odd = goal(lambda page: 0.0)
    odd.words = ("robot",)
    check_goal(odd, PAGES)
    odd.words = words
    with pytest.raises(ContractError, match="words in lower case"):
        check_goal(odd, PAGES)
