from __future__ import annotations

from math import log

import numpy as np
import pytest

from generated_departments import crawl_steps, department
from lycosa.core import Budget, Page, Step
from lycosa.goals.profiles import PROFILES
from lycosa.learn.hashed_model import HashedModel
from lycosa.sites.generated import World
from lycosa.spiders import BreadthFirst, check_policy
from lycosa.spiders.default import House
from lycosa.spiders.default import house as house_module
from lycosa.spiders.default.house import FIRST
from lycosa.spiders.default.training import DefaultTraining
from lycosa.spiders.default.words import start_of
from lycosa.spiders.keywords import Keywords
from score_keeper import ScoreKeeper
from small_pages import LinkSpec, page, tables
from small_sites import DictSite, random_graph_site


@pytest.fixture(scope="module")
def model() -> HashedModel:
    world = World(seed=7, departments=2, pages=120)
    return DefaultTraining().train([world.department(k) for k in range(2)], "papers")


def keywords() -> Keywords:
    return Keywords(PROFILES["papers"])


def cold(**options: frozenset[str]) -> House:
    return House(keywords(), **options)


def found(policy: House | BreadthFirst, pages: int = 100) -> int:
    return sum(step.reward > 0 for step in crawl_steps(policy, department(), pages))


def test_keeps_the_policy_contract(model):
    for policy in (cold(), House(keywords(), model), House(None), House(None, model)):
        check_policy(policy, department(), 80)


@pytest.mark.parametrize(
    "site",
    [
        DictSite({"a": ["b", "c"], "b": ["d"], "c": ["d", "a", "e"]}, {"papers": ["d"]}),
        random_graph_site(3, 200, 900, 20),
    ],
    ids=lambda site: site.name,
)
def test_keeps_the_policy_contract_on_pages_without_words(site, model):
    for policy in (cold(), House(keywords(), model)):
        check_policy(policy, site, 80)


def test_start_resets_and_runs_repeat(model):
    one, two = House(keywords(), model), House(keywords(), model)
    first, again, other = (
        [(step.page.number, step.score) for step in crawl_steps(policy, department(), 100)]
        for policy in (one, one, two)
    )
    assert first == again == other


def test_finds_more_than_breadth_first_and_no_less_with_training(model):
    breadth_first, untrained = found(BreadthFirst()), found(cold())
    assert untrained > 1.2 * breadth_first
    assert found(House(keywords(), model)) >= untrained


def test_frontier_scores_are_the_present_scores(model):
    """A fit rescores all waiting links, new folder counts rescore some."""
    policy = House(keywords(), model)
    keeper = ScoreKeeper(policy)
    fits = rescorings = 0
    for step in crawl_steps(keeper, department(), 120):
        fresh = set(step.page.targets.tolist())
        assert keeper.rescored.keys() <= keeper.scores.keys()
        fits += bool(keeper.rescored) and keeper.scores.keys() - fresh <= keeper.rescored.keys()
        rescorings += bool(keeper.rescored)
        waiting = np.array([*keeper.scores], np.int32)
        scores = policy.score(Page(0, step.page.tables, waiting))
        assert scores.tolist() == pytest.approx([*keeper.scores.values()])
    assert rescorings > fits > 5


NO_FOLDERS = frozenset({"folders"})


def followed_half(
    rewarded: str | None, pages: int = FIRST, without: frozenset[str] = frozenset()
) -> tuple[Page, np.ndarray, np.ndarray]:
    """Follow half of the links of two tag paths; return the others' scores before and after."""
    policy = House(None, without=without)
    policy.start(Budget())
    shared = tables()
    home = page(shared, [LinkSpec("x", path="html/p"), LinkSpec("x", path="html/q")] * pages)
    policy.observe(Step(1, home, 0.0))
    before = policy.score(home)
    for n, number in enumerate(home.targets[:pages].tolist(), 2):
        path = home.link(n - 2).path
        policy.observe(Step(n, Page(number, shared), float(path == rewarded), home.number))
    return home, before[pages:], policy.score(home)[pages:]


@pytest.mark.parametrize("path", ["html/p", "html/q"])
def test_links_similar_to_successful_ones_rise_above_others(path):
    home, before, after = followed_half(path)
    good = np.array([home.link(FIRST + k).path == path for k in range(FIRST)])
    assert (after[good] > before[good]).all()
    assert after[good].min() > after[~good].max()


def test_learns_nothing_before_the_first_target():
    _, before, after = followed_half(None, 5 * FIRST, NO_FOLDERS)
    assert after.tolist() == before.tolist()


def test_links_into_fruitless_folders_fall():
    _, before, after = followed_half(None, 5 * FIRST)
    assert (after < before).all()


def test_best_of_several_links_to_a_page_counts():
    policy = cold(without=NO_FOLDERS)
    policy.start(Budget())
    shared = tables()
    home, dull, bright = (
        page(shared, [LinkSpec(text, path="p")]) for text in ("x", "y", "papers publications")
    )
    for other in (dull, bright):
        other.targets = home.targets
    scores = []
    for n, shown in enumerate((home, dull, bright, dull), 1):
        policy.observe(Step(n, shown, 0.0))
        scores.append(float(policy.score(shown)[0]))
    assert scores[2] > scores[1] >= scores[0]
    assert scores[3] == scores[2]


