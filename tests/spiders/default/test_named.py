from __future__ import annotations

from functools import cache

import pytest

from departments import crawled, department
from lycosa.core import Policy
from lycosa.errors import UsageError
from lycosa.sites.generated import World
from lycosa.spiders import Setup, check_policy, spider
from lycosa.spiders.default import House
from lycosa.spiders.default.named import PARTS
from lycosa.spiders.spider import Model

SITES = [World(seed=7, departments=2, pages=120).department(k) for k in range(2)]


@cache
def models() -> list[Model]:
    return spider("house").train(SITES[1:], "papers")


def policy(name: str, training: bool) -> Policy:
    return spider(name).make(Setup(SITES[0], "papers"), models() if training else ())


@cache
def order(name: str, training: bool) -> list[int]:
    """The pages of a crawl, one after the other."""
    return [step.page.number for step in crawled(policy(name, training), SITES[0])]


@pytest.mark.parametrize("part", PARTS)
def test_a_spider_without_a_part_keeps_the_contract_and_goes_another_way(part):
    name = f"house(without={part})"
    without = policy(name, True)
    assert without.name == name
    check_policy(without, SITES[0], 40)
    assert order(name, True) != order("house", True)


def test_what_was_taught_can_only_be_missed_by_those_who_were_taught():
    assert order("house(without=taught)", False) == order("house", False)
    assert order("house", False) != order("house", True)


def test_several_parts_are_joined_by_plus():
    both = order("house(without=depth+learning)", True)
    assert both == order("house(without=learning+depth)", True)
    assert both not in (order("house(without=depth)", True), order("house", True))


@pytest.mark.parametrize("without", ["nothing", "depth+dept", "Depth", "+x"])
def test_an_unknown_part_is_refused_in_one_sentence_that_names_all(without):
    with pytest.raises(UsageError) as refused:
        spider(f"house(without={without})")
    said = str(refused.value)
    assert all(part in said for part in PARTS)
    assert said.endswith(".")
    assert said.count(". ") == 0


@pytest.mark.parametrize("name", ["house(depth)", "house(with=depth)", "house(3)"])
def test_arguments_that_nobody_takes_are_refused(name):
    with pytest.raises(UsageError):
        spider(name)


def test_it_needs_no_training_and_no_site():
    untaught = spider("house")(Setup(None, "papers"))
    assert isinstance(untaught, House)
    check_policy(untaught, department(), 30)


@pytest.mark.parametrize("goal", ["???", "zyzzyva", "robot OR vision"])
def test_any_goal_will_do(goal):
    check_policy(spider("house")(Setup(None, goal)), department(), 30)
