r"""Suggestions for a topics file: keywords to add to thin topics, and misleading keywords.

A fitted model also classifies documents without keywords. Words that are frequent in a topic and
rare in its siblings and elsewhere (weighted log-odds of Monroe, Colaresi & Quinn 2008) are
proposed as keywords. No proposal takes a document from the keywords of another topic, unless the
model has classified it here anyway. A keyword is misleading if the model classifies most of the
documents that it labels elsewhere.

>>> from lycosa.topics.classifier import Classifier
>>> from lycosa.topics.corpus import Corpus
>>> from lycosa.topics.hierarchy import Hierarchy
>>> tree = Hierarchy.parse("Birds: owl\nFish: trout, carp")
>>> some = ["owl with feather", "feather and wing", "wing of an owl", "trout has a fin",
...         "carp and fin", "trout, carp", "a wing, a feather"]
>>> corpus = Corpus.of(some * 20)
>>> found = suggest(Classifier(calibrated=False).fit(tree, corpus), corpus, topics=[1])
>>> print(found.text(), end="")
# Birds: 1 keyword, decides 40 documents
Birds: owl, feather
#   feather: 40 documents more, such as "feather and wing"; "a wing, a feather"
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from lycosa.errors import UsageError
from lycosa.processes import single_threaded_blas
from lycosa.reporting.text import plural, printable
from lycosa.topics.corpus import Corpus, terms
from lycosa.topics.coverage import MIN_LEAF_DOCUMENTS
from lycosa.topics.hierarchy import Hierarchy
from lycosa.topics.model import TopicModel
from lycosa.topics.outline import write_topics
from lycosa.topics.phrases import Phrases, min_documents
from lycosa.topics.rule_list import RuleList
from lycosa.topics.topic_names import MIN_Z_SCORE, contrast_scores, cover
from lycosa.topics.word_vectors import WordVectors

MIN_KEYWORDS = 4
"""A topic with fewer keywords is thin."""

LOW_CONFIDENCE = 0.6
"""A topic is thin if its confidence is below this share of the median topic's."""

MAJORITY = 0.6
"""Share of the documents labelled by a new keyword that must belong to its topic; the same share
elsewhere makes a keyword misleading."""

MIN_BLAMED_DOCUMENTS = 8
"""A keyword that labels fewer documents is never called misleading."""

MAX_PROPOSALS = 8
"""Proposed keywords for a topic."""

MAX_CANDIDATES = 60
"""Candidates considered for a topic."""

EXAMPLE_TITLES = 2
"""Titles shown for a proposal or a misleading keyword."""

MAX_MISLEADING = 20
"""Misleading keywords in the text."""


class Proposal(NamedTuple):
    """A keyword to add: the number of documents it would add, its z-score and example titles."""

    keyword: str
    documents: int
    z: float
    titles: tuple[str, ...]


class Suggestion(NamedTuple):
    """Proposals for a topic.

    `decides` is the number of documents its keywords label now, `confidence` the mean probability
    of its documents.
    """

    topic: int
    decides: int
    confidence: float
    proposals: tuple[Proposal, ...]


