"""Candidate keywords: words and pairs of words, and the documents that contain them.

A pair is two adjacent words, or two words of one document where words have no order. It is a
candidate if the words co-occur far more often than by chance (Church & Hanks 1990).

>>> from lycosa.topics.corpus import Corpus
>>> some = ["Neural networks", "a neural network", "Barn owls", "a barn owl", "ATM", "a night"] * 3
>>> phrases = Phrases.of(WordVectors.of(Corpus.of(some)))
>>> [phrases.text(n) for n in range(len(phrases))]
['neural', 'networks', 'barn', 'owls', 'neural networks', 'barn owls']
>>> phrases.present.sum(axis=0).astype(int).tolist()
[[6, 6, 6, 6, 6, 6]]
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from lycosa.topics.corpus import Corpus, terms
from lycosa.topics.word_order import head_score, order_by_head
from lycosa.topics.word_vectors import WordVectors, presence
from lycosa.web.words import WORD

MIN_LIFT = 3.0
"""Ratio of observed to expected co-occurrences from which a pair is a candidate."""

MAX_PAIRS = 20_000
"""Candidate pairs: the most frequent ones."""

MIN_NOUN_SCORE = 0.1
"""`head_score` from which a word may be a name by itself."""

MIN_CHARACTERS = 2
"""Characters of a candidate word; single letters and numbers say nothing to a reader."""


@dataclass(frozen=True, eq=False)
class Phrases:
    """Candidate keywords of the documents of `corpus`.

    `words[n]` are the word numbers of candidate n, in writing order. `present` has a row for each
    document and a column for each candidate.
    """

    corpus: Corpus
    words: Sequence[tuple[int, ...]]
    present: sparse.csr_matrix

    def __len__(self) -> int:
        return len(self.words)

    @classmethod
    def of(cls, vectors: WordVectors) -> Phrases:
        """Return informative words, and pairs with one of them, that enough documents contain."""
        corpus = vectors.corpus
        single = presence(corpus).tocsc()
        spread = np.diff(single.indptr)
        long = [len(word) >= MIN_CHARACTERS and not word.isdigit() for word in corpus.words]
        fit = (spread >= min_documents(corpus)) & np.array(long, bool)
        alone = np.flatnonzero(vectors.telling & fit)
        find = _adjacent_pairs if corpus.ordered else _cooccurring_pairs
        pairs, together = find(corpus, single, vectors.telling, fit)
        numbers = [(n,) for n in alone.tolist()] + [tuple(pair) for pair in pairs.tolist()]
        present = sparse.hstack([single[:, alone], together], format="csr", dtype=np.float32)
        found = cls(corpus, numbers, present)
        return found if corpus.ordered else found._in_order()

    def _in_order(self) -> Phrases:
        """Return the candidates with pairs in writing order."""
        spread = np.diff(presence(self.corpus).tocsc().indptr).tolist()
        words = [
            order_by_head(pair, self.corpus.words, self.forms, spread) if len(pair) == 2 else pair
            for pair in self.words
        ]
        return Phrases(self.corpus, words, self.present)

    @cached_property
    def forms(self) -> dict[int, Counter[str]]:
        """Written forms of the corpus's words in its titles, with counts."""
        found: defaultdict[int, Counter[str]] = defaultdict(Counter)
        known: dict[str, int | None] = {}
        for title in self.corpus.titles:
            for form in WORD.findall(title):
                if form not in known:
                    # Some letters become two in lower case, which may split a word.
                    parts = terms(form)
                    known[form] = self.corpus.words.find(parts[0]) if len(parts) == 1 else None
                if (number := known[form]) is not None:
                    found[number][form] += 1
        return dict(found)

    def text(self, number: int) -> str:
        """Return a candidate in its most frequent form, in lower case."""
        return " ".join(form.lower() for form in self._written(number))

    def title(self, number: int) -> str:
        """Return a candidate in title case; abbreviations stay in capitals."""
        return " ".join(form[:1].upper() + form[1:] for form in self._written(number))

    def noun(self, number: int) -> bool:
        """Return whether a word may be a name by itself: it has a plural or derives from a verb."""
        last = self.words[number][-1]
        return head_score(self.corpus.words[last], self.forms.get(last, Counter())) > MIN_NOUN_SCORE

    def _written(self, number: int) -> list[str]:
        *before, last = self.words[number]
        # Without word order only the last word has a plural, as in "decision trees".
        forms = [self._form(n, plural=self.corpus.ordered) for n in before]
        return [*forms, self._form(last)]

    def _form(self, word: int, plural: bool = True) -> str:
        lower: Counter[str] = Counter()
        forms = self.forms.get(word, Counter())
        for form, count in forms.items():
            lower[form.lower()] += count
        singular = self.corpus.words[word]
        best = max(lower, key=lambda form: (lower[form], form), default=singular)
        if not plural and singular in lower:
            best = singular
        # In capitals only if that is the most frequent form, as of ATM.
        return best.upper() if len(best) > 1 and forms[best.upper()] > lower[best] / 2 else best


