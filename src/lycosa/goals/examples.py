"""Goal by example: pages like the positive examples and unlike the negative ones.

With examples of both kinds, a logistic regression on the words separates them,
and its decisions on held-out examples are calibrated to probabilities (Platt,
"Probabilistic outputs for support vector machines", 1999, by cross-validation).
With positive examples alone, a page is compared with their mean (Rocchio 1971);
its score is the share of the examples that are less similar to the mean of the
others than the page is to the mean of all.
"""

from __future__ import annotations

import logging
import math
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, Protocol, Self

import numpy as np
from numpy.typing import NDArray

from lycosa.core import GoalWarning, Page
from lycosa.documents.conversion import Converter
from lycosa.documents.language import is_function_word
from lycosa.errors import UsageError
from lycosa.goals.combined import Combinable, failed
from lycosa.goals.lexicon import Lexicon
from lycosa.learn.link_words import Rows
from lycosa.learn.logistic import fit
from lycosa.web.reader import Reader

_log = logging.getLogger("lycosa.goals")

MIN_EXAMPLES = 3
"""Examples of each kind that are needed to learn from them."""
FEW_EXAMPLES = 10
"""With fewer examples of a kind the goal warns that it is uncertain."""
MIN_JUDGED_PAGES = 20
"""Pages before the goal may warn that it accepts too many of them."""
MAX_ACCEPTED_SHARE = 0.5
"""The share of pages from which on it does."""
COST = 30.0
"""C of the regression: chosen among 10, 30 and 100 on the pages of four universities."""
FOLDS = 5
"""Folds of the cross-validation."""
MAX_STEPS = 100
"""Newton steps of a fit, and conjugate-gradient iterations of a step; ten are usual."""
_UNPENALISED = 1e-6  # precision of the prior of an intercept
MAX_WORDS = 20
"""Words that `Examples.words` has at most."""

TYPES = {
    ".html": "text/html",
    ".htm": "text/html",
    ".txt": "text/plain",
    ".pdf": "application/pdf",
}
"""The MIME types of example files, by suffix."""


class Examples(Combinable):
    """Reward 1 for every page that is like the examples with a probability of at least `least`.

    Without negative examples there is no probability. Its place takes the share
    of the examples that are less similar to the others than the page is.

    The attribute `words` has the words with the greatest weights, the greatest first.

    Parameters
    ----------
    positive, negative
        Examples, each a sequence of words in lower case; `of` takes pages and `read` takes files.
    least
        The probability from which a page is a target.
    share
        The share of targets among the pages of the crawl, if it is known; without it, that
        among the examples is assumed.
    graded
        Whether the reward of a target is its probability instead of 1.
    name
        The name in reports and messages.

    >>> course = [["homework", "exam", "syllabus"], ["exam", "lecture"], ["homework", "lecture"]]
    >>> other = [["research", "lab"], ["lab", "staff"], ["research", "staff"]]
    >>> goal = Examples(course, other)
    >>> sorted(goal.words)
    ['exam', 'homework', 'lecture']
    >>> page = Reader().page("http://a.edu/", b"The exam covers every lecture.")
    >>> goal(page), goal.probability(page) > 0.5
    (1.0, True)
    """

    needs_text = True

    def __init__(
        self,
        positive: Iterable[Sequence[str]],
        negative: Iterable[Sequence[str]] = (),
        *,
        least: float = 0.5,
        share: float | None = None,
        graded: bool = False,
        name: str = "examples",
    ) -> None:
        if not 0 < least <= 1:
            raise UsageError(f"least must be a probability above 0 and at most 1, not {least!r}.")
        wanted, others = _word_sets(positive), _word_sets(negative)
        if len(wanted) < MIN_EXAMPLES or 0 < len(others) < MIN_EXAMPLES:
            kind, few = ("positive", wanted) if len(wanted) < MIN_EXAMPLES else ("negative", others)
            raise UsageError(
                f"{len(few)} {kind} examples with words are too few to learn from; "
                f"give at least {MIN_EXAMPLES}, better 30."
            )
        if share is not None and not (others and 0 < share < 1):
            raise UsageError(
                "share must be between 0 and 1, and needs negative examples; "
                f"it is {share!r} with {len(others)} of them."
            )
        self.name = name
        self.least = least
        self.graded = graded
        self.skipped: tuple[Path, ...] = ()
        """Files that `read` left out, because they have no words."""
        self._sizes = len(wanted), len(others)
        self._judged = self._accepted = 0
        vocabulary = _Vocabulary(wanted + others)
        self._numbers = Lexicon(vocabulary)
        rows = [vocabulary.row(words) for words in (*wanted, *others)]
        self._model: _Model = (
            _Separated(rows, len(wanted), len(vocabulary), share)
            if others
            else _Typical(rows, len(vocabulary))
        )
        known = vocabulary.words
        best = [n for n in np.argsort(-self._model.weights, kind="stable") if n > _OTHER]
        self.words = tuple(known[n] for n in best[:MAX_WORDS] if self._model.weights[n] > 0)

    @classmethod
    def of(cls, positive: Iterable[Page], negative: Iterable[Page] = (), **options: Any) -> Self:
        """Return the goal of example pages; the options are those of the class."""
        return cls(
            [p.text.split() for p in positive], [p.text.split() for p in negative], **options
        )

    @classmethod
    def read(cls, positive: Sequence[Path], negative: Sequence[Path] = (), **options: Any) -> Self:
        """Return the goal of files and folders with .html, .txt and .pdf; others are not read."""
        skipped: list[Path] = []
        with Converter() as converter:
            kinds = [
                [_words(path, converter, skipped) for path in _files(paths)]
                for paths in (positive, negative)
            ]
        goal = cls(*kinds, **options)
        goal.skipped = tuple(skipped)
        return goal

    def __repr__(self) -> str:
        return f"<Examples {self.name}: {', '.join(self.words[:3])}…>"

    def __call__(self, page: Page) -> float:
        """Return 1, or if graded the probability, for a page that is like the examples, else 0."""
        if failed(page):
            return 0.0
        probability = self.probability(page)
        self._judged += 1
        if probability < self.least:
            return 0.0
        self._accepted += 1
        return probability if self.graded else 1.0

    def warnings(self) -> list[GoalWarning]:
        """Return that the examples are few, or that half of what was seen is accepted."""
        found = []
        positive, negative = self._sizes
        if positive < FEW_EXAMPLES or 0 < negative < FEW_EXAMPLES:
            words = (
                f"The goal {self.name!r} has {positive} positive and {negative} negative examples, "
                "which are few: what it finds may be far from what you want. Give 30 of each."
            )
            found.append(GoalWarning("few-examples", words))
        if self._judged >= MIN_JUDGED_PAGES and self._accepted >= MAX_ACCEPTED_SHARE * self._judged:
            more = "more negative examples" if negative else "negative examples"
            words = (
                f"The goal {self.name!r} has accepted {self._accepted:,} of the {self._judged:,} "
                f"pages it has seen. Give {more}, pages that you do not want, or raise least "
                f"above {self.least:g}."
            )
            found.append(GoalWarning("accepts-half", words))
        return found

    def probability(self, page: Page) -> float:
        """Return the probability that a page is a target, by its words alone."""
        numbers = self._numbers.distinct(page)
        return self._model.probability(numbers[numbers > 0])


