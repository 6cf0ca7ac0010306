from collections import Counter
from fractions import Fraction

import numpy as np
import pytest

from lycosa.core import Budget
from lycosa.crawler import simulate
from lycosa.goals import Listed
from lycosa.spiders import Random
from small_sites import DictSite

LINKS = {"s": ["a", "b"], "a": ["c", "d", "b"], "b": ["e"]}
NOTHING = Listed("nothing", [])


def chances(seen="s", left=1):
    """Return the probability of every order of five pages with uniform choices."""
    waiting = sorted({t for u in seen for t in LINKS.get(u, ())} - set(seen))
    if len(seen) == 4:
        return {seen: Fraction(left)}
    result = Counter()
    for url in waiting:
        result.update(chances(seen + url, Fraction(left) / len(waiting)))
    return result


def test_choices_are_uniform_among_waiting_links():
    site = DictSite(LINKS)
    runs = 6000
    orders = Counter(
        "".join(s.page.url for s in simulate(site, Random(seed), NOTHING, Budget(pages=4)))
        for seed in range(runs)
    )
    expected = chances()
    assert set(orders) == set(expected)
    chi_square = sum((orders[order] - runs * p) ** 2 / (runs * p) for order, p in expected.items())
    # 8 orders, 7 degrees of freedom: more than 24.3 happens once in a thousand times.
    assert len(expected) <= 12
    assert chi_square < 31


def test_the_seed_determines_the_crawl():
    site = DictSite({"s": [str(n) for n in range(50)]})

    def order(seed):
        return [step.page.number for step in simulate(site, Random(seed), NOTHING)]

    assert order(1) == order(1)
    assert order(1) != order(2)


@pytest.mark.parametrize("seed", [0, -1, 2**70])
def test_scores_are_finite_for_any_seed(seed):
    site = DictSite({"s": [str(n) for n in range(5000)]})
    spider = Random(seed)
    spider.start(Budget())
    waits = -spider.score(site.page(0))
    assert np.isfinite(waits).all()
    assert (waits >= 0).all()
    assert waits.mean() == pytest.approx(1, abs=0.06)
