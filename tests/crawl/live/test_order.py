"""A policy cannot tell whether it is in a simulation: the live crawl keeps its order."""

import pytest
from tests.crawl.live.served import Answering, job, papers, run, served

from lycosa import Scope, Setup, World, simulate, spider
from lycosa.core import Budget
from lycosa.crawl.live.engine import LiveCrawl
from lycosa.crawl.live.pace import Pace
from lycosa.crawl.live.reading import Reading
from lycosa.spiders.registry import SPIDERS
from lycosa.spiders.rivals import RIVALS

PAGES = 100
# One of every kind, with other classifiers and criteria where there are several.
NAMES = {
    "breadth-first": ["breadth-first"],
    "depth-first": ["depth-first"],
    "random": ["random"],
    "keywords": ["keywords"],
    "yield": ["yield(partial)", "yield(generalised, tree)", "yield(combined)"],
    "front-advancement": ["front-advancement"],
    "minimal-distance": ["minimal-distance"],
    "sum-of-distances": ["sum-of-distances"],
    "rl-immediate": ["rl-immediate"],
    "rl-future": ["rl-future"],
    "rl": ["rl(svm, placed, future, bins=3)", "rl(tsvm)"],
    "immediate-and-future": ["immediate-and-future"],
    "change-policy": ["change-policy"],
    "rl-distance": ["rl-distance"],
    "wary": ["wary(depth-first)"],
    **{name: [name] for name in RIVALS},
}


@pytest.fixture(scope="module")
def world():
    with served(seed=3, departments=1, pages=300) as world:
        yield world


@pytest.fixture(scope="module")
def training():
    return [World(seed=4, departments=1, pages=200).department(0)]


def test_every_kind_of_spider_is_tried():
    assert set(NAMES) == set(SPIDERS) - {"optimal"}, "optimal knows the site, so it cannot be live"


@pytest.mark.parametrize("name", [name for names in NAMES.values() for name in names])
def test_live_and_simulated_crawls_ask_for_the_same_pages_in_the_same_order(name, world, training):
    site = world.department(0)
    scope = Scope(prefixes=(site.base + "/",), exclude=("/private/",))
    setup = Setup(None, "papers", training=training)
    simulation = simulate(
        Answering(world, site, Reading(scope)), spider(name)(setup), papers(site), Budget(PAGES)
    )
    expected = [(step.page.url, step.page.error, step.reward, step.score) for step in simulation]
    assert len(expected) == PAGES
    one = Pace(delay=0.0, slowness=0.0)
    live = LiveCrawl(
        job(site, PAGES, at_once=1, pace=one, scope=scope), spider(name)(setup), papers(site)
    )
    found = [(step.page.url, step.page.error, step.reward, step.score) for step in run(live)]
    assert found == expected
