"""The normal form of a reference: what is left when styles of printing are taken away.

Two references that differ in accents, case, punctuation, hyphenation or the
order of given and family names have the same form. Everything is guessed from
the text and nothing is trusted: a year or pages that were put into the wrong
field are found there.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping
from functools import lru_cache
from typing import NamedTuple

from lycosa.papers.extraction.fields import page_range, parse_year

MAX_FIELD_CHARACTERS = 2000
"""Characters of a field that are read; what is longer is no field."""
_TITLE = 256  # letters of a title that are compared
_NAMES = 30  # authors that are compared
_KEPT = 10_000  # people, and places of publication, that are remembered, for they come again

_WORD = re.compile(r"[^\W\d_]+(?:['\u2019`-]+[^\W\d_]+)*")
_LETTERS = re.compile(r"[^\W\d_]+")
_NOT_LETTERS = re.compile(r"[\W_]+")
_DASH = r"[-\u2010-\u2015\u2212]"
# No range of pages: the 94-33 of "UCSC-CRL-94-33" or "TR 94-33".
_RANGE = re.compile(
    rf"(?<![\d/])(?<!{_DASH})(?<!\btr )(\d{{1,6}})(?:\.\d+)?\s*{_DASH}+\s*(\d{{1,6}})"
)
# The dash was lost.
_GLUED = re.compile(r"(?<!\d)(?:(\d\d)(\d\d)|(\d\d)(\d{3})|(\d{3}) ?(\d{3}))(?!\d)")
_NUMBER = re.compile(r"\d{1,6}")
_VOLUME = re.compile(r"\W*(?:vol(?:ume)?\b\W*)?(\d{1,4})(?!\s*-|\d)")
# "Machine Learning 5(2)", "103(2): 299-347": a volume where no field says so.
_LAST_VOLUME = re.compile(r"(?<![\d'`-])\b(\d{1,3})\s*(?:[(#]\s*\d[^)]*\)?)?\W*$")
_ISSUE = re.compile(r"(?<![\d-])(\d{1,3})\s*(?:\(\d+\)\s*:?|:)\s*(?=\d)")
# What stands after these is another version of the paper.
_OTHERWISE = re.compile(
    r"\b(?:(?:an?\s+)?(?:extended|preliminary|earlier|long(?:er)?|short(?:er)?|full|draft)"
    r"(?:\s+(?:abstract|version|paper|draft))?\b.{0,40}?\b(?:appear|avail|publish|in\b)"
    r"|also\s+(?:appear|avail|publish|in\b)|to be published).*"
)
_ADDRESS = re.compile(r"\b(?:https?|ftp)\W\S*(?:\s\w\S*)?")
_TO_APPEAR = re.compile(r"\W*\b(?:to appear|forthcoming|in press|submitted)\b(?:\s+(?:in|to)\b)?")
# "Schapire (1991). Bounds on ...": what stands before the year belongs to the authors.
_DATED = re.compile(
    r"(?:([^()\d]{0,40}?)\W*(?:1[89]|20)\d\d[a-z]?\s*[).,:;]|\W*(?:1[89]|20)\d\d\b)\W*(?=\w)"
)
_BROKEN = re.compile(r"\b\w\W*$")  # a list of authors that ends in an initial
# "d. p. helmbold, and m. warmuth. On-line ...": the rest of the authors.
_MORE_NAMES = re.compile(
    r"\W*+(?:\s*(?:(?:and\b|&)\s*)?(?:[a-z]\.-?\s*){1,3}[a-z][a-z'-]+"
    r"(?:\s*[,.:]+|(?=\s+and\b|\s*&)))+\s*(?=\w)"
)
# "d. haussler, r." and "schapire,": there was no title.
_NO_FAMILY = re.compile(r"\W*[a-z]\..*[\s,.][a-z]\W*")
_ONE_WORD = re.compile(r"\W*[a-z'-]+\W*")
_BETWEEN = re.compile(r"[;&]|\band\b|\bwith\b")
_AFTER = re.compile(r"\bet\.?\s*al\b.*|\([^)]*\)|\beds?\b\.?|\beditors?\b")
# Numbers elsewhere are often those of the page the reference was cut by.
_PARTS = re.compile(
    r"(?<=part )(?:\d{1,3}|[ivx]+)\b|\b(?:i{2,3}|iv|vi{1,3}|ix)\b|\b(?:\d|[iv])(?=\W*$|\s*:)"
)
_SUFFIXES = frozenset({"jr", "sr"})
_BROKEN_WORD = re.compile(r"(?<=[a-z])-+\s*(?=[a-z])")
_AS_PRINTED = frozenset({"title", "authors", "year", "pages", "volume"})
_PLACES = ("venue", "note", "address", "institution", "publisher")
_SHORTEST = 12  # letters of a title

_HOLLOW = frozenset(
    "in of the on and for at to a an de la pp pages vol volume no number part series "
    "proc proceedings procs annual annu ann annals th st nd rd first second third fourth fifth "
    "sixth seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth fifteenth "
    "sixteenth seventeenth eighteenth nineteenth twentieth twenty thirtieth thirty "
    "conference conf international intl int symposium sympos symp workshop work meeting "
    "journal j jour trans transactions advances technical tech report rep "
    "phd ph master masters doctoral thesis dissertation".split()
)
_TENS = ("twenty", "thirty", "forty", "fifty")  # "twenty-fifth"
_MEETINGS = {
    "aaai": "artificial intelligence",
    "acl": "computational linguistics",
    "chi": "human factors computing systems",
    "colt": "computational learning theory",
    "eurocolt": "european computational learning theory",
    "ecml": "european machine learning",
    "crypto": "cryptology",
    "cvpr": "computer vision pattern recognition",
    "focs": "foundations computer science",
    "icassp": "acoustics speech signal processing",
    "icml": "machine learning",
    "ijcai": "artificial intelligence",
    "isca": "computer architecture",
    "kdd": "knowledge discovery data mining",
    "nips": "neural information processing systems",
    "pldi": "programming language design implementation",
    "podc": "principles distributed computing",
    "pods": "principles database systems",
    "popl": "principles programming languages",
    "sigir": "research development information retrieval",
    "sigmod": "management data",
    "soda": "discrete algorithms",
    "sosp": "operating systems principles",
    "stoc": "theory computing",
    "uai": "uncertainty artificial intelligence",
    "vldb": "very large data bases",
    "www": "world wide web",
}
_ACRONYMS = _MEETINGS | {
    "cacm": "communications acm",
    "jacm": "acm",
    "jair": "artificial intelligence research",
    "jcss": "computer system sciences",
    "jmlr": "machine learning research",
    "pami": "pattern analysis machine intelligence",
    "tcs": "theoretical computer science",
}
_ACM = re.compile(r"\bassoc\w*\W+(?:(?:for|of)\W+)?(?:the\W+)?comput\w*\W+mach\w*|\ba\.c\.m\b")
_KINDS = (
    ("book", re.compile(r"dissertations?\s+(?:awards?\s+)?series")),
    ("thesis", re.compile(r"thesis|dissertation")),
    ("report", re.compile(r"report|\btr\b|\bmemo|\btech\b")),
    (
        "meeting",
        re.compile(
            r"\bproc(?:s|e\w*gs)?\b|\bconf|symp|workshop|meeting|lecture notes"
            r"|neural information processing"
        ),
    ),
    ("journal", re.compile(r"journal|\bj\b|\btrans|letters|annals|magazine|review|\bacta\b")),
)
# Journals whose names do not say that they are.
_JOURNALS = re.compile(
    r"\W*(?:in\s+)?(?:mach\w*\W+learn\w*|art\w*\W+intell\w*"
    r"|inf\w*\W+(?:and\s+|& )?(?:comp\w*|control)"
    r"|neural\s+(?:comput\w*|networks)|comm\w*\W+(?:of\s+the\s+)?acm|algorithmica|combinatorica"
    r"|comput\w*\W+ling\w*|theor\w*\W+comp\w*\W+sc\w*|pattern\s+rec\w*|comp\w*\W+networks"
    r"|jacm|cacm|jcss|jair|jmlr|tcs)[\W\d]*$"
)
_WAITING = re.compile(r"\b(?:to appear|forthcoming|in press|submitted)\b")
# Nothing was published yet.
_NOWHERE = re.compile(r"preprint|manuscript|unpublished|in (?:progress|preparation)|personal comm")


class AuthorKey(NamedTuple):
    """An author as names are compared: letters of the family name, an initial or nothing."""

    family: str
    initial: str


class NormalForm(NamedTuple):
    """What is compared of a reference. Zero or empty is: not known."""

    title: str
    """Letters and digits only, which survives hyphenation and lost spaces."""
    parts: tuple[str, ...]
    """Numbers in the title: part II is not part I."""
    names: tuple[AuthorKey, ...]
    year: int
    first_page: int
    last_page: int
    volume: int
    venue: tuple[str, ...]
    """The beginnings of its telling words, which survive abbreviation."""
    kind: str
    """Meeting, journal, report, thesis or book."""
    waiting: bool = False
    """It was not yet printed: its year is not after that of the publication."""


def normalise(reference: Mapping[str, str]) -> NormalForm:
    """The normal form of a reference with any of: authors, title, venue, year, pages, volume.

    Other fields are read where a year or pages are missing.

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
    fields = {
        name: fold_text(text)
        if name in _AS_PRINTED
        else _published(str(text)[:MAX_FIELD_CHARACTERS])
        for name, text in reference.items()
    }
    authors, year, text = _opening(fields.get("authors", ""), fields.get("title", ""))
    where, text = _where(fields, text)
    kind = _kind(fields, where)
    first, last = _pages(fields, where)
    return NormalForm(
        _NOT_LETTERS.sub("", text)[:_TITLE],
        tuple(sorted(set(_PARTS.findall(text)))),
        author_keys(authors),
        _year(fields, year),
        first,
        last,
        _volume(fields, where, kind),
        venue_stems(where),
        kind,
        _is_waiting(fields.get("venue", ""), fields.get("note", "")),
    )


