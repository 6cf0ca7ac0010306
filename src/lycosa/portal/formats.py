r"""One work in the formats of other programs: BibTeX, RIS, CSL-JSON, plain text, meta tags.

What a format writes unchanged derives from the table in `fields`; names, years,
venues, volumes and pages, which each format splits in its way, are written here.
The formats that users can choose are listed in `exports`.

>>> from lycosa.portal.fields import Author, Work
>>> work = Work("w1", "paper", "Spiders that learn", (Author("lee-a", "Ann Lee"),), 1997,
...     venue="Machine Learning", volume="12(2)", pages="101-120", url="http://a.edu/s.pdf")
>>> print(bibtex([work]))
@article{lee1997spiders,
  author = {Lee, Ann},
  title = {Spiders that learn},
  journal = {Machine Learning},
  year = {1997},
  volume = {12},
  number = {2},
  pages = {101--120},
  url = {http://a.edu/s.pdf},
}
<BLANKLINE>
>>> plain(work)
'Ann Lee. Spiders that learn. Machine Learning, 12(2):101-120, 1997.'
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Any
from urllib.parse import urlencode

from lycosa.papers.exports import BibtexEntry, bibliography, format_entry, format_names
from lycosa.papers.extraction.fields import parse_pages
from lycosa.papers.extraction.names import PersonName, parse_names
from lycosa.portal.fields import FIELDS, Author, Work

_MEETING_VENUE = re.compile(
    r"\b(proc|proceedings|conf|conference|symp|symposium|workshop|congress|meeting|colloquium|"
    r"advances in)\b",
    re.IGNORECASE,
)
_REPORT_VENUE = re.compile(
    r"\b(report|tech|technical|tr|memo|university|institute|department)\b", re.IGNORECASE
)
_VOLUME = re.compile(r"(\d+)\s*(?:\(\s*(\w+)\s*\))?")
_TYPES = {  # in BibTeX, RIS, CSL and OpenURL (genre), by the kind of publication
    "journal": ("article", "JOUR", "article-journal", "article"),
    "meeting": ("inproceedings", "CONF", "paper-conference", "proceeding"),
    "report": ("techreport", "RPRT", "report", "report"),
    "page": ("misc", "ELEC", "webpage", "unknown"),
    "none": ("misc", "GEN", "document", "document"),
}
_EXPORTED = tuple(name for name, each in FIELDS.items() if each.spec.exported)
_TAGS = {
    target: [(name, tag) for name, each in FIELDS.items() if (tag := getattr(each.spec, target))]
    for target in ("bibtex", "ris", "csl", "highwire", "coins")
}
_FORMULA = ("=", "+", "-", "@")
_VENUE_TAGS = {"journal": "journal", "meeting": "booktitle", "report": "institution"}


def bibtex(works: Iterable[Work]) -> str:
    """Return a bibliography; keys are made of family name, year and first word of the title."""
    return bibliography(map(_entry, works))


def keyed_bibtex(work: Work) -> str:
    """Return an entry whose key ends with the id of the work, and so is unique.

    >>> keyed_bibtex(Work("w1", "page", "Webs", year=1997)).splitlines()[0]
    '@misc{1997webs-w1,'
    """
    entry = _entry(work)
    return format_entry(f"{entry.key}-{work.id}", entry)


def ris(work: Work) -> str:
    r"""Return a work in RIS, the format of reference managers: one tag a line, ended by CR LF.

    >>> ris(Work("w1", "page", "Spiders\n& webs", year=1997)).split("\r\n")
    ['TY  - ELEC', 'TI  - Spiders & webs', 'PY  - 1997', 'ID  - w1', 'ER  - ', '']
    """
    first, last = _pages(work)
    volume, number = _volume(work)
    rows = [
        ("TY", _TYPES[_kind(work)][1]),
        *(("AU", name) for name in author_names(work)),
        ("TI", work.title),
        ("T2", work.venue),
        ("PY", str(work.year or "")),
        ("VL", volume),
        ("IS", number),
        ("SP", first),
        ("EP", last),
        *_unchanged(work, "ris"),
        ("ID", work.id),
    ]
    lines = [f"{tag}  - {_line(value)}" for tag, value in rows if value]
    return "\r\n".join([*lines, "ER  - ", ""])


def csl(work: Work) -> dict[str, Any]:
    """Return an item of the Citation Style Language, for `json.dumps`.

    >>> csl(Work("w1", "paper", "Webs", year=1997))
    {'id': 'w1', 'type': 'document', 'title': 'Webs', 'issued': {'date-parts': [[1997]]}}
    """
    volume, number = _volume(work)
    item = {
        "id": work.id,
        "type": _TYPES[_kind(work)][2],
        "title": work.title,
        "author": [{"family": name.family, "given": name.given} for name in _names(work)],
        "issued": {"date-parts": [[work.year]]} if work.year else None,
        "container-title": work.venue,
        "volume": volume,
        "issue": number,
        "page": work.pages,
        **dict(_unchanged(work, "csl")),
    }
    return {key: value for key, value in item.items() if value}


def work_record(work: Work) -> dict[str, Any]:
    """Return the exported fields of a work, for `json.dumps`."""
    return {name: _json_value(getattr(work, name)) for name in _EXPORTED}


def _json_value(value: Any) -> Any:
    if not isinstance(value, tuple):
        return value
    return [
        {"id": each.id, "name": each.name}
        if isinstance(each, Author)
        else {"id": each.topic, "name": each.name, "sure": each.confidence}
        for each in value
    ]


def table_cell(value: Any) -> str | int | float | None:
    """Return a value of `work_record` for a cell of a table: on one line, lists joined.

    A text that spreadsheets would run as a formula begins with an apostrophe: titles come
    from documents that strangers wrote.

    >>> table_cell([{"id": "lee-a", "name": "Ann Lee"}, {"id": "roe-b", "name": "Bob Roe"}])
    'Ann Lee; Bob Roe'
    >>> table_cell("=1+1"), table_cell(None), table_cell(1997)
    ("'=1+1", None, 1997)
    """
    if isinstance(value, list):
        names = [each["name"] if isinstance(each, dict) else each for each in value]
        return table_cell("; ".join(names))
    if not isinstance(value, str):
        return None if value is None else float(value) if isinstance(value, float) else int(value)
    text = _line(value)
    return f"'{text}" if text.startswith(_FORMULA) else text


def plain(work: Work) -> str:
    """Return a citation as a line of text."""
    where = ", ".join(filter(None, (published(work), str(work.year or ""))))
    parts = [work.byline, work.title, where]
    return " ".join(f"{_line(part).rstrip('.')}." for part in parts if part)


def published(work: Work) -> str:
    """Return where a work was published: venue, volume and pages, as far as they are known.

    >>> published(Work("w1", "paper", "Webs", venue="Machine Learning", pages="101-120"))
    'Machine Learning, pages 101-120'
    """
    place = work.volume + (f":{work.pages}" if work.volume and work.pages else "")
    if work.pages and not work.volume:
        place = f"pages {work.pages}"
    return ", ".join(filter(None, (work.venue, place)))


def author_names(work: Work) -> list[str]:
    """Return the authors of a work, family names first.

    >>> author_names(Work("w1", "paper", "Webs", (Author("lee-a", "Ann Lee"),)))
    ['Lee, Ann']
    """
    return [f"{name.family}, {name.given}".rstrip(", ") for name in _names(work)]


def highwire(work: Work) -> Iterator[tuple[str, str]]:
    """Return names and contents of the meta tags that search engines and Zotero read."""
    kind = _kind(work)
    names = {"journal": "citation_journal_title", "meeting": "citation_conference_title"}
    first, last = _pages(work)
    volume, number = _volume(work)
    tags = [
        ("citation_title", work.title),
        *(("citation_author", author.name) for author in work.authors),
        ("citation_publication_date", str(work.year or "")),
        (names.get(kind, "citation_technical_report_institution"), work.venue),
        ("citation_volume", volume),
        ("citation_issue", number),
        ("citation_firstpage", first),
        ("citation_lastpage", last),
        *_unchanged(work, "highwire"),
        ("citation_pdf_url", work.url if work.kind == "paper" else ""),
    ]
    return ((name, _line(value)) for name, value in tags if value)


def coins(work: Work) -> str:
    """Return the title of a COinS element: the same for older tools, as an OpenURL.

    >>> coins(Work("w1", "paper", "Webs", year=1997))
    'ctx_ver=Z39.88-2004&rft_val_fmt=info%3Aofi%2Ffmt%3Akev%3Amtx%3Ajournal&rft.genre=document&rft.atitle=Webs&rft.date=1997'
    """
    first, last = _pages(work)
    pairs = [
        ("ctx_ver", "Z39.88-2004"),
        ("rft_val_fmt", "info:ofi/fmt:kev:mtx:journal"),
        ("rft.genre", _TYPES[_kind(work)][3]),
        ("rft.atitle", work.title),
        ("rft.jtitle", work.venue),
        ("rft.date", str(work.year or "")),
        ("rft.volume", _volume(work)[0]),
        ("rft.spage", first),
        ("rft.epage", last),
        *(("rft.au", author.name) for author in work.authors),
        *_unchanged(work, "coins"),
    ]
    return urlencode([(key, _line(value)) for key, value in pairs if value])


def _entry(work: Work) -> BibtexEntry:
    kind = _kind(work)
    first, last = _pages(work)
    volume, number = _volume(work)
    values = {
        "author": format_names(_names(work)),
        "title": work.title,
        _VENUE_TAGS.get(kind, "howpublished"): work.venue,
        "year": str(work.year or ""),
        "volume": volume,
        "number": number,
        "pages": first if first == last else f"{first}--{last}",
        **dict(_unchanged(work, "bibtex")),
    }
    values["abstract"] = values.pop("abstract", "")  # last, since it is long
    return BibtexEntry(_TYPES[kind][0], {name: value for name, value in values.items() if value})


def _kind(work: Work) -> str:
    """Return the kind of publication, as far as the venue tells."""
    if work.kind == "page":
        return "page"
    if not work.venue:
        return "none"
    if _MEETING_VENUE.search(work.venue):
        return "meeting"
    return "report" if _REPORT_VENUE.search(work.venue) and not work.volume else "journal"


def _unchanged(work: Work, target: str) -> Iterator[tuple[str, str]]:
    """Yield tags and texts of the fields that a format takes as they are."""
    for name, tag in _TAGS[target]:
        yield tag, str(getattr(work, name) or "")


def _names(work: Work) -> list[PersonName]:
    return [name for author in work.authors for name in parse_names(author.name)]


def _volume(work: Work) -> tuple[str, str]:
    found = _VOLUME.search(work.volume)
    return (found[1], found[2] or "") if found else (work.volume, "")


def _pages(work: Work) -> tuple[str, str]:
    found = parse_pages(work.pages)
    return (str(found[0]), str(found[1])) if found else ("", "")


def _line(text: str) -> str:
    """Return a text on one line, without unprintable characters."""
    if not text.isprintable():
        text = "".join(c for c in text if c.isprintable() or c.isspace())
    return " ".join(text.split())
