"""Names and keywords for groups of documents.

A candidate is good for a group if it distinguishes the group from all others, by the weighted
log-odds of Monroe, Colaresi & Quinn (2008). A name is the best pair of words that enough
documents of the group contain; without such a pair, the two best words joined by "and". The name
of a parent topic uses candidates that several of its groups have: the counts of the group with
most of them are left out.

Keywords are chosen greedily. Each is the candidate that matches most documents of its group that
no earlier keyword matches, less half of those it matches in other groups.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from lycosa.learn.log_odds import z_scores
from lycosa.topics.phrases import Phrases, min_documents

Array = NDArray[np.float64]
MIN_Z_SCORE = 2.0
"""Least z-score of a candidate; a lower one could be chance."""

MIN_GROUP_SHARE, MIN_PARENT_SHARE = 0.08, 0.02
"""Share of the documents that must contain a pair used as a name: of a group, of a parent."""

MIN_KEYWORDS, MAX_KEYWORDS = 3, 10
MAX_CANDIDATES = 60
"""Candidates considered for the keywords of a group."""


class GroupNames(NamedTuple):
    """Names of groups and of the topics above them.

    `above` has a name for each parent topic, "" for a parent of a single group.
    """

    groups: list[str]
    above: list[str]


def contrast_scores(inside: Array, outside: Array) -> Array:
    """Return the z-score of each candidate, from its counts inside and outside a group."""
    # A candidate is compared with the other candidates; a single one has nothing to compare with.
    if np.count_nonzero(inside + outside) < 2:
        return np.zeros(len(inside))
    return z_scores(inside, outside)


def names(
    inside: Array, documents: NDArray[np.int64], parents: NDArray[np.int64], phrases: Phrases
) -> GroupNames:
    """Return distinct names for groups and their parents.

    `inside` has the counts of phrases by group, `documents` the sizes of the groups, `parents`
    the parent topic of each group.
    """
    taken: set[str] = set()
    total = inside.sum(axis=0)
    groups = [""] * len(inside)
    # The largest group chooses first.
    for group in np.argsort(-documents, kind="stable").tolist():
        own = inside[group]
        scores = contrast_scores(own, total - own)
        good = own >= MIN_GROUP_SHARE * documents[group]
        groups[group] = _name(scores, good, phrases, taken)
    above = [""] * (int(parents.max()) + 1)
    for parent in range(len(above)):
        members = parents == parent
        if members.sum() == 1:
            continue
        within = inside[members]
        spread = within.sum(axis=0) - within.max(axis=0)
        scores = contrast_scores(spread, total - within.sum(axis=0))
        good = spread >= MIN_PARENT_SHARE * documents[members].sum()
        above[parent] = _name(scores, good, phrases, taken)
    return GroupNames(groups, above)


def _name(scores: Array, good: NDArray[np.bool_], phrases: Phrases, taken: set[str]) -> str:
    """Return the best name that is not taken, and mark it as taken."""
    for name in _ranked_names(scores, good, phrases):
        if name.casefold() not in taken:
            taken.add(name.casefold())
            return name
    number = 1
    while f"topic {number}" in taken:
        number += 1
    taken.add(f"topic {number}")
    return f"Topic {number}"


def _ranked_names(scores: Array, good: NDArray[np.bool_], phrases: Phrases) -> Iterator[str]:
    order = np.argsort(-scores, kind="stable")
    order = order[scores[order] > 0]
    single = [n for n in order.tolist() if len(phrases.words[n]) == 1]
    score = {phrases.words[n][0]: scores[n] for n in single}
    for n in order.tolist():
        pair = phrases.words[n]
        if len(pair) == 2 and good[n] and all(score.get(w, 0) >= MIN_Z_SCORE for w in pair):
            yield phrases.title(n)
    nouns = [n for n in single if phrases.noun(n)]
    for k, second in enumerate(nouns):
        yield from (f"{phrases.title(first)} and {phrases.title(second)}" for first in nouns[:k])
    yield from (phrases.title(n) for n in order.tolist())


def keywords(groups: NDArray[np.int64], inside: Array, phrases: Phrases) -> list[list[str]]:
    """Return keywords for each group, each for one group only; -1 marks ungrouped documents."""
    total = inside.sum(axis=0)
    present = phrases.present.tocsc()
    found = []
    for group, own in enumerate(inside):
        scores = contrast_scores(own, total - own)
        good = (scores >= MIN_Z_SCORE) & (own > total / 2)
        order = np.argsort(-np.where(good, scores, -np.inf), kind="stable")[:MAX_CANDIDATES]
        order = order[good[order]]
        columns = present[:, order].toarray() > 0
        chosen = cover(columns, groups == group, MAX_KEYWORDS, min_documents(phrases.corpus))
        numbers = order[chosen].tolist()
        # With too few good candidates, add those with their largest count in this group.
        better = np.flatnonzero((inside.argmax(axis=0) == group) & (scores > 0))
        for n in better[np.argsort(-scores[better], kind="stable")].tolist():
            if len(numbers) < MIN_KEYWORDS and n not in numbers:
                numbers.append(n)
        found.append([phrases.text(n) for n in numbers])
    return found


def cover(
    present: NDArray[np.bool_], wanted: NDArray[np.bool_], most: int, fewest: int = 2
) -> list[int]:
    """Return columns that together match many wanted rows and few others, greedily.

    >>> rows = np.array([[1, 1, 0], [1, 0, 1], [1, 1, 0], [0, 1, 1]], bool)
    >>> cover(rows, np.array([True, True, True, False]), most=2, fewest=1)
    [0]
    """
    gains = np.where(wanted, 1.0, -0.5)
    left = np.ones(len(present), bool)
    chosen: list[int] = []
    while len(chosen) < most and present.shape[1]:
        worth = gains[left] @ present[left]
        best = int(worth.argmax())
        if worth[best] < fewest:
            break
        chosen.append(best)
        left &= ~present[:, best]
    return chosen
