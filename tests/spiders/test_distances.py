"""Distance heuristics on the web against the same heuristics worked out from scratch."""

from __future__ import annotations

import numpy as np
import pytest

from generated_departments import crawl_steps, department
from lycosa.core import Budget, Page, Step
from lycosa.goals.profiles import Profile
from lycosa.search import FrontAdvancement, MinimalDistance, SumOfDistances
from lycosa.spiders import check_policy
from lycosa.spiders.distances import ByDistances
from score_keeper import ScoreKeeper
from small_pages import LinkSpec, page, tables

HEURISTICS = (FrontAdvancement, MinimalDistance, SumOfDistances)
# Words that the links of the department have; one stands in two profiles.
PROFILES = [
    Profile(tuple(words.split()))
    for words in ("papers publications", "research group", "research projects", "people home", "tr")
]


def spider(heuristic, profiles=PROFILES, fade=0.0) -> ByDistances:
    return ByDistances(
        profiles, lambda distances, group: heuristic(distances, group, fade=fade), "by distances"
    )


class Scratch:
    """A reference: stores all pages, and computes every score from them."""

    def __init__(self, heuristic, profiles, fade):
        self._heuristic, self._profiles, self._fade = heuristic, profiles, fade
        self._rows: dict[int, np.ndarray] = {}
        self._steps: list[Step] = []
        self._fetched: set[int] = set()

    def see(self, step: Step) -> None:
        self._steps.append(step)
        self._fetched.add(step.page.number)
        for link, number in enumerate(step.page.targets.tolist()):
            if number not in self._fetched:  # fetched pages have no score
                bags = step.page.link(link, near=5).bags
                said = {*bags["anchor"], *bags["url"], *bags["near"]}
                row = np.array([self._distance(said, profile) for profile in self._profiles])
                self._rows[number] = np.minimum(row, self.row(number))

    def _distance(self, said: set[str], profile: Profile) -> float:
        """Return the share of missing words; a word of two profiles counts half for each."""
        worth = {w: 1 / sum(w in p.words for p in self._profiles) for w in profile.words}
        return 1 - sum(worth[w] for w in said & worth.keys()) / sum(worth.values())

    def row(self, number: int) -> np.ndarray:
        return self._rows.get(number, np.ones(len(self._profiles)))

    def mentions(self, number: int) -> bool:
        return bool((self.row(number) < 1 - 1e-9).any())

    def group(self, number: int) -> int | None:
        row = self.row(number)
        return int(row.argmin()) if row.min() < 0.5 else None

    def score(self, numbers: list[int]) -> list[float]:
        heuristic = self._heuristic(self.row, self.group, fade=self._fade)
        for step in self._steps:
            heuristic.expanded(step.page.number, ())
            if step.reward:
                heuristic.found(step.page.number, step.reward)
        least = -2.0 * len(self._profiles)
        return [max(heuristic.value(n) + 1e-3 * heuristic.tie(n), least) for n in numbers]


@pytest.mark.parametrize("fade", [0.0, 0.5, 1.0])
@pytest.mark.parametrize("heuristic", HEURISTICS)
def test_waiting_links_always_have_their_present_scores(heuristic, fade):
    keeper = ScoreKeeper(spider(heuristic, fade=fade))
    scratch = Scratch(heuristic, PROFILES, fade)
    rises = heuristic is SumOfDistances and fade < 1
    found = checked = 0
    for step in crawl_steps(keeper, department(pages=150), 80):
        found += step.reward > 0
        scratch.see(step)
        numbers = list(keeper.scores)
        for number, score in zip(numbers, scratch.score(numbers), strict=True):
            if scratch.mentions(number) or not rises:
                assert keeper.scores[number] == pytest.approx(score, abs=1e-9)
                checked += scratch.mentions(number)
            else:  # what mentions no profile is not told that all of them gain
                assert keeper.scores[number] <= score + 1e-9
    assert found > 2
    assert checked > 500


@pytest.mark.parametrize("heuristic", HEURISTICS)
def test_crawl_continues_when_all_profiles_are_found(heuristic):
    site = department(pages=150)
    keeper = ScoreKeeper(spider(heuristic, [Profile(("ps",)), Profile(("pdf",))]))
    steps = list(crawl_steps(keeper, site))
    assert sum(step.reward for step in steps) == len(site.wanted("papers"))
    assert keeper.scores == {}


def shown(policy: ByDistances, links: list[str]) -> tuple[Page, list[float]]:
    """Return a seed with these links, and their scores."""
    policy.start(Budget())
    seed = page(
        tables(), [LinkSpec(anchor, "x", "p") for link in links for anchor in (link, "x " * 5)]
    )
    policy.observe(Step(1, seed, 0.0))
    return seed, policy.score(seed).tolist()[::2]


def test_distance_is_the_share_of_missing_words():
    people = [Profile(("ann", "lee")), Profile(("bob", "lee"))]
    links = ["ann lee", "ann", "lee", "lee lee", "x"]
    _, scores = shown(spider(MinimalDistance, people), links)
    assert scores == pytest.approx([0, -1 / 3, -2 / 3, -2 / 3, -1])
    _, scores = shown(spider(SumOfDistances, people), links)
    assert scores == pytest.approx([-2 / 3, -4 / 3, -4 / 3, -4 / 3, -2])


def after_ann_was_found(heuristic, fade) -> tuple[float, float, float]:
    """Return the scores of links that mention Lee, Bob and no profile."""
    policy = spider(heuristic, [Profile(("ann", "lee")), Profile(("bob", "stone"))], fade)
    seed, (ann, lee, bob, stranger) = shown(policy, ["ann lee", "lee", "bob", "x"])
    assert ann > lee > stranger < bob
    home = Page(int(seed.targets[0]), seed.tables)
    news = policy.observe(Step(2, home, 1.0, seed.number, ann))
    assert home.number not in news.numbers
    told = dict(zip(news.numbers.tolist(), news.values.tolist(), strict=True))
    later = page(seed.tables, [LinkSpec("bob"), LinkSpec("x " * 5), LinkSpec("x")])
    policy.observe(Step(3, later, 0.0))
    bob, _, stranger = policy.score(later).tolist()
    return told[int(seed.targets[2])], bob, stranger


@pytest.mark.parametrize("heuristic", HEURISTICS)
def test_found_profiles_lose_their_effect_with_fade_0(heuristic):
    lee, bob, stranger = after_ann_was_found(heuristic, fade=0.0)
    assert lee == stranger < bob


@pytest.mark.parametrize("heuristic", [MinimalDistance, SumOfDistances])
def test_found_profiles_keep_their_effect_with_fade_1(heuristic):
    lee, bob, stranger = after_ann_was_found(heuristic, fade=1.0)
    assert lee == bob > stranger


@pytest.mark.parametrize("heuristic", HEURISTICS)
def test_keeps_the_policy_contract(heuristic):
    check_policy(spider(heuristic), department(pages=150))