def _opening(authors: str, title: str) -> tuple[str, str, str]:
    """Authors, year and title, when authors or year may stand at the beginning of the title."""
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
    """A text in small letters without accents.

    >>> fold_text("Nicolò Cesa-Bianchi")
    'nicolo cesa-bianchi'
    """
    text = str(text)[:MAX_FIELD_CHARACTERS]
    if text.isascii():
        return text.lower()
    marked = unicodedata.normalize("NFKD", text).casefold()
    return "".join([c for c in marked if not unicodedata.combining(c)])


def author_keys(text: str) -> tuple[AuthorKey, ...]:
    """The authors in a fold_text text, whatever the order of given and family names.

    >>> [name.family for name in author_keys("d. p. helmbold, r. schapire, and m. k. war-muth")]
    ['helmbold', 'schapire', 'warmuth']
    >>> author_keys("kearns, m., li, m. & pitt, l.")[1:]
    (AuthorKey(family='li', initial='m'), AuthorKey(family='pitt', initial='l'))
    """
    chunks = [_named_parts(chunk) for chunk in _BETWEEN.split(_AFTER.sub(" ", text))]
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
            if len(found) == _NAMES:
                return tuple(found)
    return tuple(found)


@lru_cache(maxsize=_KEPT)
def _named_parts(chunk: str) -> tuple[tuple[str, ...], ...]:
    """The words of each part between commas; hyphens within words go."""
    parts = []
    for part in chunk.split(","):
        words = [_NOT_LETTERS.sub("", word) for word in _WORD.findall(part)]
        words = [word for word in words if word not in _SUFFIXES]
        if words:
            parts.append(tuple(words))
    return tuple(parts)


