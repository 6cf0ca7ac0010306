"""The tables about topics: works classified into a tree by their text and citations.

A corrected topic of a work is final, and the classifier learns from it: it
counts as a keyword of that topic that decides about this work.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from heapq import merge
from itertools import groupby, islice
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from lycosa.errors import UsageError
from lycosa.portal.build.corrected_classifier import fit_corrected
from lycosa.portal.build.database import Database, Replace, Row
from lycosa.portal.build.identity import topic_ids
from lycosa.portal.build.progress import BuildProgress
from lycosa.portal.build.topic_model import KeptModel, forget_model, keep_model
from lycosa.portal.build.work_set import WorkSet
from lycosa.processes import in_batches
from lycosa.topics.corpus import Corpus
from lycosa.topics.hierarchy import Hierarchy
from lycosa.topics.model import TopicModel
from lycosa.topics.placement import Placement
from lycosa.topics.template import TEMPLATES, read_template
from lycosa.web.digests import digest

MIN_PROBABILITY = 0.2
"""Of a topic that is assigned to a work."""

MAX_SEMINAL_WORKS = 20
"""Works that are listed as the most influential ones of a topic."""

MAX_FITTED_WORKS = 100_000
"""Works that a model is fitted to; of more it is a sample, and the others are classified by it."""
CLASSIFIED_AT_ONCE = 10_000
"""Works that are classified at once: their texts are in memory."""

ROWS_AT_ONCE = 10_000
"""Rows of the table placed that are in memory as rows."""
MAX_TOPIC_WORDS = 12
EXCERPT_CHARACTERS = 1500
"""Of a text that replaces a missing abstract."""

_TEXTS = """
SELECT works.id, works.title, works.abstract,
  CASE works.abstract WHEN '' THEN substr(documents.text, 1, ?) ELSE '' END
