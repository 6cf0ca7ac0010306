r"""What to change in a file of topics: words to add where it is thin, and words that mislead.

After a fit the model knows where documents belong that no keyword reaches.
Words that are frequent there, and seldom in the topics beside it and elsewhere
(weighted log-odds of Monroe, Colaresi & Quinn 2008), are proposed as keywords.
None that is proposed would take a document from the keywords of another topic,
unless the model has put it here all the same. A keyword misleads if most of the
documents that it decides about are put elsewhere by the model.

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
"""A topic is thin if its documents are less sure of it than this share of the median topic's."""

MAJORITY = 0.6
"""The share of the documents that a new keyword decides about that must belong to its topic,
and that share elsewhere makes a keyword misleading."""

MIN_BLAMED_DOCUMENTS = 8
"""A keyword that decides about fewer documents is not blamed."""

MOST, BEST, EXAMPLES, LISTED = 8, 60, 2, 20
"""Proposals for a topic, candidates looked at for it, titles, and misleading keywords told of."""


class Proposal(NamedTuple):
    """A keyword to add: how many documents more it would bring, and how telling it is."""

    keyword: str
    documents: int
    z: float
    titles: tuple[str, ...]


class Suggestion(NamedTuple):
    """What to add to a topic: it decides about so many documents now, so sure on average."""

    topic: int
    decides: int
    sure: float
    proposals: tuple[Proposal, ...]


class MisleadingKeyword(NamedTuple):
    """A keyword most of whose documents are elsewhere, and where most of these are."""

    topic: int
    keyword: str
    decides: int
    elsewhere: int
    instead: int
    titles: tuple[str, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Suggestions:
    """All that is suggested for a tree."""

    hierarchy: Hierarchy
    topics: tuple[Suggestion, ...]
    misleading: tuple[MisleadingKeyword, ...]

    def revised(self) -> Hierarchy:
        """The tree with all proposals; keywords that mislead stay, for that is yours to decide."""
        new = {each.topic: tuple(p.keyword for p in each.proposals) for each in self.topics}
        return Hierarchy(
            replace(topic, keywords=topic.keywords + new.get(number, ()))
            for number, topic in enumerate(self.hierarchy)
        )

    def text(self) -> str:
        """Lines that can be pasted into the file; what is said about them are comments."""
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
                    for m in self.misleading[:LISTED]
                ),
            ]

    def _path(self, topic: int) -> str:
        return printable(self.hierarchy.path(topic))


def _quoted(titles: Sequence[str]) -> str:
    return "; ".join(f'"{printable(title)[:80]}"' for title in titles)


def suggest(
    model: TopicModel, corpus: Corpus, topics: Sequence[int] | None = None, most: int = MOST
) -> Suggestions:
    """Suggest for some leaves, by default the thin ones; the model learned from `corpus`."""
    if list(model.documents.names) != list(corpus.names):
        raise UsageError("The model has learned from other documents; fit it to these.")
    advice = _Analysis(model, corpus)
    wanted = advice.thin() if topics is None else list(topics)
    return Suggestions(
        model.hierarchy, tuple(advice.suggestions(wanted, most)), tuple(advice.misleading())
    )


