"""A goal by example: pages like these, and not like those.

With pages of both kinds, a logistic regression on the words parts them, and
what it says of pages that it had not seen becomes a probability (Platt,
"Probabilistic outputs for support vector machines", 1999, by cross-validation).
With wanted pages alone, a page is compared with the mean of them (Rocchio
1971), and its figure is its place among the examples themselves, each of which
was compared with the mean of the others.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, Protocol, Self

import numpy as np
from numpy.typing import NDArray

from lycosa.core import Page
from lycosa.documents.conversion import Converter
from lycosa.documents.language import is_function_word
from lycosa.errors import UsageError
from lycosa.goals.combined import Combinable, failed
from lycosa.goals.lexicon import Lexicon
from lycosa.learn.link_words import Rows
from lycosa.learn.logistic import fit
from lycosa.web.reader import Reader

FEWEST = 3
"""How many examples of a kind are needed to learn anything from them."""
COST = 30.0
"""C of the regression: chosen among 10, 30 and 100 on the pages of four universities."""
FOLDS = 5
MAX_STEPS = 100
"""Newton steps of a fit, and conjugate-gradient iterations of a step; ten are usual."""
_UNPENALISED = 1e-6  # precision of the prior of an intercept
WORDS = 20
"""How many words a goal says it looks for."""

TYPES = {
    ".html": "text/html",
    ".htm": "text/html",
    ".txt": "text/plain",
    ".pdf": "application/pdf",
}
"""What examples may be, by the end of the file name."""


class Examples(Combinable):
    """Reward 1 for every page that is at least as probable as `least` to be like the examples.

    Examples are sequences of words in lower case; `of` takes pages and `read`
    takes files. The probability holds where wanted pages are as frequent as
    among the examples; if you know their `share` where you crawl, say it.
    With `graded`, the reward is the probability itself, 0 below `least`.

    Without negative examples there is no probability. What stands for it is
    the share of the examples that are less like the others than the page is.

    `words` are the words that speak most for a page, the strongest first.

    >>> course = [["homework", "exam", "syllabus"], ["exam", "lecture"], ["homework", "lecture"]]
    >>> other = [["research", "lab"], ["lab", "staff"], ["research", "staff"]]
    >>> goal = Examples(course, other)
    >>> sorted(goal.words)
    ['exam', 'homework', 'lecture']
    >>> page = Reader().page("http://a.edu/", b"The exam covers every lecture.")
    >>> goal(page), goal.probability(page) > 0.5
    (1.0, True)
    """

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
            raise UsageError(f"A probability to reach is above 0 and at most 1, not {least!r}.")
        wanted, others = _said(positive), _said(negative)
        if len(wanted) < FEWEST or 0 < len(others) < FEWEST:
            kind, few = ("positive", wanted) if len(wanted) < FEWEST else ("negative", others)
            raise UsageError(
                f"{len(few)} {kind} examples with words are too few to learn from; "
                f"give {FEWEST} or more, better 30."
            )
        if share is not None and not (others and 0 < share < 1):
            raise UsageError(
                "A share of wanted pages is between 0 and 1 and needs negative examples "
                f"to mean anything; it is {share!r} with {len(others)} of them."
            )
        self.name = name
        self.least = least
        self.graded = graded
        self.skipped: tuple[Path, ...] = ()
        """Files that `read` left out, because nothing could be read in them."""
        vocabulary = _Vocabulary(wanted + others)
        self._numbers = Lexicon(vocabulary)
        rows = [vocabulary.row(words) for words in (*wanted, *others)]
        self._model: _Model = (
            _Parted(rows, len(wanted), len(vocabulary), share)
            if others
            else _Typical(rows, len(vocabulary))
        )
        known = vocabulary.words
        best = [n for n in np.argsort(-self._model.weights, kind="stable") if n > _OTHER]
        self.words = tuple(known[n] for n in best[:WORDS] if self._model.weights[n] > 0)

    @classmethod
    def of(cls, positive: Iterable[Page], negative: Iterable[Page] = (), **options: Any) -> Self:
        """A goal by pages; the options are those of the class."""
        return cls(
            [p.text.split() for p in positive], [p.text.split() for p in negative], **options
        )

    @classmethod
    def read(cls, positive: Sequence[Path], negative: Sequence[Path] = (), **options: Any) -> Self:
        """A goal by files and folders of .html, .txt and .pdf; other files are not read."""
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
        """1 for a page that is like the examples, else 0; graded, how much it is."""
        if failed(page):
            return 0.0
        probability = self.probability(page)
        if probability < self.least:
            return 0.0
        return probability if self.graded else 1.0

    def probability(self, page: Page) -> float:
        """How probable it is that a page is wanted, judged by its words alone."""
        numbers = self._numbers.distinct(page)
        return self._model.probability(numbers[numbers > 0])


_NOT_COUNTED, _OTHER = 0, 1  # numbers of words that no weight belongs to


class _Vocabulary:
    """Words of two examples or more have numbers of their own; all others share one."""

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
        return self._numbers.get(word, _OTHER if _counts(word) else _NOT_COUNTED)

    def row(self, words: frozenset[str]) -> NDArray[np.int64]:
        """The numbers of an example's words."""
        return np.sort(np.array([self(word) for word in words], np.int64))