def min_documents(corpus: Corpus) -> int:
    """Return the number of documents that must contain a candidate."""
    return 2 if len(corpus) < 200 else 3


def _adjacent_pairs(
    corpus: Corpus,
    single: sparse.csc_matrix,
    telling: NDArray[np.bool_],
    fit: NDArray[np.bool_],
) -> tuple[NDArray[np.int64], sparse.csc_matrix]:
    """Return pairs of adjacent words, and the documents that contain them."""
    first, second = corpus.tokens[:-1].astype(np.int64), corpus.tokens[1:].astype(np.int64)
    owners = corpus.owners
    kept = (owners[:-1] == owners[1:]) & (first != second) & fit[first] & fit[second]
    kept &= telling[first] | telling[second]
    keys, columns = np.unique(first[kept] * len(corpus.words) + second[kept], return_inverse=True)
    shape = len(corpus), len(keys)
    ones = np.ones(len(columns), np.float32)
    found = sparse.csc_matrix((ones, (owners[:-1][kept], columns)), shape)
    found.data[:] = 1
    pairs = np.stack(np.divmod(keys, max(len(corpus.words), 1)), axis=1)
    size = max(len(corpus.tokens), 1)
    often = np.bincount(corpus.tokens, minlength=len(corpus.words))
    together = np.bincount(columns, minlength=len(keys))
    lift = together * size / np.maximum(often[pairs[:, 0]] * often[pairs[:, 1]], 1)
    chosen = _select_pairs(np.diff(found.indptr), lift, min_documents(corpus))
    return pairs[chosen], found[:, chosen]


def _cooccurring_pairs(
    corpus: Corpus,
    single: sparse.csc_matrix,
    telling: NDArray[np.bool_],
    fit: NDArray[np.bool_],
) -> tuple[NDArray[np.int64], sparse.csc_matrix]:
    """Return pairs of words of one document, and the documents that contain them."""
    spread = np.diff(single.indptr)
    known = np.flatnonzero(fit)
    some = single[:, known]
    meetings = sparse.triu(some.T @ some, 1).tocoo()
    pairs = np.stack([known[meetings.row], known[meetings.col]], axis=1).astype(np.int64)
    lift = meetings.data * len(corpus) / (spread[pairs[:, 0]] * spread[pairs[:, 1]])
    lift[~(telling[pairs[:, 0]] | telling[pairs[:, 1]])] = 0
    chosen = _select_pairs(meetings.data, lift, min_documents(corpus))
    pairs = pairs[chosen]
    both = single[:, pairs[:, 0]].multiply(single[:, pairs[:, 1]]).tocsc()
    return pairs, both


def _select_pairs(
    documents: NDArray[np.int64], lift: NDArray[np.float64], fewest: int
) -> NDArray[np.int64]:
    chosen = np.flatnonzero((documents >= fewest) & (lift >= MIN_LIFT))
    if len(chosen) > MAX_PAIRS:
        chosen = np.sort(chosen[np.argsort(-documents[chosen], kind="stable")[:MAX_PAIRS]])
    return chosen
