"""Topic discovery: propose a topic tree from documents alone.

Documents become vectors (`word_vectors`), vectors are clustered (`spherical_k_means`), clusters
with near centres are joined under one topic (Ward 1963), and every topic gets a name and
keywords (`topic_names`). Random numbers have fixed seeds: the same documents give the same tree.

The number of topics is the smallest that predicts the words of held-out documents nearly as
well as the best number (the one-standard-error rule of Breiman, Friedman, Olshen & Stone 1984).

>>> from lycosa.topics.corpus import Corpus
>>> cats = ["cat and kitten", "a kitten purrs", "cat purrs", "purring cat, kitten purrs"]
>>> suns = ["sun at noon", "noon of heat", "the heat of the sun", "sun and noon, heat"]
>>> found = discover(Corpus.of((cats + suns) * 5), topics=2)
>>> print(found.hierarchy.text(), end="")
Kitten Purrs: cat, kitten, purrs
Noon Heat: sun, noon, heat
>>> found.groups[:8].tolist()
[1, 1, 1, 1, 2, 2, 2, 2]
"""

from __future__ import annotations

import logging
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from scipy.cluster.hierarchy import fcluster, linkage

from lycosa.errors import UsageError
from lycosa.processes import single_threaded_blas
from lycosa.reporting.progress import report
from lycosa.reporting.text import plural, printable
from lycosa.topics.corpus import Corpus
from lycosa.topics.hierarchy import Hierarchy, Topic
from lycosa.topics.naive_bayes import normalise
from lycosa.topics.outline import write_topics
from lycosa.topics.phrases import Phrases
from lycosa.topics.spherical_k_means import STARTS, group_sums, spherical_k_means
from lycosa.topics.topic_names import keywords, names
from lycosa.topics.word_vectors import WordVectors, presence

_log = logging.getLogger("lycosa.topics")

MIN_DOCUMENTS = 10
"""Documents needed for a discovery."""

MAX_TOPICS = 60
"""Topics proposed unless the caller asks for more; a longer list is hard to review."""

MEAN_TOPIC_DOCUMENTS = 30
"""Documents that a topic should have on average."""

SIZE_GROWTH = 1.5
"""Ratio of successive numbers of topics that are tried."""

HELD_OUT_ONE_IN = 4
"""One document in so many is held out to be predicted."""

SMOOTHING_WORDS = 300.0
"""Pseudo-count of the corpus's words in the words of a group."""


EXAMPLE_TITLES = 2
"""Titles shown for a topic."""


@dataclass(frozen=True, eq=False)
class Discovery:
    """A proposed topic tree, `hierarchy`, and the documents behind each of its leaves.

    `groups` has for each document the number of its leaf, 0 for a document that shares no words
    with others; `near` is its cosine with the centre of that leaf.
    """

    hierarchy: Hierarchy
    groups: NDArray[np.int64]
    near: NDArray[np.float64]

    def text(self, corpus: Corpus, name: str) -> str:
        """Return the text of a topics file; comments give the documents behind each topic."""
        tree = self.hierarchy
        lines = [
            f"# Topics proposed for {printable(name)}",
            "#",
            "# Rename, move, join and remove.",
        ]
        for number, topic in enumerate(tree):
            if not number:
                continue
            if topic.depth == 1:
                lines.append("")
            lines += write_topics([topic]).splitlines()
            members = np.flatnonzero(self.groups == number)
            if len(members):
                best = members[np.argsort(-self.near[members], kind="stable")][:50].tolist()
                titles = dict.fromkeys(printable(corpus.titles[d])[:80] for d in best)
                some = "; ".join(f'"{title}"' for title in list(titles)[:EXAMPLE_TITLES])
                margin = "  " * topic.depth
                lines.append(f"{margin}# {plural(len(members), 'document')}, such as {some}")
        return "".join(f"{line}\n" for line in lines)


