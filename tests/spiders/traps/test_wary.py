from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from generated_departments import department
from lycosa.content import NO_INTS
from lycosa.core import Budget, Page, Policy, Scores, Step
from lycosa.crawler import simulate
from lycosa.crawler.crawl import Crawl
from lycosa.errors import ContractError, UnknownName, UsageError
from lycosa.goals import Function
from lycosa.spiders import BreadthFirst, DepthFirst, Random, Setup, check_policy, spider
from lycosa.spiders.names import parse
from lycosa.spiders.traps import Wary, wary
from lycosa.spiders.traps.deferral import deferred
from lycosa.spiders.traps.trap_statistics import MIN_BAD_PAGES, MIN_CHAIN_PAGES
from lycosa.spiders.traps.wary import SAMPLE_INTERVAL
from lycosa.web.reader import Reader

HOST = "http://a.org"


class HtmlSite:
    """A site of HTML pages given as {path: (text, linked paths)}; the first path is the seed."""

    def __init__(self, pages: Mapping[str, tuple[str, Sequence[str]]]) -> None:
        self._reader = Reader()
        self._pages = pages
        self.tables = self._reader.tables
        self.seeds = np.array([self.number(next(iter(pages)))], np.int32)

    def number(self, path: str) -> int:
        return self._reader.urls.number(HOST + path)

    def page(self, number: int) -> Page:
        url = self._reader.urls[number]
        if url[len(HOST) :] not in self._pages:
            return Page(number, self.tables, status=404)
        text, paths = self._pages[url[len(HOST) :]]
        links = "".join(f'<a href="{path}"></a>' for path in paths)
        return self._reader.page(url, f"{text}{links}".encode())


class RandomRescoring:
    """A policy with random scores that rescores random waiting links at every step."""

    name = "random-rescoring"

    def __init__(self, seed: int) -> None:
        self._seed = seed

    def start(self, budget: Budget) -> None:
        self._rng = np.random.default_rng(self._seed)
        self._known = NO_INTS
        self.steps: list[Step] = []

    def observe(self, step: Step) -> Scores | None:
        self.steps.append(step)
        self._known = np.union1d(self._known, step.page.targets)
        some = self._known[self._rng.random(len(self._known)) < 0.3]
        values = self._rng.normal(size=len(some)) * 1e3
        return Scores(some, values)

    def score(self, page: Page) -> np.ndarray:
        return self._rng.normal(size=len(page.targets))


def steps_of(site: HtmlSite, policy: Policy, wanted: str = "paper") -> list[Step]:
    goal = Function("papers", lambda page: float(wanted in page.text.split()))
    return list(simulate(site, policy, goal))


def paths_of(site: HtmlSite, steps: Sequence[Step]) -> list[str]:
    return [step.page.url.removeprefix(HOST) for step in steps]


def text(seed: object, size: int = 40) -> str:
    rng = np.random.default_rng(abs(hash(str(seed))) if isinstance(seed, str) else seed)
    return " ".join(f"w{n}" for n in rng.integers(0, 10**6, size))


# Paths of few shapes, so that small graphs have traps: copies, sessions, repeated folders.
PATHS = [
    *(f"/c/{n}.html" for n in range(30)),
    *(f"/m/{name}.html" for name in "abcdefghijklmnopqrst"),
    *(f"/s;jsessionid={n}2345678" for n in range(8)),
    *("/d" + "/e" * n + "/" for n in range(8)),
]
TEXTS = ["one", "two paper", "page not found", text(0), text(0), text(0) + " x", text(1)]


@st.composite
def graphs(draw: st.DrawFn) -> HtmlSite:
    rng = np.random.default_rng(draw(st.integers(0, 2**32)))
    size, links = draw(st.integers(1, len(PATHS))), draw(st.integers(1, 12))
    known = draw(st.integers(1, len(TEXTS)))
    paths = [str(path) for path in rng.permutation(PATHS)[:size]]
    return HtmlSite(
        {
            path: (TEXTS[rng.integers(known)], rng.choice(PATHS, rng.integers(links + 1)).tolist())
            for path in paths
        }
    )


POLICIES = st.one_of(
    st.builds(BreadthFirst),
    st.builds(DepthFirst),
    st.builds(Random),
    st.builds(RandomRescoring, st.just(3)),
)


