"""Sentences of no meaning whose words still tell what a page is about.

A word is drawn from one of three Zipf-like urns: common words, words of the
topic, words of the kind of page. The urns overlap, sites fill the common one
differently, and every page mixes the three in its own proportion.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import TypeAlias

from lycosa.sites.generated.chance import Stream, key, mix
from lycosa.sites.generated.names import spell
from lycosa.sites.generated.words import COMMON, KINDS, PRODUCTS, TOPICS, Topic

Urn: TypeAlias = tuple[str, ...]

_URN = 1024


def _fill(words: Sequence[str]) -> Urn:
    """An urn of 1,024 words: the r-th word in proportion to 1 / (r + 2)."""
    weights = [1 / (rank + 2) for rank in range(len(words))]
    scale = _URN / sum(weights)
    urn: list[str] = []
    total = 0.0
    for word, weight in zip(words, weights, strict=True):
        total += weight * scale
        urn += [word] * (round(total) - len(urn))
    return tuple(urn)


@cache
def _topic_urn(family: str, topic: int) -> Urn:
    topics = topics_of(family)
    # A field borrows a few words from its neighbour.
    return _fill(topics[topic].words + topics[(topic + 1) % len(topics)].words[:5])


@cache
def _kind_urn(kind: str) -> Urn:
    return _fill(KINDS[kind])


def topics_of(family: str) -> tuple[Topic, ...]:
    """What sites of a family are about."""
    return PRODUCTS if family == "organisations" else TOPICS


class Prose:
    """The language of one site.

    >>> Prose(0, "departments").words(Stream(1), 0, "hub", 3) == Prose(
    ...     0, "departments").words(Stream(1), 0, "hub", 3)
    True
    """

    __slots__ = ("_common", "family", "topics")

    def __init__(self, seed: int, family: str) -> None:
        code = key(seed, "prose")
        self.family = family
        self.topics = topics_of(family)
        # Every site has a few words of its own and puts the common ones in its own order.
        own = [spell(mix(code, n) % 144_000, 2) for n in range(40)]
        ranked = sorted(
            range(len(COMMON)), key=lambda rank: rank + (mix(code, rank + 100) >> 40) % 60
        )
        words = [COMMON[rank] for rank in ranked]
        for place, word in enumerate(own):
            words.insert(30 + 4 * place, word)
        self._common = _fill(words)

    def words(self, stream: Stream, topic: int, kind: str, count: int) -> list[str]:
        """So many words about a topic, as a kind of page would have them."""
        code = stream.next()
        about, of = 2 + (code >> 8) % 4, 1 + (code >> 16) % 4
        urns = [_topic_urn(self.family, topic)] * about + [_kind_urn(kind)] * of
        urns += [self._common] * (16 - len(urns))
        result: list[str] = []
        for _ in range((count + 3) // 4):
            bits = stream.next()
            result += (
                urns[bits & 15][(bits >> 4) & 1023],
                urns[(bits >> 16) & 15][(bits >> 20) & 1023],
                urns[(bits >> 32) & 15][(bits >> 36) & 1023],
                urns[(bits >> 48) & 15][(bits >> 52) & 1023],
            )
        del result[count:]
        return result

    def text(self, stream: Stream, topic: int, kind: str, count: int) -> str:
        """So many words in sentences."""
        words = self.words(stream, topic, kind, count)
        sentences = []
        begin = 0
        while begin < len(words):
            end = begin + 7 + stream.below(12)
            if end + 5 > len(words):
                end = len(words)
            sentences.append(" ".join(words[begin:end]).capitalize() + ".")
            begin = end
        return " ".join(sentences)
