"""Names and keywords for groups of documents.

A candidate is good for a group if it sets the group apart from all others, by
the weighted log-odds of Monroe, Colaresi & Quinn (2008). A name is the best
pair of words that stands in a good part of the group; where no pair does, the
two best words are joined by "and". Names of topics with others under them are
made of what several of these have: what the one has most of is not counted.

Keywords are chosen one after the other. Each is the one that finds the most
documents of its group that none before it finds, less half of those that it
would find in other groups.
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
"""Candidates with a lower z-score could be there by chance."""

MIN_GROUP_SHARE, MIN_PARENT_SHARE = 0.08, 0.02
"""The share of documents in which a pair must stand to be a name: in a group, in several."""

MIN_KEYWORDS, MAX_KEYWORDS = 3, 10
MAX_CANDIDATES = 60
"""How many candidates are tried for keywords."""


class GroupNames(NamedTuple):
    """A name for each group, and for each topic above some."""

    groups: list[str]
    above: list[str]


def contrast_scores(mine: Array, others: Array) -> Array:
    """How well each candidate tells documents from others that it stands in: its z-score."""
    # A candidate is weighed against the other candidates; one alone has nothing to be weighed by.
    if np.count_nonzero(mine + others) < 2:
        return np.zeros(len(mine))
    return z_scores(mine, others)


def names(
    inside: Array, documents: NDArray[np.int64], parents: NDArray[np.int64], phrases: Phrases
) -> GroupNames:
    """Names that differ from each other; `inside` has a row for each group, of phrases counted."""
    taken: set[str] = set()
    total = inside.sum(axis=0)
    groups = [""] * len(inside)
    # The largest group chooses first.
    for group in np.argsort(-documents, kind="stable").tolist():
        mine = inside[group]
        scores = contrast_scores(mine, total - mine)
        good = mine >= MIN_GROUP_SHARE * documents[group]
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
    """The first good name that is not taken."""
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
    """Keywords for each group, none for two of them; documents of group -1 are in none."""
    total = inside.sum(axis=0)
    present = phrases.present.tocsc()
    found = []
    for group, mine in enumerate(inside):
        scores = contrast_scores(mine, total - mine)
        good = (scores >= MIN_Z_SCORE) & (mine > total / 2)
        order = np.argsort(-np.where(good, scores, -np.inf), kind="stable")[:MAX_CANDIDATES]
        order = order[good[order]]
        columns = present[:, order].toarray() > 0
        chosen = cover(columns, groups == group, MAX_KEYWORDS, min_documents(phrases.corpus))
        numbers = order[chosen].tolist()
        # Where hardly any is good, take those that are at least better here than anywhere else.
        better = np.flatnonzero((inside.argmax(axis=0) == group) & (scores > 0))
        for n in better[np.argsort(-scores[better], kind="stable")].tolist():
            if len(numbers) < MIN_KEYWORDS and n not in numbers:
                numbers.append(n)
        found.append([phrases.text(n) for n in numbers])
    return found


def cover(
    present: NDArray[np.bool_], wanted: NDArray[np.bool_], most: int, fewest: int = 2
) -> list[int]:
    """Columns that together find many wanted rows and few others, the best first.

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
