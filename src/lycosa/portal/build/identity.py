"""Stable ids of documents, works, authors and topics.

The id of a document is a hash of its URL. The members of works, headers and
references, have names, too; the id of a work is the name of its first member. So
a former id of a work always names one of its members, and through it the work
that has this member now.

>>> document_id("http://a.example/p.pdf")
'dmuts2n3vg7ntd5mn'
>>> header_name("dmuts2n3vg7ntd5mn")
'wmuts2n3vg7ntd5mn'
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from functools import lru_cache

from lycosa.papers.extraction.names import PersonName
from lycosa.web.digests import digest

_SEPARATORS = re.compile(r"[^a-z0-9]+")
MAX_SLUG_CHARACTERS = 60
# Letters that Unicode does not decompose into a plain letter and an accent.
_TRANSLITERATIONS = str.maketrans(
    {"ø": "o", "ł": "l", "đ": "d", "ß": "ss", "æ": "ae", "œ": "oe", "\u0131": "i"}
)


def document_id(url: str) -> str:
    """Return the id of the document at a URL."""
    return "d" + digest(url)


def header_name(document: str) -> str:
    """Return the name of a document as a member of a work."""
    return "w" + document[1:]


def reference_names(document: str, texts: Iterable[str]) -> list[str]:
    """Return the names of the references of a document, by their texts and not their numbers.

    >>> one, two, three = reference_names("d1", ["A. Lee 1997", "B. Roe", "A. Lee 1997"])
    >>> one == three, reference_names("d1", ["B. Roe"]) == [two]
    (False, True)
    """
    seen: dict[str, int] = {}
    names = []
    for text in texts:
        repetition = seen[text] = seen.get(text, -1) + 1
        names.append("w" + digest(document, text, str(repetition) if repetition else ""))
    return names


@lru_cache(maxsize=100_000)
def author_id(name: PersonName) -> str:
    """Return family name and first initial, for a URL.

    >>> names = (PersonName("Lee", "Ann"), PersonName("van der Berg", "Å."), PersonName("Wu"))
    >>> [author_id(name) for name in names]
    ['lee-a', 'van-der-berg-a', 'wu']
    """
    if not (family := slug(name.family)):
        return "x" + digest(str(name))  # a name in another script has no plain letters
    given = slug(name.given)[:1]
    return f"{family}-{given}" if given else family


def topic_ids(paths: Iterable[tuple[str, ...]]) -> list[str]:
    """Return the ids of topics, given as paths of names; each topic follows its parent.

    >>> topic_ids([("Machine Learning",), ("Machine Learning", "C++"), ("Machine Learning", "C")])
    ['machine-learning', 'machine-learning/c', 'machine-learning/c-2']
    """
    known: dict[tuple[str, ...], str] = {}
    taken: set[str] = set()
    for path in paths:
        above = known[path[:-1]] + "/" if len(path) > 1 else ""
        plain = above + (slug(path[-1]) or "x" + digest(path[-1]))
        name, number = plain, 1
        while name in taken:
            number += 1
            name = f"{plain}-{number}"
        taken.add(name)
        known[path] = name
    return list(known.values())


def slug(text: str) -> str:
    """Return a text in plain letters, digits and hyphens.

    >>> slug("Łukasz  O'Neil-Brøns")
    'lukasz-o-neil-brons'
    """
    kept = text.lower()
    if not text.isascii():
        plain = unicodedata.normalize("NFKD", kept.translate(_TRANSLITERATIONS))
        kept = "".join(c for c in plain if not unicodedata.combining(c))
    return _SEPARATORS.sub("-", kept).strip("-")[:MAX_SLUG_CHARACTERS].strip("-")