class _Analysis:
    """What is known of each document: the keyword that decides, and the leaf it is in."""

    def __init__(self, model: TopicModel, corpus: Corpus) -> None:
        self.hierarchy = model.hierarchy
        self.corpus = corpus
        self.shares = model.documents.shares
        self.below = model.shrinkage.below
        self.leaf = model.documents.leaves()
        self.rules = RuleList.of(self.hierarchy)
        self.first = self.rules.first(self.rules.matches(corpus))
        # A last entry for documents that no keyword decides about, whose rule is number -1.
        rules = self.rules.rules
        self.topic = np.array([*(rule.topic for rule in rules), -1], np.int32)[self.first]
        self.length = np.array([*(len(rule.words) for rule in rules), 0], np.int32)[self.first]
        self.column = {leaf: k for k, leaf in enumerate(self.hierarchy.leaves.tolist())}

    def decides(self, topic: int) -> int:
        """How many documents a topic's own keywords decide about."""
        return int(np.count_nonzero(self.topic == topic))

    def sure(self, leaf: int) -> float:
        """The mean probability of the documents in a leaf, 0 if there are none."""
        mine = self.leaf == leaf
        return float(self.shares[mine, self.column[leaf]].mean()) if mine.any() else 0.0

    def thin(self) -> list[int]:
        """Leaves with few keywords, few documents, or unsure ones."""
        usual = float(np.median([self.sure(leaf) for leaf in self.column]))
        return [
            leaf
            for leaf in self.column
            if len(self.hierarchy[leaf].keywords) < MIN_KEYWORDS
            or self.decides(leaf) < MIN_LEAF_DOCUMENTS
            or self.sure(leaf) < LOW_CONFIDENCE * usual
        ]

    def suggestions(self, leaves: Sequence[int], most: int) -> Iterator[Suggestion]:
        """For each leaf what to add; a word is proposed to the one it suits best."""
        for leaf in leaves:
            if leaf not in self.column:
                path = self.hierarchy.path(leaf)
                raise UsageError(f"{path!r} has topics under it; ask for one of these.")
        phrases = Phrases.of(WordVectors.of(self.corpus))
        known = {self._key(terms(k)) for topic in self.hierarchy for k in topic.keywords}
        new = np.array(
            [self._key([self.corpus.words[w] for w in p]) not in known for p in phrases.words],
            bool,
        )
        scores = np.array([np.where(new, self._scores(leaf, phrases), 0) for leaf in leaves])
        present = phrases.present.tocsc()
        for row, leaf in enumerate(leaves):
            mine = np.where(scores[row] >= scores.max(axis=0), scores[row], 0)
            order = np.argsort(-mine, kind="stable")[:BEST]
            order = order[mine[order] >= MIN_Z_SCORE]
            # Only documents count that the new keyword would decide about.
            fresh = [self._fresh(leaf, len(phrases.words[n])) for n in order.tolist()]
            columns = (present[:, order].toarray() > 0) & np.array(fresh, bool).T.reshape(
                len(self.corpus), len(order)
            )
            chosen = cover(columns, self.leaf == leaf, most, min_documents(self.corpus))
            # The most telling first, whatever the order in which they were chosen.
            found = [
                self._proposal(phrases.text(int(order[n])), leaf, columns[:, n], mine[order[n]])
                for n in sorted(chosen)
            ]
            yield Suggestion(leaf, self.decides(leaf), self.sure(leaf), tuple(found))

    def _key(self, words: Sequence[str]) -> tuple[str, ...]:
        return tuple(words if self.corpus.ordered else sorted(set(words)))

    def _fresh(self, leaf: int, length: int) -> NDArray[np.bool_]:
        """Documents that a new keyword of so many words would decide about, if it is in them."""
        later = (self.length == length) & (self.topic > leaf)
        return np.asarray(((self.length < length) | later) & (self.topic != leaf))

    def _scores(self, leaf: int, phrases: Phrases) -> NDArray[np.float64]:
        """How well each candidate tells a leaf from its sisters and the rest; 0 if it must not."""
        mine = self.leaf == leaf
        above = [leaf, *self.hierarchy.ancestors(leaf)]
        others = (self.topic >= 0) & ~np.isin(self.topic, above) & ~mine
        candidates = phrases.present.T.tocsr()
        lengths = np.array([len(words) for words in phrases.words])
        fit = np.zeros(len(phrases), bool)
        for length in (1, 2):
            fresh = self._fresh(leaf, length)
            sets = np.stack([fresh, fresh & mine, fresh & others], axis=1).astype(np.float32)
            reached, right, stolen = (candidates @ sets).T
            good = (
                (right >= min_documents(self.corpus))
                & (right >= MAJORITY * reached)
                & (stolen == 0)
            )
            fit |= (lengths == length) & good
        column = self.column[leaf]
        sisters = self.below[self.hierarchy.parents[leaf]].copy()
        sisters[column] = 0
        every = np.ones_like(sisters)
        every[column] = 0
        inside = candidates @ self.shares[:, column]
        z = [
            contrast_scores(inside, candidates @ (self.shares @ those))
            for those in (sisters, every)
            if those.any()
        ]
        return np.where(fit, np.min(z, axis=0), 0) if z else np.where(fit, inside, 0)

    def _proposal(self, keyword: str, leaf: int, has: NDArray[np.bool_], z: float) -> Proposal:
        titles = self._titles(np.flatnonzero(has & (self.leaf == leaf)), leaf)
        return Proposal(keyword, int(np.count_nonzero(has)), float(z), titles)

    def _titles(self, documents: NDArray[np.int64], leaf: int) -> tuple[str, ...]:
        """Those of the documents that are most surely in a leaf, each title once."""
        sure = self.shares[documents, self.column[leaf]]
        order = documents[np.argsort(-sure, kind="stable")].tolist()
        return tuple(dict.fromkeys(self.corpus.titles[d] for d in order))[:EXAMPLES]

    def misleading(self) -> Iterator[MisleadingKeyword]:
        """Keywords most of whose documents are elsewhere, the worst first."""
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
