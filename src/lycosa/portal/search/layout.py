"""The fields of the index, and how an entry fills them.

All text is analysed before tantivy sees it (`analysis`), which then only cuts
at spaces. `any` has all words of a work and `any_stems` their stems, or the
words themselves where there are none (`unstemmed`), so that by it alone can be
said whether a word is there. Words of titles, names and abstracts are there
several times: BM25 of that field is BM25F (Robertson & Zaragoza 2009), which
weighs how often a word is in each part before it adds. Titles have fields of
their own too, and `gist` has the stems of title and abstract, by which works
are alike. What is shown is stored apart, as it was written.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from hashlib import blake2b
from itertools import zip_longest
from zlib import crc32

from tantivy import Document, Schema, SchemaBuilder
from xxhash import xxh3_64_intdigest

from lycosa.portal.search.analysis import Analysis, clean, is_english
from lycosa.portal.search.entry import Entry

FACETS = ("topic", "year", "venue", "author", "site", "type")
"""By what results can be narrowed; fields of these names hold the values as they are.

"""
CODED = ("venue", "author", "site")
"""Those with many values: these are counted as numbers (`code`), which `labels` explains."""
LONGEST = 200
"""Characters of a value of a facet and of a completion; longer ones are cut."""
APART = "\x1f"
"""Between the parts of a term that has several."""
HALVINGS = 12
"""How often the works are halved by chance: `sample` says in which smaller halves a work is."""
AUTHOR, TITLE = "a", "t"
"""The kinds of completions."""
TIMES = (4, 2, 1, 6)
"""What a word counts in the title, the abstract, the text and the names of a work."""

_PHRASED = tuple("any title people venue_words site_words topic_words cites types".split())
_COUNTED = ("any_stems", "title_stems", "gist")
_WHOLE = ("labels", "completions")
_SHOWN = ("shown_title", "shown_abstract", "shown_text")


def schema() -> Schema:
    """The fields."""
    made = SchemaBuilder()
    for name in ("id", "language"):
        made.add_text_field(name, stored=True, tokenizer_name="raw", index_option="basic")
    for name in _PHRASED:
        kept = name == "cites"
        made.add_text_field(name, stored=kept, tokenizer_name="whitespace", index_option="position")
    for name in _COUNTED:
        made.add_text_field(name, tokenizer_name="whitespace", index_option="freq")
    for name in _WHOLE:
        made.add_text_field(name, tokenizer_name="raw", index_option="basic")
    for name in ("topic", "venue", "author", "site", "type"):
        made.add_text_field(
            name,
            stored=name == "topic",
            fast=name not in CODED,
            tokenizer_name="raw",
            index_option="basic",
        )
    for name in CODED:
        made.add_unsigned_field(f"{name}_code", fast=True)
    made.add_integer_field("year", indexed=True, fast=True)
    made.add_unsigned_field("sample", indexed=True)
    made.add_unsigned_field("number", indexed=True, fast=True)
    made.add_float_field("prior", fast=True)
    for name in ("by_cited", "by_date"):
        made.add_unsigned_field(name, fast=True)
    for name in _SHOWN:
        made.add_bytes_field(name, stored=True)
    return made.build()


def document(entry: Entry, analysis: Analysis) -> Document:
    """An entry as tantivy takes it."""
    made = Document()
    made.add_text("id", clean(entry.id))
    made.add_text("language", clean(entry.language))
    title, abstract, text = map(clean, (entry.title, entry.abstract, entry.text))
    for name, shown in zip(_SHOWN, (title, abstract, text), strict=True):
        made.add_bytes(name, shown.encode())
    exact, stems = zip(*map(analysis.both, (title, abstract, text)), strict=True)
    names = [clean(name) for name in entry.authors]
    said_names = [analysis.exact(name) for name in names]
    _add(made, "any", [*exact, *said_names])
    _add(made, "title", exact[:1])
    _add(made, "people", [*said_names, *map(analysis.exact, map(clean, entry.author_ids))])
    if is_english(entry.language):
        _add(made, "title_stems", stems[:1])
    else:
        stems = tuple(map(unstemmed, exact))
    _add(made, "gist", stems[:2])
    parts = (*stems, " ".join(map(unstemmed, said_names)))
    _add(
        made,
        "any_stems",
        [part for part, times in zip(parts, TIMES, strict=True) for _ in range(times)],
    )
    _add_facets(made, entry, analysis)
    for author, name in dict(zip_longest(entry.author_ids, names, fillvalue="")).items():
        _add_facet(made, "author", clean(author), name)
    _add(made, "completions", _completions(title, names, analysis))
    for times in range(1, HALVINGS + 1):
        if _chance(entry) % 2**times:
            break
        made.add_unsigned("sample", times)
    made.add_unsigned("number", number(clean(entry.id)))
    made.add_float("prior", prior(entry))
    made.add_unsigned("by_cited", by_cited(entry))
    made.add_unsigned("by_date", by_date(entry))
    return made


def code(name: str, value: str) -> int:
    """A number for a value of a facet, several times faster to count than a text.

    Of 52 bits, so that it is exact where tantivy makes a float of it; some two of a million
    values are mistaken for each other with a chance of one in ten thousand.
    """
    said = f"{name}{APART}{value}".encode()
    return int.from_bytes(blake2b(said, digest_size=7).digest()) >> 4


def label(code: int) -> str:
    """How the terms begin that hold the values and labels that go with a code."""
    return f"{code:x}{APART}"


def unstemmed(terms: str) -> str:
    """Terms of which there are no stems, as `any_stems` has them.

    >>> unstemmed("ann lee")
    '=ann =lee'
    """
    return terms and "=" + terms.replace(" ", " =")


def number(id: str) -> int:
    """A number for an entry: 64 bits, the same whenever it is added."""
    return xxh3_64_intdigest(id.encode("utf-8", "replace"))


def _add(made: Document, field: str, values: Iterable[str]) -> None:
    for value in values:
        if value:
            made.add_text(field, value)


def _add_facet(made: Document, name: str, value: str, shown: str) -> None:
    if value:
        made.add_text(name, value)
        if name in CODED:
            number = code(name, value)
            made.add_unsigned(f"{name}_code", number)
            made.add_text("labels", f"{label(number)}{value}{APART}{shown[:LONGEST]}")


def _add_facets(made: Document, entry: Entry, analysis: Analysis) -> None:
    venue = clean(entry.venue)
    kind = clean(entry.type)
    site = clean(entry.site)
    for name, value in (("venue", venue), ("site", site), ("type", kind)):
        _add_facet(made, name, value[:LONGEST], value)
    topics = [clean(topic) for topic in entry.topics]
    _add(made, "topic", dict.fromkeys(topics))
    _add(made, "venue_words", [analysis.exact(venue)])
    _add(made, "site_words", [analysis.exact(site)])
    _add(made, "types", [analysis.exact(kind), analysis.exact(clean(entry.kind))])
    _add(made, "topic_words", map(analysis.exact, topics))
    _add(made, "cites", map(analysis.exact, map(clean, entry.cites)))
    if entry.year is not None and abs(entry.year) < 10**9:
        made.add_integer("year", entry.year)


def _completions(title: str, names: list[str], analysis: Analysis) -> Iterable[str]:
    """What completes a prefix: its terms, and how it is written; names also family name first."""
    for kind, shown in ((TITLE, title), *((AUTHOR, name) for name in names)):
        terms = analysis.exact(shown)[:LONGEST]
        if not terms or len(shown) > LONGEST:
            continue
        yield APART.join((kind, terms, shown))
        if kind == AUTHOR:
            *given, family = terms.split()
            yield APART.join((kind, " ".join((family, *given)), shown))


def _chance(entry: Entry) -> int:
    """16 bits that are the same for an entry whenever it is added: they decide between equals."""
    return crc32(entry.id.encode("utf-8", "replace")) & 0xFFFF


def prior(entry: Entry) -> float:
    """What tantivy's `weight_by_field` makes a factor of: the score times log2(2 + this).

    The factor is 1 without citations and grows by a fifth with each power of
    ten. A thousandth of it tells works apart that are equal in all else.
    """
    factor = 1 + math.log10(1 + max(entry.cited_by, 0)) / 5 + _chance(entry) / 2**16 / 1000
    return float(2**factor - 2)


def by_cited(entry: Entry) -> int:
    """Orders works by citations, then the newest first, then in one way that stays."""
    cited = min(max(entry.cited_by, 0), 2**28 - 1)
    return (cited << 36) | ((_date(entry) // 100) << 16) | _chance(entry)


def by_date(entry: Entry) -> int:
    """Orders works by date, the newest first, then by citations, then in one way that stays."""
    cited = min(max(entry.cited_by, 0), 2**20 - 1)
    return (_date(entry) << 36) | (cited << 16) | _chance(entry)


def _date(entry: Entry) -> int:
    """The date as one number, 19990500 for May 1999; less than 2**27."""
    digits = [int(part) for part in entry.date.split("T")[0].split("-") if part.isdecimal()][:3]
    year, month, day = [*digits, 0, 0, 0][:3]
    year = year or entry.year or 0
    return min(max(year, 0), 9999) * 10_000 + min(month, 12) * 100 + min(day, 31)