@lru_cache(maxsize=_KEPT)
def venue_stems(text: str) -> tuple[str, ...]:
    """The beginnings of the telling words of a venue, acronyms written out.

    >>> venue_stems("in proc. 25th annu. acm sympos. theory comput.,") == venue_stems("acm stoc")
    True
    """
    found = set()
    for word in _LETTERS.findall(_BROKEN_WORD.sub("", _ACM.sub("acm", text))):
        for each in _ACRONYMS.get(word, word).split():
            if each not in _HOLLOW and len(each) > 1 and not each.startswith(_TENS):
                found.add(each[:3])
    return tuple(sorted(found)[:16])


def _where(fields: Mapping[str, str], title: str) -> tuple[str, str]:
    """The text that says where it was published, and the title without it."""
    tail, head = _tail(title)
    if tail.startswith("in "):
        title = head
    for name in _PLACES:
        text = fields.get(name, "")
        if name == "venue" and text.strip(" .,;:()"):
            return _printed(text), title
        if text and _named_kind(text := _TO_APPEAR.sub("", text)) and not _NOWHERE.search(text):
            return text, title
    return tail, head


@lru_cache(maxsize=_KEPT)
def _printed(venue: str) -> str:
    """A venue without the words that it is to be printed there; nothing if it never was."""
    return "" if _NOWHERE.search(venue) else _TO_APPEAR.sub("", venue)


