"""Parser of lists of personal names into family and given names.

>>> [str(name) for name in parse_names("Smith, J. R., van der Berg, A. and Mary Lee")]
['Smith, J. R.', 'van der Berg, A.', 'Lee, Mary']
>>> parse_names("D. Knuth et al.")
(PersonName(family='Knuth', given='D.'),)

Footnote marks are not part of a name, and a mark before a capital ends a name.

>>> [str(name) for name in parse_names("Ann Lee\u2217 Zora Roe\u00b2,\u2020 and Carl Poe (1)")]
['Lee, Ann', 'Roe, Zora', 'Poe, Carl']
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from lycosa.papers.extraction.lexicons import GIVEN, PARTICLES

_PARTICLES = frozenset(PARTICLES.split()) - {"al", "mac"}
_GIVEN = frozenset(GIVEN.split())
_NOISE = re.compile(
    r"\bet\.? al\b\.?,?|\(?\b[Ee]d(itor)?s?\b\.?\)?|^\s*([Ii]n:?|[Bb]y)\s+"
    r"|\b(Member|Fellow|Senior Member|Student Member),? IEEE\b"
)
FOOTNOTES = "*\u2217\u204e\u22c6\u2605\u2020\u2021\u00a7\u00b6\u2016"
"""Characters that are only used as footnote marks: stars, daggers, section, paragraph, bars."""
_SIGN = rf"[{FOOTNOTES}#+|\d\u00b2\u00b3\u00b9\u2070-\u2089]"
_MARK = re.compile(
    rf"(?:[(\[](?:{_SIGN}|[a-z]{{1,2}})[)\]]|(?:{_SIGN}|\?(?!\w))+)"
    r"(?P<end>\s+(?=[^\W\d_a-z]))?"
)
# PDF text of old fonts has y and z for daggers, and question marks for stars.
_LETTERS = re.compile(r"(?<=[^\W\d_])\s+[a-z](?:\s*,\s*[a-z])*(?=\s*(?:[,;]|$)|\s+[^\W\d_a-z])")
_BETWEEN = re.compile(r"\s*;\s*(?:and\s+)?|,?\s+(?:and|AND|und|et|with)\s+|,?\s*&\s*")
_LEADING = re.compile(r"^\s*(?:and|&)\s+|\s+(?:and|&)$")
_INITIALS = re.compile(r"(?:[A-Z][.\u2019]?[-\s]*){1,4}$|(?:[A-Z][a-z]?\.[-\s]*)+$")
_BARE = re.compile(r"[A-Z](?:\.?-?[A-Z]){0,3}\.?$")
# "SR" and "JR" without a full stop are initials: "Chambers SR, Hunter N".
_SUFFIX = re.compile(r"(?:[Jj]r\.?|[Ss]r\.?|JR\.|SR\.|II|III|IV)$")
_INITIAL = re.compile(r"[^\W\d_a-z](?:\.-?[^\W\d_a-z])*\.?$|(?:[^\W\d_a-z]\.-?)+$")
# An initial, or a suffix, that has lost its full stop.
_OPEN = re.compile(r"(?:^|[\s.-])(?:[A-Z]|[JS]r)$")
_WRITTEN = re.compile(r"[^\W\d_]{2}")
_MAX_NAMES = 100
_CACHED_CHUNKS = 20_000  # the same people are named in many papers and references


class PersonName(NamedTuple):
    """A personal name: the family name with its particles, and given names or initials."""

    family: str
    given: str = ""

    def __str__(self) -> str:
        return f"{self.family}, {self.given}" if self.given else self.family


def parse_names(text: str) -> tuple[PersonName, ...]:
    """Parse a list of names in any of the usual orders; at most a hundred are returned."""
    text = _MARK.sub(lambda mark: "; " if mark["end"] else " ", _NOISE.sub(" ", text))
    text = " ".join(_LETTERS.sub("", text).split()).strip(" .,;:()")
    text += "." if _OPEN.search(text) else ""
    names: list[PersonName] = []
    for chunk in _BETWEEN.split(text):
        names += _chunk(chunk)
    return tuple(names[:_MAX_NAMES])


@lru_cache(maxsize=_CACHED_CHUNKS)
def _chunk(text: str) -> tuple[PersonName, ...]:
    """Parse the names between two conjunctions, split at commas."""
    names: list[PersonName] = []
    rest = [p for p in (_LEADING.sub("", p).strip() for p in text.split(",")) if p]
    while rest:
        family = rest.pop(0)
        while rest and _SUFFIX.match(rest[0]):
            family += f" {rest.pop(0)}"
        initials = rest and _INITIALS.match(rest[0]) and not _INITIALS.match(family)
        if initials or (rest and _is_family(family) and _is_given(rest[0])):
            given = rest.pop(0)
            while rest and _SUFFIX.match(rest[0]):
                family += f" {rest.pop(0)}"
            names.append(PersonName(family, given))
        else:
            names.extend(_given_first(family))
    return tuple(names)


def _is_given(piece: str) -> bool:
    first, *others = piece.split()
    return all(_INITIALS.match(word) for word in others) and not _SUFFIX.match(first)


def _is_family(piece: str) -> bool:
    words = [word for word in piece.split() if not _SUFFIX.match(word)]
    plain = [word for word in words if word.lower() not in _PARTICLES]
    return len(plain) == 1 and not _INITIALS.match(piece)


def _given_first(piece: str) -> list[PersonName]:
    """Parse one name with the given name first, or several that are separated by space only."""
    words = piece.split()
    if not words or not _WRITTEN.search(piece):
        return []
    cuts = [0]
    for n in range(2, len(words) - 1):
        is_new = words[n].lower() in _GIVEN and n - cuts[-1] >= 2
        if is_new and not _INITIALS.match(words[n - 1]) and len(words) >= 4:
            cuts.append(n)
    return [_split_name(words[a:b]) for a, b in zip(cuts, [*cuts[1:], len(words)], strict=True)]


def _split_name(words: Sequence[str]) -> PersonName:
    if len(words) > 1 and _BARE.match(words[-1]) and not words[0].rstrip(".").isupper():
        # "Lee A B" and "van der Lee A. B.": all initials follow the family name.
        first = len(words) - 1
        while first > 1 and _INITIAL.match(words[first - 1]):
            first -= 1
        return PersonName(" ".join(words[:first]), " ".join(words[first:]))
    end = len(words) - 1
    if end > 1 and _SUFFIX.match(words[end]):
        end -= 1
    while end > 1 and words[end - 1].lower() in _PARTICLES:
        end -= 1
    if end == 1 and len(words) > 2 and words[0].lower() in _PARTICLES:
        end = 0
    return PersonName(" ".join(words[end:]), " ".join(words[:end]))
