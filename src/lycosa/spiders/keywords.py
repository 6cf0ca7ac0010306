"""Keywords: a heuristic made by hand, from the words of the goal and words that mark hubs.

Davidov & Markovitch 2002, "Applying our framework to the WWW domain". A link
is judged by its anchor, its URL, the words near it and the headings above it;
a page by its text, which speaks for all of its links.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import accumulate
from math import sqrt
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from lycosa.content import NEAR, Content, Strings, prefix_sums
from lycosa.core import Budget, Page, ScoreContribution, Step, WordEffect
from lycosa.goals.profiles import HUBS, Profile
from lycosa.learn.link_words import anchors_of, headings_above

# An anchor and a URL weigh 1.
_NEAR = 0.3
_ABOVE = 0.3
_PAGE = 0.2
_WAY = 0.3  # what a word of the way is worth beside a word of the goal
_FEW = 16  # so many links are looked at one by one

Worth = TypeVar("Worth", float, NDArray[np.float64])


class Keywords:
    """The value of a link is how many words of the goal are about it.

    In each place the second word of the goal says less than the first: s words
    are worth s / (1 + s), so that one place full of words does not outweigh
    two places that agree. Of several anchors of a link the best counts.
    """

    def __init__(self, profile: Profile, name: str = "keywords") -> None:
        self.name = name
        in_url = dict.fromkeys(profile.ways, _WAY) | dict.fromkeys(profile.words, 1.0)
        self._text = _Weights(dict.fromkeys(HUBS, _WAY) | in_url)
        self._url = _Weights(in_url)

    def start(self, budget: Budget) -> None:
        """Forget the tables of the last crawl."""
        self._text.forget()
        self._url.forget()

    def observe(self, step: Step) -> None:
        """Nothing is learned."""

    def score(self, page: Page) -> NDArray[np.float64]:
        """How much the words about each link speak for it."""
        return self.score_some(page, np.arange(len(page.targets)))

    def score_some(self, page: Page, links: NDArray[np.intp]) -> NDArray[np.float64]:
        """The same for some of the links only."""
        content = page.content
        self._text.look_at(page.tables.words)
        self._url.look_at(page.tables.words)
        words = self._text.array.take(content.tokens)
        if len(links) > _FEW:
            scores = _all(content, words, self._url.array)[links]
            return np.asarray(scores + _PAGE * _about_page(float(words.sum()), len(words)))
        return np.array(_few(content, links.tolist(), words, self._url.known))

    def explain(self, page: Page, index: int) -> tuple[ScoreContribution, ...]:
        """What each word did: its share of what its place, which may have several, is worth."""
        content = page.content
        self._text.look_at(page.tables.words)
        self._url.look_at(page.tables.words)
        text, url = self._text.known, self._url.known
        anchors = (content.owner == index).nonzero()[0].tolist()
        spots = [list(_spot(content, anchor, text)) for anchor in anchors]
        bags = max(spots, key=lambda spot: sum(bag.worth for bag in spot), default=[])
        words = content.url_tokens[content.url_start[index] : content.url_stop[index]]
        bags.append(_Found("url", 1.0, words, url))
        tokens = content.tokens
        bags.append(_Found("page", _PAGE, tokens, text, len(tokens) ** -0.5 if len(tokens) else 0))
        effects = [
            WordEffect(page.tables.words[token], bag.name, times, effect)
            for bag in bags
            for token, times, effect in bag.effects()
        ]
        effects.sort(key=lambda effect: -effect.effect)
        return (ScoreContribution(self.name, sum(bag.worth for bag in bags), tuple(effects)),)


class _Weights:
    """The weights of some words in the numbering of a table, which may grow.

    `known` has those of the words that are in the table, `array` those of all.
    """

    def __init__(self, weights: Mapping[str, float]) -> None:
        self._weights = weights
        self.forget()

    def forget(self) -> None:
        """No table is known."""
        self.known: dict[int, float] = {}
        self.array = np.zeros(0)
        self._size = 0
        self._missing = dict(self._weights)

    def look_at(self, table: Strings) -> None:
        """Look for words that are new in the table."""
        if self._size == len(table):
            return
        self._size = len(table)
        if self._size > len(self.array):
            room = np.zeros(self._size + self._size // 4 - len(self.array))
            self.array = np.concatenate((self.array, room))
        for word in list(self._missing):
            number = table.find(word)
            if number is not None:
                self.array[number] = self.known[number] = self._missing.pop(word)


def _few(
    content: Content, links: Sequence[int], words: NDArray[np.float64], url: Mapping[int, float]
) -> list[float]:
    """The scores of some links, one link after the other.

    Few words of a page count, so sums are taken from one of these to another.
    """
    counting = words.nonzero()[0].tolist()
    sums = list(accumulate(map(words.item, counting), initial=0.0))

    def worth(start: int, stop: int) -> float:
        return sums[bisect_left(counting, stop)] - sums[bisect_left(counting, start)]

    about_page = _PAGE * _about_page(sums[-1], len(words))
    title = content.title_size
    heads = {-1: worth(0, title)}
    scores = []
    for link, anchors in zip(links, anchors_of(content, links), strict=True):
        best = 0.0
        for place in anchors:
            start, stop = content.start.item(place), content.stop.item(place)
            anchor = worth(start, stop)
            near = worth(max(start - NEAR, title), stop + NEAR) - anchor
            heading = content.heading.item(place)
            if heading not in heads:
                heads[heading] = heads[-1] + _above(content, heading, worth)
            best = max(best, _place(anchor, near, heads[heading]))
        found = content.url_tokens[content.url_start.item(link) : content.url_stop.item(link)]
        in_url = sum([url[word] for word in found.tolist() if word in url])
        scores.append(best + _saturated(in_url) + about_page)
    return scores


def _above(content: Content, heading: int, worth: Callable[[int, int], float]) -> float:
    """What a heading and those it stands under are worth."""
    return sum([worth(*words) for words in headings_above(content, heading)], 0.0)


def _about_page(worth: float, size: int) -> float:
    """What the text of a page says of all its links."""
    return _saturated(worth / sqrt(max(1, size)))


def _all(
    content: Content, words: NDArray[np.float64], url: NDArray[np.float64]
) -> NDArray[np.float64]:
    """What the words about all links are worth, by prefix sums."""
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
    return best + _saturated(content.bag("url").sums(url))


class _Found:
    """The words of one place that count, and what the place as a whole adds to a score."""

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
        """Each word, how often it is there, and its share."""
        share = self._factor / (1 + sum(self._worths.values()))
        for token, worth in self._worths.items():
            yield token, self._times[token], share * worth


def _spot(content: Content, place: int, known: Mapping[int, float]) -> Iterator[_Found]:
    """The words of one anchor of a link, and of what is around it."""
    tokens, title = content.tokens, content.title_size
    start, stop = content.start.item(place), content.stop.item(place)
    yield _Found("anchor", 1.0, tokens[start:stop], known)
    before = tokens[max(start - NEAR, title) : start]
    yield _Found("near", _NEAR, np.concatenate((before, tokens[stop : stop + NEAR])), known)
    above = [
        tokens[slice(*words)] for words in headings_above(content, content.heading.item(place))
    ]
    yield _Found("heads", _ABOVE, np.concatenate([tokens[:title], *above]), known)


def _place(anchor: Worth, near: Worth, above: Worth) -> Worth:
    return _saturated(anchor) + _NEAR * _saturated(near) + _ABOVE * _saturated(above)


def _saturated(worth: Worth) -> Worth:
    return worth / (1 + worth)
