"""The contract test on every kind of goal."""

import inspect
import re
from pathlib import Path

import pytest

from lycosa.goals import (
    Categories,
    Combinable,
    Depth,
    Examples,
    Function,
    InLinks,
    Language,
    LinkCount,
    Listed,
    OfType,
    PageRank,
    Query,
    ResearchPaper,
    WordCount,
    check_goal,
    weighted,
)
from lycosa.sites.generated import World
from lycosa.web.reader import Reader
from small_sites import DictSite

SITE = World(seed=3, departments=1, pages=150).department(0)
PAPER = (
    "Abstract " + "The spider that we let loose is in the web. " * 60 + "References " + "1999 " * 9
)
PAGES = [
    *(SITE.page(n) for n in range(len(SITE))),
    DictSite({"a": ["b"]}).page(0),
    Reader().page("http://a.edu/paper", PAPER.encode()),
]
HTML = [page for page in PAGES if page.type == "text/html"]
FACULTY, COURSE = Query('title:"home page" OR url:people'), Query("course* NOT title:robot*")
GOALS = [
    Listed.of(SITE, "papers"),
    FACULTY,
    COURSE,
    Function("linked", lambda page: len(page.targets)),
    OfType("text/html"),
    LinkCount(5, 20),
    WordCount(least=100),
    Language("en"),
    ResearchPaper(),
    Depth(most=1),
    InLinks(least=2),
    PageRank(1.5),
    Examples.of([p for p in HTML if COURSE(p)], [p for p in HTML if not COURSE(p)]),
    FACULTY & ~COURSE,
    ~COURSE,
    FACULTY | weighted(COURSE, 0.25),
    weighted(COURSE, 3),
    Categories({"faculty": FACULTY, "courses": COURSE}),
]


@pytest.mark.parametrize("goal", GOALS, ids=lambda goal: goal.name)
def test_every_goal_keeps_the_contract(goal):
    check_goal(goal, PAGES)
    assert isinstance(goal, Combinable)
    assert len({goal(page) > 0 for page in PAGES}) == 2, "it wants all of these pages, or none"


def test_all_kinds_of_goals_are_tested():
    kinds = {Combinable}
    for _ in range(3):
        kinds |= {below for kind in kinds for below in kind.__subclasses__()}
    concrete = {kind for kind in kinds - {Combinable} if not inspect.isabstract(kind)}
    assert {kind for kind in concrete if kind.__module__.startswith("lycosa.goals.")} == {
        type(goal) for goal in GOALS
    }


def test_the_examples_in_the_documentation_run():
    text = (Path(__file__).parents[2] / "docs" / "explanation" / "goals.md").read_text()
    (code,) = re.findall(r"```python\n(.*?)```", text, re.DOTALL)
    names = {"page": PAGES[0]}
    exec(compile(code, "goals.md", "exec"), names)  # our own documentation
    assert names["labs"].words == ("robot", "lab", "group")
