"""The generated web: numbers, URLs, links and words are consistent."""

import random
import time

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lycosa.core import Site
from lycosa.errors import UnknownName, UsageError
from lycosa.sites.checks import check_site
from lycosa.sites.generated import GeneratedSite, World
from lycosa.sites.generated.department import Department
from lycosa.sites.generated.names import Namer
from lycosa.sites.generated.organisation import Organisation
from lycosa.sites.generated.random_stream import Shuffle, Split
from lycosa.web.reader import Reader
from lycosa.web.urls import canonical

SIZES = (100, 137, 400, 1000, 10_000, 1_000_000, 10_000_000)
PLANS = {"departments": Department, "organisations": Organisation}

numbers = st.integers(0, 2**63)
seeds = st.integers(0, 2**40)


def depths(site: GeneratedSite) -> dict[int, int]:
    found = {0: 0}
    queue = [0]
    for source in queue:
        for target in site.links(source):
            if target not in found:
                found[target] = found[source] + 1
                queue.append(target)
    return found


@pytest.fixture(scope="module")
def world() -> World:
    return World(3, departments=2, organisations=2, pages=700)


@given(st.integers(1, 300), st.integers(1, 60), seeds)
def test_split_gives_every_item_one_owner(items: int, owners: int, seed: int) -> None:
    split = Split(items, owners, seed)
    rows = [split.of(owner) for owner in range(owners)]
    assert [item for row in rows for item in row] == list(range(items))
    assert all(split.owner(item) == owner for owner, row in enumerate(rows) for item in row)
    assert max(map(len, rows)) <= 2 * (-(-items // owners))


@given(st.integers(1, 500), st.integers(0, 5000), seeds)
def test_shuffle_is_invertible(size: int, more: int, seed: int) -> None:
    shuffle = Shuffle(size, size + more, seed)
    codes = [shuffle.encode(n) for n in range(size)]
    assert [shuffle.decode(code) for code in codes] == list(range(size))
    assert len(set(codes)) == size


@given(st.integers(1, 500), st.integers(1, 40), seeds)
def test_names_are_unique_and_decode_to_their_numbers(size: int, words: int, seed: int) -> None:
    namer = Namer([chr(97 + n // 26) + chr(97 + n % 26) for n in range(words)], size, seed)
    names = [namer[number] for number in range(size)]
    assert len(set(names)) == size
    assert [namer.find(name) for name in names] == list(range(size))
    assert namer.find("no such name") is None
    assert namer.find(f"aa{size + 2}") is None


@pytest.mark.parametrize("family", PLANS)
@given(seed=seeds, size=st.sampled_from(SIZES), pick=numbers)
@settings(deadline=None)
def test_every_number_has_a_unique_url(family: str, seed: int, size: int, pick: int) -> None:
    plan = PLANS[family](seed, size)
    number = pick % size
    path = plan.path(number)
    assert plan.locate(path) == number
    url = "http://a.example" + path
    assert canonical(url) == url
    alias = plan.alias(number)
    if alias is not None:
        assert alias != path
        assert plan.locate(alias) == number
    assert plan.locate(path + "x") is None


@pytest.mark.parametrize("family", PLANS)
@given(seed=seeds, size=st.sampled_from(SIZES), junk=st.text(max_size=30))
@settings(deadline=None)
def test_unknown_paths_have_no_number(family: str, seed: int, size: int, junk: str) -> None:
    plan = PLANS[family](seed, size)
    for path in ("/" + junk, f"/~{junk}/", f"/news/{junk}.html", f"/courses/cs{junk}/", "/²/-²"):
        number = plan.locate(path)
        assert number is None or path in (plan.path(number), plan.alias(number))


@pytest.mark.parametrize("family", PLANS)
@pytest.mark.parametrize("size", [100, 400, 3000])
def test_urls_are_unique(family: str, size: int) -> None:
    plan = PLANS[family](1, size)
    paths = [plan.path(number) for number in range(size)]
    aliases = [alias for number in range(size) if (alias := plan.alias(number))]
    assert len({*paths, *aliases}) == size + len(aliases)


@pytest.mark.parametrize("base", [None, "http://127.0.0.1:8000"])
@pytest.mark.parametrize("seed", [0, 1])
def test_targets_equal_the_links_of_the_html(seed: int, base: str | None) -> None:
    world = World(seed, departments=2, organisations=1, pages=400, base=base)
    for site in world.sites:
        kinds = set()
        for number in range(len(site)):
            page = site.page(number)
            targets, content = site.read(number)
            assert page.targets.tolist() == targets.tolist(), page.url
            assert len(content.paths) == len(targets)
            kinds.add((site.plan.kind(number), site.plan.style(number)))
        assert len(kinds) > (14 if site.family == "organisations" else 24)


def test_the_page_reader_finds_the_same_links(world: World) -> None:
    """The page reader of the web package, with redirects resolved afterwards."""
    for site in (world.department(0), world.organisation(0)):
        urls = site.tables.urls
        for number in range(0, len(site), 7):
            response = site.response(number)
            page = Reader().page(urls[number], response.body, response.type)
            found = [urls.find(page.tables.urls[t]) for t in page.targets.tolist()]
            inside = list(dict.fromkeys(n for n in found if n is not None))
            assert inside == site.page(number).targets.tolist()


def test_every_page_is_reachable_and_none_links_to_itself(world: World) -> None:
    for site in world.sites:
        found = depths(site)
        assert len(found) == len(site)
        for number in range(len(site)):
            assert number not in site.links(number)
            assert len(set(site.links(number))) == len(site.links(number))
        papers = [found[n] for goal in site.goals for n in site.wanted(goal).tolist()]
        assert min(papers) >= 2


@pytest.mark.parametrize("seed", range(12))
def test_officers_are_three_to_five_clicks_away(seed: int) -> None:
    site = World(seed, organisations=1, pages=300).organisation(0)
    (officers,) = site.wanted("officers").tolist()
    depth = depths(site)[officers]
    assert 3 <= depth <= 5
    assert depth == site.plan.depth


def test_officers_are_at_different_depths() -> None:
    found = {Organisation(seed, 200).depth for seed in range(30)}
    assert found == {3, 4, 5}


def test_a_seed_determines_the_web(world: World) -> None:
    again = World(3, departments=2, organisations=2, pages=700)
    other = World(4, departments=2, organisations=2, pages=700)
    for site, same, different in zip(world.sites, again.sites, other.sites, strict=True):
        picked = range(0, len(site), 5)
        assert [site.response(n) for n in picked] == [same.response(n) for n in picked]
        assert site.name == same.name != different.name
        bodies = [site.response(n).body for n in picked]
        unlike = [a != different.response(n).body for a, n in zip(bodies, picked, strict=True)]
        assert sum(unlike) > 0.95 * len(unlike)


def test_pages_do_not_depend_on_the_order_of_requests() -> None:
    one = World(5, departments=1, pages=300).department(0)
    two = World(5, departments=1, pages=300).department(0)
    order = list(range(300))
    random.Random(1).shuffle(order)
    shuffled = {number: two.response(number) for number in order}
    assert all(one.response(number) == shuffled[number] for number in range(300))


@pytest.mark.parametrize("size", [100, 10_000, 1_000_000, 10_000_000])
def test_any_page_of_any_size(size: int) -> None:
    began = time.process_time()
    world = World(1, departments=2, organisations=1, pages=size)
    rng = random.Random(size)
    for site in world.sites:
        assert len(site) == size
        for _ in range(60):
            number = rng.randrange(size)
            targets, _ = site.read(number)
            assert site.page(number).targets.tolist() == targets.tolist()
            assert all(0 <= target < size for target in targets.tolist())
    assert time.process_time() - began < 5, "a page must not cost more in a larger site"


def test_implements_site(world: World) -> None:
    site = world.department(1)
    assert isinstance(site, Site)
    assert site.family == "departments"
    assert site.seeds.tolist() == [0]
    assert len(site.tables.urls) == len(site)
    page = site.page(0)
    assert page.url == site.base + "/"
    assert "computer science" in page.title_words
    link = page.link(0)
    assert link.source == page.url
    assert site.tables.urls.find(link.target) == int(page.targets[0])
    assert page.targets.dtype == np.int32


def test_keeps_the_contract_of_a_site(world: World) -> None:
    for site in world.sites:
        check_site(site)


def test_documents_and_dead_links(world: World) -> None:
    site = world.department(0)
    layout = site.plan.layout
    paper = site.page(layout.number("paper", 3))
    assert (paper.type, paper.status, paper.targets.tolist()) == ("application/pdf", 200, [])
    dead = layout.number("dead", 1)
    assert site.page(dead).status == site.response(dead).status == 404
    linked = {target for number in range(len(site)) for target in site.links(number)}
    assert dead in linked


def test_goals(world: World) -> None:
    site = world.department(0)
    urls = site.tables.urls
    papers = [urls[n] for n in site.wanted("papers").tolist()]
    assert all(url.endswith(".pdf") for url in papers)
    documents = [n for n in range(len(site)) if site.plan.type(n) == "application/pdf"]
    assert len(papers) < 0.8 * len(documents), "there must be documents that are no papers"
    with pytest.raises(UnknownName, match="did you mean 'papers'"):
        site.wanted("paper")


def test_mirror_has_the_same_bytes(world: World) -> None:
    site = world.department(0)
    layout = site.plan.layout
    for index in range(layout.sizes["manual"]):
        original, copy = layout.number("manual", index), layout.number("mirror", index)
        assert site.response(original).body == site.response(copy).body
        assert site.links(original) != site.links(copy)


def test_pages_have_all_styles_and_charsets() -> None:
    world = World(0, departments=4, pages=600)
    bodies = [site.response(n) for site in world.sites for n in range(len(site))]
    html = [response for response in bodies if response.type.startswith("text/html")]
    for mark in (b"<FONT", b"<FRAMESET", b"XHTML 1.0", b"<!doctype html>", b"<address>"):
        assert sum(mark in response.body for response in html) > 8
    assert sum("charset" not in response.type for response in html) > 100
    latin = 0
    for response in html:
        try:
            response.body.decode()
        except UnicodeDecodeError:
            latin += 1
            assert "charset" not in response.type
            assert b"charset" not in response.body
    assert latin > 20


def test_topic_words_are_more_frequent_on_the_topic(world: World) -> None:
    site = world.department(0)
    plan = site.plan
    assert isinstance(plan, Department)
    group = plan.layout.range("group")[0]
    words = set(site.page(group).text.split())
    others = [set(site.page(n).text.split()) for n in plan.layout.range("manual")]
    assert any(words & other for other in others)
    assert len(words) > 30


def test_a_world_finds_its_pages(world: World) -> None:
    for site in world.sites:
        assert world.find(site.tables.urls[9]) == (site, 9)
    assert world.find("http://www.nowhere.example/") is None
    inside = World(3, departments=2, pages=200, base="http://127.0.0.1:1234/")
    site = inside.department(1)
    assert site.base.startswith("http://127.0.0.1:1234/cs-")
    assert inside.find(site.tables.urls[9]) == (site, 9)
    assert inside.find("http://127.0.0.1:1234") is None
    assert inside.find("http://127.0.0.1:1234/nothing/") is None


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ({"pages": 99}, "100 to 10,000,000"),
        ({"pages": 10_000_001}, "not 10,000,001"),
        ({"departments": -1}, "0 to 500 departments"),
        ({"organisations": 501}, "0 to 500 organisations"),
    ],
)
def test_refuses_impossible_worlds(arguments: dict[str, int], sentence: str) -> None:
    with pytest.raises(UsageError, match=sentence):
        World(0, **arguments)


def test_refuses_numbers_without_a_page(world: World) -> None:
    with pytest.raises(UsageError, match="2 departments"):
        world.department(2)
    for number in (-1, 700):
        with pytest.raises(UsageError, match="700 pages"):
            world.department(0).page(number)


def test_targets_are_cheap() -> None:
    """The limit is ten times the CPU time that was measured."""
    site = World(0, departments=1, pages=100_000).department(0)
    began = time.process_time()
    for number in range(0, 100_000, 10):
        site.page(number)
    assert (time.process_time() - began) / 10_000 < 300e-6
