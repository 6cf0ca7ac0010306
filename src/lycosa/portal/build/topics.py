"""The topics of works: a tree that a person wrote, filled by what works say and cite.

Where somebody has said what the topic of a work is, that is its topic, and the
others learn from it: it counts as a keyword of that topic which decides.
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
from lycosa.portal.build.watcher import Watcher
from lycosa.portal.build.work_set import Shelf
from lycosa.topics.classifier import Classifier, vocabulary
from lycosa.topics.corpus import Corpus
from lycosa.topics.expectation_maximisation import EMResult
from lycosa.topics.hierarchy import Hierarchy
from lycosa.topics.model import TopicModel
from lycosa.topics.rule_list import RuleList
from lycosa.topics.template import TEMPLATES, template

LEAST = 0.2
"""How probable a topic of a work is at least."""

SEMINAL = 20
"""How many works are listed as those that matter most to a topic."""

_WORDS = 12
_READ = 1500  # characters of a text that stand for an abstract where there is none
_TEXTS = """
SELECT works.id, works.title, works.abstract,
  CASE works.abstract WHEN '' THEN substr(documents.text, 1, ?) ELSE '' END
FROM works JOIN documents ON documents.id = works.document ORDER BY works.id
"""


def topic_tree(name: str | None, folder: Path) -> Hierarchy | None:
    """The tree of a project: a file in its folder, or one that Lycosa has."""
    if name is None:
        return None
    if (folder / name).exists() or name not in TEMPLATES:
        if not (folder / name).is_file():
            raise UsageError(
                f"portal.topics: there is no file {folder / name}, and no tree of that name; "
                f"Lycosa has {' and '.join(TEMPLATES)}."
            )
        return Hierarchy.read(folder / name)
    return template(name)


@dataclass(frozen=True, slots=True)
class _Spoken(RuleList):
    """Rules, and documents whose topics somebody has named."""

    named: Mapping[str, int]

    def labels(self, corpus: Corpus) -> NDArray[np.int32]:
        found = RuleList.labels(self, corpus)
        for document, name in enumerate(corpus.names):
            if name in self.named:
                found[document] = self.named[name]
        return found


@dataclass(frozen=True, slots=True)
class _Taught(Classifier):
    """Learns from named topics as from keywords."""

    named: Mapping[str, int] | None = None

    def learn(
        self, hierarchy: Hierarchy, rules: RuleList, corpus: Corpus, words: Table
    ) -> EMResult:
        rules = _Spoken(rules.rules, self.named or {})
        return Classifier.learn(self, hierarchy, rules, corpus, words)


class TopicTables:
    """Writes the tables about topics; works and documents must have been written."""

    def __init__(
        self, database: Database, shelf: Shelf, tree: Hierarchy | None, named: Mapping[int, str]
    ) -> None:
        self._database = database
        self._shelf = shelf
        self._tree = tree
        self._named = named

    def store(self, replace: Replace, watcher: Watcher) -> None:
        """Replace the tables."""
        if self._tree is None:
            for table in ("topics", "placed", "seminal"):
                replace(table, [])
            return
        tree = self._tree
        ids = ["", *topic_ids(_path(tree, n) for n in range(1, len(tree)))]
        numbers = {name: n for n, name in enumerate(ids) if n}
        named = {
            self._shelf.ids[work]: numbers[topic]
            for work, topic in self._named.items()
            if topic in numbers
        }
        watcher.begin("finding topics")
        corpus = self._corpus()
        model = _fitted(tree, corpus, named)
        placed = {} if model is None else _placed(tree, model)
        here = set(corpus.names)
        placed |= {work: [(topic, 1.0)] for work, topic in named.items() if work in here}
        replace(
            "placed",
            sorted((work, ids[n], sure) for work, some in placed.items() for n, sure in some),
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
        for work, title, abstract, text in self._database.rows(_TEXTS, _READ):
            names.append(work)
            titles.append(title)
            texts.append(f"{title}\n{abstract or text}")
        here = set(names)
        graph, ids = self._shelf.graph, self._shelf.ids
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
        """By the likeliest topic of each work, level by level of the tree."""
        rows: list[Row] = []
        deepest = max((topic.depth for topic in tree), default=0)
        for depth in range(1, deepest + 1):
            of = np.full(len(self._shelf), -1)
            for work, name in enumerate(self._shelf.ids):
                chain = tree.ancestors(placed[name][0][0])[::-1] if placed.get(name) else []
                if depth < len(chain):
                    of[work] = chain[depth]
            for topic, found in self._shelf.graph.seminal(of, SEMINAL).items():
                rows += [
                    (ids[topic], position, self._shelf.ids[each.work])
                    for position, each in enumerate(found, 1)
                ]
        return rows


def _path(tree: Hierarchy, topic: int) -> tuple[str, ...]:
    return tuple(tree[n].name for n in tree.ancestors(topic)[-2::-1])


def _fitted(tree: Hierarchy, corpus: Corpus, named: Mapping[str, int]) -> TopicModel | None:
    """What can be learned; None if there is nothing to begin with, or no word that two share."""
    if not len(corpus) or not len(vocabulary(corpus)):
        return None
    if not (_Spoken(RuleList.of(tree).rules, named).labels(corpus) >= 0).any():
        return None
    return _Taught(named=named).fit(tree, corpus)


def _placed(tree: Hierarchy, model: TopicModel) -> dict[str, list[tuple[int, float]]]:
    """The topics of each work, the likeliest first, and none for which one below it stands."""
    found = {}
    for name, some in zip(model.documents.names, model.topics(least=LEAST), strict=True):
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
        # What is said of a topic without works would be only what is said of all others.
        best = model.top_words(n, _WORDS) if model is not None and counts.get(n) else []
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
