"""Goals of other packages."""

import sys

import pytest

from lycosa.core import Goal
from lycosa.errors import UsageError
from lycosa.goals import Categories, check_goal, read_goal
from lycosa.goals.registry import goal_of
from small_sites import DictSite

PAGES = [DictSite({"a": ["lab"], "lab": []}).page(n) for n in range(2)]
MODULE = """
from lycosa.goals import Query

def is_lab(page):
    return "lab" in page.url

def make_labs():
    return Query("lab")

def make_function():
    return is_lab

class Labs:
    name = "labs"

    def __call__(self, page):
        return 0.5

goal = Labs()
number = 3

def broken():
    return 1 / 0

def make_number():
    return 3
"""


@pytest.fixture
def package(tmp_path, monkeypatch):
    """A package `other_goals` with entry points, as if it were installed."""
    (tmp_path / "other_goals.py").write_text(MODULE)
    info = tmp_path / "other_goals-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: other-goals\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text(
        "[lycosa.goals]\nlabs = other_goals:is_lab\nlost = other_goals:nothing\n"
        "gone = no_such_package:goal\n"
    )
    monkeypatch.syspath_prepend(str(tmp_path))
    yield
    sys.modules.pop("other_goals", None)


@pytest.mark.parametrize(
    ("text", "name", "rewards"),
    [
        ("other_goals:is_lab", "is_lab", [0.0, 1.0]),
        ("other_goals:make_labs", "lab", [0.0, 0.0]),
        ("other_goals:make_function", "make_function", [0.0, 1.0]),
        ("other_goals:Labs", "labs", [0.5, 0.5]),
        ("other_goals:goal", "labs", [0.5, 0.5]),
        ("labs", "labs", [0.0, 1.0]),
    ],
)
def test_reads_goals_of_other_packages(package, text, name, rewards):
    goal = read_goal(text)
    assert goal.name == name
    assert [goal(page) for page in PAGES] == rewards
    check_goal(goal, PAGES)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("other_goals:nothing", "has no attribute 'nothing'"),
        ("other_goals:number", "'number' is not a goal: it is 3"),
        ("other_goals:make_number", "'make_number' is not a goal: it returned 3"),
        ("other_goals:broken", "cannot be made: it raised ZeroDivisionError: division by zero"),
        ("no.such.package:goal", "cannot be imported (ModuleNotFoundError"),
        ("lost", "The goal 'lost (other_goals:nothing)' cannot be imported"),
        ("gone", "ModuleNotFoundError: No module named 'no_such_package'"),
    ],
)
def test_errors_are_one_clear_sentence(package, text, message):
    with pytest.raises(UsageError) as caught:
        read_goal(text)
    assert message in str(caught.value)
    assert str(caught.value).startswith("goal: ")
    assert "\n" not in str(caught.value)


def test_a_name_inside_a_table_is_read_too(package):
    goal = read_goal({"categories": {"labs": "other_goals:is_lab", "other": "robot"}})
    assert isinstance(goal, Categories)
    assert goal.category(PAGES[1]) == "labs"


def test_queries_stay_queries():
    assert read_goal("title:robot").name == "title:robot"
    assert read_goal("labs").name == "labs"
    with pytest.raises(UsageError, match="unknown field 'tilte'"):
        read_goal("tilte:robot")


def test_a_function_is_a_goal():
    def is_lab(page):
        return "lab" in page.url

    goal = read_goal(is_lab)
    assert isinstance(goal, Goal)
    assert (goal.name, goal(PAGES[1])) == ("is_lab", 1.0)
    assert goal_of(goal) is goal