FROM works JOIN documents ON documents.id = works.document ORDER BY works.id
"""
_DIGEST = "SELECT digest FROM classified WHERE work = ?"
_GONE = """
SELECT work FROM {source}
WHERE NOT EXISTS (SELECT 1 FROM works WHERE works.id = work AND document > '')
"""


_ALL, _NAMED = "classified", "named CROSS JOIN classified ON classified.work = named.id"


def topic_tree(name: str | None, folder: Path) -> Hierarchy | None:
    """Return the tree of a project: a file in its folder, or a template of Lycosa."""
    if name is None:
        return None
    if (folder / name).exists() or name not in TEMPLATES:
        if not (folder / name).is_file():
            raise UsageError(
                f"portal.topics: there is no file {folder / name}, and no template of that name; "
                f"the templates are {' and '.join(TEMPLATES)}."
            )
        return Hierarchy.read(folder / name)
    return read_template(name)


class WorkText(NamedTuple):
    """What a work is classified by, beside its citations."""

    id: str
    title: str
    text: str


class TopicTables:
    """Writes the tables about topics, after those about works.

    Works are classified by the model of an earlier build as long as it is good for their
    number (`topic_model`), and only those about which something differs from what had decided
    about them: a hash of that is in the table `classified`.

    Parameters
    ----------
    database
        The portal.db that is being built, with its documents and works.
    works
        All works, with their citations.
    tree
        The hierarchy of topics; None for a portal without.
    corrected
        The corrected topics by the numbers of works.
    touched
        The ids of works about which something may differ from the last build; None for all.
    """

    def __init__(
        self,
        database: Database,
        works: WorkSet,
        tree: Hierarchy | None,
        corrected: Mapping[int, str],
        touched: Collection[str] | None = None,
    ) -> None:
        self._database = database
        self._works = works
        self._tree = tree
        self._named = corrected
        self._touched = touched

    def store(self, replace: Replace, progress: BuildProgress, build: str = "") -> None:
        """Bring the tables up to date; `build` is the number of the build."""
        if self._tree is None:
            forget_model(self._database)
            self._place(replace, [])
            for table in ("topics", "seminal", "classified"):
                replace(table, [])
            return
        tree = self._tree
        ids = ["", *topic_ids(_path(tree, n) for n in range(1, len(tree)))]
        numbers = {name: n for n, name in enumerate(ids) if n}
        corrected = {
            self._works.ids[work]: numbers[topic]
            for work, topic in self._named.items()
            if topic in numbers
        }
        progress.begin("finding topics")
        count = self._database.one("SELECT count(*) FROM works WHERE document > ''")[0]
        kept = KeptModel.open(self._database, tree, count)
        words: dict[str, str] = {}  # of topics that this model has described before
        if kept is None:
            model = self._fit(replace, tree, ids, corrected, build, count)
            if model is not None and count > len(model.documents):
                self._classify(model, ids, corrected, None)
        else:
            model = kept.model
            words = dict(self._database.rows("SELECT id, words FROM topics WHERE works > 0"))
            self._classify(model, ids, corrected, self._touched)
        counts, best = self._placed(tree, numbers)
        replace("topics", sorted(_rows(tree, ids, counts, model, words)))
        replace("seminal", sorted(self._seminal(tree, ids, best)))

    def _fit(
        self,
        replace: Replace,
        tree: Hierarchy,
        ids: Sequence[str],
        corrected: Mapping[str, int],
        build: str,
        works: int,
    ) -> TopicModel | None:
        """Fit a model to all works, or a sample, and classify these by it."""
        forget_model(self._database)
        # Ids are hashes, so that the first ones are a sample. Corrected works are never left out.
        texts = list(islice(self._texts(None), MAX_FITTED_WORKS))
        if len(texts) == MAX_FITTED_WORKS:
            last = texts[-1].id
            texts += self._texts([work for work in corrected if work > last])
        corpus = self._corpus(texts)
        model = fit_corrected(tree, corpus, corrected)
        placed = {} if model is None else _assign(tree, model, model.documents)
        placed |= {name: [(corrected[name], 1.0)] for name in corpus.names if name in corrected}
        self._place(
            replace,
            sorted(
                (work, ids[n], probability)
                for work, some in placed.items()
                for n, probability in some
            ),
        )
        replace(
            "classified",
            [(each.id, _decisive(each, (), corrected.get(each.id))) for each in texts],
        )
        if model is not None:
            keep_model(self._database, model, build, works)
        return model

    def _classify(
        self,
        model: TopicModel,
        ids: Sequence[str],
        corrected: Mapping[str, int],
        touched: Collection[str] | None,
    ) -> None:
        """Classify works about which something differs, of all or of those that were `touched`."""
        trained = set(model.documents.names)
        for some in in_batches(self._texts(touched), CLASSIFIED_AT_ONCE):
            stale: list[WorkText] = []
            digests: list[Row] = []
            pairs: list[tuple[str, str]] = []
            for each in some:
                near = [] if each.id in trained else self._neighbours(each.id, trained)
                decisive = _decisive(each, near, corrected.get(each.id))
                if self._database.one(_DIGEST, each.id) != (decisive,):
                    stale.append(each)
                    digests.append((each.id, decisive))
                    pairs += [(each.id, other) for other in near]
            if not stale:
                continue
            # By the topics that works have in the model to which it was fitted: those of others, or
            # other ones of these, would let the result depend on which are classified together.
            placed: dict[str, list[tuple[int, float]]] = {}
            for fitted in (True, False):
                part = [each for each in stale if (each.id in trained) is fitted]
                if part:
                    found = model.place(_corpus_of(part), pairs)
                    placed |= _assign(model.hierarchy, model, found)
            placed |= {
                each.id: [(corrected[each.id], 1.0)] for each in stale if each.id in corrected
            }
            self._forget([each.id for each in stale])
            self._database.put(
                "placed",
                (
                    (work, ids[n], probability)
                    for work, topics in placed.items()
                    for n, probability in topics
                ),
            )
            self._database.put("classified", digests)
        if touched is not None:
            self._database.name_ids(touched)
        source = _ALL if touched is None else _NAMED
        self._forget([row[0] for row in self._database.rows(_GONE.format(source=source))])

    def _forget(self, works: Sequence[str]) -> None:
        """Delete the topics of works; the index has to follow."""
        for table in ("placed", "classified"):
            self._database.delete(table, "work", works)
        self._database.put("reindex", ((work,) for work in works))

    def _place(self, replace: Replace, rows: list[Row]) -> None:
        """Replace the topics of works; the index has to follow where they differ."""
        different: set[str] = set()
        before = self._database.rows("SELECT work, topic, sure FROM placed ORDER BY work, topic")
        for row, copies in groupby(merge(before, rows)):
            if len(list(copies)) == 1:
                different.add(row[0])
        self._database.put("reindex", ((work,) for work in different))
        replace("placed", rows)

    def _placed(
        self, tree: Hierarchy, numbers: Mapping[str, int]
    ) -> tuple[Counter[int], NDArray[np.int64]]:
        """Return how many works each topic has, and the most probable topic of each work or -1."""
        works, topics, sures = [np.empty(0, np.int64)], [np.empty(0, np.int64)], [np.empty(0)]
        # By work and topic, the order of the table: of equal probabilities the first topic wins.
        rows = self._database.rows("SELECT work, topic, sure FROM placed ORDER BY work, topic")
        for some in in_batches(rows, ROWS_AT_ONCE):
            names, placed, sure = zip(*some, strict=True)
            works.append(self._works.numbers(np.array([name.encode() for name in names])))
            topics.append(np.array([numbers[name] for name in placed]))
            sures.append(np.array(sure))
        work, topic = np.concatenate(works), np.concatenate(topics)
        order = np.lexsort((-np.concatenate(sures), work))
        _, first = np.unique(work[order], return_index=True)
        best = np.full(len(self._works), -1)
        best[work[order[first]]] = topic[order[first]]
        # A work that has two topics below one counts there once.
        chains = [tree.ancestors(n) for n in range(len(tree))]
        depth = max(map(len, chains))
        above = np.array([chain + [-1] * (depth - len(chain)) for chain in map(list, chains)])[
            topic
        ]
        codes = np.unique((work[:, None] * len(tree) + above)[above >= 0])
        sizes = np.bincount(codes % len(tree), minlength=len(tree)).tolist()
        return Counter({n: size for n, size in enumerate(sizes) if size}), best

    def _texts(self, chosen: Collection[str] | None) -> Iterator[WorkText]:
        """Yield the texts of all works that were found, or of those that are `chosen`."""
        query = _TEXTS
        if chosen is not None:
            self._database.name_ids(chosen)
            query = query.replace(
                "FROM works", "FROM named CROSS JOIN works ON works.id = named.id"
            )
        for work, title, abstract, text in self._database.rows(query, EXCERPT_CHARACTERS):
            yield WorkText(work, title, f"{title}\n{abstract or text}")

    def _corpus(self, texts: Sequence[WorkText]) -> Corpus:
        """Return works as a corpus, with the citations among them."""
        here = {each.id for each in texts}
        graph, ids = self._works.graph, self._works.ids
        numbers = self._works.numbers(np.array(sorted(name.encode() for name in here), "S"))
        pairs = (
            (ids[work], ids[other])
            for work in numbers.tolist()
            for other in graph.cites(work).tolist()
        )
        return _corpus_of(texts, pairs)

    def _neighbours(self, id: str, among: AbstractSet[str]) -> list[str]:
        """Return the works that a work cites or is cited by, as far as they are `among` others."""
        graph, ids, work = self._works.graph, self._works.ids, self._works.number(id)
        near = {*graph.cites(work).tolist(), *graph.cited_by(work).tolist()}
        return sorted(name for name in (ids[other] for other in near) if name in among)

    def _seminal(self, tree: Hierarchy, ids: Sequence[str], best: NDArray[np.int64]) -> list[Row]:
        """Return the seminal works of topics, each by its most probable topic, by levels."""
        rows: list[Row] = []
        chains = [tree.ancestors(n)[::-1] for n in range(len(tree))]
        deepest = max((topic.depth for topic in tree), default=0)
        for depth in range(1, deepest + 1):
            # The last row is that of works without a topic.
            level = [chain[depth] if depth < len(chain) else -1 for chain in chains]
            of = np.array([*level, -1])[best]
            for topic, found in self._works.graph.seminal(of, MAX_SEMINAL_WORKS).items():
                rows += [
                    (ids[topic], position, self._works.ids[each.work])
                    for position, each in enumerate(found, 1)
                ]
        return rows


def _corpus_of(texts: Sequence[WorkText], citations: Iterable[tuple[str, str]] = ()) -> Corpus:
    names, titles, contents = (
        ([], [], []) if not texts else (list(part) for part in zip(*texts, strict=True))
    )
    return Corpus.of(contents, names, titles, citations)


def _decisive(work: WorkText, near: Sequence[str], corrected: int | None) -> str:
    """Return a hash of what decides about the topics of a work."""
    return digest(work.text, *near, str(corrected))


def _path(tree: Hierarchy, topic: int) -> tuple[str, ...]:
    return tuple(tree[n].name for n in tree.ancestors(topic)[-2::-1])


def _assign(
    tree: Hierarchy, model: TopicModel, placement: Placement
) -> dict[str, list[tuple[int, float]]]:
    """Return the topics of each work, the most probable first, without ancestors of others."""
    found = {}
    topics = model.topics(placement, least=MIN_PROBABILITY)
    for name, some in zip(placement.names, topics, strict=True):
        above = {n for each in some for n in tree.ancestors(each.topic)[1:]}
        best = [
            (each.topic, round(each.probability, 4)) for each in some if each.topic not in above
        ]
        if best:
            found[name] = best
    return found


def _rows(
    tree: Hierarchy,
    ids: Sequence[str],
    counts: Mapping[int, int],
    model: TopicModel | None,
    known: Mapping[str, str],
) -> list[Row]:
    rows = []
    for n in range(1, len(tree)):
        # The words of a topic without works would only contrast it with all others.
        telling = "[]"
        if model is not None and counts.get(n):
            telling = known.get(ids[n]) or _telling_words(model, n)
        parent = tree[n].parent
        rows.append(
            (
                ids[n],
                ids[parent] or None,
                n,
                tree[n].name,
                tree[n].note,
                counts.get(n, 0),
                telling,
            )
        )
    return rows


def _telling_words(model: TopicModel, topic: int) -> str:
    """Return the words that distinguish a topic, as JSON."""
    found = [word.word for word in model.top_words(topic, MAX_TOPIC_WORDS)]
    return json.dumps(found, ensure_ascii=False)