_NOT_COUNTED, _OTHER = 0, 1  # numbers of words without a weight


class _Vocabulary:
    """Numbers for the words of two examples or more; all other words share one number."""

    def __init__(self, examples: Iterable[frozenset[str]]) -> None:
        counts: dict[str, int] = {}
        for words in examples:
            for word in words:
                counts[word] = counts.get(word, 0) + 1
        self.words = ("", "", *sorted(word for word, count in counts.items() if count > 1))
        self._numbers = {word: n for n, word in enumerate(self.words) if word}

    def __len__(self) -> int:
        return len(self.words)

    def __call__(self, word: str) -> int:
        return self._numbers.get(word, _OTHER if _is_content_word(word) else _NOT_COUNTED)

    def row(self, words: frozenset[str]) -> NDArray[np.int64]:
        """Return the numbers of an example's words."""
        return np.sort(np.array([self(word) for word in words], np.int64))


def _is_content_word(word: str) -> bool:
    """Return whether a word may tell what a page is about."""
    long = len(word) > 1 or word >= "\u2e80"  # a Chinese character is a word
    return long and not word.isdigit() and not is_function_word(word)


def _word_sets(examples: Iterable[Sequence[str]]) -> list[frozenset[str]]:
    """Return the content words of each example that has any."""
    sets = (frozenset(filter(_is_content_word, words)) for words in examples)
    return [words for words in sets if words]


class _Model(Protocol):
    """A weight for every word, and the probability that follows from their sum."""

    @property
    def weights(self) -> NDArray[np.float64]: ...

    def probability(self, row: NDArray[np.int64], /) -> float:
        """Return that of a page with these words, each once; none may be `_NOT_COUNTED`."""


class _Separated:
    """Logistic regression between positive and negative examples."""

    def __init__(
        self, rows: list[NDArray[np.int64]], wanted: int, size: int, share: float | None
    ) -> None:
        labels = np.arange(len(rows)) < wanted
        self.weights, self._bias = _regression(rows, labels, size)
        held_out = np.zeros(len(rows))
        # Each fold has every fifth example of each kind.
        folds = np.concatenate([np.arange(n) % FOLDS for n in (wanted, len(rows) - wanted)])
        for fold in range(FOLDS):
            rest = np.flatnonzero(folds != fold)
            weights, bias = _regression([rows[n] for n in rest], labels[rest], size)
            for n in np.flatnonzero(folds == fold):
                held_out[n] = _projection(weights, rows[n]) + bias
        self._scale, self._shift = _platt(held_out, labels)
        if share is not None:
            self._shift += math.log(share / (1 - share) * (len(rows) - wanted) / wanted)

    def probability(self, row: NDArray[np.int64], /) -> float:
        logit = self._scale * (_projection(self.weights, row) + self._bias) + self._shift
        return 0.5 + 0.5 * math.tanh(logit / 2)  # a sigmoid that never overflows


