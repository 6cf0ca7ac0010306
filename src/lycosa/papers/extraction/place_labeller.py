"""Labeller of affiliations by a conditional random field: where an address begins.

An affiliation and its address are a chain of phrases between commas: department,
institution, street, city, country. This CRF sees the whole phrase of a word, and the
phrases and lines around it, and nothing else of the header. It is trained on more
affiliations than there are annotated headers. What it finds and what the
labeller of headers finds are joined in a linear opinion pool (Stone 1961), because
their errors differ.

>>> tokens = [Token("MIT,", "affiliation"), Token("Boston", "address")] * 3
>>> labeller = PlaceLabeller.from_bytes(train_place_labeller([tokens] * 5))
>>> found = [Prediction("affiliation", 0.9), Prediction("affiliation", 0.6)] * 3
>>> [prediction.label for prediction in labeller.refine(tokens, found)[:2]]
['affiliation', 'address']
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby, pairwise

from lycosa.papers.extraction import crf
from lycosa.papers.extraction.crf import Row
from lycosa.papers.extraction.features import (
    WordFeatures,
    bucket,
    group_features,
    neighbour_features,
    word_features,
)
from lycosa.papers.extraction.labeller import Prediction
from lycosa.papers.extraction.single_crf import SingleCrf
from lycosa.papers.extraction.tagged import Token

VERSION = 1
"""The version of the feature set; a model of another version is refused."""
KIND = "places"
"""The kind of these models in their files."""
PLACE_LABELS = ("affiliation", "address")
"""The labels of where an author works."""
POOL_SHARE = 0.3
"""The weight of this labeller beside the labeller of headers; chosen on one fold."""

_PHRASE_ENDS = frozenset(",;:")
_MARKS = frozenset("*\u2217\u2020\u2021\xa7\xb6")
_MAX_MARK_LETTERS = 3
_MAX_POSITION = 3  # in a phrase or a line; words further from its ends are alike
_MAX_PHRASES = 5  # since the last mark; phrases further behind it are alike


def place_features(tokens: Sequence[Token]) -> list[Row]:
    """Return the features of each word of a run of affiliations and addresses."""
    words = [word_features(token.text) for token in tokens]
    phrases = _spans([n == 0 or _begins_phrase(words, tokens, n) for n in range(len(tokens))])
    lines = _spans([n == 0 or t.line != tokens[n - 1].line for n, t in enumerate(tokens)])
    line_rows = [_nearby(words, lines, k, "line", (-1, 1)) for k in range(len(lines))]
    own_line = [k for k, (a, b) in enumerate(lines) for _ in range(a, b)]
    rows: list[Row] = []
    since = 0
    for k, (a, b) in enumerate(phrases):
        since = 0 if _is_mark(tokens[a].text, words[a]) else since + 1
        shared = [
            *_nearby(words, phrases, k, "phrase", (-2, -1, 1, 2)),
            f"long={bucket(b - a)}",
            f"first={words[a].bare}",
            f"final={words[b - 1].bare}",
            f"since={min(since, _MAX_PHRASES)}",
        ]
        for n in range(a, b):
            begin, end = lines[own_line[n]]
            rows.append(
                [
                    *words[n].features,
                    *neighbour_features(words, n),
                    *shared,
                    *line_rows[own_line[n]],
                    f"phrase-={min(n - a, _MAX_POSITION)}",
                    f"phrase+={min(b - 1 - n, _MAX_POSITION)}",
                    f"line-={min(n - begin, _MAX_POSITION)}",
                    f"line+={min(end - 1 - n, _MAX_POSITION)}",
                ]
            )
    return rows


def _spans(begins: Sequence[bool]) -> list[tuple[int, int]]:
    return list(pairwise([*(n for n, begin in enumerate(begins) if begin), len(begins)]))


def _begins_phrase(words: Sequence[WordFeatures], tokens: Sequence[Token], n: int) -> bool:
    return not _PHRASE_ENDS.isdisjoint(words[n - 1].closing) or tokens[n].text[0] in _MARKS


def _is_mark(text: str, word: WordFeatures) -> bool:
    return (text[0] in _MARKS or text[0].isdigit() or text[0] == "(") and len(
        word.bare
    ) <= _MAX_MARK_LETTERS


def _nearby(
    words: Sequence[WordFeatures],
    spans: Sequence[tuple[int, int]],
    k: int,
    name: str,
    distances: Sequence[int],
) -> Row:
    """Return the kinds of words in the k-th span and in those at some distances from it."""
    row = []
    for d in (0, *distances):
        if 0 <= k + d < len(spans):
            a, b = spans[k + d]
            row += [f"{d}{name}:{kind}" for kind in group_features(words[a:b])]
            if d:
                row.append(f"{d}{name}:first={words[a].bare}")
        else:
            row.append(f"{d}{name}:edge")
    return row


def place_runs(labels: Sequence[str]) -> Iterator[tuple[int, int]]:
    """Yield the ranges of words that are affiliations or addresses.

    >>> list(place_runs(["title", "affiliation", "address", "email", "address"]))
    [(1, 3), (4, 5)]
    """
    start = 0
    for is_place, run in groupby(labels, lambda label: label in PLACE_LABELS):
        stop = start + len(list(run))
        if is_place:
            yield start, stop
        start = stop


class PlaceLabeller(SingleCrf):
    """A labeller of runs of affiliations and addresses."""

    kind = part = KIND
    version = VERSION

    def refine(
        self, tokens: Sequence[Token], predictions: Sequence[Prediction]
    ) -> list[Prediction]:
        """Return the predictions for a header, with affiliations and addresses told apart again.

        Only words that have one of the two labels can get the other.
        """
        refined = list(predictions)
        for a, b in place_runs([prediction.label for prediction in predictions]):
            found = self.model.tag(place_features(tokens[a:b]))
            for n, own in enumerate(found, start=a):
                share = POOL_SHARE * _share(own) + (1 - POOL_SHARE) * _share(predictions[n])
                label = PLACE_LABELS[share < 0.5]
                refined[n] = Prediction(label, max(share, 1 - share))
        return refined


def _share(prediction: Prediction) -> float:
    """Return the probability of an affiliation, if it is that or an address."""
    label, confidence = prediction
    return confidence if label == PLACE_LABELS[0] else 1 - confidence


def train_place_labeller(runs: Sequence[Sequence[Token]], **metadata: str) -> bytes:
    """Train on labelled runs and return a model file; `metadata` is stored in it."""
    model = crf.train(
        [place_features(tokens) for tokens in runs],
        [[token.label for token in tokens] for tokens in runs],
        c1=0.1,
        c2=0.3,
        iterations=80,
        min_count=2,
    )
    return crf.pack({KIND: model}, {**metadata, "kind": KIND, "features": VERSION})
