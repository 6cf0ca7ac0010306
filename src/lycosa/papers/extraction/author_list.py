"""The authors of a header: the names of all its author fields, each once.

A name that a later field repeats is a second mention of an author, mostly the
one to write to: "Correspondence: A. Lee". A later field that repeats most of the names
is the author list of a citation of the paper, or a running head. Editors and
reviewers stand under a caption, and groups behind "on behalf of".

>>> names = [[PersonName("Lee", "Ann"), PersonName("Roe", "Zoe")], [PersonName("LEE", "A.")]]
>>> [str(name) for name in merge_mentions(names)]
['Lee, Ann', 'Roe, Zoe']
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence

from lycosa.papers.extraction.fields import FieldSpan, Header
from lycosa.papers.extraction.names import PersonName
from lycosa.papers.extraction.place_labeller import PLACE_LABELS

MAX_AUTHORS = 5000
"""The most authors of a header that are returned."""

_MIN_WORD_LETTERS = 4  # of a word of a name that is looked for in other fields
_MIN_REPEATED_WORDS = 3  # of a field that repeats the author list

_OTHERS = re.compile(
    r"(?:(?:academic|handling|associate|guest|section)\s+)?editors?\s*:"
    r"|(?:edited|reviewed|communicated|recommended|approved)\s+by\b"
    r"|reviewers?\s*:|(?:how\s+to\s+)?cit(?:e|ation)\b[^:\n]{0,30}:",
    re.IGNORECASE,
)
"""The captions above people who are not authors of the paper, and above its citation."""
_GROUP = re.compile(r"\b(?:and\s+)?(?:on\s+behalf\s+of|for\s+the)\b", re.IGNORECASE)
_NOT_LETTERS = re.compile(r"[\W\d_]+")


def author_fields(header: Header) -> tuple[FieldSpan, ...]:
    """Return the author fields before the abstract; all of them if there are none before it.

    Below an abstract stand notes on authors, and the authors and editors of other works.
    """
    parts = _without_others(header)
    abstract = min((part.start for part in header.fields.get("abstract", ())), default=None)
    before = tuple(part for part in parts if abstract is None or part.start < abstract)
    return before or parts


def _without_others(header: Header) -> tuple[FieldSpan, ...]:
    """Return the author fields without editors, reviewers, citations and groups; never none.

    Who stands below an editor and his affiliation is an editor, too.
    """
    parts = header.fields.get("author", ())
    places = {
        part.stop: part.start for label in PLACE_LABELS for part in header.fields.get(label, ())
    }
    notes = {part.stop: part.text for part in header.fields.get("note", ())}
    others: set[int] = set()  # where fields of others end
    kept = []
    for part in parts:
        start = part.start
        while start in places:
            start = places[start]
        above = notes.get(part.start, "").rpartition("\n")[2]
        found = _OTHERS.search(part.text)
        if start in others or _OTHERS.search(above):
            others.add(part.stop)
            continue
        if found:
            others.add(part.stop)
        text = _GROUP.split(part.text[: found.start()] if found else part.text, maxsplit=1)[0]
        if text.strip():
            kept.append(part._replace(text=text))
    return tuple(kept) or parts


def merge_mentions(fields: Iterable[Sequence[PersonName]]) -> tuple[PersonName, ...]:
    """Return the names of fields in their order, without second mentions in later fields.

    A name without a given name is left out if others have one.
    """
    names: list[PersonName] = []
    words: set[str] = set()  # the long words of all names
    known: dict[str, list[str]] = {}  # the given names under each family name
    for field in fields:
        own = {word for name in field for word in _long_words(name)}
        repeated = len(own & words)
        if repeated >= _MIN_REPEATED_WORDS and 2 * repeated >= max(len(own), len(words)):
            continue
        words |= own
        fresh = [name for name in field if _letters(name.family) and not _is_known(name, known)]
        for name in fresh:
            known.setdefault(_letters(name.family), []).append(_letters(name.given))
        names += fresh
    # Of 4,000 annotated names ten are a single word; in a list of names it is a place or a title.
    full = [name for name in names if name.given]
    return tuple((full or names)[:MAX_AUTHORS])


def _long_words(name: PersonName) -> Iterator[str]:
    for word in f"{name.given} {name.family}".split():
        letters = _letters(word)
        if len(letters) >= _MIN_WORD_LETTERS:
            yield letters


def _is_known(name: PersonName, known: dict[str, list[str]]) -> bool:
    """Return whether a name, or the same name with initials, was mentioned."""
    given = _letters(name.given)
    return any(
        given.startswith(other[:1]) if len(given) < 3 or len(other) < 3 else _agree(given, other)
        for other in known.get(_letters(name.family), ())
    )


def _agree(one: str, two: str) -> bool:
    return one.startswith(two) or two.startswith(one)


def _letters(text: str) -> str:
    plain = unicodedata.normalize("NFKD", text)
    return _NOT_LETTERS.sub("", "".join(c for c in plain if not unicodedata.combining(c))).lower()
