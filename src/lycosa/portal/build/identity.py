"""Names for documents, works, authors and topics that stay what they are.

A document is named by its URL. What a work is made of, headers and references,
has a name each, too; a work is called as its first member is. So an old name of
a work always leads to one of its members, and from there to the work that the
member is in now.

>>> document_id("http://a.example/p.pdf")
'dmuts2n3vg7ntd5mn'
>>> header_name("dmuts2n3vg7ntd5mn")
'wmuts2n3vg7ntd5mn'
"""

from __future__ import annotations

import re
import unicodedata
from base64 import b32encode
from collections.abc import Iterable, Sequence
from functools import lru_cache
from hashlib import blake2b

from lycosa.papers.extraction.names import PersonName

_NOT_PLAIN = re.compile(r"[^a-z0-9]+")
_LONGEST = 60
# Letters that are not a plain letter with something above or below it.
_SPELLED = str.maketrans(
    {"ø": "o", "ł": "l", "đ": "d", "ß": "ss", "æ": "ae", "œ": "oe", "\u0131": "i"}
)


def digest(*parts: str) -> str:
    """A short hash of some texts: sixteen letters and digits."""
    whole = "\0".join(parts).encode("utf-8", "surrogatepass")
    return b32encode(blake2b(whole, digest_size=10).digest()).decode().lower()


def document_id(url: str) -> str:
    """The name of the document at a URL."""
    return "d" + digest(url)


def header_name(document: str) -> str:
    """The name of a document as a member of a work."""
    return "w" + document[1:]


def reference_names(document: str, texts: Iterable[str]) -> list[str]:
    """The names of the references of a document, which follow their texts and not their numbers.

    >>> one, two, three = reference_names("d1", ["A. Lee 1997", "B. Roe", "A. Lee 1997"])
    >>> one == three, reference_names("d1", ["B. Roe"]) == [two]
    (False, True)
    """
    seen: dict[str, int] = {}
    names = []
    for text in texts:
        again = seen[text] = seen.get(text, -1) + 1
        names.append("w" + digest(document, text, str(again) if again else ""))
    return names


@lru_cache(maxsize=100_000)
def author_id(name: PersonName) -> str:
    """Family name and first initial, for a URL.

    >>> names = (PersonName("Lee", "Ann"), PersonName("van der Berg", "Å."), PersonName("Wu"))
    >>> [author_id(name) for name in names]
    ['lee-a', 'van-der-berg-a', 'wu']
    """
    if not (family := slug(name.family)):
        return "x" + digest(str(name))  # a name in another script has no plain letters
    given = slug(name.given)[:1]
    return f"{family}-{given}" if given else family


def topic_ids(paths: Iterable[tuple[str, ...]]) -> list[str]:
    """The names of topics, given as the names from the top down; each after its parent.

    >>> topic_ids([("Machine Learning",), ("Machine Learning", "C++"), ("Machine Learning", "C")])
    ['machine-learning', 'machine-learning/c', 'machine-learning/c-2']
    """
    known: dict[tuple[str, ...], str] = {}
    taken: set[str] = set()
    for path in paths:
        above = known[path[:-1]] + "/" if len(path) > 1 else ""
        plain = above + (slug(path[-1]) or "x" + digest(path[-1]))
        name, again = plain, 1
        while name in taken:
            again += 1
            name = f"{plain}-{again}"
        taken.add(name)
        known[path] = name
    return list(known.values())


def slug(text: str) -> str:
    """A text in plain letters, digits and hyphens.

    >>> slug("Łukasz  O'Neil-Brøns")
    'lukasz-o-neil-brons'
    """
    kept = text.lower()
    if not text.isascii():
        plain = unicodedata.normalize("NFKD", kept.translate(_SPELLED))
        kept = "".join(c for c in plain if not unicodedata.combining(c))
    return _NOT_PLAIN.sub("-", kept).strip("-")[:_LONGEST].strip("-")


def members_named(names: Sequence[str], wanted: Iterable[str]) -> dict[str, int]:
    """The numbers of members by names; that of a document is as good as that of its header."""
    asked: dict[str, list[str]] = {}
    for name in wanted:
        asked.setdefault(header_name(name), []).append(name)
    if not asked:
        return {}
    return {
        given: number for number, name in enumerate(names) if name in asked for given in asked[name]
    }