def _counts(word: str) -> bool:
    """Whether a word may say what a page is about."""
    long = len(word) > 1 or word >= "\u2e80"  # a Chinese character is a word
    return long and not word.isdigit() and not is_function_word(word)


def _said(examples: Iterable[Sequence[str]]) -> list[frozenset[str]]:
    said = (frozenset(filter(_counts, words)) for words in examples)
    return [words for words in said if words]


class _Model(Protocol):
    """A weight for every word, and what their sum says of a page."""

    @property
    def weights(self) -> NDArray[np.float64]: ...

    def probability(self, row: NDArray[np.int64], /) -> float:
        """Of a page with these words, each once; none of them may be `_NOT_COUNTED`."""


class _Parted:
    """Logistic regression between two kinds of examples."""

    def __init__(
        self, rows: list[NDArray[np.int64]], wanted: int, size: int, share: float | None
    ) -> None:
        labels = np.arange(len(rows)) < wanted
        self.weights, self._bias = _regression(rows, labels, size)
        unseen = np.zeros(len(rows))
        # Every fifth of each kind, in turn, is judged by what was learned from the others.
        folds = np.concatenate([np.arange(n) % FOLDS for n in (wanted, len(rows) - wanted)])
        for fold in range(FOLDS):
            rest = np.flatnonzero(folds != fold)
            weights, bias = _regression([rows[n] for n in rest], labels[rest], size)
            for n in np.flatnonzero(folds == fold):
                unseen[n] = _mean(weights, rows[n]) + bias
        self._scale, self._shift = _platt(unseen, labels)
        if share is not None:
            self._shift += math.log(share / (1 - share) * (len(rows) - wanted) / wanted)

    def probability(self, row: NDArray[np.int64], /) -> float:
        sure = self._scale * (_mean(self.weights, row) + self._bias) + self._shift
        return 0.5 + 0.5 * math.tanh(sure / 2)  # a sigmoid that never overflows


class _Typical:
    """The mean of wanted examples, and how near each of them is to that of the others."""

    def __init__(self, rows: list[NDArray[np.int64]], size: int) -> None:
        counts = np.bincount(np.concatenate(rows), minlength=size).astype(np.float64)
        counts[: _OTHER + 1] = 0
        length = float(np.linalg.norm(counts)) or 1.0
        self.weights = counts / length
        near = []
        for row in rows:
            mine = counts[row]
            others = np.maximum(mine - 1, 0) * (mine > 2)  # a word of one example is no hint
            rest = math.sqrt(max(length**2 - float(mine @ mine) + float(others @ others), 0.0))
            near.append(others.sum() / (math.sqrt(len(row)) * rest) if rest else 0.0)
        self._near = np.sort(near)

    def probability(self, row: NDArray[np.int64], /) -> float:
        below = np.searchsorted(self._near, _mean(self.weights, row), side="right")
        return float(below) / len(self._near)


def _mean(weights: NDArray[np.float64], row: NDArray[np.int64]) -> float:
    """The weights of a page's words, as if the page were a vector of length 1."""
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
        raise UsageError(f"The example {str(path)!r} cannot be read: {error.strerror}.") from None
    kind = TYPES[path.suffix.lower()]
    if kind == "application/pdf":
        body, kind = converter.convert(body, kind).text.encode(), "text/plain; charset=utf-8"
    words = Reader().page("http://example.invalid/", body, kind).text.split()
    if not words:
        skipped.append(path)
    return words