@single_threaded_blas()
def discover(corpus: Corpus, topics: int | None = None) -> Discovery:
    """Propose a tree with `topics` leaves, or with as many as the documents support."""
    vectors = WordVectors.of(corpus)
    known = np.flatnonzero(vectors.documents.any(axis=1))
    if len(known) < MIN_DOCUMENTS:
        raise UsageError(
            f"Only {len(known)} documents share words with others, and a discovery needs "
            f"{MIN_DOCUMENTS}; give more documents, or longer ones."
        )
    rows = vectors.documents[known]
    sizes = _sizes(len(rows)) if topics is None else []
    size = _choose_size(sizes, rows, presence(corpus)[known]) if topics is None else topics
    tried, rest = sum(sizes), STARTS * size
    report(tried, tried + rest)
    _log.info("clustering %d documents into %d topics", len(rows), size)
    found = spherical_k_means(rows, size, starts=STARTS)
    report(tried + rest, tried + rest)
    groups = np.full(len(corpus), -1)
    groups[known] = found.groups
    near = np.zeros(len(corpus))
    near[known] = (rows * found.centres[found.groups]).sum(axis=1)
    hierarchy, numbers = _name_tree(groups, _parents(found.centres), Phrases.of(vectors))
    return Discovery(hierarchy, numbers[groups], near)


def _sizes(documents: int) -> list[int]:
    """Return the numbers of groups to try, ascending."""
    most = min(MAX_TOPICS, documents // MEAN_TOPIC_DOCUMENTS)
    sizes = [2]
    while (more := round(sizes[-1] * SIZE_GROWTH)) <= most:
        sizes.append(more)
    return sizes


def _choose_size(sizes: Sequence[int], rows: NDArray[np.float32], words: sparse.csr_matrix) -> int:
    """Return the number of groups that predicts held-out documents well enough."""
    held_out = np.random.default_rng(0).permutation(len(rows)) % HELD_OUT_ONE_IN == 0
    learned, held = words[~held_out], words[held_out]
    common = np.asarray(learned.sum(axis=0)).ravel() + 0.1
    common /= common.sum()
    likelihoods = []
    for n, size in enumerate(sizes):
        # The time of a clustering grows with the number of groups. How many the last one will
        # have is not known yet: as many as the largest.
        report(sum(sizes[:n]), sum(sizes) + STARTS * sizes[-1])
        groups = spherical_k_means(rows[~held_out], size, starts=1).groups
        seen = group_sums(groups, size, learned)
        total = seen.sum(axis=1, keepdims=True) + SMOOTHING_WORDS
        logs = np.log((seen + SMOOTHING_WORDS * common) / total)
        shares = (np.bincount(groups, minlength=size) + 1) / (len(groups) + size)
        likelihoods.append(normalise((held @ logs.T) + np.log(shares)))
    best = max(likelihoods, key=np.sum)
    for size, likelihood in zip(sizes, likelihoods, strict=True):
        worse = best - likelihood
        if worse.mean() <= worse.std() / np.sqrt(len(worse)):
            return size
    return sizes[-1]


def _parents(centres: NDArray[Any]) -> NDArray[np.int64]:
    """Return for each group the number of its parent topic; fewer than 6 groups get none."""
    size = len(centres)
    if size < 6:
        return np.arange(size)
    joined = fcluster(linkage(centres, "ward"), round(np.sqrt(size)) + 1, "maxclust")
    return np.asarray(joined, np.int64) - 1


def _name_tree(
    groups: NDArray[np.int64], parents: NDArray[np.int64], phrases: Phrases
) -> tuple[Hierarchy, NDArray[np.int64]]:
    """Return the tree, and for each group its number there; the last is for ungrouped documents."""
    size = len(parents)
    documents = np.bincount(groups[groups >= 0], minlength=size)
    inside = group_sums(groups[groups >= 0], size, phrases.present[groups >= 0])
    called = names(inside, documents, parents, phrases)
    words = keywords(groups, inside, phrases)
    topics = [Topic("", line=1)]
    numbers = np.zeros(size + 1, np.int64)
    weight = np.bincount(parents, documents)
    for parent in np.argsort(-weight, kind="stable").tolist():
        members = np.flatnonzero(parents == parent)
        members = members[np.argsort(-documents[members], kind="stable")]
        above = 0
        if len(members) > 1:
            above = len(topics)
            topics.append(Topic(called.above[parent], parent=0, depth=1))
        for group in members.tolist():
            numbers[group] = len(topics)
            depth = 2 if above else 1
            text = tuple(words[group]) or tuple(called.groups[group].lower().split(" and "))
            topics.append(Topic(called.groups[group], text, parent=above, depth=depth))
    return Hierarchy(topics), numbers
