import pickle

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from lycosa.content import Content, Table, Tables
from lycosa.core import Page
from lycosa.goals.lexicon import MAX_TABLES, Lexicon

WORDS = st.lists(st.sampled_from(["a", "bb", "ccc", "dddd", "eeeee"]), max_size=12)


def page(tables, words):
    return Page(0, tables, content=Content(np.array(tables.words.numbers(words), np.int32)))


def fresh():
    return Tables(Table(), Table(["http://a.edu/"]), Table())


@given(st.lists(WORDS, min_size=1, max_size=5))
def test_values_are_those_of_the_words_while_the_table_grows(pages):
    tables, lengths = fresh(), Lexicon(len)
    for words in pages:
        shown = page(tables, words)
        assert lengths.values(shown).tolist() == [len(word) for word in words]
        assert sorted(lengths.distinct(shown).tolist()) == sorted(map(len, set(words)))


def test_many_tables_have_separate_values():
    lengths = Lexicon({"a": 1, "bb": 2})
    every = [fresh() for _ in range(3 * MAX_TABLES)]
    for _ in range(2):
        for n, tables in enumerate(every):
            words = ["bb", "a", "zzz"] if n % 2 else ["a", "bb"]
            expected = [2, 1, 0] if n % 2 else [1, 2]
            assert lengths.values(page(tables, words)).tolist() == expected


def test_a_page_read_late_may_add_words_to_the_table():
    tables = fresh()
    late = Page(0, tables, content=lambda: page(tables, ["a", "bb"]).content)
    assert Lexicon(len).values(late).tolist() == [1, 2]


def test_a_copy_has_the_same_values():
    copy = pickle.loads(pickle.dumps(Lexicon({"a": 0.5}, np.float64)))
    assert copy.values(page(fresh(), ["a", "b"])).tolist() == [0.5, 0.0]
