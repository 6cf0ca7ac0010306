"""Reader of a few links of a page: the columns of their words, and their scores by keywords.

Most pages have one or two new links, for which arrays are slower than lists; `link_reader.pyx`
is the same in C, and gives the same numbers to the last digit.
"""

from __future__ import annotations

from array import array
from bisect import bisect_left
from collections.abc import Callable, Sequence
from itertools import pairwise
from math import sqrt
from typing import Any, TypeAlias

from numpy.typing import NDArray

from lycosa.content import Content
from lycosa.learn.link_words import anchors_of, headings_above, read_words

_MASK = 2**64 - 1


WordHashes: TypeAlias = tuple[
    "array[int]",
    Sequence["array[int]"],
    Sequence["array[int]"],
    Callable[[int, int], int],
    Callable[[int, int], int],
    int,
    int,
]
"""The hashes of words and their columns, by the numbers of the words; 0: not computed.

The hashes of words that have a column in URLs; the columns of words in the anchor, in the URL, near
the link and in the headings above it; those of the starts of words in the anchor and in the
URL; a function that computes the column of a word, given the number of the bag, and one that
does for its start; the factor of the hash of a pair of words, and what is added to it.
"""
WordWeights: TypeAlias = tuple[NDArray[Any], NDArray[Any]]
"""The weights of words: of every word the index of its weight, in a byte, and the weights."""
PlaceWeights: TypeAlias = tuple[float, float, float, int]
"""How much words near an anchor, in headings and on the page count, and how many are near."""


def read_columns(
    content: Content, links: Sequence[int], near: int, known: WordHashes
) -> list[tuple[list[int], ...]]:
    """Return the columns of each link: of the bags of its words, of pairs and of starts."""
    hashes, (in_anchor, in_url, in_near, in_heads), starts, new, start, mix, salt = known
    anchor_starts, url_starts = starts
    last: list[int] = []
    columns: list[int] = []
    found: list[tuple[list[int], ...]] = []
    for anchor, url, beside, above in read_words(content, links, near):
        if above is not last:  # links under one heading share its words
            last, columns = above, [in_heads[word] or new(3, word) for word in above]
        found.append(
            (
                [in_anchor[word] or new(0, word) for word in anchor],
                [in_url[word] or new(1, word) for word in url],
                [in_near[word] or new(2, word) for word in beside],
                columns,
                # The hashes of these words were computed with their columns.
                [
                    ((31 * hashes[one] + 17 * hashes[two] + 48) * mix + salt & _MASK) >> 48
                    for one, two in pairwise(url)
                ],
                [anchor_starts[word] or start(0, word) for word in anchor]
                + [url_starts[word] or start(1, word) for word in url],
            )
        )
    return found


def keyword_scores(
    content: Content, links: Sequence[int], text: WordWeights, url: WordWeights, by: PlaceWeights
) -> list[float]:
    """Return the score of each link by words in and around it, and on its page.

    Anchor and URL count 1. In each place the sum s of the weights is saturated as s / (1 + s); of
    several anchors of a link the best counts.
    """
    tokens, title = content.tokens, content.title_size
    (text_codes, text_values), (url_codes, url_values) = text, url
    near_weight, headings_weight, page_weight, width = by
    codes = text_codes.take(tokens)
    counting = codes.nonzero()[0]
    places = counting.tolist()
    sums, total = [0.0], 0.0
    for weight in text_values.take(codes.take(counting)).tolist():
        total += weight
        sums.append(total)

    def worth(start: int, stop: int) -> float:
        # Few words of a page count, so the sums are over these only.
        return sums[bisect_left(places, stop)] - sums[bisect_left(places, start)]

    about_page = page_weight * _saturated(total / sqrt(max(1, len(tokens))))
    heads = {-1: worth(0, title)}
    scores = []
    for link, anchors in zip(links, anchors_of(content, links), strict=True):
        best = 0.0
        for place in anchors:
            start, stop = content.start.item(place), content.stop.item(place)
            anchor = worth(start, stop)
            near = worth(max(start - width, title), stop + width) - anchor
            heading = content.heading.item(place)
            if heading not in heads:
                above = 0.0
                for begin, end in headings_above(content, heading):
                    above += worth(begin, end)
                heads[heading] = heads[-1] + above
            value = (
                _saturated(anchor)
                + near_weight * _saturated(near)
                + headings_weight * _saturated(heads[heading])
            )
            best = max(best, value)
        words = content.url_tokens[content.url_start.item(link) : content.url_stop.item(link)]
        in_url = 0.0
        for weight in url_values.take(url_codes.take(words)).tolist():
            in_url += weight
        scores.append(best + _saturated(in_url) + about_page)
    return scores


def _saturated(worth: float) -> float:
    return worth / (1 + worth)
