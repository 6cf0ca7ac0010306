r"""Export of papers as BibTeX, JSON lines and table rows.

`FORMATS` is the table of formats: an entry there is a choice of `lycosa papers --format`.

>>> from lycosa.papers.extraction.extractor import Extractor
>>> one = Extractor().reference("A. Lee. Spiders that learn 90% of webs. "
...     "Machine Learning, 12(2):101-20, 1997.")
>>> print(bibtex([one]))
@article{lee1997spiders,
  author = {Lee, A.},
  title = {Spiders that learn 90\% of webs},
  journal = {Machine Learning},
  year = {1997},
  volume = {12},
  number = {2},
  pages = {101--120},
}
<BLANKLINE>
"""

from __future__ import annotations

import hashlib
import json
import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

from lycosa.papers.evidence.evidence import Evidence
from lycosa.papers.extraction.fields import ExtractedFields, Header, Reference, without_in
from lycosa.papers.extraction.names import PersonName

if TYPE_CHECKING:
    from lycosa.papers.paper import Paper

COLUMNS = ("number", "year", "authors", "title", "venue", "pages", "sure")
"""The columns of a table; number 0 is the paper itself, others are its references."""

_ORDER = (
    "author", "editor", "title", "journal", "booktitle", "school", "institution", "publisher",
    "year", "volume", "number", "pages", "type", "address", "doi", "eprint",
    "keywords", "abstract", "note",
)  # fmt: skip
# BibTeX counts every brace, even after a backslash.
_SPECIAL = {
    "\\": r"{\textbackslash}", "{": r"{\textbraceleft}", "}": r"{\textbraceright}",
    "~": r"{\textasciitilde}", "^": r"{\textasciicircum}", "<": r"{\textless}",
    ">": r"{\textgreater}", "|": r"{\textbar}", "&": r"\&", "%": r"\%", "$": r"\$", "#": r"\#",
    "_": r"\_", "ß": r"{\ss}", "ø": r"{\o}", "Ø": r"{\O}", "ł": r"{\l}", "Ł": r"{\L}",
    "æ": r"{\ae}", "Æ": r"{\AE}", "œ": r"{\oe}", "Œ": r"{\OE}", "å": r"{\aa}", "Å": r"{\AA}",
    "\u0131": r"{\i}", "\u2013": "--", "\u2014": "---", "\u201c": "``", "\u201d": "''",
    "\u2018": "`", "\u2019": "'",
}  # fmt: skip
_UNUSUAL = re.compile(r"[^ -~]|[\\{}~^<>|&%$#_]")  # special characters and all but ASCII
_ACCENTS = {
    "\u0300": "`", "\u0301": "'", "\u0302": "^", "\u0303": "~", "\u0304": "=", "\u0306": "u",
    "\u0307": ".", "\u0308": '"', "\u030a": "r", "\u030b": "H", "\u030c": "v", "\u0323": "d",
    "\u0327": "c", "\u0328": "k",
}  # fmt: skip
_AND = re.compile(r"\band\b", re.IGNORECASE)
_LETTERS = re.compile(r"[^a-z0-9]+")
_VOLUME = re.compile(r"(\d+)\s*[(,;]?\s*(?:no|number|nr)?[.\s]*(\d+)?", re.IGNORECASE)
_THESES = (
    ("phdthesis", re.compile(r"ph\.?\s*d|doctoral|dissertation", re.IGNORECASE)),
    ("mastersthesis", re.compile(r"master|m\.?\s*sc?\.?\b|thesis", re.IGNORECASE)),
)
# Meetings are named by their kind, or with the year: WEBS'08, WEBS 2004.
_MEETING = re.compile(
    r"conference|symposium|workshop|proceedings|\bproc\.|congress|colloquium|['\u2019-]\d\d\b|"
    r"\b(?:19|20)\d\d\b",
    re.IGNORECASE,
)
_SMALL = frozenset("a an the on of in for to and with from by at towards".split())


class BibtexEntry(NamedTuple):
    """An entry of a BibTeX bibliography."""

    kind: str
    """The BibTeX entry type: article, inproceedings, book, phdthesis, …"""
    fields: Mapping[str, str]
    """The values by BibTeX field name, not yet escaped for TeX; empty fields are left out."""

    @property
    def key(self) -> str:
        """The citation key: family name, year and first word of the title."""
        family = self.fields.get("author", "").split(" and ")[0].partition(",")[0]
        words = [_ascii(word) for word in re.split(r"[\s-]+", self.fields.get("title", ""))]
        word = next((w for w in words if w and w not in _SMALL), "")
        return f"{_ascii(family)[:30]}{self.fields.get('year', '')}{word[:30]}" or "untitled"


