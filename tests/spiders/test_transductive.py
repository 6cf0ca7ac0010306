from __future__ import annotations

import numpy as np
import pytest

from lycosa.core import Budget, Page, Step
from lycosa.learn.examples import LinkBags
from lycosa.spiders.transductive import FIRST, MAX_FITTED_PAGES, Transductive
from small_pages import MIXED, LinkSpec, examples, page, random_model, tables

WORDS = "a b c d e f".split()
MADE = examples(MIXED, [(page(tables(), [LinkSpec(" ".join(WORDS), "a b c", "p")]), [1.0])])
GIVEN, *FITTED = (random_model(MADE, seed, 2, root=True) for seed in range(6))


class Machine:
    """Returns one model after the other and records the arguments."""

    def __init__(self) -> None:
        self.shown: list[LinkBags] = []

    def train(self, unlabelled: LinkBags):
        self.shown.append(unlabelled)
        return FITTED[len(self.shown) - 1]


def pages(count: int) -> list[Page]:
    """Return pages with two links each: one unique, one shared by all."""
    rng = np.random.default_rng(2)
    tables_of_all = tables()
    found = []
    for _ in range(count):
        links = [LinkSpec(" ".join(rng.choice(WORDS, 3)), str(rng.choice(WORDS))) for _ in range(2)]
        one = page(tables_of_all, links)
        shared = np.array([one.targets[0], 999_999], np.int32)
        found.append(Page(one.number, tables_of_all, shared, one.content))
    return found


def walk(spider: Transductive, shown: list[Page]) -> dict[int, object]:
    news = {}
    for n, one in enumerate(shown, 1):
        new = spider.observe(Step(n, one, 0.0))
        if new is not None:
            news[n] = new
        spider.score(one)
    return news


def test_fits_at_50_100_200_pages():
    machine = Machine()
    shown = pages(410)
    spider = Transductive(GIVEN, machine, "tsvm")
    spider.start(Budget())
    news = walk(spider, shown)
    assert FIRST == 50
    assert list(news) == [50, 100, 200, 400]
    # The latest pages are read, no more than so many of them.
    seen = [[one.targets[0] for one in shown[max(0, n - MAX_FITTED_PAGES) : n]] for n in news]
    assert [links.targets[::2].tolist() for links in machine.shown] == seen


def test_rescores_waiting_links_with_their_best_score():
    shown = pages(100)
    spider = Transductive(GIVEN, Machine(), "tsvm")
    spider.start(Budget())
    news = walk(spider, shown)
    for (n, scores), model in zip(news.items(), FITTED, strict=False):
        best: dict[int, float] = {}
        # The page that has just come back is scored next, as every page.
        for one in shown[: n - 1]:
            values = model.reader(one.tables).values(one).tolist()
            for target, value in zip(one.targets.tolist(), values, strict=True):
                best[target] = max(value, best.get(target, 0.0))
        assert len(best) == n
        found = dict(zip(scores.numbers.tolist(), scores.values.tolist(), strict=True))
        assert found == pytest.approx(best)


def test_links_are_scored_by_the_latest_model():
    shown = pages(120)
    spider = Transductive(GIVEN, Machine(), "tsvm")
    spider.start(Budget())
    for n, one in enumerate(shown, 1):
        spider.observe(Step(n, one, 0.0))
        model = GIVEN if n < 50 else FITTED[0] if n < 100 else FITTED[1]
        expected = model.reader(one.tables).values(one)
        assert spider.score(one).tolist() == pytest.approx(expected.tolist())


def test_ignores_pages_without_links():
    shown = pages(50)
    bare = Page(shown[0].number, shown[0].tables)
    spider = Transductive(GIVEN, Machine(), "tsvm")
    spider.start(Budget())
    assert all(spider.observe(Step(n, bare, 0.0)) is None for n in range(1, 60))
    assert list(walk(spider, shown)) == [50]


def test_start_resets():
    shown = pages(60)
    spider = Transductive(GIVEN, Machine(), "tsvm")
    spider.start(Budget())
    walk(spider, shown)
    spider.start(Budget())
    expected = GIVEN.reader(shown[0].tables).values(shown[0])
    assert spider.score(shown[0]).tolist() == expected.tolist()
    assert list(walk(spider, shown)) == [50]