class MisleadingKeyword(NamedTuple):
    """A misleading keyword: of `decides` documents the model puts `elsewhere` in other topics.

    `instead` is the topic with most of them, and `titles` are examples of these.
    """

    topic: int
    keyword: str
    decides: int
    elsewhere: int
    instead: int
    titles: tuple[str, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Suggestions:
    """Suggestions for the tree `hierarchy`.

    `topics` has the proposed keywords of each examined leaf, also if there are none; `misleading`
    the keywords with most misplaced documents first.
    """

    hierarchy: Hierarchy
    topics: tuple[Suggestion, ...]
    misleading: tuple[MisleadingKeyword, ...]

    def revised(self) -> Hierarchy:
        """Return the tree with all proposals added; misleading keywords stay for review."""
        new = {each.topic: tuple(p.keyword for p in each.proposals) for each in self.topics}
        return Hierarchy(
            replace(topic, keywords=topic.keywords + new.get(number, ()))
            for number, topic in enumerate(self.hierarchy)
        )

    def text(self) -> str:
        """Return lines for the topics file, with explanations as comments."""
        return "\n".join("".join(f"{line}\n" for line in block) for block in self._blocks())

    def _blocks(self) -> Iterator[list[str]]:
        revised = self.revised()
        for each in self.topics:
            if not each.proposals:
                continue
            topic = self.hierarchy[each.topic]
            count = plural(len(topic.keywords), "keyword")
            yield [
                f"# {self._path(each.topic)}: {count}, decides {plural(each.decides, 'document')}",
                *write_topics([replace(revised[each.topic], note="")]).splitlines(),
                *(
                    f"#   {p.keyword}: {plural(p.documents, 'document')} more, such as "
                    f"{_quoted(p.titles)}"
                    for p in each.proposals
                ),
            ]
        if idle := [self._path(each.topic) for each in self.topics if not each.proposals]:
            yield ["# Nothing to add was found for", *(f"#   {path}" for path in idle)]
        if self.misleading:
            yield [
                "# Keywords that mislead: most of their documents belong elsewhere.",
                *(
                    f"#   {self._path(m.topic)}: {printable(m.keyword)}: {m.elsewhere:,} of "
                    f"{plural(m.decides, 'document')}, most in {self._path(m.instead)}, "
                    f"such as {_quoted(m.titles)}"
                    for m in self.misleading[:MAX_MISLEADING]
                ),
            ]

    def _path(self, topic: int) -> str:
        return printable(self.hierarchy.path(topic))


def _quoted(titles: Sequence[str]) -> str:
    return "; ".join(f'"{printable(title)[:80]}"' for title in titles)


@single_threaded_blas()
def suggest(
    model: TopicModel,
    corpus: Corpus,
    topics: Sequence[int] | None = None,
    most: int = MAX_PROPOSALS,
) -> Suggestions:
    """Return suggestions for some leaves, by default the thin ones.

    `corpus` has the training documents of the model; `most` limits the proposals for a leaf.
    """
    if list(model.documents.names) != list(corpus.names):
        raise UsageError("The model has learned from other documents; fit it to these documents.")
    advice = _Analysis(model, corpus)
    wanted = advice.thin() if topics is None else list(topics)
    return Suggestions(
        model.hierarchy, tuple(advice.suggestions(wanted, most)), tuple(advice.misleading())
    )


class _Analysis:
    """Labels of all documents: the keyword that applies, and the leaf of the model."""

    def __init__(self, model: TopicModel, corpus: Corpus) -> None:
        self.hierarchy = model.hierarchy
        self.corpus = corpus
        self.shares = model.documents.shares
        self.below = model.shrinkage.below
        self.leaf = model.documents.leaves()
        self.rules = RuleList.of(self.hierarchy)
        self.first = self.rules.first(self.rules.matches(corpus))
        # The last entry is for documents without a keyword, whose rule is number -1.
        rules = self.rules.rules
        self.topic = np.array([*(rule.topic for rule in rules), -1], np.int32)[self.first]
        self.length = np.array([*(len(rule.words) for rule in rules), 0], np.int32)[self.first]
        self.column = {leaf: k for k, leaf in enumerate(self.hierarchy.leaves.tolist())}

    def decides(self, topic: int) -> int:
        """Return the number of documents that a topic's keywords label."""
        return int(np.count_nonzero(self.topic == topic))

    def confidence(self, leaf: int) -> float:
        """Return the mean probability of the documents in a leaf, 0 without any."""
        members = self.leaf == leaf
        return float(self.shares[members, self.column[leaf]].mean()) if members.any() else 0.0

    def thin(self) -> list[int]:
        """Return leaves with few keywords, few documents, or low confidence."""
        usual = float(np.median([self.confidence(leaf) for leaf in self.column]))
        return [
            leaf
            for leaf in self.column
            if len(self.hierarchy[leaf].keywords) < MIN_KEYWORDS
            or self.decides(leaf) < MIN_LEAF_DOCUMENTS
            or self.confidence(leaf) < LOW_CONFIDENCE * usual
        ]

    def suggestions(self, leaves: Sequence[int], most: int) -> Iterator[Suggestion]:
        """Yield the proposals for each leaf; a word is proposed to the leaf with its best score."""
        for leaf in leaves:
            if leaf not in self.column:
                path = self.hierarchy.path(leaf)
                raise UsageError(f"{path!r} has topics under it; choose one of these.")
        phrases = Phrases.of(WordVectors.of(self.corpus))
        known = {self._key(terms(k)) for topic in self.hierarchy for k in topic.keywords}
        new = np.array(
            [self._key([self.corpus.words[w] for w in p]) not in known for p in phrases.words],
            bool,
        )
        scores = np.array([np.where(new, self._scores(leaf, phrases), 0) for leaf in leaves])
        present = phrases.present.tocsc()
        for row, leaf in enumerate(leaves):
            best = np.where(scores[row] >= scores.max(axis=0), scores[row], 0)
            order = np.argsort(-best, kind="stable")[:MAX_CANDIDATES]
            order = order[best[order] >= MIN_Z_SCORE]
            # Only documents count that the new keyword would label.
            fresh = [self._fresh(leaf, len(phrases.words[n])) for n in order.tolist()]
            columns = (present[:, order].toarray() > 0) & np.array(fresh, bool).T.reshape(
                len(self.corpus), len(order)
            )
            chosen = cover(columns, self.leaf == leaf, most, min_documents(self.corpus))
            # Sorted by score, not by the order in which they were chosen.
            found = [
                self._proposal(phrases.text(int(order[n])), leaf, columns[:, n], best[order[n]])
                for n in sorted(chosen)
            ]
            yield Suggestion(leaf, self.decides(leaf), self.confidence(leaf), tuple(found))

    def _key(self, words: Sequence[str]) -> tuple[str, ...]:
        return tuple(words if self.corpus.ordered else sorted(set(words)))

    def _fresh(self, leaf: int, length: int) -> NDArray[np.bool_]:
        """Return the documents that a new keyword of this length would label if it matched."""
        later = (self.length == length) & (self.topic > leaf)
        return np.asarray(((self.length < length) | later) & (self.topic != leaf))

    def _scores(self, leaf: int, phrases: Phrases) -> NDArray[np.float64]:
        """Return the score of each candidate for a leaf, 0 for those that must not be proposed."""
        members = self.leaf == leaf
        above = [leaf, *self.hierarchy.ancestors(leaf)]
        others = (self.topic >= 0) & ~np.isin(self.topic, above) & ~members
        candidates = phrases.present.T.tocsr()
        lengths = np.array([len(words) for words in phrases.words])
        fit = np.zeros(len(phrases), bool)
        for length in (1, 2):
            fresh = self._fresh(leaf, length)
            sets = np.stack([fresh, fresh & members, fresh & others], axis=1).astype(np.float32)
            reached, right, stolen = (candidates @ sets).T
            good = (
                (right >= min_documents(self.corpus))
                & (right >= MAJORITY * reached)
                & (stolen == 0)
            )
            fit |= (lengths == length) & good
        column = self.column[leaf]
        siblings = self.below[self.hierarchy.parents[leaf]].copy()
        siblings[column] = 0
        every = np.ones_like(siblings)
        every[column] = 0
        inside = candidates @ self.shares[:, column]
        z = [
            contrast_scores(inside, candidates @ (self.shares @ those))
            for those in (siblings, every)
            if those.any()
        ]
        return np.where(fit, np.min(z, axis=0), 0) if z else np.where(fit, inside, 0)

    def _proposal(self, keyword: str, leaf: int, has: NDArray[np.bool_], z: float) -> Proposal:
        titles = self._titles(np.flatnonzero(has & (self.leaf == leaf)), leaf)
        return Proposal(keyword, int(np.count_nonzero(has)), float(z), titles)

    def _titles(self, documents: NDArray[np.int64], leaf: int) -> tuple[str, ...]:
        """Return the titles of the most probable documents of a leaf, each once."""
        shares = self.shares[documents, self.column[leaf]]
        order = documents[np.argsort(-shares, kind="stable")].tolist()
        return tuple(dict.fromkeys(self.corpus.titles[d] for d in order))[:EXAMPLE_TITLES]

    def misleading(self) -> Iterator[MisleadingKeyword]:
        """Yield the misleading keywords, those with most misplaced documents first."""
        columns = np.searchsorted(self.hierarchy.leaves, np.maximum(self.leaf, 0))
        outside = self.below[np.maximum(self.topic, 0), columns] == 0
        away = (self.topic >= 0) & (self.leaf >= 0) & outside
        found = []
        for number, rule in enumerate(self.rules.rules):
            decided = self.first == number
            count, wrong = int(decided.sum()), int((decided & away).sum())
            if count < MIN_BLAMED_DOCUMENTS or wrong < MAJORITY * count:
                continue
            instead = int(np.bincount(self.leaf[decided & away]).argmax())
            there = np.flatnonzero(decided & away & (self.leaf == instead))
            titles = self._titles(there, instead)
            found.append(MisleadingKeyword(rule.topic, rule.keyword, count, wrong, instead, titles))
        yield from sorted(found, key=lambda each: -each.elsewhere)
