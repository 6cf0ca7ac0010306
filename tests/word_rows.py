"""Conversion of the words of links between lists and arrays, for tests of learners."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import numpy as np

from lycosa.learn.link_words import Rows


def rows_of(lists: Sequence[Sequence[int]]) -> Rows:
    words = [word for row in lists for word in row]
    return Rows(np.cumsum([0, *map(len, lists)]), np.array(words, np.int32))


def lists_of(rows: Rows) -> list[list[int]]:
    ends, words = rows.starts.tolist(), rows.words.tolist()
    return [words[begin:end] for begin, end in pairwise(ends)]