def bibtex_entry(found: ExtractedFields) -> BibtexEntry:
    """Return a header or a reference as an entry; only names with an "and" are escaped."""
    values = {
        "author": format_names(found.authors),
        "title": found.title,
        "year": str(found.year or ""),
    }
    kind = "misc"
    if isinstance(found, Header):
        values |= {"abstract": found.abstract, "keywords": ", ".join(found.keywords)}
        if report := found.text("pubnum"):
            kind = "techreport"
            values |= {"institution": found.text("affiliation"), "note": report}
    elif isinstance(found, Reference):
        kind, more = _published(found)
        values |= more
    return BibtexEntry(kind, {name: values[name] for name in _ORDER if values.get(name)})


def paper_entry(paper: Paper) -> BibtexEntry:
    """Return a paper as an entry: its header, and what the evidence says about it."""
    kind, fields = bibtex_entry(paper.header)
    values = {**fields, "doi": _fact(paper, "doi"), "eprint": _fact(paper, "arxiv")}
    values["year"] = str(paper.year or fields.get("year", ""))
    if venue := paper.venue:
        meeting = _MEETING.search(venue) is not None
        kind = "inproceedings" if meeting else "article"
        values["booktitle" if meeting else "journal"] = venue
    return BibtexEntry(kind, {name: values[name] for name in _ORDER if values.get(name)})


def _fact(paper: Paper, name: str) -> str:
    return paper.facts[name].value if name in paper.facts else ""


def _published(found: Reference) -> tuple[str, dict[str, str]]:
    book, tech = without_in(found.text("booktitle")), found.text("tech")
    school = found.text("institution")
    values = {
        "editor": format_names(found.editors),
        "journal": without_in(found.text("journal")),
        "booktitle": book,
        "publisher": found.text("publisher"),
        "pages": _pages(found),
        "address": found.text("location"),
        "note": found.text("note"),
    }
    if volume := _VOLUME.search(found.text("volume")):
        values |= {"volume": volume[1], "number": volume[2] or ""}
    if values["journal"]:
        return "article", values | {"institution": school}
    if book:
        return "inproceedings", values | {"institution": school}
    for kind, words in _THESES:
        if words.search(tech):
            return kind, values | {"school": school, "type": tech}
    if tech or school:
        return "techreport", values | {"institution": school, "type": tech}
    return "book" if values["publisher"] else "misc", values


def _pages(found: Reference) -> str:
    if (pages := found.pages) is None:
        return ""
    first, last = pages
    return str(first) if first == last else f"{first}--{last}"


def format_names(names: Iterable[PersonName]) -> str:
    """Format names for BibTeX."""
    return " and ".join(_format_name(name) for name in names)


def _format_name(name: PersonName) -> str:
    """Format a name for BibTeX; braces protect what could be read as two people."""
    family, given = (_protect(part) for part in (name.family, name.given))
    if given:
        return f"{family}, {given}"
    return family if family.startswith("{") or " " not in family else f"{{{family}}}"


def _protect(part: str) -> str:
    part = part.replace("{", "").replace("}", "")
    return f"{{{part}}}" if _AND.search(part) or "," in part else part


def bibtex(found: Iterable[ExtractedFields]) -> str:
    """Format headers and references as a bibliography."""
    return bibliography(map(bibtex_entry, found))


def bibliography(entries: Iterable[BibtexEntry]) -> str:
    """Format a bibliography; equal entries are written once.

    A key depends only on its entry, unless an earlier entry has the same key: then
    a digest of the entry is appended.
    """
    by_key: dict[str, BibtexEntry] = {}
    for each in entries:
        if not each.fields:
            continue
        key = each.key
        if by_key.get(key, each) != each:
            text = repr((each.kind, sorted(each.fields.items())))
            key += "-" + hashlib.sha256(text.encode("utf-8", "replace")).hexdigest()[:8]
        by_key.setdefault(key, each)
    return "\n".join(format_entry(key, each) for key, each in by_key.items())


def format_entry(key: str, each: BibtexEntry) -> str:
    """Format one entry."""
    lines = [f"@{each.kind}{{{key},"]
    for name, text in each.fields.items():
        if name in ("author", "editor"):
            value = _names(text)
        elif name == "pages":
            value = text
        else:
            value = escape_latex(text)
        if name in ("title", "booktitle"):
            value = " ".join(map(_protect_case, value.split(" ")))
        lines.append(f"  {name} = {{{value}}},")
    return "\n".join([*lines, "}", ""])


def _names(text: str) -> str:
    """Escape names except for their braces, which `format_names` has balanced."""
    return "".join(
        part if part in "{}" else escape_latex(part) for part in re.split(r"([{}])", text)
    )


def _protect_case(word: str) -> str:
    """Protect a word of a title with capitals by braces, as styles lower the case of titles."""
    plain = re.sub(r"\{\\\w+\}|\{\\.\{?\\?\w\}?\}", "x", word)
    mixed = any(c.isupper() for c in plain[1:])
    return f"{{{word}}}" if mixed else word


def escape_latex(text: str) -> str:
    r"""Return a text on one line with all TeX commands escaped.

    >>> print(escape_latex("Erdős & Gödel: 100% {sure}"))
    Erd{\H{o}}s \& G{\"o}del: 100\% {\textbraceleft}sure{\textbraceright}
    """
    clean = unicodedata.normalize("NFC", " ".join(text.split()))
    return _UNUSUAL.sub(lambda found: _escaped(found[0]), clean)


