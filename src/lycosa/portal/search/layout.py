"""The layout of the index: its fields, and how an entry fills them.

All text is analysed before tantivy sees it (`analysis`), which then only splits
at spaces. `any` has all words of a work and `any_stems` their stems in its
language, or the words themselves where there are none (names, languages without
a stemmer), so that this field alone tells whether a work has a word. Words of
titles and names are repeated there: BM25 over that field is BM25F (Robertson &
Zaragoza 2009), which weighs the frequencies of the parts before it combines them.
It also has what is said of a work elsewhere: its year, its venue, and the sentences
that cite it. Titles also have fields of their own, `gist` has the stems of title
and abstract, and `reference_words` the bibliography, which counts little and is in no
other field. What is shown is stored separately, as it was written.

Facets, the fields that queries name and the orders of results derive from the
table in `portal.fields`.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from hashlib import blake2b
from itertools import zip_longest
from typing import Any, Final, NamedTuple, TypeVar
from zlib import crc32

from numpy.typing import NDArray
from tantivy import Document, Schema, SchemaBuilder
from xxhash import xxh3_64_intdigest

from lycosa.papers.evidence.identifiers import find_identifiers
from lycosa.portal.fields import FACETS, FIELDS, SEARCHED, SORTS, facet_spec
from lycosa.portal.search.analysis import Analysis, clean
from lycosa.portal.search.entry import IndexEntry
from lycosa.portal.search.latent_semantics import Bag
from lycosa.portal.search.sentence_encoder import text_of_work

Key = TypeVar("Key", int, NDArray[Any])

LAYOUT_VERSION: Final = 4
"""Raised when the terms of an entry change although the fields do not."""
CODED: Final = tuple(name for name in FACETS if facet_spec(name).many_values)
"""Facets with many values, which are counted as numbers (`code`) that `labels` explains."""
MAX_VALUE_CHARACTERS: Final = 200
"""Of a value of a facet and of a completion; longer ones are cut."""
SEPARATOR: Final = "\x1f"
"""Between the parts of a term that has several."""
SAMPLE_LEVELS: Final = 12
"""How often the works are halved at random: `sample` has the levels that a work is in."""
AUTHOR, TITLE = "a", "t"
"""The kinds of completions."""
TITLE_TIMES, NAME_TIMES = 3, 3
"""How often the words of titles and names are repeated in `any_stems`."""
MAX_OPENING_CHARACTERS: Final = 3_000
"""Of a text, in which the identifiers of the work are looked for."""
MIN_ABSTRACT_WORDS, MAX_OPENING_WORDS = 50, 150
"""A work with a shorter abstract is given its vector by the opening of its text as well."""

_STORED_TEXTS = ("shown_title", "shown_abstract", "shown_text")
# Indexes built before the table existed have their fields in this order, which is part
# of tantivy's schema; later fields follow in the order of the table.
_FIRST_SEARCHED = ("people", "venue_words", "site_words", "topic_words", "cites", "types")
_FIRST_FACETS = ("topic", "venue", "author", "site", "type", "year")


class IndexField(NamedTuple):
    """A field of the tantivy schema: its kind, its name and its options."""

    kind: str
    name: str
    options: tuple[tuple[str, object], ...]


def index_fields() -> list[IndexField]:
    """Return all fields of the index, in their order."""
    found: list[IndexField] = []

    def add(kind: str, name: str, **options: object) -> None:
        found.append(IndexField(kind, name, tuple(options.items())))

    for name in ("id", "language"):
        add("text", name, stored=True, tokenizer_name="raw", index_option="basic")
    for name in ("any", "title", *_searched_fields()):
        stored = name == "cites"
        add("text", name, stored=stored, tokenizer_name="whitespace", index_option="position")
    for name in ("any_stems", "reference_words"):
        add("text", name, tokenizer_name="whitespace", index_option="position")
    for name in ("title_stems", "gist"):
        add("text", name, tokenizer_name="whitespace", index_option="freq")
    for name in ("labels", "completions", "exact"):
        add("text", name, tokenizer_name="raw", index_option="basic")
    facets = sorted((name for name in FACETS if name != "year"), key=_facet_order)
    for name in facets:
        add(
            "text",
            facet_field(name),
            stored=name == "topic",
            fast=name not in CODED,
            tokenizer_name="raw",
            index_option="basic",
        )
    for name in facets:
        if name in CODED:
            add("unsigned", f"{name}_code", fast=True)
    add("integer", "year", indexed=True, fast=True)
    add("unsigned", "sample", indexed=True)
    add("unsigned", "number", indexed=True, fast=True)
    add("float", "prior", fast=True)
    for name in SORTS:
        if name != "relevance":
            add("unsigned", sort_field(name), fast=True)
    for name in _STORED_TEXTS:
        add("bytes", name, stored=True)
    return found


def schema() -> Schema:
    """Return the schema of the index."""
    builder = SchemaBuilder()
    for each in index_fields():
        getattr(builder, f"add_{each.kind}_field")(each.name, **dict(each.options))
    return builder.build()


def signature() -> str:
    """Return the version of the layout and a fingerprint of its fields."""
    fields = blake2b(repr([tuple(each) for each in index_fields()]).encode(), digest_size=12)
    return f"{LAYOUT_VERSION}-{fields.hexdigest()}"


def facet_field(name: str) -> str:
    """Return the field of the index that holds the values of a facet."""
    return name if name in _FIRST_FACETS else f"{name}_facet"


def counted_field(name: str) -> str:
    """Return the field of the index by which the values of a facet are counted."""
    return f"{name}_code" if name in CODED else facet_field(name)


def sort_field(name: str) -> str:
    """Return the field of the index that orders results."""
    return f"by_{name}"


def searched_field(name: str) -> str:
    """Return the field of the index with the words of a field that a query names."""
    return SEARCHED[name].spec.terms or f"{name}_words"


def _searched_fields() -> list[str]:
    every = [searched_field(name) for name in SEARCHED if name not in ("title", "year")]
    later = [name for name in every if name not in _FIRST_SEARCHED]
    return [*_FIRST_SEARCHED, *later]


def _facet_order(name: str) -> int:
    first = [*_FIRST_FACETS, *FACETS]
    return first.index(name)


class PreparedEntry(NamedTuple):
    """An entry as a document of tantivy, and the words that give it its vector.

    `bag` is None if the entry keeps the vector that it has.
    """

    document: Document
    bag: Bag | None


def prepare(entry: IndexEntry, analysis: Analysis) -> PreparedEntry:
    """Analyse an entry."""
    found = Document()
    found.add_text("id", clean(entry.id))
    found.add_text("language", clean(entry.language))
    title, abstract, text = map(clean, (entry.title, entry.abstract, entry.text))
    for name, shown in zip(_STORED_TEXTS, (title, abstract, text), strict=True):
        found.add_bytes(name, shown.encode())
    both = [analysis.both(part, entry.language) for part in (title, abstract, text)]
    exact, stems = zip(*both, strict=True)
    names = [clean(name) for name in entry.authors]
    name_terms = [analysis.exact(name) for name in names]
    _add(found, "any", [*exact, *name_terms])
    _add(found, "title", exact[:1])
    _add(found, "people", [*name_terms, *map(analysis.exact, map(clean, entry.author_ids))])
    _add(found, "title_stems", stems[:1])
    _add(found, "gist", stems[:2])
    _add(found, "any_stems", [*stems[:1] * TITLE_TIMES, *stems[1:], *name_terms * NAME_TIMES])
    _add(found, "any_stems", _said_elsewhere(entry, analysis))
    _add(found, "reference_words", [analysis.exact(clean(entry.references))])
    opening = " ".join((entry.title, entry.abstract, entry.text[:MAX_OPENING_CHARACTERS]))
    _add(found, "exact", [title_key(exact[0]), *find_identifiers(opening)])
    _add_facets(found, entry)
    _add_words(found, entry, analysis)
    for author, name in dict(zip_longest(entry.author_ids, names, fillvalue="")).items():
        _add_facet(found, "author", clean(author), name)
    _add(found, "completions", _completions(title, names, analysis))
    for level in range(1, SAMPLE_LEVELS + 1):
        if _tie_breaker(entry) % 2**level:
            break
        found.add_unsigned("sample", level)
    found.add_unsigned("number", number(clean(entry.id)))
    found.add_float("prior", prior(entry))
    for name in SORTS:
        if name != "relevance":
            found.add_unsigned(sort_field(name), _sort_key(name, entry))
    return PreparedEntry(found, None if entry.keeps_vector else bag_of_stems(*stems))


def bag_of_stems(title: str, abstract: str, text: str) -> Bag:
    """Return the words that give a work its vector, from the stems of its parts."""
    opening: list[str] = []
    if abstract.count(" ") < MIN_ABSTRACT_WORDS:
        opening = text.split(" ", MAX_OPENING_WORDS)[:MAX_OPENING_WORDS]
    return Bag.of(*[title] * TITLE_TIMES, abstract, " ".join(opening))


def bag_of_document(found: Document, analysis: Analysis) -> Bag:
    """Return the words that give a work its vector, from what the index stores of it."""
    language = str(found.get_first("language") or "")
    texts = [stored_text(found, name) for name in _STORED_TEXTS]
    # Enough characters for the opening; words are rarely so long.
    texts[2] = texts[2][: 20 * MAX_OPENING_WORDS]
    return bag_of_stems(*(analysis.stems(text, language) for text in texts))


def opening_of_document(found: Document) -> str:
    """Return the sentences that give a work its vector, from what the index stores of it.

    Empty if the sentence encoder does not read the language of the work.
    """
    title, abstract, text = (stored_text(found, name) for name in _STORED_TEXTS)
    has_abstract = abstract.count(" ") >= MIN_ABSTRACT_WORDS
    language = str(found.get_first("language") or "")
    return text_of_work(language, title, abstract, "" if has_abstract else text)


def stored_text(found: Document, field: str) -> str:
    """Return a text that the index stores as bytes."""
    return bytes(found.get_first(field) or b"").decode("utf-8", "replace")


def title_key(terms: str) -> str:
    """Return the term of a whole title, given as its words; empty if it has none.

    >>> title_key("spiders that learn")
    'spiders that learn'
    """
    return terms[:MAX_VALUE_CHARACTERS]


def _said_elsewhere(entry: IndexEntry, analysis: Analysis) -> list[str]:
    """Return terms of a work that are not in its own text."""
    year = "" if entry.year is None else str(entry.year)
    citing = analysis.stems(clean(entry.citing), entry.language)
    return [year, analysis.stems(clean(entry.venue), entry.language), citing]


def code(name: str, value: str) -> int:
    """Return a number for a value of a facet, several times faster to count than a text.

    It has 52 bits, so that it is exact where tantivy converts it to a float; among a million
    values two share a number with a probability of one in ten thousand.
    """
    key = f"{name}{SEPARATOR}{value}".encode()
    return int.from_bytes(blake2b(key, digest_size=7).digest()) >> 4


def label_prefix(code: int) -> str:
    """Return the prefix of the terms that hold the value and the labels of a code."""
    return f"{code:x}{SEPARATOR}"


def number(id: str) -> int:
    """Return a stable 64-bit number for an entry."""
    return xxh3_64_intdigest(id.encode("utf-8", "replace"))


def _add(found: Document, field: str, values: Iterable[str]) -> None:
    for value in values:
        if value:
            found.add_text(field, value)


def _add_facet(found: Document, name: str, value: str, shown: str) -> None:
    if value:
        found.add_text(facet_field(name), value)
        if name in CODED:
            number = code(name, value)
            found.add_unsigned(f"{name}_code", number)
            label = shown[:MAX_VALUE_CHARACTERS]
            found.add_text("labels", f"{label_prefix(number)}{value}{SEPARATOR}{label}")


def _add_facets(found: Document, entry: IndexEntry) -> None:
    for name, field in FACETS.items():
        if name not in ("topic", "author", "year"):
            value = clean(entry.value(field.name))
            _add_facet(found, name, value[:MAX_VALUE_CHARACTERS], value)
    _add(found, "topic", dict.fromkeys(map(clean, entry.topics)))
    if entry.year is not None and abs(entry.year) < 10**9:
        found.add_integer("year", entry.year)


def _add_words(found: Document, entry: IndexEntry, analysis: Analysis) -> None:
    """Add the words of the fields that queries name."""
    for name, field in SEARCHED.items():
        if field.type is str and name != "title":
            _add(found, searched_field(name), [analysis.exact(clean(entry.value(field.name)))])
    _add(found, "types", [analysis.exact(clean(entry.kind))])
    _add(found, "topic_words", map(analysis.exact, map(clean, entry.topics)))
    _add(found, "cites", map(analysis.exact, map(clean, entry.cites)))


def _completions(title: str, names: list[str], analysis: Analysis) -> Iterable[str]:
    """Yield completions of prefixes: terms and spelling; names also with the family name first."""
    for kind, shown in ((TITLE, title), *((AUTHOR, name) for name in names)):
        terms = analysis.exact(shown)[:MAX_VALUE_CHARACTERS]
        if not terms or len(shown) > MAX_VALUE_CHARACTERS:
            continue
        yield SEPARATOR.join((kind, terms, shown))
        if kind == AUTHOR:
            *given, family = terms.split()
            yield SEPARATOR.join((kind, " ".join((family, *given)), shown))


def _tie_breaker(entry: IndexEntry) -> int:
    """Return 16 bits by which equal entries are ordered, the same whenever it is added."""
    return crc32(entry.id.encode("utf-8", "replace")) & 0xFFFF


def prior(entry: IndexEntry) -> float:
    """Return the argument of tantivy's `weight_by_field`: the score times log2(2 + this).

    The factor is 1 without citations and grows by a fifth with each power of
    ten. A thousandth of it orders works that are equal in all else.
    """
    factor = 1 + math.log10(1 + max(entry.cited_by, 0)) / 5 + _tie_breaker(entry) / 2**16 / 1000
    return float(2**factor - 2)


def by_cited(entry: IndexEntry) -> int:
    """Return a key that orders by citations, then the newest first, then by a fixed hash."""
    cited = min(max(entry.cited_by, 0), 2**28 - 1)
    return (cited << 36) | ((_date(entry) // 100) << 16) | _tie_breaker(entry)


def by_date(entry: IndexEntry) -> int:
    """Return a key that orders by date, then by citations, then by a fixed hash."""
    cited = min(max(entry.cited_by, 0), 2**20 - 1)
    return (_date(entry) << 36) | (cited << 16) | _tie_breaker(entry)


def cited_by_of_key(key: Key) -> Key:
    """Return how often a work is cited, from its key `by_cited`; of several from an array."""
    return key >> 36


def _sort_key(name: str, entry: IndexEntry) -> int:
    match name:
        case "cited":
            return by_cited(entry)
        case "date":
            return by_date(entry)
    field = next(each for each in FIELDS.values() if each.spec.sort and each.spec.sort.name == name)
    digits = entry.value(field.name)
    value = min(int(digits), 2**48 - 1) if digits.isdecimal() and len(digits) < 16 else 0
    return (value << 16) | _tie_breaker(entry)


def _date(entry: IndexEntry) -> int:
    """Return the date as one number below 2**27, 19990500 for May 1999."""
    digits = [int(part) for part in entry.date.split("T")[0].split("-") if part.isdecimal()][:3]
    year, month, day = [*digits, 0, 0, 0][:3]
    year = year or entry.year or 0
    return min(max(year, 0), 9999) * 10_000 + min(month, 12) * 100 + min(day, 31)
