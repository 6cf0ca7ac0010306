import operator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lycosa.errors import UsageError
from lycosa.goals import Categories, Function, Listed, Query, weighted
from lycosa.goals.combined import needs_text
from lycosa.goals.language import Language
from lycosa.goals.parametric import OfType, WordCount
from small_sites import DictSite

PAGE = DictSite({"a": []}).page(0)
REWARDS = st.sampled_from([0.0, 0.25, 1.0, 3.0])


def worth(reward, name="g"):
    return Function(name, lambda page: reward)


class PlainGoal:
    """A goal without the base class of combinations."""

    name = "plain"

    def __call__(self, page):
        return 0.5


@given(REWARDS, REWARDS)
def test_rewards_are_minimum_maximum_and_negation(a, b):
    left, right = worth(a), worth(b)
    assert (left & right)(PAGE) == min(a, b)
    assert (left | right)(PAGE) == max(a, b)
    assert (~left)(PAGE) == (1 if a == 0 else 0)
    assert (~(left | right))(PAGE) == (~left & ~right)(PAGE)
    assert (~(left & right))(PAGE) == (~left | ~right)(PAGE)
    assert weighted(left, 0.5)(PAGE) == a / 2


def test_names_show_the_combination():
    papers = Listed("papers", ["a"])
    assert (papers & ~Query("title:course")).name == "papers & ~title:course"
    assert (~Query("a OR b") | papers & papers).name == "~(a OR b) | (papers & papers)"
    assert weighted(papers | papers, 0.5).name == "0.5 (papers | papers)"
    assert repr(Query("a") & ~Query("b") | weighted(Query("c"), 2)) == (
        "((Query('a') & ~Query('b')) | weighted(Query('c'), 2))"
    )


def test_goals_without_the_base_class_combine_from_both_sides():
    for rule in (operator.and_, operator.or_):
        for goal in (rule(PlainGoal(), worth(0.5)), rule(worth(0.5), PlainGoal())):
            assert goal(PAGE) == 0.5
    assert (PlainGoal() & worth(1.0)).name == "plain & g"
    for rule in (operator.and_, operator.or_):
        for sides in ((worth(1.0), 3), (3, worth(1.0))):
            with pytest.raises(TypeError):
                rule(*sides)


def test_a_negation_does_not_reward_failed_pages():
    from lycosa.core import Page

    assert (~worth(0.0))(PAGE) == 1
    assert (~worth(0.0))(Page(0, PAGE.tables, error="timeout")) == 0
    assert (~worth(0.0))(Page(0, PAGE.tables, status=404)) == 0


@pytest.mark.parametrize("weight", [0, -1.0, float("nan"), float("inf")])
def test_refuses_senseless_weights(weight):
    with pytest.raises(UsageError, match="finite and greater than 0"):
        weighted(worth(1.0), weight)


@given(st.lists(REWARDS, min_size=1, max_size=4))
def test_the_category_is_the_first_of_the_greatest_reward(rewards):
    goal = Categories({f"c{k}": worth(reward) for k, reward in enumerate(rewards)})
    assert goal(PAGE) == max(rewards)
    best = f"c{rewards.index(max(rewards))}" if max(rewards) else None
    assert goal.category(PAGE) == best


def test_categories_have_a_name_and_need_a_goal():
    assert Categories({"faculty": worth(1.0), "students": worth(0.0)}).name == "faculty | students"
    with pytest.raises(UsageError, match="at least one goal"):
        Categories({})


class Observer(PlainGoal):
    """An observing goal without the base class of combinations."""

    def __init__(self):
        self.seen = []

    def see(self, page):
        self.seen.append(page)


def test_a_goal_that_is_not_called_sees_the_page_once():
    observer = Observer()
    goals = [
        worth(0.0) & observer,
        worth(0.0) & (worth(1.0) & observer),
        worth(0.0) & ~(~worth(1) & observer),
    ]
    for goal in goals:
        observer.seen.clear()
        assert goal(PAGE) == 0
        assert observer.seen == [PAGE]
    observer.seen.clear()
    assert (worth(1.0) & observer)(PAGE) == 0.5
    assert (worth(0.0) & PlainGoal())(PAGE) == 0
    assert observer.seen == [], "a goal that is called sees the page anyway"


@pytest.mark.parametrize(
    ("goal", "needs"),
    [
        (Query("robot*"), True),
        (Query("title:robot OR lab"), True),
        (Query("url:pdf"), False),
        (Query("robot OR url:pdf"), False),
        (Query("robot AND url:pdf"), True),
        (Query("url:pdf AND NOT draft"), False),
        (Query("robot AND NOT url:pdf"), True),
        (~Query("robot"), False),
        (WordCount(least=200), True),
        (WordCount(most=200), False),
        (Language("en"), True),
        (OfType("image/*"), False),
        (Categories({"a": Query("robot"), "b": Language("en")}), True),
        (Categories({"a": Query("robot"), "b": Query("url:pdf")}), False),
    ],
    ids=repr,
)
def test_a_goal_says_whether_its_targets_have_text(goal, needs):
    assert needs_text(goal) == needs
