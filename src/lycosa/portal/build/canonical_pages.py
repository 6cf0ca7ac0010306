"""Documents that are one work because the author names one URL for them.

A canonical URL is a hint, not an order, as search engines document it: many sites name
their home page, or the first page of a list, on every page, and a page may name a URL of
another site. So two documents are one work only if, besides, they have much the same words.
"""

from __future__ import annotations

from collections.abc import Iterator

from lycosa.portal.build.database import Database
from lycosa.portal.build.member_table import Members

MIN_SHARED_WORDS = 0.8
"""The least share of the distinct words of two documents that both have."""
COMPARED_CHARACTERS = 100_000
"""Of each text, from which the words are taken."""

_TEXT = "SELECT substr(text, 1, ?) FROM documents WHERE id = ?"


def canonical_pairs(members: Members, database: Database) -> Iterator[tuple[int, int]]:
    """Yield the headers of two documents of which one names the other, or both name a third.

    Of documents that name a URL which is no document, the first stands for it.
    """
    if not members.canonicals:
        return
    place = {document: k for k, document in enumerate(members.documents)}
    for k, named in sorted(members.canonicals.items()):
        other = place.setdefault(named, k)
        if other == k or members.kinds[other] != members.kinds[k]:
            continue
        texts = [database.one(_TEXT, COMPARED_CHARACTERS, members.documents[n]) for n in (k, other)]
        if share_of_words(texts[0][0], texts[1][0]) >= MIN_SHARED_WORDS:
            yield members.starts[other], members.starts[k]


def share_of_words(one: str, two: str) -> float:
    """Return the share of the distinct words of two texts that both have (Jaccard 1912).

    >>> share_of_words("a b c d", "d c B x"), share_of_words("", "")
    (0.6, 1.0)
    """
    first, second = set(one.lower().split()), set(two.lower().split())
    every = len(first | second)
    return len(first & second) / every if every else 1.0
