"""The tables about topics: works classified into a tree by their text and citations.

A corrected topic of a work is final, and the classifier learns from it: it
counts as a keyword of that topic that decides about this work.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from lycosa.content import Table
from lycosa.errors import UsageError
from lycosa.portal.build.database import Database, Replace, Row
from lycosa.portal.build.identity import digest, topic_ids
from lycosa.portal.build.progress import BuildProgress
from lycosa.portal.build.topic_model import KeptModel, forget_model, keep_model
from lycosa.portal.build.work_set import WorkSet
from lycosa.topics.classifier import Classifier, vocabulary
from lycosa.topics.corpus import Corpus
from lycosa.topics.expectation_maximisation import EMResult
from lycosa.topics.hierarchy import Hierarchy
from lycosa.topics.model import TopicModel
from lycosa.topics.naive_bayes import Floats
from lycosa.topics.placement import Placement
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
        if kept is None:
            model = self._fit(replace, tree, ids, corrected, build)
        else:
            model = kept.model
            self._classify(model, ids, corrected)
        placed = self._placed(numbers)
        counts = Counter(
            topic
            for some in placed.values()
            for topic in {above for n in some for above in tree.ancestors(n)}
        )
        replace("topics", sorted(_rows(tree, ids, counts, model)))
        replace("seminal", sorted(self._seminal(tree, ids, placed)))

    def _fit(
        self,
        replace: Replace,
        tree: Hierarchy,
        ids: Sequence[str],
        corrected: Mapping[str, int],
        build: str,
    ) -> TopicModel | None:
        """Fit a model to all works, and classify them by it."""
        forget_model(self._database)
        texts = list(self._texts(None))
        corpus = self._corpus(texts)
        model = _fit(tree, corpus, corrected)
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
            keep_model(self._database, model, build, len(corpus))
        return model

    def _classify(
        self, model: TopicModel, ids: Sequence[str], corrected: Mapping[str, int]
    ) -> None:
        """Classify works about which something differs."""
        database, tree = self._database, model.hierarchy
        trained = set(model.documents.names)
        known: dict[str, str] = dict(database.rows("SELECT work, digest FROM classified"))
        number = {name: n for n, name in enumerate(self._works.ids)}
        stale: list[WorkText] = []
        digests: list[Row] = []
        pairs: list[tuple[str, str]] = []
        for each in self._texts(self._touched):
            near = self._neighbours(number[each.id], trained) if each.id not in trained else []
            decisive = _decisive(each, near, corrected.get(each.id))
            if known.get(each.id) != decisive:
                stale.append(each)
                digests.append((each.id, decisive))
                pairs += [(each.id, other) for other in near]
        placed: dict[str, list[tuple[int, float]]] = {}
        if stale:
            placed = _assign(tree, model, model.place(self._corpus(stale), pairs))
        placed |= {each.id: [(corrected[each.id], 1.0)] for each in stale if each.id in corrected}
        rows = [
            (work, ids[n], probability) for work, some in placed.items() for n, probability in some
        ]
        found = {row[0] for row in database.rows("SELECT id FROM works WHERE document > ''")}
        gone = [name for name in known if name not in found]
        changed = [*(each.id for each in stale), *gone]
        for table in ("placed", "classified"):
            database.delete(table, "work", changed)
        database.put("placed", rows)
        database.put("classified", digests)
        database.put("reindex", ((work,) for work in changed))

    def _place(self, replace: Replace, rows: list[Row]) -> None:
        """Replace the topics of works; the index has to follow where they differ."""
        before = set(self._database.rows("SELECT work, topic, sure FROM placed"))
        self._database.put("reindex", ((work,) for work in {row[0] for row in before ^ {*rows}}))
        replace("placed", rows)

    def _placed(self, numbers: Mapping[str, int]) -> dict[str, list[int]]:
        """Return the topics of each work, the most probable first."""
        found: dict[str, list[int]] = {}
        for work, topic in self._database.rows(
            "SELECT work, topic FROM placed ORDER BY work, sure DESC, topic"
        ):
            found.setdefault(work, []).append(numbers[topic])
        return found

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
        numbers = [n for n, name in enumerate(ids) if name in here]
        pairs = (
            (ids[work], ids[other]) for work in numbers for other in graph.cites(work).tolist()
        )
        names, titles, contents = (
            ([], [], []) if not texts else (list(part) for part in zip(*texts, strict=True))
        )
        return Corpus.of(contents, names, titles, pairs)

    def _neighbours(self, work: int, among: AbstractSet[str]) -> list[str]:
        """Return the works that a work cites or is cited by, as far as they are `among` others."""
        graph, ids = self._works.graph, self._works.ids
        near = {*graph.cites(work).tolist(), *graph.cited_by(work).tolist()}
        return sorted(name for name in (ids[other] for other in near) if name in among)

    def _seminal(
        self, tree: Hierarchy, ids: Sequence[str], placed: Mapping[str, list[int]]
    ) -> list[Row]:
        """Return the seminal works of topics, each by its most probable topic, by levels."""
        rows: list[Row] = []
        number = {name: n for n, name in enumerate(self._works.ids)}
        chains = [(number[name], tree.ancestors(some[0])[::-1]) for name, some in placed.items()]
        deepest = max((topic.depth for topic in tree), default=0)
        for depth in range(1, deepest + 1):
            of = np.full(len(self._works), -1)
            for work, chain in chains:
                if depth < len(chain):
                    of[work] = chain[depth]
            for topic, found in self._works.graph.seminal(of, MAX_SEMINAL_WORKS).items():
                rows += [
                    (ids[topic], position, self._works.ids[each.work])
                    for position, each in enumerate(found, 1)
                ]
        return rows


def _decisive(work: WorkText, near: Sequence[str], corrected: int | None) -> str:
    """Return a hash of what decides about the topics of a work."""
    return digest(work.text, *near, str(corrected))


def _path(tree: Hierarchy, topic: int) -> tuple[str, ...]:
    return tuple(tree[n].name for n in tree.ancestors(topic)[-2::-1])


def _fit(tree: Hierarchy, corpus: Corpus, corrected: Mapping[str, int]) -> TopicModel | None:
    """Fit a classifier; return None without any labelled work or any shared word."""
    if not len(corpus) or not len(vocabulary(corpus)):
        return None
    if not (_CorrectedRules(RuleList.of(tree).rules, corrected).labels(corpus) >= 0).any():
        return None
    return _CorrectedClassifier(corrected=corrected).fit(tree, corpus)


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
    tree: Hierarchy, ids: Sequence[str], counts: Mapping[int, int], model: TopicModel | None
) -> list[Row]:
    rows = []
    for n in range(1, len(tree)):
        # The words of a topic without works would only contrast it with all others.
        best = model.top_words(n, MAX_TOPIC_WORDS) if model is not None and counts.get(n) else []
        telling = [word.word for word in best]
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