def _tail(title: str) -> tuple[str, str]:
    """The venue after a title, and the title."""
    sentences = _ADDRESS.sub(". ", title).strip(" .,").split(". ")
    for k in range(1, len(sentences)):
        head, place = ". ".join(sentences[:k]), _TO_APPEAR.sub("", sentences[k])
        if len(head) >= _SHORTEST and _named_kind(place):
            # Abbreviations have stops too, but after the name of a journal comes no more of it.
            return (place if _JOURNALS.match(place) else ". ".join(sentences[k:])), head
    return "", title


@lru_cache(maxsize=_KEPT)
def _is_waiting(place: str, note: str) -> bool:
    """Whether it is a manuscript or to appear; in a note, that may be another version."""
    unprinted = (_NOWHERE, _WAITING)
    if any(words.search(place) for words in unprinted):
        return True
    mine = not place or not _named_kind(_TO_APPEAR.sub("", note))
    return mine and any(words.search(note) for words in unprinted)


@lru_cache(maxsize=_KEPT)
def _named_kind(text: str) -> str:
    """The kind of publication that a text names."""
    for kind, words in _KINDS:
        if words.search(text):
            return kind
    if any(word in _MEETINGS for word in _LETTERS.findall(text)):
        return "meeting"
    return "journal" if _JOURNALS.match(text) else ""


def _kind(fields: Mapping[str, str], where: str) -> str:
    if kind := _named_kind(where):
        return kind
    if _VOLUME.match(fields.get("volume", "")):
        return "journal"
    if fields.get("institution"):
        return "report"
    return "book" if not where and fields.get("publisher") else ""


def _year(fields: Mapping[str, str], in_title: str) -> int:
    """The year of its field, or else one that stands elsewhere."""
    others = (t for k, t in fields.items() if k not in ("year", "title", "pages", "authors"))
    for text in (fields.get("year", ""), in_title, *others):
        if found := parse_year(text):
            return found
    return 0


@lru_cache(maxsize=_KEPT)
def _published(text: str) -> str:
    """A fold_text text without addresses in the web and other versions."""
    return _OTHERWISE.sub("", _ADDRESS.sub("", fold_text(text)))


def _pages(fields: Mapping[str, str], where: str) -> tuple[int, int]:
    mine = fields.get("pages", "")
    others = [t for k, t in fields.items() if k not in ("pages", "year", "title", "venue")]
    for text in (mine, where, *others):
        if found := _RANGE.search(text):
            return page_range(*found.groups())
    for text in (mine, *(t[found.end() :] for t in others if (found := _ISSUE.search(t)))):
        if glued := _GLUED.search(text):
            first, last = filter(None, glued.groups())
            if int(first) < int(last):
                return int(first), int(last)
    return _number(mine), 0


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
