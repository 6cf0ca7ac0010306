r"""What was found in papers, for other programs: BibTeX, JSON and the rows of a table.

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
import re
import unicodedata
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

from lycosa.papers.extraction.fields import ExtractedFields, Header, Reference
from lycosa.papers.extraction.names import PersonName

if TYPE_CHECKING:
    from lycosa.papers.paper import Paper

COLUMNS = ("number", "year", "authors", "title", "venue", "pages", "sure")
"""What a row of a table says; number 0 is the paper itself."""

_ORDER = (
    "author", "editor", "title", "journal", "booktitle", "school", "institution", "publisher",
    "year", "volume", "number", "pages", "type", "address", "keywords", "abstract", "note",
)  # fmt: skip
# BibTeX counts every brace, with a backslash before it or not.
_SPECIAL = {
    "\\": r"{\textbackslash}", "{": r"{\textbraceleft}", "}": r"{\textbraceright}",
    "~": r"{\textasciitilde}", "^": r"{\textasciicircum}", "<": r"{\textless}",
    ">": r"{\textgreater}", "|": r"{\textbar}", "&": r"\&", "%": r"\%", "$": r"\$", "#": r"\#",
    "_": r"\_", "ß": r"{\ss}", "ø": r"{\o}", "Ø": r"{\O}", "ł": r"{\l}", "Ł": r"{\L}",
    "æ": r"{\ae}", "Æ": r"{\AE}", "œ": r"{\oe}", "Œ": r"{\OE}", "å": r"{\aa}", "Å": r"{\AA}",
    "\u0131": r"{\i}", "\u2013": "--", "\u2014": "---", "\u201c": "``", "\u201d": "''",
    "\u2018": "`", "\u2019": "'",
}  # fmt: skip
_UNUSUAL = re.compile(r"[^ -~]|[\\{}~^<>|&%$#_]")  # what is special, or not ASCII
_ACCENTS = {
    "\u0300": "`", "\u0301": "'", "\u0302": "^", "\u0303": "~", "\u0304": "=", "\u0306": "u",
    "\u0307": ".", "\u0308": '"', "\u030a": "r", "\u030b": "H", "\u030c": "v", "\u0323": "d",
    "\u0327": "c", "\u0328": "k",
}  # fmt: skip
_AND = re.compile(r"\band\b", re.IGNORECASE)
_LETTERS = re.compile(r"[^a-z0-9]+")
_IN = re.compile(r"^in:?\s+", re.IGNORECASE)
_VOLUME = re.compile(r"(\d+)\s*[(,;]?\s*(?:no|number|nr)?[.\s]*(\d+)?", re.IGNORECASE)
_THESES = (
    ("phdthesis", re.compile(r"ph\.?\s*d|doctoral|dissertation", re.IGNORECASE)),
    ("mastersthesis", re.compile(r"master|m\.?\s*sc?\.?\b|thesis", re.IGNORECASE)),
)
_SMALL = frozenset("a an the on of in for to and with from by at towards".split())


class BibtexEntry(NamedTuple):
    """An entry of a bibliography: its kind and fields, both by their names in BibTeX."""

    kind: str
    fields: Mapping[str, str]

    @property
    def key(self) -> str:
        """Family, year and first word of the title, by which an entry is known."""
        family = self.fields.get("author", "").split(" and ")[0].partition(",")[0]
        words = [_ascii(word) for word in re.split(r"[\s-]+", self.fields.get("title", ""))]
        word = next((w for w in words if w and w not in _SMALL), "")
        return f"{_ascii(family)[:30]}{self.fields.get('year', '')}{word[:30]}" or "untitled"


def bibtex_entry(found: ExtractedFields) -> BibtexEntry:
    """A header or a reference as an entry, nothing escaped yet but names with an "and"."""
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


def _published(found: Reference) -> tuple[str, dict[str, str]]:
    book, tech = _IN.sub("", found.text("booktitle")), found.text("tech")
    school = found.text("institution")
    values = {
        "editor": format_names(found.editors),
        "journal": found.text("journal"),
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
    """Names as BibTeX reads them."""
    return " and ".join(_person(name) for name in names)


def _person(name: PersonName) -> str:
    """A name as BibTeX reads it; what could be taken for two format_names is held by braces."""
    family, given = (_held(part) for part in (name.family, name.given))
    if given:
        return f"{family}, {given}"
    return family if family.startswith("{") or " " not in family else f"{{{family}}}"


def _held(part: str) -> str:
    part = part.replace("{", "").replace("}", "")
    return f"{{{part}}}" if _AND.search(part) or "," in part else part


def bibtex(found: Iterable[ExtractedFields]) -> str:
    """Headers and references as a bibliography."""
    return bibliography(map(bibtex_entry, found))


def bibliography(entries: Iterable[BibtexEntry]) -> str:
    """Entries one after the other; what comes twice is format_entry once.

    A key depends on its own entry alone, unless another one before has the same:
    then some digits follow which depend on its own entry alone as well.
    """
    taken: dict[str, BibtexEntry] = {}
    for each in entries:
        if not each.fields:
            continue
        key = each.key
        if taken.get(key, each) != each:
            text = repr((each.kind, sorted(each.fields.items())))
            key += "-" + hashlib.sha256(text.encode("utf-8", "replace")).hexdigest()[:8]
        taken.setdefault(key, each)
    return "\n".join(format_entry(key, each) for key, each in taken.items())


def format_entry(key: str, each: BibtexEntry) -> str:
    """An entry as it stands in a bibliography."""
    lines = [f"@{each.kind}{{{key},"]
    for name, text in each.fields.items():
        if name in ("author", "editor"):
            value = _names(text)
        elif name == "pages":
            value = text
        else:
            value = escape_latex(text)
        if name in ("title", "booktitle"):
            value = " ".join(map(_cased, value.split(" ")))
        lines.append(f"  {name} = {{{value}}},")
    return "\n".join([*lines, "}", ""])


def _names(text: str) -> str:
    """Names with all but their braces escaped, which are ours and balanced."""
    return "".join(
        part if part in "{}" else escape_latex(part) for part in re.split(r"([{}])", text)
    )


def _cased(word: str) -> str:
    """A word of a title; styles print titles in lower case, but not what stands in braces."""
    plain = re.sub(r"\{\\\w+\}|\{\\.\{?\\?\w\}?\}", "x", word)
    mixed = any(c.isupper() for c in plain[1:])
    return f"{{{word}}}" if mixed else word


def escape_latex(text: str) -> str:
    r"""Text with all that TeX would read as a command escaped, and on one line.

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
    """The fields of a header or a reference, and how sure each is, for `json.dumps`."""
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
    """All that is known of a paper, for `json.dumps`; pages and lines count from 1."""
    facts: dict[str, Any] = {
        "outcome": paper.outcome,
        "paper": paper.is_paper,
        "sure": round(paper.confidence, 4),
        "pages": paper.pages,
    }
    if paper.outcome == "text":
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


def table_rows(paper: Paper) -> list[tuple[str, ...]]:
    """A paper and its references as rows under `COLUMNS`."""
    every = [paper.header, *(one.fields for one in paper.references)]
    return [_row(number, found) for number, found in enumerate(every)]


def _row(number: int, found: ExtractedFields) -> tuple[str, ...]:
    venue, pages = "", ""
    if isinstance(found, Reference):
        venue, pages = found.venue, _pages(found).replace("--", "-")
    names = "; ".join(map(str, found.authors))
    sure = f"{found.confidence('title'):.2f}"
    return str(number), str(found.year or ""), names, found.title, venue, pages, sure
