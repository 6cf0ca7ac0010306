"""Spelling suggestions ("did you mean"): words of the index similar to those of a query.

Similarity is the restricted edit distance of Damerau (1964), also called
optimal string alignment: insertions, deletions, substitutions and
transpositions of neighbours, with no letter edited twice. It is computed for
all words at once, after discarding those whose length or set of letters alone
needs too many edits.

>>> words = Vocabulary.from_counts({"learning": 90, "leaning": 3, "earning": 5, "spider": 2})
>>> similar_words("laerning", words)
{'learning': 1, 'earning': 2, 'leaning': 2}
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from itertools import islice, product

import numpy as np
from numpy.typing import NDArray

from lycosa.goals.syntax import Tree
from lycosa.portal.search.analysis import Analysis, plain
from lycosa.portal.search.bounded_cache import BoundedCache
from lycosa.portal.search.tokens import TOKEN, word_of
from lycosa.portal.search.vocabulary import MAX_WORD_LENGTH, Vocabulary, codes, letters

MAX_EDITS = 2
"""Edits between a word and its correction; one if the word is shorter than `MIN_TWO_EDITS`."""
MIN_TWO_EDITS = 5
"""Letters from which a word may have two edits."""
MAX_TRIES = 6
"""Corrected queries whose matches are counted."""
MAX_CORRECTED = 8
"""Words that are corrected: each is compared with the whole vocabulary."""
MAX_CACHED = 1024
"""Words whose similar words are cached."""
_SPELLED_FIELDS = ("text", "title", "author", "venue")


class Spelling:
    """Finds the words of a `vocabulary` that may be meant by others; caches what it finds.

    >>> spelling = Spelling(Vocabulary.from_counts({"learning": 90, "earning": 5, "spider": 2}))
    >>> spelling.similar("laerning")
    {'learning': 1, 'earning': 2}
    """

    def __init__(self, vocabulary: Vocabulary) -> None:
        self._vocabulary = vocabulary
        self._known: BoundedCache[str, dict[str, int]] = BoundedCache(MAX_CACHED)

    def count(self, word: str) -> int:
        """Return in how many works a word occurs."""
        return self._vocabulary.count(word)

    def similar(self, word: str) -> dict[str, int]:
        """Return the words similar to one, each with its number of edits, the nearest first."""
        found = self._known.get(word)
        if found is None:
            found = self._known[word] = similar_words(word, self._vocabulary)
        return found


def similar_words(word: str, vocabulary: Vocabulary, limit: int = 3) -> dict[str, int]:
    """Return other words within two edits with their edits: the nearest, then the most frequent."""
    if not 2 < len(word) <= MAX_WORD_LENGTH:
        return {}
    max_edits = MAX_EDITS if len(word) >= MIN_TWO_EDITS else 1
    (own,) = letters(codes(np.array([word])))
    theirs = vocabulary.letters
    # An edit adds at most one letter to the set of letters and removes at most one.
    (rows,) = np.nonzero(
        (np.abs(vocabulary.lengths - np.int8(len(word))) <= max_edits)
        & (np.bitwise_count(theirs & ~own) <= max_edits)
        & (np.bitwise_count(own & ~theirs) <= max_edits)
    )
    words = np.asarray(vocabulary.words[rows])
    edits = edit_distances(word, words)
    order = np.lexsort((words, -np.asarray(vocabulary.counts[rows]), edits))
    near = [k for k in order if 0 < edits[k] <= max_edits][:limit]
    return {str(words[k]): int(edits[k]) for k in near}


def edit_distances(word: str, words: NDArray[np.str_]) -> NDArray[np.int8]:
    """Return the edit distance between a word and each of others.

    >>> edit_distances("form", np.array(["from", "form", "farms", "f"])).tolist()
    [1, 0, 2, 3]
    """
    if not len(words):
        return np.empty(0, np.int8)
    sizes = np.char.str_len(words)
    theirs = np.ascontiguousarray(codes(words)[:, : sizes.max()].T)
    width = len(theirs)
    own = [ord(letter) for letter in word]
    # A row of the dynamic programme for each letter, with a column for each word.
    before = above = np.tile(np.arange(width + 1, dtype=np.int8)[:, None], len(words))
    for i, letter in enumerate(own, 1):
        row = np.empty_like(above)
        row[0] = i
        wrong = (theirs != letter).astype(np.int8)
        swapped = theirs == own[i - 2] if i > 1 else None
        for j in range(1, width + 1):
            best = np.minimum(above[j], row[j - 1]) + np.int8(1)
            np.minimum(best, above[j - 1] + wrong[j - 1], out=best)
            if swapped is not None and j > 1:
                transposed = swapped[j - 1] & (wrong[j - 2] == 0)
                np.minimum(best, before[j - 2] + np.int8(1), out=best, where=transposed)
            row[j] = best
        before, above = above, row
    return np.asarray(above[sizes, np.arange(len(words))])


def suggest_query(
    text: str,
    tree: Tree,
    spelling: Spelling,
    analysis: Analysis,
    is_better: Callable[[str], bool],
) -> str:
    """Return the query with words corrected; "" if `is_better` accepts no correction.

    Words that the index does not have are corrected; if it has all of them, the
    rarest is.
    """
    words = [
        word
        for phrase, positive in tree.phrases()
        if positive and phrase.field in _SPELLED_FIELDS
        for word in phrase.words
        if not word.endswith("*")
    ]
    counts = {word: spelling.count(analysis.term(word)) for word in words}
    doubtful = [word for word, count in counts.items() if not count]
    if not doubtful and counts:
        doubtful = [min(counts, key=counts.__getitem__)]
    doubtful = doubtful[:MAX_CORRECTED]
    choices = {word: [*spelling.similar(analysis.term(word))] for word in doubtful}
    choices = {word: found for word, found in choices.items() if found}
    for corrections in islice(_combinations(choices), MAX_TRIES):
        corrected = _replace_words(text, corrections)
        if corrected != text and is_better(corrected):
            return corrected
    return ""


def _combinations(choices: Mapping[str, list[str]]) -> Iterator[dict[str, str]]:
    """Yield one correction for each word, the best first."""
    for chosen in product(*choices.values()) if choices else ():
        yield dict(zip(choices, chosen, strict=True))


def _replace_words(text: str, corrections: Mapping[str, str]) -> str:
    """Return a text with some words replaced and everything else unchanged."""
    lower = plain(text).lower()
    pieces, at = [], 0
    for match in TOKEN.finditer(lower):
        word = word_of(match[0])
        if word in corrections:
            pieces += [text[at : match.start()], corrections[word]]
            at = match.end()
    return "".join([*pieces, text[at:]])
