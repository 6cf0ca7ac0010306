"""Normal form of a reference: its fields without differences of printing.

Two references that differ in accents, case, punctuation, hyphenation or the
order of given and family names have the same normal form. The fields are parsed from
the text without trust in the labels: a year or pages in the wrong field are found there.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping
from functools import lru_cache
from typing import NamedTuple

from lycosa.papers.extraction.fields import page_range, parse_year
from lycosa.papers.matching.identifiers import (
    IDENTIFIER_FIELDS,
    DecisiveIdentifiers,
    find_decisive,
    may_be_identified,
    strip_identifiers,
)
from lycosa.papers.matching.venues import is_journal_name, publication_kind, venue_stems

MAX_FIELD_CHARACTERS = 2000
"""The most characters of a field that are read."""
_MAX_TITLE_LETTERS = 256
_MAX_AUTHORS = 30
_CACHE_SIZE = 10_000  # authors and venues repeat

_WORD = re.compile(r"[^\W\d_]+(?:['\u2019`-]+[^\W\d_]+)*")
_NOT_LETTERS = re.compile(r"[\W_]+")
_DASH = r"[-\u2010-\u2015\u2212]"
# The 94-33 of "UCSC-CRL-94-33" or "TR 94-33" is not a range of pages.
_RANGE = re.compile(
    rf"(?<![\d/])(?<!{_DASH})(?<!\btr )(\d{{1,6}})(?:\.\d+)?\s*{_DASH}+\s*(\d{{1,6}})"
)
# A range of pages that lost its dash.
_GLUED = re.compile(r"(?<!\d)(?:(\d\d)(\d\d)|(\d\d)(\d{3})|(\d{3}) ?(\d{3}))(?!\d)")
_NUMBER = re.compile(r"\d{1,6}")
_VOLUME = re.compile(r"\W*(?:vol(?:ume)?\b\W*)?(\d{1,4})(?!\s*-|\d)")
# "Machine Learning 5(2)", "103(2): 299-347": a volume in another field.
_LAST_VOLUME = re.compile(r"(?<![\d'`-])\b(\d{1,3})\s*(?:[(#]\s*\d[^)]*\)?)?\W*$")
_ISSUE = re.compile(r"(?<![\d-])(\d{1,3})\s*(?:\(\d+\)\s*:?|:)\s*(?=\d)")
# Text after these words describes another version of the paper.
_OTHER_VERSION = re.compile(
    r"\b(?:(?:an?\s+)?(?:extended|preliminary|earlier|long(?:er)?|short(?:er)?|full|draft)"
    r"(?:\s+(?:abstract|version|paper|draft))?\b.{0,40}?\b(?:appear|avail|publish|in\b)"
    r"|also\s+(?:appear|avail|publish|in\b)|to be published).*"
)
_ADDRESS = re.compile(r"\b(?:https?|ftp)\W\S*(?:\s\w\S*)?")
_TO_APPEAR = re.compile(r"\W*\b(?:to appear|forthcoming|in press|submitted)\b(?:\s+(?:in|to)\b)?")
# "Schapire (1991). Bounds on ...": the text before the year belongs to the authors.
_DATED = re.compile(
    r"(?:([^()\d]{0,40}?)\W*(?:1[89]|20)\d\d[a-z]?\s*[).,:;]|\W*(?:1[89]|20)\d\d\b)\W*(?=\w)"
)
_BROKEN = re.compile(r"\b\w\W*$")  # a list of authors that ends in an initial
# "d. p. helmbold, and m. warmuth. On-line ...": the rest of the authors.
_MORE_NAMES = re.compile(
    r"\W*+(?:\s*(?:(?:and\b|&)\s*)?(?:[a-z]\.-?\s*){1,3}[a-z][a-z'-]+"
    r"(?:\s*[,.:]+|(?=\s+and\b|\s*&)))+\s*(?=\w)"
)
# "d. haussler, r." and "schapire,": the title is missing.
_NO_FAMILY = re.compile(r"\W*[a-z]\..*[\s,.][a-z]\W*")
_ONE_WORD = re.compile(r"\W*[a-z'-]+\W*")
_BETWEEN = re.compile(r"[;&]|\band\b|\bwith\b")
_AFTER = re.compile(r"\bet\.?\s*al\b.*|\([^)]*\)|\beds?\b\.?|\beditors?\b")
# Numbers at other positions are often page numbers from a page break in the reference.
_PARTS = re.compile(
    r"(?<=part )(?:\d{1,3}|[ivx]+)\b|\b(?:i{2,3}|iv|vi{1,3}|ix)\b|\b(?:\d|[iv])(?=\W*$|\s*:)"
)
_SUFFIXES = frozenset({"jr", "sr"})
_AS_PRINTED = frozenset({"title", "authors", "year", "pages", "volume"})
_PLACES = ("venue", "note", "address", "institution", "publisher")
_MIN_TITLE_CHARACTERS = 12
_YEAR = re.compile(r"(?<!\d)(?:1[6-9]\d\d|20\d\d)(?!\d)")
_SHORT_YEAR = re.compile(r"['\u2019`/]\d\d\b")

_FORTHCOMING = re.compile(r"\b(?:to appear|forthcoming|in press|submitted)\b")
# Unpublished works.
_UNPUBLISHED = re.compile(
    r"preprint|manuscript|unpublished|in (?:progress|preparation)|personal comm"
)


class AuthorKey(NamedTuple):
    """An author for comparison: the letters of the family name, and an initial or ""."""

    family: str
    initial: str


class NormalForm(NamedTuple):
    """The comparable fields of a reference; 0 or empty if not known."""

    title: str
    """Letters and digits only, which is robust to hyphenation and lost spaces."""
    parts: tuple[str, ...]
    """Numbers in the title, which distinguish part II from part I."""
    names: tuple[AuthorKey, ...]
    """The authors in the order of print."""
    year: int
    first_page: int
    """Of the work in its volume; the same for `last_page`."""
    last_page: int
    volume: int
    """Of the journal or series."""
    venue: tuple[str, ...]
    """The first letters of its distinctive words, which are robust to abbreviation."""
    kind: str
    """One of `feature_vectors.KINDS`: meeting, journal, report, thesis or book."""
    waiting: bool = False
    """Whether it is forthcoming; its year is not later than that of the publication."""
    doi: str = ""
    """Of the publication, normalised."""
    preprint: str = ""
    """The arXiv id, or the DOI at another archive of preprints."""


def normalise(reference: Mapping[str, str]) -> NormalForm:
    """Return the normal form of a reference.

    It may have any of the fields authors, title, venue, year, pages, volume, doi and arxiv.
    Other fields are searched if year or pages are missing, and all for identifiers.

    >>> one = normalise({"authors": "Schapire, R. E.",
    ...             "title": "The strength of weak learn- ability,",
    ...             "venue": "Mach. Learn.", "year": "(1990)", "pages": "pp. 197-227"})
    >>> two = normalise({"authors": "Robert E. Schapire", "title": "(1990). The Strength of Weak "
    ...             "Learnability", "venue": "In Machine Learning, 197--227"})
    >>> one == two
    True
    >>> one.title, one.names, one.venue
    ('thestrengthofweaklearnability', (AuthorKey(family='schapire', initial='r'),), ('lea', 'mac'))
    """
    printed, identifiers = reference, DecisiveIdentifiers()
    if may_be_identified(reference):
        identifiers = find_decisive(reference)
        cut = {name: str(text)[:MAX_FIELD_CHARACTERS] for name, text in reference.items()}
        printed = {name: strip_identifiers(text) for name, text in cut.items()}
    fields = {
        name: fold_text(text)
        if name in _AS_PRINTED
        else _fold_published(str(text)[:MAX_FIELD_CHARACTERS])
        for name, text in printed.items()
        if name not in IDENTIFIER_FIELDS
    }
    authors, year, text = _opening(fields.get("authors", ""), fields.get("title", ""))
    where, text = _where(fields, text)
    kind = _kind(fields, where)
    first, last = _pages(fields, where)
    return NormalForm(
        _NOT_LETTERS.sub("", text)[:_MAX_TITLE_LETTERS],
        tuple(sorted(set(_PARTS.findall(text)))),
        author_keys(authors),
        _year(fields, year),
        first,
        last,
        _volume(fields, where, kind),
        venue_stems(where),
        kind,
        _is_waiting(fields.get("venue", ""), fields.get("note", "")),
        *identifiers,
    )


def _opening(authors: str, title: str) -> tuple[str, str, str]:
    """Return authors, year and title; moves authors and year from the start of the title."""
    joint = " " if _BROKEN.search(authors) else ", "
    if dated := _DATED.match(title):
        return f"{authors}{joint}{dated[1] or ''}", dated[0], title[dated.end() :]
    if _ONE_WORD.fullmatch(title) and _NO_FAMILY.fullmatch(authors):
        return f"{authors} {title}", "", ""
    more = None if _BETWEEN.search(authors) else _MORE_NAMES.match(title)
    if authors and more:
        return f"{authors}, {more[0]}", "", title[more.end() :]
    return authors, "", title


def fold_text(text: str) -> str:
    """Return a text in lower case without accents.

    >>> fold_text("Nicolò Cesa-Bianchi")
    'nicolo cesa-bianchi'
    """
    text = str(text)[:MAX_FIELD_CHARACTERS]
    if text.isascii():
        return text.lower()
    marked = unicodedata.normalize("NFKD", text).casefold()
    return "".join([c for c in marked if not unicodedata.combining(c)])


def author_keys(text: str) -> tuple[AuthorKey, ...]:
    """Parse the authors in a folded text, in any order of given and family names.

    >>> [name.family for name in author_keys("d. p. helmbold, r. schapire, and m. k. war-muth")]
    ['helmbold', 'schapire', 'warmuth']
    >>> author_keys("kearns, m., li, m. & pitt, l.")[1:]
    (AuthorKey(family='li', initial='m'), AuthorKey(family='pitt', initial='l'))
    """
    chunks = [_name_parts(chunk) for chunk in _BETWEEN.split(_AFTER.sub(" ", text))]
    chunks = [chunk for chunk in chunks if chunk]
    reversed_ = all(len(chunk) == 2 and len(chunk[0]) == 1 for chunk in chunks)
    found: list[AuthorKey] = []
    for chunk in chunks:
        if reversed_:
            found.append(AuthorKey(chunk[0][0], chunk[1][0][0]))
            continue
        for words in chunk:
            long = [word for word in words if len(word) > 1]
            if long:
                short = [word for word in words if len(word) == 1]
                given = words[0] if len(words) > 1 else ""
                initial = short[0] if short and len(given) > 1 and words[-1] in short else given
                found.append(AuthorKey(long[-1], initial[:1]))
            elif found and not found[-1].initial:
                found[-1] = AuthorKey(found[-1].family, words[0])
            if len(found) == _MAX_AUTHORS:
                return tuple(found)
    return tuple(found)


@lru_cache(maxsize=_CACHE_SIZE)
def _name_parts(chunk: str) -> tuple[tuple[str, ...], ...]:
    """Return the words of each part between commas, without hyphens."""
    parts = []
    for part in chunk.split(","):
        words = [_NOT_LETTERS.sub("", word) for word in _WORD.findall(part)]
        words = [word for word in words if word not in _SUFFIXES]
        if words:
            parts.append(tuple(words))
    return tuple(parts)


def _where(fields: Mapping[str, str], title: str) -> tuple[str, str]:
    """Return the text with the place of publication, and the title without it."""
    tail, head = _tail(title)
    if tail.startswith("in "):
        title = head
    for name in _PLACES:
        text = fields.get(name, "")
        if name == "venue" and text.strip(" .,;:()"):
            return _without_forthcoming(text), title
        if (
            text
            and publication_kind(text := _TO_APPEAR.sub("", text))
            and not _UNPUBLISHED.search(text)
        ):
            return text, title
    return tail, head


@lru_cache(maxsize=_CACHE_SIZE)
def _without_forthcoming(venue: str) -> str:
    """Return a venue without "to appear"; "" if the work is unpublished."""
    return "" if _UNPUBLISHED.search(venue) else _TO_APPEAR.sub("", venue)


def _tail(title: str) -> tuple[str, str]:
    """Return the venue after a title, and the title."""
    sentences = _ADDRESS.sub(". ", title).strip(" .,").split(". ")
    for k in range(1, len(sentences)):
        head, place = ". ".join(sentences[:k]), _TO_APPEAR.sub("", sentences[k])
        if len(head) >= _MIN_TITLE_CHARACTERS and publication_kind(place):
            # A full stop can also end an abbreviation, but not after the full name of a journal.
            return (place if is_journal_name(place) else ". ".join(sentences[k:])), head
    return "", title


@lru_cache(maxsize=_CACHE_SIZE)
def _is_waiting(place: str, note: str) -> bool:
    """Return whether a work is unpublished or forthcoming; a note can mean another version."""
    unprinted = (_UNPUBLISHED, _FORTHCOMING)
    if any(words.search(place) for words in unprinted):
        return True
    same_version = not place or not publication_kind(_TO_APPEAR.sub("", note))
    return same_version and any(words.search(note) for words in unprinted)


def _kind(fields: Mapping[str, str], where: str) -> str:
    if kind := publication_kind(where):
        return kind
    if _VOLUME.match(fields.get("volume", "")):
        return "journal"
    if fields.get("institution"):
        return "report"
    return "book" if not where and fields.get("publisher") else ""


def _year(fields: Mapping[str, str], in_title: str) -> int:
    """Return the year of its field, or else of another field."""
    for text in (fields.get("year", ""), in_title):
        if found := parse_year(text):
            return found
    for name, text in fields.items():
        # Outside a date, two digits are a year only after an apostrophe: "vol. 78" has none.
        if name not in ("year", "title", "pages", "authors"):
            years = _YEAR.findall(text) or _SHORT_YEAR.findall(text)[-1:]
            if years and (found := parse_year(years[0])):
                return found
    return 0


@lru_cache(maxsize=_CACHE_SIZE)
def _fold_published(text: str) -> str:
    """Return a folded text without URLs and without other versions."""
    return _OTHER_VERSION.sub("", _ADDRESS.sub("", fold_text(text)))


def _pages(fields: Mapping[str, str], where: str) -> tuple[int, int]:
    pages = fields.get("pages", "")
    others = [t for k, t in fields.items() if k not in ("pages", "year", "title", "venue")]
    for text in (pages, where, *others):
        if found := _RANGE.search(text):
            return page_range(*found.groups())
    for text in (pages, *(t[found.end() :] for t in others if (found := _ISSUE.search(t)))):
        if glued := _GLUED.search(text):
            first, last = filter(None, glued.groups())
            if int(first) < int(last):
                return int(first), int(last)
    return _number(pages), 0


def _volume(fields: Mapping[str, str], where: str, kind: str) -> int:
    if found := _VOLUME.match(fields.get("volume", "")):
        return int(found[1])
    if kind in ("report", "thesis"):
        return 0
    places = (where, *(fields.get(name, "") for name in _PLACES[1:]))
    for text in places:
        if found := _ISSUE.search(text):
            return int(found[1])
    found = _LAST_VOLUME.search(where) if kind == "journal" else None
    return int(found[1]) if found else 0


def _number(text: str) -> int:
    found = _NUMBER.search(text)
    return int(found[0]) if found else 0
