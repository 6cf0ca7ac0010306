"""Pairwise similarity of references: the sum of match weights (Fellegi & Sunter 1969).

Each field of a pair has an agreement level: the year is missing, equal, off by one,
and so on. Each level has a match weight, its contribution to the log-odds that the
pair is one work. The score is the sum of the weights: above zero the two are more
likely one work than not.

For a paper in all its versions (report, meeting and journal) title and authors weigh
most. To separate versions, a second table gives the log-odds that two references to one
paper are to the same version, and the score is the log-odds of both.

Two things change the sum. A title that recurs weighs less (`recurring_titles`). And
identifiers decide: a shared DOI or preprint id makes two references one work, unless both
title and authors contradict it, because DOIs are mistyped and those of a book are printed
with its chapters; different ones make them two.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lycosa.papers.matching.feature_vectors import KINDS, FeatureVectors, compute_vectors
from lycosa.papers.matching.normal_form import normalise
from lycosa.papers.matching.recurring_titles import Recurrence
from lycosa.papers.matching.weights import VERSION_WEIGHTS, WORK_WEIGHTS, MatchWeights

CERTAIN_SCORE = 1000.0
"""The score of a pair with the same identifier; of different ones, if negative."""
_BATCH_PAIRS = 1 << 15  # so that a batch stays in the CPU cache
_SHORT_TITLE_LETTERS = 18  # many works are called "introduction"
_TITLE_BOUNDS = np.array([0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.999])
_TITLE_PART_BOUNDS = np.array([0.5, 0.7, 0.8, 0.9, 0.97])
_AUTHOR_BOUNDS = np.array([0.15, 0.3, 0.5, 0.7, 0.9])
_AUTHOR_PART_BOUNDS = np.array([0.4, 0.6, 0.8, 0.97])
_VENUE_BOUNDS = np.array([0.01, 0.34, 0.6, 0.99])
# Agreement levels from, or up to, which two fields agree or contradict each other.
_TITLE_LEVELS = len(_TITLE_BOUNDS) + 1  # of long titles; those of short ones follow
_ALIKE_TITLE, _COPIED_TITLE = 8, 9  # shares 70 %, 80 %
_OTHER_TITLE, _OTHER_TITLE_PART = 4, 1  # shares less than 40 %, 50 % of the shorter
_OTHER_FIRST_AUTHOR, _OTHER_AUTHORS, _SAME_AUTHORS = 1, 1, 3
_SAME_YEAR = 1

LEVELS: dict[str, tuple[str, ...]] = {
    "title": (
        "missing",
        *(f"shares {low}-{low + 9} %" for low in range(0, 100, 10)),
        "the same",
        *(f"short, shares {low}-{low + 9} %" for low in range(0, 100, 10)),
        "short, the same",
    ),
    "part of the title": (
        "missing",
        *(f"up to {high} % of the shorter is shared" for high in (50, 70, 80, 90, 97)),
        "one holds the other",
    ),
    "numbers in the title": ("none", "the same", "differ", "only one has them"),
    "authors": ("missing", *(f"share up to {high} %" for high in (15, 30, 50, 70, 90)), "the same"),
    "part of the authors": (
        "missing",
        *(f"up to {high} % of the shorter list is shared" for high in (40, 60, 80, 97)),
        "one list holds the other",
    ),
    "first author": (
        "missing",
        "differs",
        "is spelt alike",
        "is the same",
        "is the same with the same initial",
        "is the same but for the initial",
    ),
    "year": (
        "missing",
        "the same",
        "1 apart",
        "2-3 apart",
        "4-8 apart",
        "far apart",
        "later than one that was to appear",
        "earlier than one that was to appear",
    ),
    "pages": (
        "missing",
        "differ",
        "differ within one volume",
        "overlap",
        "one end is the same",
        "the same",
    ),
    "volume": ("missing", "differs", "the same"),
    "venue": ("missing", "differs", "shares a word", "shares words", "alike", "the same"),
    "kind of venue": (
        "missing",
        *(f"{low} and {high}" for k, high in enumerate(KINDS[1:]) for low in KINDS[1 : k + 2]),
    ),
    "identifier": ("missing", "the same", "the same, but title and authors differ", "differs"),
}
"""The agreement levels of each field; the first has no weight.

