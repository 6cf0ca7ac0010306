"""Citation contexts: the text around every citation of a reference in the body.

Recognised are labels (`[3]`, `[Lee97]` or several as `[3, 5-7]`) and name with year
(`(Lee, 1997)` or `Lee (1997)`).

>>> from lycosa.papers.extraction.reference_list import ReferenceEntry
>>> cited = [ReferenceEntry("[1]", "A. Lee. Spiders. 1997.", 9, 0, 1),
...          ReferenceEntry("", "Roe, B. (1998). Webs.", 9, 1, 2)]
>>> citation_contexts("Spiders learn [1]. They hunt (Roe, 1998).", cited, margin=8)
[('learn [1]. They',), ('hunt (Roe, 1998).',)]
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from lycosa.papers.extraction.reference_list import ReferenceEntry

MAX_CONTEXTS = 20
"""The most contexts that are kept of one reference."""

_BRACKETS = re.compile(r"\[([^\[\]]{1,120})\]")
_PARTS = re.compile(r"\s*[,;]\s*")
_RANGE = re.compile(r"(\d{1,3})\s*[-\u2013\u2014]\s*(\d{1,3})")
_MAX_RANGE = 30
_AUTHOR_YEAR = re.compile(
    r"\b([^\W\d_][\w'\u2019-]{1,30})(?:,?\s(?:et\sal\.?|(?:and|&)\s[^\W\d_][\w'\u2019-]{1,30}))?"
    r",?\s?[(\[]?((?:1[89]|20)\d\d[a-z]?)\b"
)
_YEAR = re.compile(r"\b(?:1[89]|20)\d\d[a-z]?\b")
_FAMILY = re.compile(r"[^\W\d_][\w'\u2019-]+")
_FAMILY_NAME_WORDS = 6  # the first family name is among so many words of an entry


def citation_contexts(
    body: str, cited: Sequence[ReferenceEntry], margin: int = 150
) -> list[tuple[str, ...]]:
    """Return the contexts of each reference: whole words, `margin` characters on either side."""
    found: list[list[str]] = [[] for _ in cited]
    for number, start, stop in _citations(body, cited):
        if len(found[number]) < MAX_CONTEXTS:
            found[number].append(_whole_words(body, start, stop, margin))
    return [tuple(dict.fromkeys(pieces)) for pieces in found]


def _whole_words(body: str, start: int, stop: int, margin: int) -> str:
    """Return what is between two places and around them, without words cut at its ends."""
    first, last = max(start - margin, 0), min(stop + margin, len(body))
    while 0 < first < start and not body[first - 1].isspace():
        first += 1
    while stop < last < len(body) and not body[last].isspace():
        last -= 1
    return " ".join(body[first:last].split())


def _citations(body: str, cited: Sequence[ReferenceEntry]) -> Iterator[tuple[int, int, int]]:
    """Yield the number of a reference, and start and end of its citation in the body."""
    labels = {entry.label.strip("[]()."): n for n, entry in enumerate(cited) if entry.label}
    if labels:
        for match in _BRACKETS.finditer(body):
            for name in _cited_labels(match[1]):
                if name in labels:
                    yield labels[name], match.start(), match.end()
    people: dict[tuple[str, str], int] = {}
    for n, entry in enumerate(cited):
        if not entry.label.startswith(("[", "(")):
            for year in _YEAR.findall(entry.text)[:3]:
                for name in _FAMILY.findall(entry.text)[:_FAMILY_NAME_WORDS]:
                    people.setdefault((name, year), n)
    if people:
        for match in _AUTHOR_YEAR.finditer(body):
            number = people.get((match[1], match[2]))
            if number is not None:
                yield number, match.start(), match.end()


def _cited_labels(inside: str) -> list[str]:
    """Return the labels that can be meant between two brackets, ranges expanded.

    >>> _cited_labels("2, 5-7; Lee, 1997")
    ['2', '5', '6', '7', 'Lee', '1997', '2, 5-7', 'Lee, 1997']
    """
    found: list[str] = []
    for part in _PARTS.split(inside.strip()):
        span = _RANGE.fullmatch(part)
        if span and 0 < int(span[2]) - int(span[1]) <= _MAX_RANGE:
            found += [str(n) for n in range(int(span[1]), int(span[2]) + 1)]
        else:
            found.append(part)
    found += [part.strip() for part in inside.split(";") if "," in part]
    return list(dict.fromkeys(found))
