"""Keywords: a fixed heuristic over the words of the goal and words that mark hubs.

Davidov & Markovitch 2002, "Applying our framework to the WWW domain". A link
is scored by its anchor, its URL, the words near it and the headings above it,
and by the text of its page, which counts for all links of the page.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from math import sqrt
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from lycosa.content import NEAR, Content, Strings, prefix_sums
from lycosa.core import Budget, Page, ScoreContribution, Step, WordEffect
from lycosa.goals.profiles import HUBS, Profile
from lycosa.goals.word_forms import PrefixedStrings, WordForms
from lycosa.learn.link_reader import WordWeights, keyword_scores
from lycosa.learn.link_words import headings_above
from lycosa.snapshots import StateReader, StateWriter

# The weights of anchor and URL are 1.
_NEAR_WEIGHT = 0.3
_HEADINGS_WEIGHT = 0.3
_PAGE_WEIGHT = 0.2
_HUB_WEIGHT = 0.3  # of a word that marks hubs; words of the goal have 1
_MAX_SINGLE_LINKS = 16  # up to so many are scored one by one, which is faster

_PLACES = _NEAR_WEIGHT, _HEADINGS_WEIGHT, _PAGE_WEIGHT, NEAR

Worth = TypeVar("Worth", float, NDArray[np.float64])


class Keywords:
    """A policy that scores a link by the number of words of the goal in and around it.

    In each place the count s is saturated as s / (1 + s), so that one place full
    of words does not outweigh two places that agree. Of several anchors of a
    link the best counts.

    Parameters
    ----------
    profile
        Has the words to look for.
    name
        The name in reports and results.
    forms
        Whether to look for all forms of the words (`word_forms`), which the paper does not.
    """

    def __init__(self, profile: Profile, name: str = "keywords", *, forms: bool = False) -> None:
        self.name = name
        in_url = dict.fromkeys(profile.ways, _HUB_WEIGHT) | dict.fromkeys(profile.words, 1.0)
        groups = (profile.words, profile.prefixes, 1.0), (profile.ways, (), _HUB_WEIGHT)
        # Words of the goal first: the first group that has a word counts.
        found = [(WordForms(words, starts), weight) for words, starts, weight in groups if words]
        every = WordForms((*profile.words, *profile.ways), profile.prefixes)
        self._forms = _FormWeights(found, every) if forms else None
        self._size = 0  # words of the table that were looked at
        self._text = _Weights(dict.fromkeys(HUBS, _HUB_WEIGHT) | in_url, self._forms)
        self._url = _Weights(in_url, self._forms)

    def start(self, budget: Budget) -> None:
        """Reset: the next crawl has other tables."""
        self._size = 0
        if self._forms is not None:
            self._forms.reset()
        self._text.reset()
        self._url.reset()

    def parameters(self) -> list[dict[str, float] | bool]:
        """Return the words with their weights, in text and in URLs, and whether forms count."""
        return [self._text.weights, self._url.weights, self._forms is not None]

    def save(self, state: StateWriter) -> None:
        """Save the words: nothing is learned."""
        state.value("words", self.parameters())

    def restore(self, state: StateReader) -> None:
        """Raise `ValueError` if the saved words were others."""
        if state.value("words") != self.parameters():
            raise ValueError("it was saved with other keywords")

    def observe(self, step: Step) -> None:
        """Do nothing: nothing is learned."""

    def score(self, page: Page) -> NDArray[np.float64]:
        """Return the score of each link."""
        return self.score_some(page, np.arange(len(page.targets)))

    def score_some(self, page: Page, links: NDArray[np.intp]) -> NDArray[np.float64]:
        """Return the scores of some of the links."""
        if len(links) > _MAX_SINGLE_LINKS:
            content = page.content
            self._update(page.tables.words)
            worths = self._text.of(content.tokens)
            scores = _all(content, worths, self._url)[links]
            return np.asarray(scores + _PAGE_WEIGHT * _about_page(float(worths.sum()), len(worths)))
        return np.array(self.score_few(page, links.tolist()))

    def score_few(self, page: Page, links: Sequence[int]) -> list[float]:
        """Return the scores of a few links, one by one."""
        content = page.content  # whose words may be new in the table
        self._update(page.tables.words)
        return keyword_scores(content, links, self._text.coded, self._url.coded, _PLACES)

    def _update(self, words: Strings) -> None:
        """Look up the words that were not in the table before."""
        if self._size != len(words):
            self._size = len(words)
            self._text.update(words)
            self._url.update(words)

    def explain(self, page: Page, index: int) -> tuple[ScoreContribution, ...]:
        """Return the effect of each word: its share of the saturated value of its place."""
        content = page.content
        self._text.update(page.tables.words)
        self._url.update(page.tables.words)
        text, url = self._text.known, self._url.known
        anchors = (content.owner == index).nonzero()[0].tolist()
        spots = [list(_anchor_places(content, anchor, text)) for anchor in anchors]
        bags = max(spots, key=lambda spot: sum(bag.worth for bag in spot), default=[])
        words = content.url_tokens[content.url_start[index] : content.url_stop[index]]
        bags.append(_PlaceWords("url", 1.0, words, url))
        tokens = content.tokens
        bags.append(
            _PlaceWords(
                "page", _PAGE_WEIGHT, tokens, text, len(tokens) ** -0.5 if len(tokens) else 0
            )
        )
        effects = [
            WordEffect(page.tables.words[token], bag.name, times, effect)
            for bag in bags
            for token, times, effect in bag.effects()
        ]
        effects.sort(key=lambda effect: -effect.effect)
        return (ScoreContribution(self.name, sum(bag.worth for bag in bags), tuple(effects)),)


class _Weights:
    """The weights of some words by their numbers in a table, which may grow.

    `weights` are the weights by word, `forms` those of forms of words, if they count; `known`
    has the weights of the words that are in the table. Every word of it takes a byte.
    """

    def __init__(self, weights: Mapping[str, float], forms: _FormWeights | None = None) -> None:
        self.weights = dict(weights)
        self._forms = forms
        self.reset()

    def reset(self) -> None:
        """Forget the table."""
        self.known: dict[int, float] = {}
        self._values = np.zeros(
            1
        )  # the different weights, the first one of words that do not count
        self._codes: dict[float, int] = {}
        self._code = np.zeros(0, np.uint8)  # of every word, the index of its weight
        self._size = 0
        self._missing = dict(self.weights)
        self._taken = 0  # of the forms that were found

    def of(self, words: NDArray[np.int32]) -> NDArray[np.float64]:
        """Return the weights of words, 0 for those that do not count."""
        return self._values.take(self._code.take(words))

    @property
    def coded(self) -> WordWeights:
        """The weights of all words of the table."""
        return self._code, self._values

    def update(self, table: Strings) -> None:
        """Look up the words that were not in the table before."""
        if self._size == len(table):
            return
        before, self._size = self._size, len(table)
        if self._size > len(self._code):
            zeros = np.zeros(self._size + self._size // 16 - len(self._code), np.uint8)
            self._code = np.concatenate((self._code, zeros))
        for number, word in _found(table, before, self._missing):
            self._add(number, self._missing.pop(word))
        if self._forms is not None:
            self._forms.update(table)
            for number, weight in self._forms.found[self._taken :]:
                if number not in self.known:
                    self._add(number, weight)
            self._taken = len(self._forms.found)

    def _add(self, number: int, weight: float) -> None:
        self.known[number] = weight
        code = self._codes.setdefault(weight, len(self._codes) + 1)
        if code == len(self._values):
            self._values = np.append(self._values, weight)
        self._code[number] = code


def _found(table: Strings, first: int, words: Collection[str]) -> list[tuple[int, str]]:
    """Return those of some words that are in a table from a number on, with their numbers."""
    if len(table) - first < len(words):
        new = ((number, table[number]) for number in range(first, len(table)))
        return [(number, word) for number, word in new if word in words]
    found = ((table.find(word), word) for word in words)
    return [(number, word) for number, word in found if number is not None]


class _FormWeights:
    """The forms of some words in a table that may grow; every word of it is looked at once.

    `groups` are words with their weight: the first group that has a word counts; `every` has
    the words of all groups. `found` are the numbers of forms with their weights, in the order of
    the table.
    """

    def __init__(self, groups: Sequence[tuple[WordForms, float]], every: WordForms) -> None:
        self._groups = groups
        self._every = every
        self.reset()

    def reset(self) -> None:
        """Forget the table."""
        self.found: list[tuple[int, float]] = []
        self._size = 0

    def update(self, table: Strings) -> None:
        """Look at the words that were not in the table before."""
        first, self._size = self._size, len(table)
        if not first and isinstance(table, PrefixedStrings):
            some = self._every.in_table(table)  # which has all its words from the start
        else:
            words = map(table.__getitem__, range(first, self._size))
            some = self._every.among(words, first)
        for number, word in some:
            weight = next((weight for group, weight in self._groups if group.has(word)), None)
            if weight is not None:
                self.found.append((number, weight))


def _about_page(worth: float, size: int) -> float:
    """Return what the text of a page adds to all its links."""
    return _saturated(worth / sqrt(max(1, size)))


def _all(content: Content, words: NDArray[np.float64], url: _Weights) -> NDArray[np.float64]:
    """Return the values of all links, by prefix sums."""
    prefix = prefix_sums(words)
    start, stop = content.start, content.stop
    anchor = prefix.take(stop) - prefix.take(start)
    before = np.maximum(start - NEAR, content.title_size)
    after = np.minimum(stop + NEAR, len(words))
    near = prefix.take(after) - prefix.take(before) - anchor
    heads = (prefix.take(content.head_stop) - prefix.take(content.head_start)).tolist()
    for head, higher in enumerate(content.head_above.tolist()):
        if higher >= 0:
            heads[head] += heads[higher]
    above = prefix[content.title_size] + np.array([*heads, 0.0]).take(content.heading)
    places = _place(anchor, near, above)
    best = np.zeros(len(content.paths))
    np.maximum.at(best, content.owner, places)
    return best + _saturated(content.bag("url").sums_by(url.of))


class _PlaceWords:
    """The words of one place that count, and what the place adds to a score."""

    def __init__(
        self,
        name: str,
        factor: float,
        tokens: NDArray[np.int32],
        known: Mapping[int, float],
        scale: float = 1.0,
    ) -> None:
        self.name = name
        self._times = Counter(token for token in tokens.tolist() if token in known)
        self._worths = {token: scale * known[token] * n for token, n in self._times.items()}
        self._factor = factor

    @property
    def worth(self) -> float:
        return self._factor * _saturated(sum(self._worths.values()))

    def effects(self) -> Iterator[tuple[int, int, float]]:
        """Yield each word, how often it occurs, and its share."""
        share = self._factor / (1 + sum(self._worths.values()))
        for token, worth in self._worths.items():
            yield token, self._times[token], share * worth


def _anchor_places(
    content: Content, place: int, known: Mapping[int, float]
) -> Iterator[_PlaceWords]:
    """Yield the words of one anchor of a link, near it, and in the headings above it."""
    tokens, title = content.tokens, content.title_size
    start, stop = content.start.item(place), content.stop.item(place)
    yield _PlaceWords("anchor", 1.0, tokens[start:stop], known)
    before = tokens[max(start - NEAR, title) : start]
    yield _PlaceWords(
        "near", _NEAR_WEIGHT, np.concatenate((before, tokens[stop : stop + NEAR])), known
    )
    above = [
        tokens[slice(*words)] for words in headings_above(content, content.heading.item(place))
    ]
    yield _PlaceWords("heads", _HEADINGS_WEIGHT, np.concatenate([tokens[:title], *above]), known)


def _place(anchor: Worth, near: Worth, above: Worth) -> Worth:
    return (
        _saturated(anchor) + _NEAR_WEIGHT * _saturated(near) + _HEADINGS_WEIGHT * _saturated(above)
    )


def _saturated(worth: Worth) -> Worth:
    return worth / (1 + worth)
