from __future__ import annotations

from functools import cache

import pytest

from generated_departments import crawl_steps, department
from lycosa.core import Policy
from lycosa.errors import UsageError
from lycosa.sites.generated import World
from lycosa.spiders import Setup, check_policy, spider
from lycosa.spiders.default import House
from lycosa.spiders.default.named import PARTS
from lycosa.spiders.factory import Model

SITES = [World(seed=7, departments=2, pages=120).department(k) for k in range(2)]


@cache
def models() -> list[Model]:
    return spider("house").train(SITES[1:], "papers")


def policy(name: str, training: bool) -> Policy:
    return spider(name).make(Setup(SITES[0], "papers"), models() if training else ())


@cache
def order(name: str, training: bool) -> list[int]:
    """Return the pages of a crawl, in order."""
    return [step.page.number for step in crawl_steps(policy(name, training), SITES[0])]


@pytest.mark.parametrize("part", PARTS)
def test_leaving_out_a_part_keeps_the_contract_and_changes_the_crawl(part):
    name = f"house(without={part})"
    without = policy(name, True)
    assert without.name == name
    check_policy(without, SITES[0], 40)
    assert order(name, True) != order("house", True)


def test_leaving_out_training_changes_nothing_without_training():
    assert order("house(without=taught)", False) == order("house", False)
    assert order("house", False) != order("house", True)


def test_parts_are_joined_by_plus():
    both = order("house(without=depth+learning)", True)
    assert both == order("house(without=learning+depth)", True)
    assert both not in (order("house(without=depth)", True), order("house", True))


@pytest.mark.parametrize("without", ["nothing", "depth+dept", "Depth", "+x"])
def test_unknown_parts_are_refused_with_all_names(without):
    with pytest.raises(UsageError) as refused:
        spider(f"house(without={without})")
    said = str(refused.value)
    assert all(part in said for part in PARTS)
    assert said.endswith(".")
    assert said.count(". ") == 0


@pytest.mark.parametrize("name", ["house(depth)", "house(with=depth)", "house(3)"])
def test_unknown_arguments_are_refused(name):
    with pytest.raises(UsageError):
        spider(name)


def test_needs_neither_training_nor_site():
    untaught = spider("house")(Setup(None, "papers"))
    assert isinstance(untaught, House)
    check_policy(untaught, department(), 30)


@pytest.mark.parametrize("goal", ["???", "zyzzyva", "robot OR vision"])
def test_accepts_any_goal(goal):
    check_policy(spider("house")(Setup(None, goal)), department(), 30)