class _Typical:
    """The mean of the positive examples, and the similarity of each to the mean of the others."""

    def __init__(self, rows: list[NDArray[np.int64]], size: int) -> None:
        counts = np.bincount(np.concatenate(rows), minlength=size).astype(np.float64)
        counts[: _OTHER + 1] = 0
        length = float(np.linalg.norm(counts)) or 1.0
        self.weights = counts / length
        similarities = []
        for row in rows:
            own = counts[row]
            others = np.maximum(own - 1, 0) * (own > 2)  # a word of one other example tells nothing
            rest = math.sqrt(max(length**2 - float(own @ own) + float(others @ others), 0.0))
            similarities.append(others.sum() / (math.sqrt(len(row)) * rest) if rest else 0.0)
        self._similarities = np.sort(similarities)

    def probability(self, row: NDArray[np.int64], /) -> float:
        below = np.searchsorted(self._similarities, _projection(self.weights, row), side="right")
        return float(below) / len(self._similarities)


def _projection(weights: NDArray[np.float64], row: NDArray[np.int64]) -> float:
    """Return the sum of the words' weights for a page as a vector of length 1."""
    return float(weights[row].sum()) / math.sqrt(len(row)) if len(row) else 0.0


def _regression(
    rows: list[NDArray[np.int64]], labels: NDArray[np.bool_], size: int
) -> tuple[NDArray[np.float64], float]:
    """Return the weights of words and the bias; both kinds of examples weigh the same."""
    lengths = np.array([len(row) for row in rows])
    offsets = np.concatenate(([0], np.cumsum(lengths)))
    values = np.repeat(1 / np.sqrt(lengths), lengths)
    # Words that share a number are added up, and no weight is learned for them.
    columns = np.concatenate(rows)
    values[columns <= _OTHER] = 0
    stiffness = np.full(size + 1, 1 / COST)
    stiffness[-1] = _UNPENALISED
    wanted = int(labels.sum())
    fitted = fit(
        Rows(offsets, columns.astype(np.int32)),
        np.ones((len(rows), 1)),
        labels.astype(np.float64),
        stiffness,
        np.zeros(size + 1),
        steps=MAX_STEPS,
        turns=MAX_STEPS,
        values=values,
        sample_weights=len(rows) / 2 / np.where(labels, wanted, len(rows) - wanted),
    )
    return fitted[:-1], float(fitted[-1])


def _platt(decisions: NDArray[np.float64], labels: NDArray[np.bool_]) -> tuple[float, float]:
    """Return slope and shift of the sigmoid from decisions to probabilities (Platt 1999).

    The targets are smoothed as Platt does, so that no probability becomes 0 or 1.
    """
    yes, no = int(labels.sum()), int((~labels).sum())
    chance = np.where(labels, (yes + 1) / (yes + 2), 1 / (no + 2))
    scale, shift = fit(
        Rows(np.zeros(len(labels) + 1, np.int64), np.zeros(0, np.int32)),
        np.column_stack((decisions, np.ones(len(labels)))),
        chance,
        np.array([1e-3, _UNPENALISED]),
        np.zeros(2),
        steps=MAX_STEPS,
        turns=MAX_STEPS,
    ).tolist()
    return max(scale, 0.0), shift


def _files(paths: Sequence[Path]) -> list[Path]:
    found: list[Path] = []
    for path in map(Path, paths):
        if path.is_dir():
            inside = sorted(p for p in path.rglob("*") if p.suffix.lower() in TYPES and p.is_file())
            if not inside:
                raise UsageError(
                    f"There are no examples in {str(path)!r}; put {', '.join(TYPES)} files there."
                )
            found += inside
        elif not path.is_file():
            raise UsageError(f"There is no example {str(path)!r}; give a file or a folder.")
        elif path.suffix.lower() not in TYPES:
            raise UsageError(
                f"The example {str(path)!r} cannot be read; give {', '.join(TYPES)} files."
            )
        else:
            found.append(path)
    return list(dict.fromkeys(found))


def _words(path: Path, converter: Converter, skipped: list[Path]) -> list[str]:
    try:
        body = path.read_bytes()
    except OSError as error:
        _log.debug("The example %s cannot be read.", path, exc_info=True)
        raise UsageError(f"The example {str(path)!r} cannot be read: {error.strerror}.") from error
    kind = TYPES[path.suffix.lower()]
    if kind == "application/pdf":
        body, kind = converter.convert(body, kind).text.encode(), "text/plain; charset=utf-8"
    words = Reader().page("http://example.invalid/", body, kind).text.split()
    if not words:
        skipped.append(path)
    return words
