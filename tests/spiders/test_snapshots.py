"""Every policy that can be saved goes on from a snapshot as if it had never stopped."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lycosa import Budget, Setup, World, spider
from lycosa.core import SnapshottingPolicy, can_save
from lycosa.crawler.crawl import Crawl
from lycosa.crawler.recall import Recall
from lycosa.errors import UsageError
from lycosa.goals import Listed
from lycosa.snapshots import StateReader, StateWriter
from lycosa.spiders import BreadthFirst, Wary
from lycosa.spiders.registry import SPIDERS

PAGES = 150
SAVED = (
    "breadth-first",
    "depth-first",
    "random",
    "keywords",
    "house",
    "house(without=folders+depth)",
    "wary(depth-first)",
    "wary(house)",
)


@pytest.fixture(scope="module")
def site():
    return World(seed=3, departments=1, pages=150).department(0)


@pytest.fixture(scope="module")
def whole(site):
    """Return the steps of an uninterrupted crawl, by the name of its spider."""
    known = {}

    def run(name):
        if name not in known:
            known[name] = Run(site, name).steps(PAGES)
        return known[name]

    return run


class Run:
    """A simulated crawl with a recall estimate."""

    def __init__(self, site, name):
        self.site = site
        self.policy = spider(name)(Setup(None, "papers", 5))
        self.goal = Listed.of(site, "papers")
        self.crawl = Crawl(self.policy, self.goal, Budget(), site.seeds, random_seed=5)
        self.recall = Recall()
        self.told = []

    def steps(self, count):
        """Crawl on; return what each step was."""
        seen = []
        while len(seen) < count and (number := self.crawl.next()) is not None:
            step = self.crawl.tell(self.site.page(number))
            self.recall.observe(step, self.crawl.waiting + self.crawl.in_flight)
            self.told.append(number)
            seen.append((step.n, number, step.score, step.source, str(self.recall.estimate())))
        return seen

    def save(self):
        state = StateWriter()
        for name in ("policy", "crawl", "recall"):
            getattr(self, name).save(state.part(name))
        return state

    def restore(self, state, told):
        saved = StateReader.of(state)
        self.policy.restore(saved.part("policy"))
        self.crawl.restore(saved.part("crawl"), np.array(told, np.int32))
        self.recall.restore(saved.part("recall"), self.site.tables.urls)


@pytest.mark.parametrize("name", SAVED)
@settings(max_examples=4, deadline=None)
@given(at=st.integers(0, PAGES - 1), in_flight=st.integers(0, 3))
def test_a_restored_crawl_goes_on_like_one_that_never_stopped(site, whole, name, at, in_flight):
    expected = whole(name)
    first = Run(site, name)
    assert first.steps(at) == expected[:at]
    for _ in range(in_flight):
        first.crawl.next()
    state = first.save()
    second = Run(site, name)
    second.restore(state, first.told)
    assert second.crawl.requested == second.crawl.pages == at
    assert second.steps(PAGES - at) == expected[at:]
    assert can_save(second.policy)


def test_a_snapshot_does_not_change_with_the_crawl(site, whole):
    first = Run(site, "wary(house)")
    first.steps(60)
    state, told = first.save(), list(first.told)
    first.steps(50)
    second = Run(site, "wary(house)")
    second.restore(state, told)
    assert second.steps(40) == whole("wary(house)")[60:100]


def test_a_crawl_can_be_saved_and_restored_repeatedly(site, whole):
    run, seen = Run(site, "wary(house)"), []
    for _ in range(5):
        seen += run.steps(20)
        after = Run(site, "wary(house)")
        after.restore(run.save(), run.told)
        after.told = run.told
        run = after
    assert seen == whole("wary(house)")[:100]


@pytest.mark.parametrize(
    ("saved", "other"),
    [("house", "house(without=depth)"), ("wary(house)", "wary(house(without=folders))")],
)
def test_a_policy_with_other_parameters_refuses_the_state(site, saved, other):
    first = Run(site, saved)
    first.steps(20)
    with pytest.raises(ValueError, match="saved with another model"):
        Run(site, other).restore(first.save(), first.told)


def test_other_keywords_and_seeds_refuse_the_state(site):
    for name, setup in (("keywords", Setup(None, "faculty")), ("random", Setup(None, "papers", 6))):
        state = StateWriter()
        Run(site, name).policy.save(state)
        with pytest.raises(ValueError, match="saved with"):
            spider(name)(setup).restore(StateReader.of(state))


class Unsaved:
    """A policy without a snapshot."""

    name = "unsaved"

    def start(self, budget):
        pass

    def observe(self, step):
        pass

    def score(self, page):
        return np.zeros(len(page.targets))


def test_a_wrapper_can_be_saved_only_if_what_it_wraps_can():
    assert can_save(Wary(Wary(BreadthFirst())))
    assert not can_save(Wary(Unsaved()))
    assert isinstance(Wary(Unsaved()), SnapshottingPolicy)


def test_every_policy_that_can_be_saved_without_training_is_tested():
    plain = [name for name, entry in SPIDERS.items() if name not in ("optimal", "wary")]
    found = set()
    for name in plain:
        try:
            policy = spider(name)(Setup(None, "papers"))
        except UsageError:  # it must be trained
            continue
        if can_save(policy):
            found.add(name)
    assert found == {name for name in SAVED if "(" not in name}
