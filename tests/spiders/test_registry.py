import pytest

import lycosa
from lycosa.core import Policy
from lycosa.errors import UnknownName, UsageError
from lycosa.spiders import SPIDERS, Setup, check_policy, spider
from lycosa.spiders.cold import COLD
from lycosa.spiders.learned import LEARNED
from lycosa.spiders.published import RIVALS
from tiny import Tiny, random_arrays

SITE = Tiny(
    {"a": ["b", "c"], "b": ["d", "e"], "c": ["e", "f", "a"], "e": ["g"], "f": ["h"]},
    {"papers": ["g", "h"]},
)
# Whoever reads needs words, which only generated sites have.
WORLD = lycosa.World(seed=11, departments=2, pages=150)


def keeps_the_contract(name, site, other):
    policy = spider(name)(Setup(site, "papers", seed=5, training=[other]))
    assert isinstance(policy, Policy)
    assert policy.name == name
    check_policy(policy, site)


@pytest.mark.parametrize("name", sorted(SPIDERS.keys() - {*LEARNED, *COLD, *RIVALS, "house"}))
@pytest.mark.parametrize("site", [SITE, random_arrays(3, 200, 900, 20)], ids=lambda s: s.name)
def test_every_plain_spider_keeps_the_contract(name, site):
    keeps_the_contract(name, site, random_arrays(4, 100, 400, 20))


@pytest.mark.parametrize(
    "name",
    [
        *LEARNED,
        *COLD,
        *RIVALS,
        "rl(tsvm)",
        "change-policy(at=auto)",
        "yield(partial)",
        "yield(partial, depth=3, mode=contract)",
        "yield(generalised)",
        "yield(generalised, tree)",
        "yield(combined, knn)",
        "keywords(robots, vision)",
        "house",
        "house(without=taught+depth)",
        "wary(house)",
        "change-policy(house, rl(nb))",
        "change-policy(wary(house), house(without=learning), at=0.1)",
    ],
)
def test_every_spider_that_reads_keeps_the_contract(name):
    keeps_the_contract(name, WORLD.department(0), WORLD.department(1))


def test_an_unknown_name_suggests_near_ones():
    with pytest.raises(UnknownName, match="did you mean 'random'"):
        spider("randon")


@pytest.mark.parametrize("name", ["random(3)", "optimal(gamma=1)"])
def test_arguments_that_nobody_takes(name):
    with pytest.raises(UsageError, match="takes no arguments"):
        spider(name)
