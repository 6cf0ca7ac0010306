"""Evidence for a field of a paper, and its combination to one value with a confidence.

>>> found = combine([
...     Evidence("year", "2008", "masthead", 0.95), Evidence("year", "2008", "running head", 0.9),
...     Evidence("year", "2007", "copyright", 0.8)])
>>> found["year"].value, round(found["year"].confidence, 2), len(found["year"].evidence)
('2008', 0.76, 2)
>>> combine([Evidence("year", "2018", "creation date", 0.2)])
{}
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import prod
from typing import NamedTuple

MIN_CONFIDENCE = 0.4
"""The confidence from which on a value is used; weaker evidence is only listed."""
_DISSENT = 0.3  # the share of its confidence that evidence for another value takes away


class Evidence(NamedTuple):
    """A place that says something about a field of a paper.

    `field` is its name: year, venue, doi, arxiv, orcid, issn or licence; `value` what the
    place says, normalised. `source` names the kind of place, such as copyright or creation
    date. `page` and `line` on the page count from 0; both are None for what is not printed,
    and `line` for what is printed in the margin. `text` is the place itself.
    """

    field: str
    value: str
    source: str
    confidence: float
    page: int | None = None
    line: int | None = None
    text: str = ""


@dataclass(frozen=True, slots=True)
class CombinedValue:
    """The value of a field that its evidence agrees on best."""

    value: str
    confidence: float
    """From 0 to 1."""
    evidence: tuple[Evidence, ...]
    """The evidence for this value, the strongest first."""


def combine(evidence: Iterable[Evidence]) -> dict[str, CombinedValue]:
    """Return the value of each field whose confidence is at least `MIN_CONFIDENCE`.

    The value with the strongest single evidence wins: a masthead is right about the year
    where copyright, date of acceptance and DOI agree on the year before.
    """
    by_field: dict[str, list[Evidence]] = defaultdict(list)
    for one in evidence:
        by_field[one.field].append(one)
    found = {name: _ranked(some)[0] for name, some in by_field.items()}
    return {name: one for name, one in found.items() if one.confidence >= MIN_CONFIDENCE}


def combine_all(evidence: Iterable[Evidence], field: str) -> list[CombinedValue]:
    """Return every value of a field with a confidence of at least `MIN_CONFIDENCE`.

    For fields that may have several values, as the identifiers of several authors.
    """
    some = [one for one in evidence if one.field == field]
    values = [CombinedValue(value, _support(own), own) for value, own in _by_value(some)]
    return [one for one in values if one.confidence >= MIN_CONFIDENCE]


def _by_value(evidence: Sequence[Evidence]) -> list[tuple[str, tuple[Evidence, ...]]]:
    values: dict[str, list[Evidence]] = defaultdict(list)
    for one in evidence:
        values[one.value].append(one)
    return [
        (value, tuple(sorted(own, key=lambda e: -e.confidence))) for value, own in values.items()
    ]


def _ranked(evidence: Sequence[Evidence]) -> list[CombinedValue]:
    """Return the values of a field, the best first."""
    groups = sorted(_by_value(evidence), key=_strength, reverse=True)
    found = []
    for value, own in groups:
        against = max((e.confidence for e in evidence if e.value != value), default=0.0)
        found.append(CombinedValue(value, _support(own) * (1 - _DISSENT * against), own))
    return found


def _strength(group: tuple[str, tuple[Evidence, ...]]) -> tuple[float, float, int, int]:
    """Order values; of equally strong ones the more frequent, then the more specific wins."""
    value, own = group
    return own[0].confidence, _support(own), len(own), len(value)


def _support(evidence: Sequence[Evidence]) -> float:
    """Return the probability that one of the sources is right: noisy or, one vote a source."""
    best: dict[str, float] = {}
    for one in evidence:
        best[one.source] = max(best.get(one.source, 0.0), one.confidence)
    return 1 - prod(1 - confidence for confidence in best.values())
