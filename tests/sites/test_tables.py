from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from lycosa.content import Tables
from lycosa.core import Budget
from lycosa.goals.profiles import PROFILES
from lycosa.sites.tables import StoredTable
from lycosa.spiders.keywords import Keywords
from small_pages import LinkSpec, page, tables


@given(st.lists(st.text(max_size=5) | st.just("\udc80"), unique=True, max_size=8))
def test_iteration_gives_the_strings_in_the_order_of_their_numbers(strings):
    with TemporaryDirectory() as folder:
        StoredTable.write(Path(folder), "words", strings)
        table = StoredTable(Path(folder), "words")
        assert list(table) == [table[number] for number in range(len(table))] == strings


LETTERS = st.text("abé日\0ÿ", max_size=3)


@given(st.lists(LETTERS, unique=True, max_size=20), st.lists(LETTERS, max_size=4))
def test_strings_are_found_by_their_first_letters(strings, prefixes):
    with TemporaryDirectory() as folder:
        StoredTable.write(Path(folder), "words", strings)
        found = StoredTable(Path(folder), "words").beginning_with(prefixes)
    begins = tuple(prefixes)
    assert found == [(n, text) for n, text in enumerate(strings) if text.startswith(begins)]


def test_forms_of_words_are_the_same_in_a_stored_table(tmp_path):
    shown = page(tables(), [LinkSpec("papers"), LinkSpec("groups"), LinkSpec("publication5 x")])
    keywords = Keywords(PROFILES["papers"], forms=True)
    scores = []
    for number in range(2):
        keywords.start(Budget())
        scores.append(keywords.score_some(shown, np.arange(3)).tolist())
        if not number:
            StoredTable.write(tmp_path, "words", shown.tables.words)
            words = StoredTable(tmp_path, "words")
            shown.tables = Tables(words, shown.tables.urls, shown.tables.paths)
    assert scores[0] == scores[1]
    assert min(scores[0]) > 0
