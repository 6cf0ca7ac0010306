from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lycosa.content import NO_INTS, Table, Tables
from lycosa.core import Page
from lycosa.learn.link_words import Rows
from lycosa.learn.logistic import sigmoid
from lycosa.spiders.default.link_table import LinkTable
from lycosa.spiders.default.rates import rates
from word_rows import lists_of

TABLES = Tables(Table(), Table(), Table())
FEW = 8


def page(number: int, *targets: int) -> Page:
    return Page(number, TABLES, np.array(targets, np.int32) if targets else NO_INTS)


def numbers(*some: int) -> np.ndarray:
    return np.array(some, np.int32)


def add(table: LinkTable, source: Page, odds: list[float], *, few: int = FEW) -> list[int]:
    """Add the unsettled links of a page; their columns are the page and the position."""
    links = table.unsettled(source.targets, few)
    if len(links):
        lists = [[source.number, 1000 + link] for link in links.tolist()]
        inputs = [(link + 0.5, link - 0.5, 0.0, 0.0) for link in links.tolist()]
        table.add_links(source, links, lists, inputs, [odds[link] for link in links.tolist()])
    return links.tolist()


def table_with(*targets: int, odds: list[float] | None = None) -> LinkTable:
    table = LinkTable()
    table.mark_fetched(0, 0.0)
    add(table, page(0, *targets), odds or [0.0] * len(targets))
    return table


def odds_of(table: LinkTable, *some: int) -> list[float]:
    return [table.log_odds(number) for number in some]


def test_urls_are_unknown_then_waiting_then_fetched():
    table = LinkTable()
    assert table.mark_fetched(0, 0.0) is False, "a seed is no link"
    assert table.waiting().tolist() == []
    add(table, page(0, 3, 2, 1), [0.0] * 3)
    assert table.waiting().tolist() == [3, 2, 1]
    assert table.mark_fetched(2, 1.0) is True
    assert table.waiting().tolist() == [3, 1]
    assert table.unsettled(numbers(1, 2, 3, 4), FEW).tolist() == [0, 2, 3]


def test_keeps_the_link_with_the_highest_log_odds():
    table = table_with(7, odds=[0.5])
    for number, odds in ((1, 0.25), (2, 2.0), (3, 1.0)):
        table.mark_fetched(number, 0.0)
        add(table, page(number, 9, 7), [0.0, odds])
    assert odds_of(table, 7) == [2.0]
    assert lists_of(table.rows(numbers(7))) == [[2, 1001]]
    assert table.inputs(numbers(7)).tolist() == [[1.5, 0.5, 0.0, 0.0]]
    assert lists_of(table.rows(numbers(9))) == [[1, 1000]]


def test_folder_features_are_replaced():
    table = table_with(7, 8)
    table.set_folders(numbers(8, 7), np.array([[1.0, 2.0], [3.0, 4.0]]))
    table.set_folders(8, (5.0, 6.0))
    assert table.inputs(numbers(7, 8)).tolist() == [[0.5, -0.5, 3, 4], [1.5, 0.5, 5, 6]]


def test_settled_urls_take_no_more_links():
    table = table_with(7)
    for number in range(1, 6):
        table.mark_fetched(number, 0.0)
        assert add(table, page(number, 7), [float(number)], few=3) == ([0] if number < 3 else [])
    assert odds_of(table, 7) == [2.0]


def test_rescoring_replaces_log_odds_even_by_lower_ones():
    table = table_with(4, 5, odds=[3.0, 1.0])
    table.rescore(numbers(4), np.array([-1.0]))
    assert odds_of(table, 4, 5) == [-1.0, 1.0]


@given(st.lists(st.floats(-9, 9, width=32), min_size=1, max_size=9))
def test_scores_are_probabilities_after_the_depth_penalty(odds):
    table = LinkTable(0.7)
    table.mark_fetched(0, 0.0)
    first, last = np.arange(1, len(odds) + 1, dtype=np.int32), numbers(99)
    add(table, page(0, *first.tolist()), odds)
    table.mark_fetched(1, 0.0)
    add(table, page(1, 99), [3.0])
    expected = sigmoid(np.array(odds) - 0.7 * np.log(2))
    assert table.scores(first) == pytest.approx(expected)
    assert table.scores(last) == pytest.approx(sigmoid(np.array([3 - 0.7 * np.log(3)])))
    table.rescore(last, np.array([-1.0]))
    assert table.scores(last) == pytest.approx(sigmoid(np.array([-1 - 0.7 * np.log(3)])))
    assert table.scores(first) == pytest.approx(expected), "others are unchanged"
    assert table.scores(numbers(5000)).tolist() == [0], "unknown"


def test_extreme_log_odds_have_finite_scores():
    table = table_with(1, 2, odds=[1e30, -1e30])
    assert table.scores(numbers(1, 2)) == pytest.approx([1, 0])


