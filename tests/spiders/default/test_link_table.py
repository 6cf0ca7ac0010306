from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lycosa.content import NO_INTS, Table, Tables
from lycosa.core import Page
from lycosa.learn.logistic import sigmoid
from lycosa.spiders.default.link_table import LinkTable
from lycosa.spiders.default.rates import rates
from rows import lists_of

TABLES = Tables(Table(), Table(), Table())
FEW = 8


def page(number: int, *targets: int) -> Page:
    return Page(number, TABLES, np.array(targets, np.int32) if targets else NO_INTS)


def numbers(*some: int) -> np.ndarray:
    return np.array(some, np.int32)


def meet(memory: LinkTable, mine: Page, odds: list[float], *, few: int = FEW) -> list[int]:
    """Let all links of a page be met that may be; their columns tell the page and the place."""
    links = memory.unsettled(mine.targets, few)
    if len(links):
        lists = [[mine.number, 1000 + link] for link in links.tolist()]
        hints = [(link + 0.5, link - 0.5, 0.0, 0.0) for link in links.tolist()]
        memory.meet(mine, links, lists, hints, [odds[link] for link in links.tolist()])
    return links.tolist()


def begun(*targets: int, odds: list[float] | None = None) -> LinkTable:
    memory = LinkTable()
    memory.fetched(0, 0.0)
    meet(memory, page(0, *targets), odds or [0.0] * len(targets))
    return memory


def odds_of(memory: LinkTable, *some: int) -> list[float]:
    return [memory.odds(number) for number in some]


def test_a_url_is_unknown_then_waits_then_was_fetched():
    memory = LinkTable()
    assert memory.fetched(0, 0.0) is False, "a seed was never met"
    assert memory.waiting().tolist() == []
    meet(memory, page(0, 3, 2, 1), [0.0] * 3)
    assert memory.waiting().tolist() == [3, 2, 1]
    assert memory.fetched(2, 1.0) is True
    assert memory.waiting().tolist() == [3, 1]
    assert memory.unsettled(numbers(1, 2, 3, 4), FEW).tolist() == [0, 2, 3]


def test_the_link_that_promises_most_is_remembered():
    memory = begun(7, odds=[0.5])
    for number, odds in ((1, 0.25), (2, 2.0), (3, 1.0)):
        memory.fetched(number, 0.0)
        meet(memory, page(number, 9, 7), [0.0, odds])
    assert odds_of(memory, 7) == [2.0]
    assert lists_of(memory.rows(numbers(7))) == [[2, 1001]]
    assert memory.hints(numbers(7)).tolist() == [[1.5, 0.5, 0.0, 0.0]]
    assert lists_of(memory.rows(numbers(9))) == [[1, 1000]]


def test_what_is_known_of_folders_takes_the_place_of_what_was():
    memory = begun(7, 8)
    memory.tell(numbers(8, 7), np.array([[1.0, 2.0], [3.0, 4.0]]))
    memory.tell(8, (5.0, 6.0))
    assert memory.hints(numbers(7, 8)).tolist() == [[0.5, -0.5, 3, 4], [1.5, 0.5, 5, 6]]


def test_after_a_few_links_no_more_are_looked_at():
    memory = begun(7)
    for number in range(1, 6):
        memory.fetched(number, 0.0)
        assert meet(memory, page(number, 7), [float(number)], few=3) == ([0] if number < 3 else [])
    assert odds_of(memory, 7) == [2.0]


def test_new_odds_replace_the_old_even_if_they_are_less():
    memory = begun(4, 5, odds=[3.0, 1.0])
    memory.judge(numbers(4), np.array([-1.0]))
    assert odds_of(memory, 4, 5) == [-1.0, 1.0]