That of the identifier decides alone and is in no table of weights.
"""
_IDENTIFIER_SCORES = (0.0, CERTAIN_SCORE, 0.0, -CERTAIN_SCORE)

Levels = NDArray[np.uint8]


@dataclass(frozen=True, slots=True)
class FieldEvidence:
    """The agreement level of one field of a pair, and its match weight."""

    field: str
    level: str
    weight: float

    def __str__(self) -> str:
        return f"{self.weight:+.1f} {self.field}: {self.level}"


@dataclass(frozen=True, slots=True)
class Similarity:
    """The score of a pair and its evidence by field, strongest first."""

    score: float
    evidence: tuple[FieldEvidence, ...]

    def __str__(self) -> str:
        lines = [f"score {self.score:+.1f}", *map(str, self.evidence)]
        return "\n  ".join(lines)


def similarity(
    one: Mapping[str, str], two: Mapping[str, str], *, separate_versions: bool = True
) -> Similarity:
    """Return the similarity of two references.

    With `separate_versions`, they are one work only if they are one version of it.

    >>> one = {"authors": "Y. Freund", "title": "Boosting a weak learner by majority", "year": "95"}
    >>> two = {"authors": "Freund, Yoav", "title": "Boosting a weak learner by majority."}
    >>> similarity(one, two).score > 0
    True
    >>> similarity(one, {**two, "title": "An improved boosting algorithm"}).score > 0
    False
    """
    return explain_pair(
        compute_vectors([normalise(one), normalise(two)]), 0, 1, separate_versions=separate_versions
    )


def explain_pair(
    vectors: FeatureVectors,
    i: int,
    j: int,
    *,
    separate_versions: bool,
    recurrence: Recurrence | None = None,
) -> Similarity:
    """Return the similarity of two rows, with the evidence of every field."""
    one, two = np.array([i]), np.array([j])
    levels = agreement_levels(vectors, one, two)
    found = {name: int(level[0]) for name, level in levels.items()}
    decisive = found["identifier"]
    evidence = [
        FieldEvidence("identifier", LEVELS["identifier"][decisive], _IDENTIFIER_SCORES[decisive])
    ]
    if recurrence is not None:
        work, version = (
            float(lost[0]) for lost in _recurrence_losses(recurrence, one, two, levels)
        )
        evidence.append(FieldEvidence("title", "recurs with other authors", -work))
        if separate_versions:
            evidence.append(FieldEvidence("title (version)", "recurs in other years", -version))
    for table, of in ((WORK_WEIGHTS, ""), (VERSION_WEIGHTS, " (version)"))[: 1 + separate_versions]:
        for name, weights in table.fields.items():
            level = found[name]
            evidence.append(FieldEvidence(name + of, LEVELS[name][level], weights[level]))
    evidence.sort(key=lambda each: -abs(each.weight))
    scores = score_pairs(
        vectors, one, two, separate_versions=separate_versions, recurrence=recurrence
    )
    score = float(scores[0])
    return Similarity(score, tuple(each for each in evidence if each.weight))


def score_pairs(
    vectors: FeatureVectors,
    i: NDArray[np.int64],
    j: NDArray[np.int64],
    *,
    separate_versions: bool,
    recurrence: Recurrence | None = None,
) -> NDArray[np.float32]:
    """Return the scores of many pairs of rows; a score is symmetric.

    `recurrence` is that of the titles of all rows; without it no title recurs.
    """
    found = np.empty(len(i), np.float32)
    for start in range(0, len(i), _BATCH_PAIRS):
        part = slice(start, start + _BATCH_PAIRS)
        level = agreement_levels(vectors, i[part], j[part])
        total = _total(WORK_WEIGHTS, level)
        less = None
        if recurrence is not None:
            less = _recurrence_losses(recurrence, i[part], j[part], level)
            total -= less[0]
        if separate_versions:
            version = _total(VERSION_WEIGHTS, level)
            if less is not None:
                version -= less[1]
            # The log-odds that both hold.
            total = -np.logaddexp(np.logaddexp(-total, -version), -total - version)
        decisive = np.array(_IDENTIFIER_SCORES)[level["identifier"]]
        found[part] = np.where(decisive != 0, decisive, total)
    return found


def _recurrence_losses(
    recurrence: Recurrence,
    i: NDArray[np.int64],
    j: NDArray[np.int64],
    level: Mapping[str, Levels],
) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """Return by how much the evidence for one work, and for one version, is less."""
    alike = _shared_title(level) >= _ALIKE_TITLE
    other_year = alike & (level["year"] > _SAME_YEAR)
    authors, years = (np.maximum(lost[i], lost[j]) for lost in recurrence)
    return authors * alike, years * other_year


def _shared_title(level: Mapping[str, Levels]) -> NDArray[np.int64]:
    """Return the level of the title as if no title were short; 0 if it is missing."""
    title = level["title"].astype(np.int64)
    return np.where(title > 0, (title - 1) % _TITLE_LEVELS + 1, 0)


def are_copies(s: FeatureVectors, i: NDArray[np.int64], j: NDArray[np.int64]) -> NDArray[np.bool_]:
    """Return which pairs of rows are printed almost the same, field by field."""
    level = agreement_levels(s, i, j)
    authors = level["part of the authors"]
    same: NDArray[np.bool_] = _shared_title(level) >= _COPIED_TITLE
    same &= (s.author_size[i] > 0) == (s.author_size[j] > 0)
    same &= (authors == 0) | (authors >= _SAME_AUTHORS)
    for column in (s.parts, s.year, s.first_page, s.last_page, s.volume, s.kind):
        same &= column[i] == column[j]
    return same


def _total(weights: MatchWeights, level: Mapping[str, Levels]) -> NDArray[np.float64]:
    total = np.full(len(level["title"]), weights.bias)
    for name, row in weights.fields.items():
        total += np.array(row)[level[name]]
    return total


def agreement_levels(
    s: FeatureVectors, i: NDArray[np.int64], j: NDArray[np.int64]
) -> dict[str, Levels]:
    """Return the agreement level of each field for many pairs of rows, see `LEVELS`."""
    title, title_part = _overlap(s.title, s.title_size, i, j)
    known = (s.title_size[i] > 0) & (s.title_size[j] > 0)
    short = np.minimum(s.letters[i], s.letters[j]) < _SHORT_TITLE_LETTERS
    title_level = np.digitize(title, _TITLE_BOUNDS) + 1 + (len(_TITLE_BOUNDS) + 1) * short
    authors, author_part = _overlap(s.authors, s.author_size, i, j)
    named = (s.author_size[i] > 0) & (s.author_size[j] > 0)
    venue, _ = _overlap(s.venue[:, None], s.venue_size, i, j)
    placed = (s.venue_size[i] > 0) & (s.venue_size[j] > 0)
    level = {
        "title": _where(known, title_level),
        "part of the title": _where(known, np.digitize(title_part, _TITLE_PART_BOUNDS) + 1),
        "numbers in the title": _parts(s.parts[i], s.parts[j]),
        "authors": _where(named, np.digitize(authors, _AUTHOR_BOUNDS) + 1),
        "part of the authors": _where(named, np.digitize(author_part, _AUTHOR_PART_BOUNDS) + 1),
        "first author": _where(named, _first(s, i, j)),
        "year": _years(s, i, j),
        "pages": _pages(s, i, j),
        "volume": _equal(s.volume[i], s.volume[j]),
        "venue": _where(placed, np.digitize(venue, _VENUE_BOUNDS) + 1),
        "kind of venue": _kinds(s.kind[i], s.kind[j]),
    }
    level["identifier"] = _identifiers(s, i, j, level)
    return level


def _where(known: NDArray[np.bool_], level: NDArray[np.int64]) -> Levels:
    """Return the levels, 0 where a field is missing in one of the two."""
    return np.where(known, level, 0).astype(np.uint8)


def _overlap(
    rows: NDArray[np.uint64], sizes: NDArray[np.int16], i: NDArray[np.int64], j: NDArray[np.int64]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return the intersection of two sets as a share of the union and of the smaller set."""
    both = np.bitwise_count(rows.take(i, axis=0) & rows.take(j, axis=0)).sum(axis=1, dtype=np.int16)
    one, two = sizes[i], sizes[j]
    union = np.maximum(one + two - both, 1)
    return both / union, both / np.maximum(np.minimum(one, two), 1)


