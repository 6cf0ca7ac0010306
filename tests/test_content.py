"""Bags against plain Python, tables, and the bags of small contents made by hand."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import chain, pairwise

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from lycosa.content import BAGS, NOTHING, Bag, Content, Table

WORDS = 6


@dataclass(frozen=True)
class Plain:
    """A bag as lists: what the arrays should mean."""

    tokens: list[int]
    ranges: list[tuple[int, int, int]]  # owner, start, stop
    size: int

    @property
    def bag(self) -> Bag:
        owner, start, stop = (np.array([r[k] for r in self.ranges], np.int32) for k in range(3))
        return Bag(np.array(self.tokens, np.int32), owner, start, stop, self.size)

    def words(self, link: int) -> list[int]:
        """The words of one link, range by range."""
        return [
            word
            for owner, start, stop in self.ranges
            if owner == link
            for word in self.tokens[start:stop]
        ]


@st.composite
def plain_bags(draw: st.DrawFn) -> Plain:
    tokens = draw(st.lists(st.integers(0, WORDS - 1), max_size=12))
    size = draw(st.integers(0, 5))
    border = st.integers(0, len(tokens))
    one = st.tuples(st.integers(0, max(size - 1, 0)), border, border).map(
        lambda r: (r[0], min(r[1:]), max(r[1:]))
    )
    ranges = draw(st.lists(one, max_size=8)) if size else []
    return Plain(tokens, ranges, size)


def columns(width: int | None, rows: int) -> st.SearchStrategy[np.ndarray]:
    """Weights without rounding: one for each row, or `width` of them."""
    shape = (rows,) if width is None else (rows, width)
    numbers = st.lists(
        st.integers(-9, 9), min_size=int(np.prod(shape)), max_size=int(np.prod(shape))
    )
    return numbers.map(lambda n: np.array(n, float).reshape(shape))


EMPTY = Plain([], [], 0)
LINKS_WITHOUT_WORDS = Plain([], [], 3)
SPARSE = Plain([0, 1, 2, 3, 4, 5], [(2, 4, 6), (0, 1, 2)], 4)
DENSE = Plain([5, 0, 5], [(1, 0, 3), (0, 1, 3), (1, 2, 3), (0, 1, 1)], 2)


def examples(test):
    for plain in (EMPTY, LINKS_WITHOUT_WORDS, SPARSE, DENSE):
        test = example(plain=plain, width=None, data=None)(example(plain, 2, None)(test))
    return test


def weights_of(data: st.DataObject | None, width: int | None, rows: int) -> np.ndarray:
    if data is not None:
        return data.draw(columns(width, rows))
    shape = (rows,) if width is None else (rows, width)
    return np.arange(1.0, np.prod(shape) + 1).reshape(shape)


@examples
@given(plain_bags(), st.sampled_from([None, 1, 2, 3]), st.data())
def test_sums_add_up_the_weights_of_each_links_words(plain, width, data):
    weights = weights_of(data, width, WORDS)
    expected = np.zeros((plain.size, *weights.shape[1:]))
    for link in range(plain.size):
        for word in plain.words(link):
            expected[link] += weights[word]
    sums = plain.bag.sums(weights)
    assert sums.shape == expected.shape
    assert sums.dtype == np.float64
    assert sums.tolist() == expected.tolist()


@examples
@given(plain_bags(), st.sampled_from([None, 1, 2, 3]), st.data())
def test_counts_add_up_the_values_of_the_links_that_hold_a_word(plain, width, data):
    values = weights_of(data, width, plain.size)
    expected = np.zeros((WORDS, *values.shape[1:]))
    for link in range(plain.size):
        for word in plain.words(link):
            expected[word] += values[link]
    counts = plain.bag.counts(values, WORDS)
    assert counts.shape == expected.shape
    assert counts.tolist() == expected.tolist()


@example(EMPTY)
@example(LINKS_WITHOUT_WORDS)
@given(plain_bags())
def test_lengths_and_rows_write_the_bags_out(plain):
    bag = plain.bag
    words = [plain.words(link) for link in range(plain.size)]
    assert bag.lengths.tolist() == [len(bag_words) for bag_words in words]
    assert bag.lengths.dtype == np.float64
    offsets, tokens = bag.rows()
    assert len(offsets) == plain.size + 1
    assert [tokens[start:stop].tolist() for start, stop in pairwise(offsets)] == words
    assert len(tokens) == offsets[-1]


@example([])
@example([EMPTY, SPARSE, LINKS_WITHOUT_WORDS, DENSE])
@given(st.lists(plain_bags(), max_size=4))
def test_joined_bags_follow_each_other(plains):
    bag = Bag.joined(plain.bag for plain in plains)
    words = [plain.words(link) for plain in plains for link in range(plain.size)]
    assert bag.size == len(words)
    offsets, tokens = bag.rows()
    # A range that is written out keeps its words, though not always their ranges.
    assert [sorted(tokens[offsets[i] : offsets[i + 1]].tolist()) for i in range(bag.size)] == [
        sorted(bag_words) for bag_words in words
    ]
    assert bag.lengths.tolist() == [len(bag_words) for bag_words in words]
    weights = 10.0 ** np.arange(WORDS)
    assert bag.sums(weights).tolist() == [
        sum(10.0**word for word in bag_words) for bag_words in words
    ]
    ones = bag.counts(np.ones(bag.size), WORDS)
    assert ones.tolist() == np.bincount([*chain(*words)], minlength=WORDS).tolist()


def test_joining_drops_words_of_no_link():
    joined = Bag.joined([SPARSE.bag, DENSE.bag])
    assert len(joined.tokens) == 3 + 3  # of the first only what its links hold


@given(st.lists(st.text(max_size=3)), st.lists(st.text(max_size=3)))
def test_a_table_numbers_distinct_strings_in_the_order_they_come(first, later):
    table = Table(first)
    met = list(dict.fromkeys(first))
    assert list(table) == met
    for text in later:
        assert table.find(text) == (met.index(text) if text in met else None)
    assert list(table) == met  # asking gives no number
    numbers = table.numbers(later)
    both = list(dict.fromkeys(first + later))
    assert list(table) == both
    assert len(table) == len(both)
    assert [table[n] for n in numbers] == later
    assert [table.number(text) for text in both] == list(range(len(both)))


def ints(*numbers: int) -> np.ndarray:
    return np.array(numbers, np.int32)


# Title "T"; heading "A"; heading "B" under it with two anchors of link 0 and one of link 1;
# then link 1 once more under a heading "C" of the highest level.
CONTENT = Content(
    tokens=ints(0, 1, 2, 3, 4, 5, 6, 7, 8, 9),  # T A B a0 x a0 a1 y C a1
    title_size=1,
    head_start=ints(1, 2, 8),
    head_stop=ints(2, 3, 9),
    head_above=ints(-1, 0, -1),
    paths=ints(4, 2),
    url_tokens=ints(20, 21, 22),
    url_start=ints(0, 2),
    url_stop=ints(2, 3),
    owner=ints(0, 0, 1, 1),
    start=ints(3, 5, 6, 9),
    stop=ints(4, 6, 7, 10),
    heading=ints(1, 1, 1, 2),
)


def written(bag: Bag) -> list[list[int]]:
    offsets, tokens = bag.rows()
    return [sorted(tokens[offsets[i] : offsets[i + 1]].tolist()) for i in range(bag.size)]


@pytest.mark.parametrize(
    ("name", "near", "expected"),
    [
        ("anchor", 10, [[3, 5], [6, 9]]),
        ("url", 10, [[20, 21], [22]]),
        ("path", 10, [[4], [2]]),
        ("page", 10, [list(range(10))] * 2),
        # The title once for each link, then every heading above any of its anchors, once.
        ("heads", 10, [[0, 1, 2], [0, 1, 2, 8]]),
        ("near", 0, [[], []]),
        # One word on either side of each anchor; what stands near two anchors counts twice.
        ("near", 1, [[2, 4, 4, 6], [5, 7, 8]]),
        # The title is near nothing, and the page ends where it ends.
        (
            "near",
            100,
            [
                [*range(1, 3), *range(4, 10), *range(1, 5), *range(6, 10)],
                [*range(1, 6), *range(7, 10), *range(1, 9)],
            ],
        ),
    ],
)
def test_the_bags_of_a_content(name, near, expected):
    assert written(CONTENT.bag(name, near)) == [sorted(words) for words in expected]


def test_an_anchor_inside_the_title_is_near_what_follows_it():
    content = Content(
        tokens=ints(0, 1, 2, 3), title_size=3, paths=ints(0), owner=ints(0), start=ints(1),
        stop=ints(2), heading=ints(-1), url_start=ints(0), url_stop=ints(0),
    )  # fmt: skip
    assert written(content.bag("near", 1)) == [[2]]


def test_a_heading_common_to_two_anchors_of_a_link_counts_once():
    content = Content(
        tokens=ints(0, 1, 2, 3), head_start=ints(0, 1, 2), head_stop=ints(1, 2, 3),
        head_above=ints(-1, 0, 0), paths=ints(0), owner=ints(0, 0), start=ints(3, 3),
        stop=ints(4, 4), heading=ints(1, 2), url_start=ints(0), url_stop=ints(0),
    )  # fmt: skip
    assert written(content.bag("heads")) == [[0, 1, 2]]


@pytest.mark.parametrize("name", [*BAGS, "path"])
def test_a_page_without_content_has_empty_bags(name):
    bag = NOTHING.bag(name)
    assert bag.size == 0
    assert bag.sums(np.zeros((0, 2))).shape == (0, 2)


def test_refuses_an_unknown_bag():
    with pytest.raises(ValueError, match="no bag 'links'; it has path, anchor"):
        CONTENT.bag("links")
