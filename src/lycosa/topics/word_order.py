"""Which of two English words comes first, where a corpus does not say.

In "neural networks" and "speech recognition" the last word says what kind of
thing it is. It is mostly the one that has a plural, or that is made from a verb;
adjectives come first. Where none of this decides, the rarer word comes first:
it narrows down the other.

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
"""Endings of words that come first, that come last, and that come after these."""


def head_score(word: str, forms: Counter[str]) -> float:
    """How likely a word is to come last, by its forms: above 0 for most nouns that have a plural.

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
    """The pair with the word last that says what kind of thing is meant."""

    def rank(number: int) -> tuple[float, int]:
        return head_score(words[number], forms.get(number, Counter())), spread[number]

    first, second = sorted(pair, key=rank)
    return first, second