def _parts(one: NDArray[np.uint16], two: NDArray[np.uint16]) -> Levels:
    both, same = (one > 0) & (two > 0), one == two
    return np.select([both & same, both, ~same], [1, 2, 3], 0).astype(np.uint8)


def _first(s: FeatureVectors, i: NDArray[np.int64], j: NDArray[np.int64]) -> NDArray[np.int64]:
    alike, _ = _overlap(s.first[:, None], s.first_size, i, j)
    one, two = s.initial[i], s.initial[j]
    initials = np.select([(one == 0) | (two == 0), one == two], [0, 1], 2)
    return np.where(alike < 0.3, 1, np.where(alike < 0.999, 2, 3 + initials))


def _kinds(one: NDArray[np.uint8], two: NDArray[np.uint8]) -> Levels:
    low, high = np.minimum(one, two).astype(np.int64), np.maximum(one, two).astype(np.int64)
    return _where(low > 0, high * (high - 1) // 2 + low)


def _identifiers(
    s: FeatureVectors, i: NDArray[np.int64], j: NDArray[np.int64], level: Mapping[str, Levels]
) -> Levels:
    """Return the levels of identifiers; one that is shared outweighs one that differs."""
    same, differs = np.zeros(len(i), bool), np.zeros(len(i), bool)
    for column in (s.doi, s.preprint):
        one = column[i]
        if not one.any():  # most references have none
            continue
        two = column[j]
        both = (one > 0) & (two > 0)
        same |= both & (one == two)
        differs |= both & (one != two)
    if not same.any():
        return (3 * differs).astype(np.uint8)
    title, title_part = _shared_title(level), level["part of the title"]
    authors, first = level["part of the authors"], level["first author"]
    contradicted = (title > 0) & (title <= _OTHER_TITLE) & (title_part <= _OTHER_TITLE_PART)
    contradicted &= (authors == _OTHER_AUTHORS) & (first == _OTHER_FIRST_AUTHOR)
    return np.select([same & ~contradicted, same, differs], [1, 2, 3], 0).astype(np.uint8)


def _years(s: FeatureVectors, i: NDArray[np.int64], j: NDArray[np.int64]) -> Levels:
    one, two = s.year[i].astype(np.int64), s.year[j].astype(np.int64)
    level = np.digitize(np.abs(one - two), [1, 2, 4, 9]) + 1
    # The delay of the published one, if the other is forthcoming.
    later = (two - one) * (s.waiting[i].astype(np.int64) - s.waiting[j])
    level = np.select([(later > 0) & (later < 9), later < 0], [6, 7], level)
    return _where((one > 0) & (two > 0), level)


def _pages(s: FeatureVectors, i: NDArray[np.int64], j: NDArray[np.int64]) -> Levels:
    begin, end = (s.first_page[i], s.first_page[j]), (s.last_page[i], s.last_page[j])
    ranges = (end[0] > 0) & (end[1] > 0)
    first = (begin[0] == begin[1]) & (begin[0] > 0)
    last = (end[0] == end[1]) & ranges
    overlap = np.maximum(*begin) <= np.minimum(*end)
    # Two papers of one volume; versions of one paper are in different volumes.
    volume = (s.volume[i] == s.volume[j]) & (s.volume[i] > 0)
    level = np.select([first & last, first | last, overlap, volume], [5, 4, 3, 2], 1)
    # A single number can be any page of the range, or no page number.
    return _where(ranges | first, level)


def _equal(one: NDArray[Any], two: NDArray[Any]) -> Levels:
    return _where((one > 0) & (two > 0), 1 + (one == two).astype(np.int64))
