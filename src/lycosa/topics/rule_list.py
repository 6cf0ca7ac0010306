r"""Rule list: keywords give documents preliminary labels (McCallum et al. 1999, section 3).

Each keyword is a rule: a document that contains it belongs to its topic. The first rule that
matches labels the document. Keywords of more words come first, because they are more specific
("logic programming" before "logic"); keywords of equal length keep the order of the file.

>>> from lycosa.topics.corpus import Corpus
>>> from lycosa.topics.hierarchy import Hierarchy
>>> tree = Hierarchy.parse("Theory: logic\nProgramming: logic programming, compilers")
>>> rules = RuleList.of(tree)
>>> corpus = Corpus.of(["A logic", "Logic programming", "Compiler for programming", "Cats"])
>>> rules.labels(corpus)
array([ 1,  2,  2, -1]...)
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from lycosa.topics.corpus import Corpus, terms
from lycosa.topics.hierarchy import Hierarchy


class KeywordRule(NamedTuple):
    """A keyword as normalised words, its topic, and its text in the file."""

    words: tuple[str, ...]
    topic: int
    keyword: str


@dataclass(frozen=True, slots=True)
class RuleList:
    """Keyword rules in the order in which they are tried."""

    rules: tuple[KeywordRule, ...]

    @classmethod
    def of(cls, hierarchy: Hierarchy) -> RuleList:
        """Return the rules of a tree's keywords."""
        found = [
            KeywordRule(tuple(terms(keyword)), number, keyword)
            for number, topic in enumerate(hierarchy)
            for keyword in topic.keywords
        ]
        return cls(tuple(sorted(found, key=lambda rule: -len(rule.words))))

    def matches(self, corpus: Corpus) -> sparse.csr_matrix:
        """Return a matrix of documents by rules: 1 where the rule matches."""
        index = _WordPositions(corpus, {word for rule in self.rules for word in rule.words})
        found = [index.documents(rule.words) for rule in self.rules]
        rows = np.concatenate([np.zeros(0, np.int32), *found])
        columns = np.repeat(np.arange(len(found)), [len(f) for f in found])
        ones = np.ones(len(rows), np.float32)
        return sparse.csr_matrix((ones, (rows, columns)), (len(corpus), len(self.rules)))

    def words(self, corpus: Corpus) -> sparse.csr_matrix:
        """Return a matrix of rules by words of the corpus: 1 for the rule's words."""
        found = [
            (row, number)
            for row, rule in enumerate(self.rules)
            for number in {corpus.words.find(word) for word in rule.words}
            if number is not None
        ]
        rows, columns = np.array(found, np.int32).reshape(-1, 2).T
        shape = len(self.rules), len(corpus.words)
        return sparse.csr_matrix((np.ones(len(rows), np.float32), (rows, columns)), shape)

    def first(self, matches: sparse.csr_matrix) -> NDArray[np.int32]:
        """Return the first matching rule of each document, or -1."""
        some = np.diff(matches.indptr) > 0
        found = np.full(matches.shape[0], -1, np.int32)
        matches.sort_indices()
        found[some] = matches.indices[matches.indptr[:-1][some]]
        return found

    def labels(self, corpus: Corpus) -> NDArray[np.int32]:
        """Return the topic of the first matching rule of each document, or -1."""
        topics = np.array([*(rule.topic for rule in self.rules), -1], np.int32)
        return topics[self.first(self.matches(corpus))]


class _WordPositions:
    """Index of the positions of the keywords' words in a corpus."""

    def __init__(self, corpus: Corpus, words: set[str]) -> None:
        self.corpus = corpus
        self.size = len(corpus.tokens)
        wanted = np.zeros(len(corpus.words), bool)
        wanted[[n for n in map(corpus.words.find, words) if n is not None]] = True
        places = np.flatnonzero(wanted[corpus.tokens])
        order = np.argsort(corpus.tokens[places], kind="stable")
        self.places = places[order]
        self.tokens = corpus.tokens[self.places]

    def of(self, word: str) -> NDArray[np.int64]:
        """Return the positions of a word, in order."""
        number = self.corpus.words.find(word)
        if number is None:
            return np.zeros(0, np.int64)
        begin, end = np.searchsorted(self.tokens, [number, number + 1])
        return self.places[begin:end]

    def documents(self, words: tuple[str, ...]) -> NDArray[np.int32]:
        """Return the documents with all the words, adjacent if the corpus has word order."""
        owners = self.corpus.owners
        places = self.of(words[0])
        if not self.corpus.ordered:
            found = np.unique(owners[places])
            for word in words[1:]:
                found = np.intersect1d(found, owners[self.of(word)])
            return found
        for step, word in enumerate(words[1:], 1):
            places = places[np.isin(places + step, self.of(word), assume_unique=True)]
        places = places[places + len(words) <= self.size]
        inside = owners[places] == owners[places + len(words) - 1]
        return np.unique(owners[places[inside]])