@given(st.lists(st.floats(-9, 9, width=32), min_size=1, max_size=9))
def test_scores_are_the_probabilities_of_the_odds_less_what_depth_takes(odds):
    memory = LinkTable(0.7)
    memory.fetched(0, 0.0)
    first, last = np.arange(1, len(odds) + 1, dtype=np.int32), numbers(99)
    meet(memory, page(0, *first.tolist()), odds)
    memory.fetched(1, 0.0)
    meet(memory, page(1, 99), [3.0])
    expected = sigmoid(np.array(odds) - 0.7 * np.log(2))
    assert memory.scores(first) == pytest.approx(expected)
    assert memory.scores(last) == pytest.approx(sigmoid(np.array([3 - 0.7 * np.log(3)])))
    memory.judge(last, np.array([-1.0]))
    assert memory.scores(last) == pytest.approx(sigmoid(np.array([-1 - 0.7 * np.log(3)])))
    assert memory.scores(first) == pytest.approx(expected), "of the others nothing was said"
    assert memory.scores(numbers(5000)).tolist() == [0], "never met"


def test_odds_beyond_all_bounds_have_scores_too():
    memory = begun(1, 2, odds=[1e30, -1e30])
    assert memory.scores(numbers(1, 2)) == pytest.approx([1, 0])


def test_depth_is_that_of_the_way_a_page_was_first_met():
    memory = begun(1, 2)
    for source, target in ((1, 3), (3, 4), (2, 4)):
        memory.fetched(source, 0.0)
        meet(memory, page(source, target), [9.0])
    assert [memory.depth(number) for number in (0, 1, 3, 4)] == [0, 1, 2, 3]


def test_depth_does_not_begin_anew_however_deep_it_goes():
    memory = LinkTable()
    for number in range(400):
        memory.fetched(number, 0.0)
        meet(memory, page(number, number + 1), [0.0])
    assert memory.depth(300) == memory.depth(400) == 255


def test_a_page_is_worth_its_rate_by_what_its_links_were_or_promise():
    memory = begun(1, 2, 3, odds=[0.0, 2.0, -3.0])
    memory.fetched(1, 1.0)
    found = memory.worths(False)
    promised = sigmoid(np.array([2.0, -3.0])).tolist()
    expected = rates(np.zeros(1), np.zeros(3, int), np.array([1.0, *promised]))
    assert found[0] == pytest.approx(expected[0])
    assert found[1] == 1
    assert memory.worths(True)[:4].tolist() == [0, 1, 0, 0]


@given(st.lists(st.tuples(st.integers(0, 40), st.floats(-5, 5)), max_size=80))
def test_it_remembers_what_a_dictionary_would(links):
    """Pages of one link each, from page 50 on."""
    memory = LinkTable()
    best: dict[int, tuple[float, int]] = {}
    times: dict[int, int] = {}
    for source, (target, said) in enumerate(links, 50):
        odds = float(np.float32(said))
        memory.fetched(source, 0.0)
        meet(memory, page(source, target), [odds])
        times[target] = times.get(target, 0) + 1
        if times[target] <= FEW and (target not in best or odds > best[target][0]):
            best[target] = odds, source
    known = numbers(*best)
    assert memory.waiting().tolist() == list(best)
    assert odds_of(memory, *best) == [odds for odds, _ in best.values()]
    assert lists_of(memory.rows(known)) == [[source, 1000] for _, source in best.values()]


def test_it_grows_and_keeps_what_it_knew():
    memory = begun(5, odds=[1.5])
    before = memory.nbytes
    memory.fetched(5, 1.0)
    meet(memory, page(5, 200_000), [0.5])
    assert memory.nbytes > before + 200_000
    assert odds_of(memory, 5, 200_000) == [1.5, 0.5]
    assert lists_of(memory.rows(numbers(5, 200_000))) == [[0, 1000], [5, 1000]]
    assert memory.hints(numbers(5)).tolist() == [[0.5, -0.5, 0.0, 0.0]]
    assert memory.worths(True)[5] == 1


def test_a_link_with_very_many_columns_leaves_its_neighbours_theirs():
    memory = LinkTable()
    memory.fetched(0, 0.0)
    lists = [[1, 2], list(range(1000)), [3, 65_535]]
    memory.meet(page(0, 1, 2, 3), np.arange(3), lists, [(0.0, 0.0, 0.0, 0.0)] * 3, [0.0] * 3)
    one, many, three = lists_of(memory.rows(numbers(1, 2, 3)))
    assert (one, three) == (lists[0], lists[2])
    assert many == lists[1][: len(many)]
    assert len(many) > 200