@settings(deadline=None)
@given(graphs(), POLICIES)
def test_requests_exactly_the_same_urls_in_the_end(site, policy):
    plain = paths_of(site, steps_of(site, policy))
    guarded = paths_of(site, steps_of(site, Wary(policy)))
    assert sorted(plain) == sorted(guarded)


@settings(deadline=None)
@given(graphs(), POLICIES)
def test_deferred_links_come_after_all_others(site, policy):
    guarded = Wary(policy)
    goal = Function("papers", lambda page: float("paper" in page.text.split()))
    crawl = Crawl(guarded, goal, Budget(), site.seeds)
    waiting: set[int] = set(site.seeds.tolist())
    fetched: set[int] = set()
    while (number := crawl.next()) is not None:
        if guarded.deferral_reason(number):
            assert all(guarded.deferral_reason(other) for other in waiting)
        waiting.discard(number)
        fetched.add(number)
        page = site.page(number)
        crawl.tell(page)
        waiting |= set(page.targets.tolist()) - fetched


class NumberScores(BreadthFirst):
    """Scores by URL number; asserts that every step carries the score it gave."""

    def start(self, budget: Budget) -> None:
        self.scored: set[int] = set()

    def observe(self, step: Step) -> None:
        known = step.page.number in self.scored
        assert step.score == (step.page.number / 7 if known else np.inf)
        assert known == (step.source >= 0)

    def score(self, page: Page) -> np.ndarray:
        self.scored.update(page.targets.tolist())
        return page.targets / 7


@settings(deadline=None)
@given(graphs())
def test_policy_sees_its_own_scores(site):
    steps_of(site, Wary(NumberScores()))


