"""The tables about topics: works classified into a tree by their text and citations.

A corrected topic of a work is final, and the classifier learns from it: it
counts as a keyword of that topic that decides about this work.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from lycosa.content import Table
from lycosa.errors import UsageError
from lycosa.portal.build.database import Database, Replace, Row
from lycosa.portal.build.identity import topic_ids
from lycosa.portal.build.progress import BuildProgress
from lycosa.portal.build.work_set import WorkSet
from lycosa.topics.classifier import Classifier, vocabulary
from lycosa.topics.corpus import Corpus
from lycosa.topics.expectation_maximisation import EMResult
from lycosa.topics.hierarchy import Hierarchy
from lycosa.topics.model import TopicModel
from lycosa.topics.naive_bayes import Floats
from lycosa.topics.rule_list import RuleList
from lycosa.topics.template import TEMPLATES, read_template

MIN_PROBABILITY = 0.2
"""Of a topic that is assigned to a work."""

MAX_SEMINAL_WORKS = 20
"""Works that are listed as the most influential ones of a topic."""

MAX_TOPIC_WORDS = 12
EXCERPT_CHARACTERS = 1500
"""Of a text that replaces a missing abstract."""

_TEXTS = """
SELECT works.id, works.title, works.abstract,
  CASE works.abstract WHEN '' THEN substr(documents.text, 1, ?) ELSE '' END
FROM works JOIN documents ON documents.id = works.document ORDER BY works.id
"""


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


@dataclass(frozen=True, slots=True)
class _CorrectedRules(RuleList):
    """Keyword rules, and documents whose topics were corrected."""

    corrected: Mapping[str, int]

    def labels(self, corpus: Corpus) -> NDArray[np.int32]:
        found = RuleList.labels(self, corpus)
        for document, name in enumerate(corpus.names):
            if name in self.corrected:
                found[document] = self.corrected[name]
        return found


@dataclass(frozen=True, slots=True)
class _CorrectedClassifier(Classifier):
    """A classifier that learns from corrected topics as from keywords."""

    corrected: Mapping[str, int] | None = None

    def learn(
        self,
        hierarchy: Hierarchy,
        rules: RuleList,
        corpus: Corpus,
        words: Table,
        inside: Floats | None = None,
    ) -> EMResult:
        corrected = self.corrected or {}
        rules = _CorrectedRules(rules.rules, corrected)
        if inside is not None and corrected:
            # A person has said that these works belong to the tree.
            known = [name in corrected for name in corpus.names]
            inside = np.where(known, np.float32(1), inside)
        return Classifier.learn(self, hierarchy, rules, corpus, words, inside)


class TopicTables:
    """Writes the tables about topics, after those about works.

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
    """

    def __init__(
        self,
        database: Database,
        works: WorkSet,
        tree: Hierarchy | None,
        corrected: Mapping[int, str],
    ) -> None:
        self._database = database
        self._works = works
        self._tree = tree
        self._named = corrected

    def store(self, replace: Replace, progress: BuildProgress) -> None:
        """Replace the tables."""
        if self._tree is None:
            for table in ("topics", "placed", "seminal"):
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
        corpus = self._corpus()
        model = _fit(tree, corpus, corrected)
        placed = {} if model is None else _assign(tree, model)
        classified = set(corpus.names)
        placed |= {work: [(topic, 1.0)] for work, topic in corrected.items() if work in classified}
        replace(
            "placed",
            sorted(
                (work, ids[n], probability)
                for work, some in placed.items()
                for n, probability in some
            ),
        )
        counts = Counter(
            topic
            for some in placed.values()
            for topic in {above for n, _ in some for above in tree.ancestors(n)}
        )
        replace("topics", sorted(_rows(tree, ids, counts, model)))
        replace("seminal", sorted(self._seminal(tree, ids, placed)))

    def _corpus(self) -> Corpus:
        names, titles, texts = [], [], []
        for work, title, abstract, text in self._database.rows(_TEXTS, EXCERPT_CHARACTERS):
            names.append(work)
            titles.append(title)
            texts.append(f"{title}\n{abstract or text}")
        here = set(names)
        graph, ids = self._works.graph, self._works.ids
        pairs = (
            (ids[work], ids[other])
            for work in range(len(ids))
            if ids[work] in here
            for other in graph.cites(work).tolist()
        )
        return Corpus.of(texts, names, titles, pairs)

    def _seminal(
        self, tree: Hierarchy, ids: Sequence[str], placed: Mapping[str, list[tuple[int, float]]]
    ) -> list[Row]:
        """Return the seminal works of topics, each by its most probable topic, by levels."""
        rows: list[Row] = []
        deepest = max((topic.depth for topic in tree), default=0)
        for depth in range(1, deepest + 1):
            of = np.full(len(self._works), -1)
            for work, name in enumerate(self._works.ids):
                chain = tree.ancestors(placed[name][0][0])[::-1] if placed.get(name) else []
                if depth < len(chain):
                    of[work] = chain[depth]
            for topic, found in self._works.graph.seminal(of, MAX_SEMINAL_WORKS).items():
                rows += [
                    (ids[topic], position, self._works.ids[each.work])
                    for position, each in enumerate(found, 1)
                ]
        return rows


def _path(tree: Hierarchy, topic: int) -> tuple[str, ...]:
    return tuple(tree[n].name for n in tree.ancestors(topic)[-2::-1])


def _fit(tree: Hierarchy, corpus: Corpus, corrected: Mapping[str, int]) -> TopicModel | None:
    """Fit a classifier; return None without any labelled work or any shared word."""
    if not len(corpus) or not len(vocabulary(corpus)):
        return None
    if not (_CorrectedRules(RuleList.of(tree).rules, corrected).labels(corpus) >= 0).any():
        return None
    return _CorrectedClassifier(corrected=corrected).fit(tree, corpus)


def _assign(tree: Hierarchy, model: TopicModel) -> dict[str, list[tuple[int, float]]]:
    """Return the topics of each work, the most probable first, without ancestors of others."""
    found = {}
    for name, some in zip(model.documents.names, model.topics(least=MIN_PROBABILITY), strict=True):
        above = {n for each in some for n in tree.ancestors(each.topic)[1:]}
        best = [
            (each.topic, round(each.probability, 4)) for each in some if each.topic not in above
        ]
        if best:
            found[name] = best
    return found


def _rows(
    tree: Hierarchy, ids: Sequence[str], counts: Mapping[int, int], model: TopicModel | None
) -> list[Row]:
    rows = []
    for n in range(1, len(tree)):
        # The words of a topic without works would only contrast it with all others.
        best = model.top_words(n, MAX_TOPIC_WORDS) if model is not None and counts.get(n) else []
        telling = [word.word for word in best if word.z > 0]
        parent = tree[n].parent
        rows.append(
            (
                ids[n],
                ids[parent] or None,
                n,
                tree[n].name,
                tree[n].note,
                counts.get(n, 0),
                json.dumps(telling, ensure_ascii=False),
            )
        )
    return rows