def test_deep_links_count_less():
    def deepest(policy: House) -> tuple[float, float]:
        policy.start(Budget())
        shared = tables()
        shown = [page(shared, [LinkSpec("x", path="p")]) for _ in range(9)]
        for n, (one, then) in enumerate(zip(shown, [*shown[1:], None], strict=True), 1):
            if then is not None:
                one.targets = np.array([then.number], np.int32)
            policy.observe(Step(n, one, 0.0))
        return float(policy.score(shown[0])[0]), float(policy.score(shown[-1])[0])

    first, last = deepest(House(None, without=NO_FOLDERS))
    assert first > last
    first, last = deepest(House(None, without=frozenset({"depth", "folders"})))
    assert first == last


def waiting(policy: House, pages: int) -> list[tuple[list[tuple[Page, int]], float]]:
    """Return for each waiting URL all known links to it, and its score."""
    keeper = ScoreKeeper(policy)
    links: dict[int, list[tuple[Page, int]]] = {}
    for step in crawl_steps(keeper, department(), pages):
        for place, number in enumerate(step.page.targets.tolist()):
            links.setdefault(number, []).append((step.page, place))
    return [(links[number], score) for number, score in keeper.scores.items()]


@pytest.mark.parametrize("pages", [5, 80])
@pytest.mark.parametrize("taught", [False, True], ids=["cold", "taught"])
def test_contributions_add_up_to_the_log_odds_of_the_score(taught, pages, model):
    policy = House(keywords(), model) if taught else cold()
    links = waiting(policy, pages)
    assert sum(len(same) == 1 for same, _ in links) > 5
    for same, score in links[::5]:
        for shown, index in same:
            contributions = policy.explain(shown, index)
            total = sum(one.weight * one.value for one in contributions)
            assert total == pytest.approx(log(score / (1 - score)), abs=2e-3)
            for one in contributions:
                if one.effects:
                    effects = sum(effect.effect for effect in one.effects)
                    assert one.base + effects == pytest.approx(one.value, abs=1e-6)
        if len(same) == 1:
            assert "elsewhere" not in [one.part for one in contributions], "no other link"


def test_contributions_name_the_parts_in_use(model):
    for policy, expected in (
        (
            House(keywords(), model),
            {"taught", "keywords", "learned here", "folder", "without training", "depth"},
        ),
        (cold(), {"keywords", "learned here", "folder", "depth"}),
        (cold(without=NO_FOLDERS), {"keywords", "learned here", "depth"}),
    ):
        (link, *_), _ = waiting(policy, 60)[0]
        assert {one.part for one in policy.explain(*link)} - {"elsewhere"} == expected


def test_named_words_are_those_of_the_link(model):
    policy = House(keywords(), model)
    named = 0
    for ((shown, index), *_), _ in waiting(policy, 100)[:40]:
        bags = shown.link(index, near=5).bags
        (taught,) = [one for one in policy.explain(shown, index) if one.part == "taught"]
        for effect in taught.effects:
            if effect.bag in bags:
                words = {start_of(word) + "*" for word in bags[effect.bag]}.union(bags[effect.bag])
                assert set(effect.word.split()) <= words
                named += 1
    assert named > 100


def test_needs_less_than_400_bytes_per_url():
    site = department(pages=2000)
    policy = cold()
    known = set(site.seeds.tolist())
    for step in crawl_steps(policy, site):
        known.update(step.page.targets.tolist())
    assert len(known) > 1500
    weights = 8 * 2**16  # of columns: as many on the smallest site
    assert (policy.nbytes - weights) / len(known) < 400


def test_handles_rewards_of_any_size():
    policy = House(None)
    policy.start(Budget())
    shared = tables()
    home = page(shared, [LinkSpec("x")] * 30)
    policy.observe(Step(1, home, 0.0))
    for n, number in enumerate(home.targets[:20].tolist(), 2):
        policy.observe(Step(n, Page(number, shared), 1e12 if n % 2 else 1e-12, home.number))
    assert np.isfinite(policy.score(home)).all()


def test_handles_failed_pages():
    policy = cold()
    policy.start(Budget())
    shared = tables()
    home = page(shared, [LinkSpec("papers")] * 30)
    policy.observe(Step(1, home, 1.0))
    for n, number in enumerate(home.targets.tolist(), 2):
        broken = Page(number, shared, status=500, error="timeout")
        policy.observe(Step(n, broken, 0.0, home.number))
    assert np.isfinite(policy.score(home)).all()


@pytest.mark.parametrize("taught", [False, True])
def test_the_order_does_not_depend_on_the_links_that_are_scored_at_once(taught, model, monkeypatch):
    orders = []
    for least in (1, 1000):
        monkeypatch.setattr(house_module, "MIN_BATCH", least)
        policy = House(keywords(), model) if taught else cold()
        orders.append([step.page.number for step in crawl_steps(policy, department(), 100)])
    assert orders[0] == orders[1]
