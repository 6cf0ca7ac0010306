import pickle

import numpy as np
import pytest

from lycosa.errors import UnknownName, UsageError
from lycosa.goals import Function, Query
from lycosa.lab.labelled import LabelledSite
from lycosa.sites import Graph, open_site
from lycosa.sites.checks import check_site
from lycosa.sites.generated import World
from recorded_sites import record
from small_sites import DictSite

HOME = "http://a.example/"
PAGES = {
    HOME: "<title>Home</title><a href=r>Robots</a> <a href=c>Course</a>",
    HOME + "r": "<title>Robot lab</title>",
    HOME + "c": "<title>Course</title>robots <a href=gone>gone</a>",
}


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    folder = tmp_path_factory.mktemp("sites") / "a"
    return open_site(record(folder, PAGES, targets={"x": (HOME + "r",)}))


def test_a_site_with_one_more_goal(site):
    labelled = LabelledSite(site, Query("robot* NOT title:course"))
    check_site(labelled)
    assert labelled.goals == ("x", "robot* NOT title:course")
    urls = [labelled.tables.urls[n] for n in labelled.wanted("robot* NOT title:course").tolist()]
    assert urls == [HOME, HOME + "r"]
    assert labelled.wanted("x").tolist() == site.wanted("x").tolist()
    with pytest.raises(UnknownName, match="no goal 'y'"):
        labelled.wanted("y")


def test_other_attributes_are_those_of_the_site(site):
    labelled = LabelledSite(site, Query("robots"))
    assert (labelled.name, labelled.family, len(labelled)) == (site.name, site.family, len(site))
    assert labelled.tables is site.tables
    assert np.array_equal(labelled.seeds, site.seeds)
    assert np.array_equal(Graph.of(labelled).targets, site.graph.targets)
    assert labelled.page(1).url == site.page(1).url
    assert repr(labelled) == f"<LabelledSite {site!r} robots>"
    assert labelled.damage is None
    damaged = DictSite({"a": []}, damage="half of it is lost")
    assert LabelledSite(damaged, Query("robots")).damage == "half of it is lost"


def test_goal_is_evaluated_once_and_on_first_use():
    shown = []
    seen = Function("seen", lambda page: shown.append(page.number) or page.number)
    labelled = LabelledSite(DictSite({"a": ["b", "c"]}), seen)
    assert (labelled.goals, shown) == (("seen",), [])
    assert [labelled.wanted("seen").tolist() for _ in range(2)] == [[1, 2], [1, 2]]
    assert shown == [0, 1, 2]
    assert labelled.wanted("seen").dtype == np.int32


def test_site_without_a_matching_page_has_no_targets():
    assert LabelledSite(DictSite({"a": ["b"]}), Query("zebra")).wanted("zebra").tolist() == []


def test_targets_are_the_rewarded_pages():
    site = World(seed=1, departments=1, pages=200).department(0)
    goal = Query('course* OR title:"home page"')
    wanted = set(LabelledSite(site, goal).wanted(goal.name).tolist())
    assert 0 < len(wanted) < 200
    assert all((number in wanted) == (goal(site.page(number)) > 0) for number in range(200))


def test_can_be_pickled():
    labelled = LabelledSite(DictSite({"a": ["b"]}), Query("word"))
    twin = pickle.loads(pickle.dumps(labelled))
    assert twin.wanted("word").tolist() == labelled.wanted("word").tolist() == [0]


def test_refuses_an_existing_goal():
    with pytest.raises(UsageError, match="'tiny' has a goal 'papers' already"):
        LabelledSite(DictSite({"a": []}, {"papers": []}), Query("papers"))