def copies(size: int = 30) -> HtmlSite:
    """Return a folder, its mirror, and a chain of other pages that is found last."""
    originals = [f"/a/p{chr(97 + n)}.html" for n in range(size // 2)]
    mirrored = [path.replace("/a/", "/m/") for path in originals]
    last = {f"/z{n}.html": (f"{text(99 + n)} paper", [f"/z{n + 1}.html"]) for n in range(20)}
    pages = {path: (text(n), []) for n, path in enumerate(originals)}
    pages |= {path: (text(n), []) for n, path in enumerate(mirrored)}
    return HtmlSite({"/": ("start", [*originals, *mirrored, "/z0.html"])} | pages | last)


def test_mirror_is_deferred_after_a_few_copies():
    site = copies()
    guarded = Wary(BreadthFirst())
    paths = paths_of(site, steps_of(site, guarded))
    mirrored = [n for n, path in enumerate(paths) if path.startswith("/m/")]
    last = paths.index("/z19.html")
    # One more than the pages it takes to notice: a sample.
    assert sum(n < last for n in mirrored) == MIN_BAD_PAGES + 1
    assert len(mirrored) == 15
    (shape,) = guarded.deferred_shapes()
    assert shape == (f"{HOST}/m/*.html", "duplicates", 15, 0, 0)


def test_policy_sees_no_reward_for_a_duplicate():
    body = f"{text(5)} paper"
    site = HtmlSite({"/": ("start", ["/a", "/b", "/c"]), "/a": (body, []), "/b": (body, []),
                    "/c": ("other paper", [])})  # fmt: skip
    inner = RandomRescoring(1)
    steps = steps_of(site, Wary(inner))
    assert sorted(step.reward for step in steps) == [0, 1, 1, 1]
    assert sorted(step.reward for step in inner.steps) == [0, 0, 1, 1]


def test_target_is_no_duplicate_of_a_page_without_reward():
    body = text(5)
    site = HtmlSite({"/": ("start", ["/a", "/b"]), "/a": (body, []), "/b": (body, [])})
    inner = RandomRescoring(1)
    wanted = Function("b", lambda page: float(page.url.endswith("/b")))
    list(simulate(site, Wary(inner), wanted))
    assert sum(step.reward for step in inner.steps) == 1


def test_soft_404_is_a_failed_page_and_its_links_are_deferred():
    site = HtmlSite(
        {
            "/": ("start", ["/gone.html", "/b.html"]),
            "/gone.html": ("page not found", ["/x", "/b.html"]),
            "/b.html": ("b", ["/c/"]),
            "/c/": ("c", ["/d/"]),
            "/d/": ("d", []),
        }
    )
    observed: list[Step] = []
    inner = BreadthFirst()
    inner.observe = observed.append
    paths = paths_of(site, steps_of(site, Wary(inner)))
    assert paths == ["/", "/gone.html", "/b.html", "/c/", "/d/", "/x"]
    page = observed[1].page
    assert (page.error, page.status, len(page.targets), page.text) == ("soft-404", 404, 0, "")
    assert observed[-1].source == -1  # the policy never scored that link


def test_link_of_a_soft_404_is_restored_when_found_elsewhere():
    site = HtmlSite(
        {
            "/": ("start", ["/gone.html", "/b.html"]),
            "/gone.html": ("page not found", ["/x/"]),
            "/b.html": ("b", ["/c/", "/x/", "/d/"]),
            **{f"/{name}/": (name, []) for name in "cdx"},
        }
    )
    guarded = Wary(BreadthFirst())
    paths = paths_of(site, steps_of(site, guarded))
    assert paths == ["/", "/gone.html", "/b.html", "/c/", "/x/", "/d/"]
    assert guarded.deferral_reason(site.number("/x/")) is None


def test_many_urls_with_the_same_page_are_soft_404s():
    home = text(8)
    site = HtmlSite(
        {
            "/": (home, [f"/q/{name}" for name in "abcdefg"]),
            **{f"/q/{n}": (home, []) for n in "abcdefg"},
        }
    )
    inner = RandomRescoring(1)
    steps_of(site, Wary(inner))
    assert [step.page.error for step in inner.steps] == [None] * 3 + ["soft-404"] * 5


def test_session_ids_of_a_known_url_are_deferred_at_once():
    spelt = [f"/a;jsessionid={n}234567890" for n in range(3)]
    site = HtmlSite({"/": ("start", [*spelt, "/b"]), "/b": (text(2), ["/c"]), "/c": (text(3), [])})
    guarded = Wary(BreadthFirst())
    paths = paths_of(site, steps_of(site, guarded))
    assert paths == ["/", spelt[0], "/b", "/c", *spelt[1:]]
    assert [guarded.deferral_reason(site.number(path)) for path in spelt] == [
        None,
        "session id",
        "session id",
    ]


def test_url_with_session_id_equals_the_url_without():
    spelt = "/a;jsessionid=1234567890"
    site = HtmlSite({"/": ("start", ["/a", spelt, "/b"]), "/b": (text(2), ["/c"])})
    assert paths_of(site, steps_of(site, Wary(BreadthFirst()))) == ["/", "/a", "/b", "/c", spelt]


def test_new_page_clears_no_session_id_before_the_first_spelling_is_fetched():
    spelt = [f"/a;jsessionid=x{n:02d}4567890" for n in range(SAMPLE_INTERVAL + 10)]
    pages = {path: (text(1), []) for path in spelt}
    site = HtmlSite({"/": ("start", ["/z", *spelt]), "/z": (text(2), ["/y"])} | pages)
    guarded = Wary(NumberScores())
    paths = paths_of(site, steps_of(site, guarded))
    # The sample, which was found late, is new; then come the first and all that is not deferred.
    assert paths[:5] == ["/", spelt[SAMPLE_INTERVAL - 1], spelt[0], "/z", "/y"]


def test_new_page_clears_a_session_id_if_the_first_spelling_differs():
    spelt = [f"/a;jsessionid=x{n:02d}4567890" for n in range(SAMPLE_INTERVAL + 10)]
    pages = {path: (text(n), []) for n, path in enumerate(spelt)}
    site = HtmlSite(
        {"/": ("start", [*spelt, "/z"]), "/z": (text(2), ["/y"]), "/y": (text(3), ["/x"])} | pages
    )
    guarded = Wary(BreadthFirst())
    paths = paths_of(site, steps_of(site, guarded))
    assert paths[:4] == ["/", spelt[0], spelt[SAMPLE_INTERVAL - 1], "/z"]
    assert paths[-1] == "/x"
    assert not list(guarded.deferred_shapes())


def test_links_deferred_later_keep_their_last_score():
    site = copies()
    site.page(0)
    last = site.number("/m/po.html")

    class Changing(BreadthFirst):
        def observe(self, step: Step) -> Scores | None:
            return Scores(np.array([last]), np.array([-3.0])) if step.n == 2 else None

    given: dict[int, float] = {}

    class Listening(Wary):
        def observe(self, step: Step) -> Scores | None:
            rescored = super().observe(step)
            if rescored is not None:
                given.update(zip(rescored.numbers.tolist(), rescored.values.tolist(), strict=True))
            return rescored

    order = [step.page.number for step in steps_of(site, Listening(Changing()))]
    assert order[-1] == last
    others = [value for number, value in given.items() if number != last and value]
    assert given[last] == deferred(np.array(-3.0))
    assert set(others) == {deferred(np.array(0.0))}


def test_repeating_path_is_deferred_at_once():
    pages = {"/" + "e/" * n: (text(n), ["/" + "e/" * (n + 1)]) for n in range(40)}
    pages["/"] = ("start", ["/e/", "/z0.html"])
    pages |= {f"/z{n}.html": (text(50 + n), [f"/z{n + 1}.html"]) for n in range(20)}
    site = HtmlSite(pages)
    guarded = Wary(DepthFirst())
    paths = paths_of(site, steps_of(site, guarded))
    assert paths.index("/z20.html") < paths.index("/e/e/e/")
    assert guarded.deferral_reason(site.number("/e/e/e/")) == "endless path"


def calendar(months: int = 200) -> HtmlSite:
    pages = {"/": ("start", ["/cal/0.html", "/z0.html"])}
    for n in range(months):
        pages[f"/cal/{n}.html"] = (text(n), [f"/cal/{n + 1}.html"])
    return HtmlSite(pages | {"/z0.html": (text(999), ["/z"]), "/z": ("paper", [])})


def test_fruitless_calendar_is_deferred():
    site = calendar()
    guarded = Wary(DepthFirst())
    paths = paths_of(site, steps_of(site, guarded))
    plain = paths_of(site, steps_of(site, DepthFirst()))
    assert plain.index("/z0.html") == 202
    # The first month is linked from the front page, and one month is a sample.
    assert paths.index("/z0.html") <= MIN_CHAIN_PAGES + 3
    assert len(paths) == len(plain)
    assert guarded.deferral_reason(site.number("/cal/150.html")) == "calendar"


def test_good_sample_restores_the_shape():
    good = 2 * SAMPLE_INTERVAL
    links = [f"/m/{n}" for n in range(4 * SAMPLE_INTERVAL)]
    pages = {path: (text(0) if n < 20 else text(n), []) for n, path in enumerate(links)}
    chain = {f"/z{n}/": (text(900 + n), [f"/z{n + 1}/"]) for n in range(300)}
    site = HtmlSite({"/": ("start", [*links, "/z0/"])} | pages | chain)
    guarded = Wary(BreadthFirst())
    paths = paths_of(site, steps_of(site, guarded))
    # The first eight are copies; then a sample is new, and the others get their scores back.
    assert paths.index(links[good]) < paths.index("/z290/")
    assert all("/m/" not in deferred.shape for deferred in guarded.deferred_shapes())
    assert guarded.deferral_reason(site.number(links[good])) is None


def test_contract_errors_of_the_policy_are_reported():
    class Broken(BreadthFirst):
        def score(self, page: Page) -> np.ndarray:
            return np.zeros(len(page.targets) + 1)

    with pytest.raises(ContractError, match="must return one score"):
        steps_of(copies(), Wary(Broken()))


@pytest.mark.parametrize(
    "name", ["breadth-first", "random", "keywords", "yield(combined)", "house"]
)
def test_keeps_the_policy_contract(name):
    site = department()
    check_policy(Wary(spider(name)(Setup(site, "papers"))), site, 120)


def test_start_resets_everything():
    site, guarded = calendar(60), Wary(BreadthFirst())
    first = paths_of(site, steps_of(site, guarded))
    assert list(guarded.deferred_shapes())
    guarded.start(Budget())
    assert not list(guarded.deferred_shapes())
    assert paths_of(site, steps_of(site, guarded)) == first


def test_parses_the_name_wary_of_any_spider():
    made = wary(parse("wary(yield(combined, depth=1))"), spider)
    site = department()
    policy = made(Setup(site, "papers"))
    assert made.name == policy.name == "wary(yield(combined, depth=1))"
    assert isinstance(policy, Wary)
    assert wary(parse("wary(rl-future)"), spider).recipes == spider("rl-future").recipes
    house = wary(parse("wary(house)"), spider)
    assert (house.portable, house.optional) == (True, True)
    assert wary(parse("wary"), spider)(Setup(site, "papers")).policy.name == "breadth-first"
    with pytest.raises(UsageError, match="one argument too many"):
        wary(parse("wary(random, random)"), spider)
    with pytest.raises(UnknownName):
        wary(parse("wary(nobody)"), spider)
