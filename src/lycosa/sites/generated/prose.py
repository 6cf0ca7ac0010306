"""Random prose whose words depend on the topic and the kind of a page.

A word is drawn from one of three Zipf-like distributions ("urns"): common
words, words of the topic, words of the kind of page. The urns overlap, the
common one differs between sites, and every page mixes the three in a different
proportion.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import TypeAlias

from lycosa.sites.generated.names import spell
from lycosa.sites.generated.random_stream import RandomStream, key, mix
from lycosa.sites.generated.words import COMMON, KINDS, PRODUCTS, TOPICS, TopicWords

Urn: TypeAlias = tuple[str, ...]

_URN_SIZE = 1024


def _fill(words: Sequence[str]) -> Urn:
    """Return an urn of 1,024 words: the r-th word in proportion to 1 / (r + 2)."""
    weights = [1 / (rank + 2) for rank in range(len(words))]
    scale = _URN_SIZE / sum(weights)
    urn: list[str] = []
    total = 0.0
    for word, weight in zip(words, weights, strict=True):
        total += weight * scale
        urn += [word] * (round(total) - len(urn))
    return tuple(urn)


@cache
def _topic_urn(family: str, topic: int) -> Urn:
    topics = topics_of(family)
    # A topic shares a few words with its neighbour.
    return _fill(topics[topic].words + topics[(topic + 1) % len(topics)].words[:5])


@cache
def _kind_urn(kind: str) -> Urn:
    return _fill(KINDS[kind])


def topics_of(family: str) -> tuple[TopicWords, ...]:
    """Return the topics of a family of sites."""
    return PRODUCTS if family == "organisations" else TOPICS


class Prose:
    """The prose of one site; `seed` varies the common words, `family` selects the topics.

    >>> Prose(0, "departments").words(RandomStream(1), 0, "hub", 3) == Prose(
    ...     0, "departments").words(RandomStream(1), 0, "hub", 3)
    True
    """

    __slots__ = ("_common", "family", "topics")

    def __init__(self, seed: int, family: str) -> None:
        code = key(seed, "prose")
        self.family = family
        self.topics = topics_of(family)
        # Every site has a few unique words, and a different order of the common ones.
        unique = [spell(mix(code, n) % 144_000, 2) for n in range(40)]
        ranked = sorted(
            range(len(COMMON)), key=lambda rank: rank + (mix(code, rank + 100) >> 40) % 60
        )
        words = [COMMON[rank] for rank in ranked]
        for position, word in enumerate(unique):
            words.insert(30 + 4 * position, word)
        self._common = _fill(words)

    def words(self, stream: RandomStream, topic: int, kind: str, count: int) -> list[str]:
        """Return `count` words about a topic on a kind of page."""
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

    def text(self, stream: RandomStream, topic: int, kind: str, count: int) -> str:
        """Return `count` words in sentences."""
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
