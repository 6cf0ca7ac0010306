"""The table of spiders, and the contract of every spider in it."""

from pathlib import Path

import pytest

import lycosa
from lycosa.core import Policy
from lycosa.errors import UnknownName, UsageError
from lycosa.spiders import SPIDERS, Setup, check_policy, spider
from lycosa.spiders.registry import Training, listing, named_spider, published_names
from small_sites import DictSite, random_graph_site

PAGES = Path(__file__).parents[2] / "docs" / "explanation"
SITE = DictSite(
    {"a": ["b", "c"], "b": ["d", "e"], "c": ["e", "f", "a"], "e": ["g"], "f": ["h"]},
    {"papers": ["g", "h"]},
)
# Spiders that read need words, which only generated sites have.
WORLD = lycosa.World(seed=11, departments=2, pages=100)
CHECKED_PAGES = 80
"""Of a site: three in four of its targets are among them."""
WORDLESS = ["breadth-first", "depth-first", "optimal", "random", "wary"]


def check_contract(name, site, other):
    policy = spider(name)(Setup(site, "papers", seed=5, training=[other]))
    assert isinstance(policy, Policy)
    assert policy.name == name
    check_policy(policy, site, CHECKED_PAGES)


@pytest.mark.parametrize("name", WORDLESS)
@pytest.mark.parametrize("site", [SITE, random_graph_site(3, 200, 900, 20)], ids=lambda s: s.name)
def test_spiders_that_do_not_read_keep_the_contract_without_words(name, site):
    check_contract(name, site, random_graph_site(4, 100, 400, 20))


@pytest.mark.parametrize(
    "name",
    [
        *SPIDERS,
        "rl(tsvm)",
        "change-policy(at=auto)",
        "yield(partial)",
        "yield(partial, depth=3, mode=contract)",
        "yield(generalised)",
        "yield(generalised, tree)",
        "yield(combined, knn)",
        "keywords(robots, vision)",
        "house(without=taught+depth)",
        "wary(house)",
        "change-policy(house, rl(nb))",
        "change-policy(wary(house), house(without=learning), at=0.1)",
    ],
)
def test_spiders_keep_the_contract_on_pages_with_words(name):
    check_contract(name, WORLD.department(0), WORLD.department(1))


@pytest.mark.parametrize("name", SPIDERS)
def test_entries_are_complete_and_true(name):
    entry = SPIDERS[name]
    found = spider(name)
    assert entry.description.endswith(".")
    assert len(entry.description) <= 70
    assert (PAGES / f"{entry.page}.md").is_file()
    if name == "context-graph":  # trains itself from the sites of the setup
        assert entry.training is Training.REQUIRED
    else:
        needs = Training.OPTIONAL if found.optional else Training.REQUIRED
        assert entry.training is (needs if found.recipes else Training.NONE)


def test_published_policies_say_where_they_were_published():
    names = published_names()
    assert "opic" in names
    assert "house" not in names
    assert all(SPIDERS[name].source for name in names)


def test_listing_names_every_spider_once():
    names = [line.partition("(")[0].split()[0] for line in listing().splitlines() if line[0] != " "]
    assert names == list(SPIDERS)


def test_unknown_names_suggest_near_ones():
    with pytest.raises(UnknownName, match="did you mean 'random'"):
        spider("randon")


@pytest.mark.parametrize("name", ["random(3)", "optimal(gamma=1)"])
def test_refuses_arguments_where_none_are_taken(name):
    with pytest.raises(UsageError, match="takes no arguments"):
        spider(name)


@pytest.mark.parametrize("name", ["os:getcwd", "wary(os:getcwd)", "mine.lyc"])
def test_names_of_the_registry_are_neither_references_nor_files(name):
    with pytest.raises(UnknownName):
        named_spider(name)