def test_depth_is_that_of_the_first_link():
    table = table_with(1, 2)
    for source, target in ((1, 3), (3, 4), (2, 4)):
        table.mark_fetched(source, 0.0)
        add(table, page(source, target), [9.0])
    assert [table.depth(number) for number in (0, 1, 3, 4)] == [0, 1, 2, 3]


def test_depth_saturates():
    table = LinkTable()
    for number in range(400):
        table.mark_fetched(number, 0.0)
        add(table, page(number, number + 1), [0.0])
    assert table.depth(300) == table.depth(400) == 255


def test_rates_use_known_rates_or_estimates_of_links():
    table = table_with(1, 2, 3, odds=[0.0, 2.0, -3.0])
    table.mark_fetched(1, 1.0)
    found = table.rates(rewards_only=False)
    estimates = sigmoid(np.array([2.0, -3.0])).tolist()
    expected = rates(np.zeros(1), np.zeros(3, int), np.array([1.0, *estimates]))
    assert found[0] == pytest.approx(expected[0])
    assert found[1] == 1
    assert table.rates(rewards_only=True)[:4].tolist() == [0, 1, 0, 0]


@given(st.lists(st.tuples(st.integers(0, 40), st.floats(-5, 5)), max_size=80))
def test_behaves_like_a_dictionary(links):
    """Add pages of one link each, from page 50 on."""
    table = LinkTable()
    best: dict[int, tuple[float, int]] = {}
    times: dict[int, int] = {}
    for source, (target, value) in enumerate(links, 50):
        odds = float(np.float32(value))
        table.mark_fetched(source, 0.0)
        add(table, page(source, target), [odds])
        times[target] = times.get(target, 0) + 1
        if times[target] <= FEW and (target not in best or odds > best[target][0]):
            best[target] = odds, source
    known = numbers(*best)
    assert table.waiting().tolist() == list(best)
    assert odds_of(table, *best) == [odds for odds, _ in best.values()]
    assert lists_of(table.rows(known)) == [[source, 1000] for _, source in best.values()]


def test_grows_and_keeps_its_contents():
    table = table_with(5, odds=[1.5])
    before = table.nbytes
    table.mark_fetched(5, 1.0)
    add(table, page(5, 200_000), [0.5])
    assert table.nbytes > before + 200_000
    assert odds_of(table, 5, 200_000) == [1.5, 0.5]
    assert lists_of(table.rows(numbers(5, 200_000))) == [[0, 1000], [5, 1000]]
    assert table.inputs(numbers(5)).tolist() == [[0.5, -0.5, 0.0, 0.0]]
    assert table.rates(rewards_only=True)[5] == 1


def test_links_with_too_many_columns_are_truncated():
    table = LinkTable()
    table.mark_fetched(0, 0.0)
    lists = [[1, 2], list(range(1000)), [3, 65_535]]
    table.add_links(page(0, 1, 2, 3), np.arange(3), lists, [(0.0, 0.0, 0.0, 0.0)] * 3, [0.0] * 3)
    one, many, three = lists_of(table.rows(numbers(1, 2, 3)))
    assert (one, three) == (lists[0], lists[2])
    assert many == lists[1][: len(many)]
    assert len(many) > 200


ODDS = st.floats(-600, 600) | st.sampled_from([0.1, 0.5])
LINKS = st.dictionaries(st.integers(1, 9), ODDS, min_size=1)


@given(st.lists(st.tuples(LINKS, st.booleans()), max_size=8), st.sampled_from([2, 300]))
def test_links_of_a_page_at_once_are_stored_like_one_by_one(pages, width):
    alone, batch = LinkTable(0.7), LinkTable(0.7)
    for number, (targets, fetched) in enumerate(pages, 10):
        source = page(number, *targets)
        odds = np.array(list(targets.values()))
        links = alone.unsettled(source.targets, 3)
        assert links.tolist() == batch.unsettled(source.targets, 3).tolist()
        lists = [sorted(range(number + link, number + link + width)) for link in links.tolist()]
        inputs = [(0.5, number + link, 0.0, 1.0) for link in links.tolist()]
        alone.add_links(source, links, lists, inputs, odds[links].tolist())
        starts = np.arange(len(links) + 1) * width
        rows = Rows(starts, np.array(lists, np.int32).ravel())
        batch.add_rows(source, links, rows, np.array(inputs).reshape(-1, 4), odds[links])
        if fetched:
            assert alone.mark_fetched(number % 9 + 1, 0.0) == batch.mark_fetched(
                number % 9 + 1, 0.0
            )
        waiting = alone.waiting()
        assert waiting.tolist() == batch.waiting().tolist()
        assert alone.scores(waiting).tolist() == batch.scores(waiting).tolist()
        assert odds_of(alone, *waiting) == odds_of(batch, *waiting)
        assert lists_of(alone.rows(waiting)) == lists_of(batch.rows(waiting))
        assert alone.inputs(waiting).tolist() == batch.inputs(waiting).tolist()
        assert alone.depth(3) == batch.depth(3)