def _escaped(character: str) -> str:
    if character in _SPECIAL:
        return _SPECIAL[character]
    if not character.isprintable():
        return ""
    parts = unicodedata.normalize("NFD", character)
    if len(parts) == 2 and parts[0].isascii() and parts[0].isalpha() and parts[1] in _ACCENTS:
        letter, accent = parts[0], _ACCENTS[parts[1]]
        if accent.isalpha():
            return f"{{\\{accent}{{{letter}}}}}"
        return f"{{\\{accent}{{\\i}}}}" if letter == "i" else f"{{\\{accent}{letter}}}"
    return character


def _ascii(text: str) -> str:
    plain = unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode()
    return _LETTERS.sub("", plain.lower())


def fields_json(found: ExtractedFields) -> dict[str, Any]:
    """Return the fields of a header or a reference, with their confidence, for `json.dumps`."""
    facts: dict[str, Any] = {
        "title": found.title,
        "authors": [{"family": name.family, "given": name.given} for name in found.authors],
        "year": found.year,
    }
    if isinstance(found, Header):
        facts |= {
            "abstract": found.abstract,
            "keywords": list(found.keywords),
            "emails": list(found.emails),
            "affiliation": found.text("affiliation"),
        }
    elif isinstance(found, Reference):
        facts |= {
            "venue": found.venue,
            "volume": found.text("volume"),
            "pages": list(found.pages) if found.pages else None,
            "editors": [{"family": name.family, "given": name.given} for name in found.editors],
        }
    facts["confidence"] = {label: round(found.confidence(label), 4) for label in found}
    return facts


def paper_json(paper: Paper) -> dict[str, Any]:
    """Return all fields of a paper for `json.dumps`; pages and lines count from 1."""
    facts: dict[str, Any] = {
        "outcome": paper.outcome,
        "paper": paper.is_paper,
        "sure": round(paper.confidence, 4),
        "pages": paper.pages,
    }
    if paper.outcome == "text":
        facts |= {
            "year": paper.year,
            "venue": paper.venue,
            "identifiers": list(paper.identifiers),
            "licence": _fact(paper, "licence"),
            "confidence": {
                name: round(one.confidence, 4) for name, one in sorted(paper.facts.items())
            },
            "evidence": [_evidence_json(one) for one in paper.evidence],
        }
        facts["header"] = fields_json(paper.header)
        facts["references"] = [
            {
                "text": one.text,
                "page": one.page + 1,
                "line": one.line + 1,
                **({"contexts": list(one.contexts)} if one.contexts else {}),
                **fields_json(one.fields),
            }
            for one in paper.references
        ]
    return facts


def _evidence_json(one: Evidence) -> dict[str, Any]:
    return {
        "field": one.field,
        "value": one.value,
        "source": one.source,
        "confidence": round(one.confidence, 4),
        "page": None if one.page is None else one.page + 1,
        "line": None if one.line is None else one.line + 1,
        "text": one.text,
    }


def table_rows(paper: Paper) -> list[tuple[str, ...]]:
    """Return a paper and its references as rows with `COLUMNS`."""
    first, *others = [_row(number, found) for number, found in enumerate(_items(paper))]
    number, year, authors, title, venue, *rest = first
    own = str(paper.year or year)
    return [(number, own, authors, title, paper.venue or venue, *rest), *others]


def _row(number: int, found: ExtractedFields) -> tuple[str, ...]:
    venue, pages = "", ""
    if isinstance(found, Reference):
        venue, pages = found.venue, _pages(found).replace("--", "-")
    names = "; ".join(map(str, found.authors))
    confidence = f"{found.confidence('title'):.2f}"
    return str(number), str(found.year or ""), names, found.title, venue, pages, confidence


def _items(paper: Paper) -> list[ExtractedFields]:
    return [paper.header, *(one.fields for one in paper.references)]


def _json_lines(papers: NamedPapers) -> Iterator[str]:
    for name, paper in papers:
        yield json.dumps({"file": name, **paper_json(paper)}, ensure_ascii=False) + "\n"


def _bibliography(papers: NamedPapers) -> Iterator[str]:
    entries = [
        entry
        for _, paper in papers
        if paper.outcome == "text"
        for entry in (paper_entry(paper), *(bibtex_entry(one.fields) for one in paper.references))
    ]
    if entries:
        yield bibliography(entries)


NamedPapers: TypeAlias = "Iterable[tuple[str, Paper]]"
"""Papers with the names of their files."""


class ExportFormat(NamedTuple):
    """An export format of papers."""

    write: Callable[[NamedPapers], Iterator[str]]
    """Yields pieces of text."""
    streams: bool
    """Whether each paper is written as it arrives, or all of them at the end."""


FORMATS: dict[str, ExportFormat] = {
    "json": ExportFormat(_json_lines, streams=True),
    "bibtex": ExportFormat(_bibliography, streams=False),
}
"""The export formats by name."""
