from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lycosa.content import Table
from lycosa.learn.vocabularies import Vocabulary, WeightLookup, merge_vocabularies

COUNTS = st.lists(st.dictionaries(st.sampled_from("abcdefgh"), st.integers(0, 4)), max_size=3)


def tabled(sites):
    return [(Table(site), np.array(list(site.values()), float)) for site in sites]


@given(COUNTS, st.integers(0, 5), st.none() | st.integers(0, 5))
def test_rare_words_are_left_out_and_the_most_frequent_kept(sites, least, most):
    totals = Counter()
    for site in sites:
        totals.update({word: count for word, count in site.items() if count})
    met = list(dict.fromkeys(w for s in sites for w in s if s[w]))
    kept = [word for word in met if totals[word] >= least]
    if most is not None and len(kept) > most:
        kept = sorted(kept, key=lambda word: (-totals[word], met.index(word)))[:most]
    assert list(Vocabulary.of(tabled(sites), least, most).words) == kept


def test_equally_frequent_words_keep_their_order():
    sites = tabled([{"z": 2, "a": 2, "m": 3}, {"b": 2, "z": 1}])
    assert list(Vocabulary.of(sites, 2, 3).words) == ["z", "m", "a"]
    assert list(Vocabulary.of(sites, 3, None).words) == ["z", "m"]


def test_numbers_of_another_table():
    vocabulary = Vocabulary("abc")
    assert vocabulary.numbers(Table("xcya")).tolist() == [-1, 2, -1, 0]
    assert vocabulary.numbers(Table("xcya"), 2).tolist() == [-1, 0]
    assert vocabulary.numbers(Table()).tolist() == []


@given(st.lists(st.lists(st.text("abcdef", min_size=1, max_size=2), max_size=5)))
def test_lookup_over_a_growing_table_equals_a_new_one(parts):
    vocabulary = Vocabulary(["a", "b", "ab", "ef", "f"])
    weights = np.arange(10.0).reshape(5, 2) + 1
    table = Table()
    lens = WeightLookup(vocabulary, weights, table)
    for part in parts:
        table.numbers(part)
        seen = lens.rows(np.arange(len(table)))
        assert (
            seen.tolist()
            == WeightLookup(vocabulary, weights, table).rows(np.arange(len(table))).tolist()
        )
        assert [row.tolist() for row in seen] == [
            [0.0, 0.0] if (n := vocabulary.words.find(word)) is None else weights[n].tolist()
            for word in table
        ]


@pytest.mark.parametrize("step", [1000, 1024, 3000])
def test_lookup_grows_beyond_its_capacity(step):
    vocabulary = Vocabulary(map(str, range(0, 20_000, 3)))
    weights = np.random.default_rng(0).random((len(vocabulary), 2))
    table = Table()
    lens = WeightLookup(vocabulary, weights, table)
    for begin in range(0, 12_000, step):
        table.numbers(map(str, range(begin, begin + step)))
        assert len(lens.rows(np.arange(len(table)))) == len(table)
    seen = lens.rows(np.arange(len(table)))
    assert np.array_equal(
        seen, WeightLookup(vocabulary, weights, table).rows(np.arange(len(table)))
    )
    assert np.array_equal(seen[::3], weights[: len(seen[::3])])


def test_merged_vocabulary_has_all_words():
    one, two = Vocabulary(["a", "b"]), Vocabulary(["b", "c"])
    both, wide = merge_vocabularies(
        [one, two], [np.array([[1.0], [2.0]]), np.array([[3.0], [4.0]])]
    )
    assert dict(zip(both.words, wide.tolist(), strict=True)) == {
        "a": [1.0, 0.0],
        "b": [2.0, 3.0],
        "c": [0.0, 4.0],
    }
