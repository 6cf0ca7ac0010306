"""Order of the words of an English noun phrase, for corpora without word order.

In "neural networks" and "speech recognition" the last word is the head of the phrase. The head
is usually the word that has a plural, or that derives from a verb; adjectives come first. If this
does not decide, the rarer word comes first, because it specifies the other.

>>> table = Table(["network", "neural", "recognition", "speech"])
>>> forms = {0: Counter(network=3, networks=5), 1: Counter(neural=8)}
>>> order_by_head((0, 1), table, forms, [8, 8, 5, 4])
(1, 0)
>>> order_by_head((2, 3), table, forms, [8, 8, 5, 4])
(3, 2)
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from lycosa.content import Table

ADJECTIVES = ("al", "ic", "ive", "ous", "ary", "able", "ible", "ar", "ian")
NOUNS = ("tion", "sion", "ment", "sis", "ance", "ence", "ity", "ology")
LAST_WORDS = ("ing", "oriented", "based", "driven", "tolerant", "retrieval", "control", "discovery")
"""Endings of words that come first, that come last, and that come after even those."""


def head_score(word: str, forms: Counter[str]) -> float:
    """Return a score of a word as head of a phrase; above 0 for most nouns with a plural.

    `forms` are the written forms of the word with their counts.

    >>> head_score("network", Counter(network=2, Networks=2))
    1.1
    >>> head_score("neural", Counter(neural=3))
    -1.0
    """
    plurals = sum(n for form, n in forms.items() if form.lower() != word) / (forms.total() or 1)
    kind = 1.2 if word.endswith(LAST_WORDS) else float(word.endswith(NOUNS))
    if not kind and word.endswith(ADJECTIVES):
        kind = -1.0
    return 2.2 * plurals + kind


def order_by_head(
    pair: tuple[int, ...],
    words: Table,
    forms: Mapping[int, Counter[str]],
    spread: Sequence[int],
) -> tuple[int, ...]:
    """Return the pair of words with its head last; `spread` is each word's document count."""

    def rank(number: int) -> tuple[float, int]:
        return head_score(words[number], forms.get(number, Counter())), spread[number]

    first, second = sorted(pair, key=rank)
    return first, second
