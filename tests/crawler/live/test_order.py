"""A policy cannot tell whether it is in a simulation: the live crawl keeps its order."""

import pytest

from crawler.live.served import Answering, job, papers, run, served
from lycosa import Scope, Setup, World, simulate, spider
from lycosa.core import Budget
from lycosa.crawler import MemoryStore
from lycosa.crawler.live.engine import LiveCrawl
from lycosa.crawler.live.page_reader import PageReader
from lycosa.crawler.politeness.pace import Pace
from lycosa.project.sections import DEFAULT_SPIDER
from lycosa.spiders.model_file import save_spider
from lycosa.spiders.registry import SPIDERS, published_names

PAGES = 60
CONVERSIONS = MemoryStore()
"""Documents are converted once for all spiders, and anew in the live crawls of the default one."""
# One of every kind, with other classifiers and criteria where there are several.
NAMES = {
    "house": ["house", "house(without=taught)"],
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
    "wary": ["wary(depth-first)", "wary(house)"],
    **{name: [name] for name in published_names()},
}


class Converted(MemoryStore):
    """A new store that has the conversions of the others."""

    def keep_conversion(self, key, value):
        CONVERSIONS.keep_conversion(key, value)

    def conversion(self, key):
        return CONVERSIONS.conversion(key)


@pytest.fixture(scope="module")
def world():
    with served(seed=3, departments=1, pages=150) as world:
        yield world


@pytest.fixture(scope="module")
def training():
    return [World(seed=4, departments=1, pages=100).department(0)]


def test_every_kind_of_spider_is_tested():
    assert set(NAMES) == set(SPIDERS) - {"optimal"}, "optimal knows the site, so it cannot be live"


def test_the_default_spider_has_the_same_order_live_and_simulated(world, training, tmp_path):
    made = spider(DEFAULT_SPIDER)
    path = tmp_path / "house.lyc"
    save_spider(path, made, "papers", made.train(training, "papers"), sites=["other"])
    orders = []
    for name in (DEFAULT_SPIDER, str(path)):
        setup = Setup(None, "papers")
        orders.append(simulated(world, spider(name)(setup)))
        assert crawled(world, spider(name)(setup)) == orders[-1]
    assert orders[0] != orders[1]


@pytest.mark.parametrize("name", [name for names in NAMES.values() for name in names])
def test_live_and_simulated_crawls_request_the_same_pages_in_the_same_order(name, world, training):
    setup = Setup(None, "papers", training=training)
    expected = simulated(world, spider(name)(setup))
    assert len(expected) == PAGES
    assert crawled(world, spider(name)(setup), Converted()) == expected


def simulated(world, policy):
    """What a simulation asks for, and what came of it."""
    site = world.department(0)
    answering = Answering(world, site, PageReader(scope_of(site), CONVERSIONS))
    return told(simulate(answering, policy, papers(site), Budget(PAGES)))


def crawled(world, policy, store=None):
    """The same of a crawl of the server."""
    site, one = world.department(0), Pace(delay=0.0, slowness=0.0)
    given = job(site, PAGES, max_in_flight=1, pace=one, scope=scope_of(site))
    return told(run(LiveCrawl(given, policy, papers(site), store)))


def scope_of(site):
    return Scope(prefixes=(site.base + "/",), exclude=("/private/",))


def told(steps):
    return [(step.page.url, step.page.error, step.reward, step.score) for step in steps]
