"""Benchmark of the year of publication on real first pages.

GROBID's headers mark what a first page says about its own publication. The year of
that reference, or of the copyright notice, is compared with the year by the evidence,
which sees the plain lines only. The patterns of notices were extended after a look at
one half of the documents; the other half was not looked at.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from hashlib import md5
from pathlib import PurePosixPath
from typing import NamedTuple
from xml.etree.ElementTree import Element, ParseError, fromstring

from bench import page
from lycosa.documents.layout import TextLine
from lycosa.papers.evidence.evidence import combine
from lycosa.papers.evidence.paper_evidence import EvidenceSource, collect_evidence
from lycosa.papers.extraction.fields import FieldSpan, Header
from lycosa.papers.training.grobid_archive import archive_files

ARCHIVE = page.SHARED / "corpora" / "grobid" / "header.tar.xz"
_YEAR = re.compile(r"(?<!\d)(1[89]\d\d|20\d\d)(?!\d)")


class FirstPage(NamedTuple):
    """The lines of a first page, which of them are the abstract, and the years it states."""

    name: str
    lines: list[str]
    prose: set[int]
    years: set[str]


def first_pages() -> Iterator[FirstPage]:
    """Yield the annotated first pages; files that are no XML are left out."""
    for path, data in archive_files(ARCHIVE):
        if not path.endswith(".xml"):
            continue
        try:
            front = fromstring(data).find(".//front")  # noqa: S314 (the project's own corpus)
        except ParseError:
            continue
        if front is not None:
            yield _first_page(PurePosixPath(path).name, front)


def _first_page(name: str, front: Element) -> FirstPage:
    stated = _years(e for e in front.iter("reference"))
    stated = stated or _years(e for e in front.iter("note") if e.get("type") == "copyright")
    abstract = {
        line for e in front.iter("div") if e.get("type") == "abstract" for line in _lines(e)
    }
    lines = _lines(front)
    return FirstPage(name, lines, {k for k, x in enumerate(lines) if x in abstract}, stated)


def _years(elements: Iterator[Element]) -> set[str]:
    return {year for e in elements for year in _YEAR.findall(_text(e))}


def _text(element: Element) -> str:
    parts = [element.text or ""]
    for child in element:
        parts += ["\n" if child.tag == "lb" else _text(child), child.tail or ""]
    return "".join(parts)


def _lines(element: Element) -> list[str]:
    lines = (" ".join(line.split()) for line in _text(element).split("\n"))
    return [line for line in lines if line]


def year(found: FirstPage) -> str:
    """Return the year by the evidence, "" for none."""
    spans = tuple(FieldSpan("", 1.0, 0, 1, k, k) for k in sorted(found.prose))
    lines = [TextLine(text, y=-k) for k, text in enumerate(found.lines)]
    source = EvidenceSource(Header({"abstract": spans}), lines, lines)
    facts = combine(collect_evidence(source))
    return facts["year"].value if "year" in facts else ""


def report() -> str:
    """Return the part of the page."""
    halves = Counter[tuple[str, str]]()
    for found in first_pages():
        digest = md5(found.name.encode(), usedforsecurity=False).digest()
        half = "not seen" if digest[-1] % 2 else "seen"
        if len(found.years) == 1:
            own = year(found)
            outcome = "right" if own in found.years else "wrong" if own else "none"
            halves[half, outcome] += 1
    rows = []
    for half in ("seen", "not seen"):
        right, wrong, none = (halves[half, name] for name in ("right", "wrong", "none"))
        total = right + wrong + none
        rows.append((half, total, f"{right} ({right / max(total, 1):.0%})", wrong, none))
    return (
        "Headers of GROBID's corpus that state one year in their own reference or, without one, in "
        "their copyright notice; what the evidence in their lines says. Patterns of notices were "
        "extended after a look at the documents that are *seen*.\n\n"
        + page.table(("documents", "number", "right", "wrong", "no year"), rows)
    )


if __name__ == "__main__":
    page.write("papers-evidence", "Papers: year by evidence", report(), "bench-papers")
