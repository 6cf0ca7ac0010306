"""Explanation of a paper's fields: where each was read, and with what confidence.

>>> from lycosa.papers.evidence.evidence import Evidence, combine
>>> evidence = (Evidence("year", "1999", "copyright", 0.8, 0, 41, "(c) 1999 The Press"),)
>>> paper = Paper("text", evidence=evidence, facts=combine(evidence))
>>> for row in explain_fields(paper):
...     print(row)
ExplanationRow(field='year', value='1999', confidence=0.8, source='1 place', place='')
ExplanationRow(field='', value='1999', confidence=0.8, source='copyright', \
place='page 1, line 42: (c) 1999 The Press')
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from lycosa.papers.evidence.evidence import Evidence
from lycosa.papers.paper import Paper
from lycosa.reporting.text import plural

EXPLAINED = ("title", "author", "affiliation", "email", "date", "keyword", "abstract")
"""The labels of a header that are explained, in this order."""
MAX_TEXT_CHARACTERS = 100
"""Of a value or a place that is shown."""


class ExplanationRow(NamedTuple):
    """A field with its value, or, with an empty `field`, a place that speaks for a value."""

    field: str
    value: str
    confidence: float | None
    """None for a field of which no value is likely enough."""
    source: str
    place: str


def explain_fields(paper: Paper) -> list[ExplanationRow]:
    """Return the fields of a paper, each followed by the places that were found for it."""
    return [*_header_rows(paper), *_evidence_rows(paper)]


def _header_rows(paper: Paper) -> Iterator[ExplanationRow]:
    header = paper.header
    for label in EXPLAINED:
        parts = header.fields.get(label, ())
        if not parts:
            continue
        value = "; ".join(map(str, header.authors)) if label == "author" else header.text(label)
        confidence = round(header.confidence(label), 2)
        lines = f"line {parts[0].line + 1} of the header"
        yield ExplanationRow(label, _cut(value), confidence, "header", lines)


def _evidence_rows(paper: Paper) -> Iterator[ExplanationRow]:
    for name in dict.fromkeys(one.field for one in paper.evidence):
        some = [one for one in paper.evidence if one.field == name]
        fact = paper.facts.get(name)
        yield ExplanationRow(
            name,
            fact.value if fact else "",
            round(fact.confidence, 2) if fact else None,
            plural(len(some), "place"),
            "",
        )
        for one in sorted(some, key=lambda e: -e.confidence):
            yield ExplanationRow(
                "", _cut(one.value), round(one.confidence, 2), one.source, _place(one)
            )


def _place(one: Evidence) -> str:
    where = [] if one.page is None else [f"page {one.page + 1}"]
    where += [] if one.line is None else [f"line {one.line + 1}"]
    return ": ".join(part for part in (", ".join(where), _cut(one.text)) if part)


def _cut(text: str) -> str:
    text = " ".join(text.split())
    limit = MAX_TEXT_CHARACTERS
    return text if len(text) <= limit else f"{text[: limit - 1]}\u2026"
