"""Words that set one collection of texts apart from another (Monroe, Colaresi & Quinn 2008).

The frequent words of a collection are frequent everywhere, and the words with
the most extreme odds are the rare ones. The weighted log-odds-ratio with an
informative Dirichlet prior avoids both: counts are drawn towards those of both
collections together, and the difference of the log-odds is divided by its
standard error.

>>> words = contrast(Counter(paper=40, the=60), Counter(staff=40, the=60))
>>> [(word.word, round(word.z, 1)) for word in words]
[('paper', 5.2), ('the', 0.0), ('staff', -5.2)]
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from math import log, sqrt

PRIOR = 100.0
"""How many words the prior is worth, spread as in both collections together."""


@dataclass(frozen=True, slots=True)
class Word:
    """A word, how often it stands in the first and in the second collection, and its z-score."""

    word: str
    targets: int
    others: int
    z: float


def contrast(first: Counter[str], second: Counter[str], least: int = 1) -> list[Word]:
    """The words that came so often at least, those of the first collection foremost.

    There are none if there is nothing to compare: a collection is empty, or all is one word.
    """
    first_size, second_size = first.total(), second.total()
    every = {**first, **second}
    if not first_size or not second_size or len(every) == 1:
        return []
    found = []
    for word in every:
        mine, theirs = first[word], second[word]
        if mine + theirs < least:
            continue
        prior = PRIOR * (mine + theirs) / (first_size + second_size)
        odds = log((mine + prior) / (first_size - mine + PRIOR - prior))
        odds -= log((theirs + prior) / (second_size - theirs + PRIOR - prior))
        error = sqrt(1 / (mine + prior) + 1 / (theirs + prior))
        found.append(Word(word, mine, theirs, odds / error))
    return sorted(found, key=lambda word: (-word.z, word.word))
