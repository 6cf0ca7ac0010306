"""Did you mean: words of the index that are spelt nearly like those of a query.

The distance is that of Damerau (1964), as restricted as it is mostly used:
letters that are missing, too many, wrong, or two beside each other that
changed places, and no letter is touched twice. It is reckoned for all words at
once, after those are put away whose letters alone make too many mistakes.

>>> words = Vocabulary.counted({"learning": 90, "leaning": 3, "earning": 5, "spider": 2})
>>> similar_words("laerning", words)
['learning', 'earning', 'leaning']
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from itertools import islice, product

import numpy as np
from numpy.typing import NDArray

from lycosa.goals.syntax import Tree
from lycosa.portal.search.analysis import Analysis, plain
from lycosa.portal.search.vocabulary import LONGEST, Vocabulary, codes, letters
from lycosa.web.words import WORD

FARTHEST = 2
"""How many mistakes a word may have; one, if it is shorter than `SHORT`."""
SHORT = 5
TRIES = 6
"""How many corrected queries are counted."""
_SPELT = ("text", "title", "author", "venue")


def similar_words(word: str, vocabulary: Vocabulary, most: int = 3) -> list[str]:
    """Other words within two mistakes, the nearest first, then those of most works."""
    if not 2 < len(word) <= LONGEST:
        return []
    farthest = FARTHEST if len(word) >= SHORT else 1
    (mine,) = letters(codes(np.array([word])))
    theirs = vocabulary.letters
    # A mistake brings at most one letter and takes at most one.
    (rows,) = np.nonzero(
        (np.abs(vocabulary.lengths - np.int8(len(word))) <= farthest)
        & (np.bitwise_count(theirs & ~mine) <= farthest)
        & (np.bitwise_count(mine & ~theirs) <= farthest)
    )
    words = np.asarray(vocabulary.words[rows])
    away = edit_distances(word, words)
    order = np.lexsort((words, -np.asarray(vocabulary.counts[rows]), away))
    return [str(words[k]) for k in order if 0 < away[k] <= farthest][:most]


def edit_distances(word: str, words: NDArray[np.str_]) -> NDArray[np.int8]:
    """How many mistakes are between a word and each of others.

    >>> edit_distances("form", np.array(["from", "form", "farms", "f"])).tolist()
    [1, 0, 2, 3]
    """
    if not len(words):
        return np.empty(0, np.int8)
    sizes = np.char.str_len(words)
    theirs = np.ascontiguousarray(codes(words)[:, : sizes.max()].T)
    width = len(theirs)
    mine = [ord(letter) for letter in word]
    # A row of small numbers for each letter, with a place for each word.
    before = above = np.tile(np.arange(width + 1, dtype=np.int8)[:, None], len(words))
    for i, letter in enumerate(mine, 1):
        row = np.empty_like(above)
        row[0] = i
        wrong = (theirs != letter).astype(np.int8)
        swapped = theirs == mine[i - 2] if i > 1 else None
        for j in range(1, width + 1):
            best = np.minimum(above[j], row[j - 1]) + np.int8(1)
            np.minimum(best, above[j - 1] + wrong[j - 1], out=best)
            if swapped is not None and j > 1:
                turned = swapped[j - 1] & (wrong[j - 2] == 0)
                np.minimum(best, before[j - 2] + np.int8(1), out=best, where=turned)
            row[j] = best
        before, above = above, row
    return np.asarray(above[sizes, np.arange(len(words))])


def suggest_query(
    text: str,
    tree: Tree,
    vocabulary: Vocabulary,
    analysis: Analysis,
    enough: Callable[[str], bool],
) -> str:
    """The query with words that the index knows; "" if none is good enough."""
    asked = [
        word
        for phrase, wanted in tree.phrases()
        if wanted and phrase.field in _SPELT
        for word in phrase.words
        if not word.endswith("*")
    ]
    counts = {word: vocabulary.count(analysis.term(word)) for word in asked}
    doubtful = [word for word, count in counts.items() if not count]
    if not doubtful and counts:
        doubtful = [min(counts, key=counts.__getitem__)]
    choices = {word: similar_words(analysis.term(word), vocabulary) for word in doubtful}
    choices = {word: found for word, found in choices.items() if found}
    for better in islice(_combined(choices), TRIES):
        corrected = _replaced(text, better)
        if corrected != text and enough(corrected):
            return corrected
    return ""


def _combined(choices: Mapping[str, list[str]]) -> Iterator[dict[str, str]]:
    """One choice for each word, the best first."""
    for chosen in product(*choices.values()) if choices else ():
        yield dict(zip(choices, chosen, strict=True))


def _replaced(text: str, better: Mapping[str, str]) -> str:
    """A text with some of its words replaced, all else as it was."""
    lower = plain(text).lower()
    made, at = [], 0
    for found in WORD.finditer(lower):
        if found[0] in better:
            made += [text[at : found.start()], better[found[0]]]
            at = found.end()
    return "".join([*made, text[at:]])
