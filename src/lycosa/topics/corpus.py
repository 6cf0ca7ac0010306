"""Corpus: documents as sequences of word numbers, with a citation matrix.

>>> corpus = Corpus.of(["Neural networks learn", "A neural network"])
>>> list(corpus.words)
['neural', 'network', 'learn', 'a']
>>> corpus.counts.toarray().astype(int).tolist()
[[1, 1, 1, 0], [1, 1, 0, 1]]
"""

from __future__ import annotations

import csv
import json
import logging
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from lycosa.content import Table
from lycosa.errors import UsageError
from lycosa.web.numberer import Numberer
from lycosa.web.plurals import singular
from lycosa.web.words import words

_log = logging.getLogger("lycosa.topics")

NAMES = ("id", "name", "paper", "url")
TITLES = ("title", "title_words")
TEXTS = ("abstract", "text")
"""Columns that are read; all others are ignored."""


def terms(text: str) -> list[str]:
    """Return the words of a text in lower case and singular, as documents and keywords match.

    >>> terms("Hidden Markov Models")
    ['hidden', 'markov', 'model']
    """
    return [singular(word) for word in words(text)]


@dataclass(frozen=True, eq=False)
class Corpus:
    """Documents; `tokens[offsets[d]:offsets[d + 1]]` are the words of document d.

    `names` identify the documents, as file names do, and `titles` are shown to people. `words` is
    the table of all words. Row d, column e of `citations` is 1 if d cites e. If `ordered` is
    False, the words of a document have no order, and a phrase matches a document with all its
    words.
    """

    names: Sequence[str]
    titles: Sequence[str]
    words: Table
    tokens: NDArray[np.int32]
    offsets: NDArray[np.int64]
    citations: sparse.csr_matrix
    ordered: bool = True

    def __len__(self) -> int:
        return len(self.names)

    @cached_property
    def counts(self) -> sparse.csr_matrix:
        """Count of each word in each document."""
        shape = len(self), len(self.words)
        ones = np.ones(len(self.tokens), np.float32)
        counts = sparse.csr_matrix((ones, self.tokens, self.offsets), shape, copy=True)
        counts.sum_duplicates()
        return counts

    @cached_property
    def owners(self) -> NDArray[np.int32]:
        """Document of each token."""
        return np.repeat(np.arange(len(self), dtype=np.int32), np.diff(self.offsets))

    @classmethod
    def of(
        cls,
        texts: Iterable[str],
        names: Sequence[str] | None = None,
        titles: Sequence[str] | None = None,
        citations: Iterable[tuple[str, str]] = (),
        *,
        ordered: bool = True,
        vocabulary: Table | None = None,
    ) -> Corpus:
        """Return the corpus of some texts.

        `citations` are pairs of names, citing and cited; pairs with a document outside the
        corpus are left out. With a `vocabulary`, words have its numbers and unknown words are
        left out.
        """
        raw = Table()
        numberer = Numberer(raw)
        tokens: list[NDArray[np.int32]] = []
        kept: list[str] = []
        for text in texts:
            tokens.append(numberer.numbers(text))
            kept.append(text[:200])
        if names is None:
            names = [str(n) for n in range(len(tokens))]
        if len(names) != len(tokens) or (titles is not None and len(titles) != len(tokens)):
            raise UsageError("Give as many names and titles as texts.")
        number = {name: n for n, name in enumerate(names)}
        if len(number) != len(names):
            twice = next(name for n, name in enumerate(names) if number[name] != n)
            raise UsageError(f"Two documents have the name {twice!r}; rename one.")
        table = Table() if vocabulary is None else vocabulary
        every = np.concatenate(tokens) if tokens else np.zeros(0, np.int32)
        offsets = np.concatenate(([0], np.cumsum([len(t) for t in tokens]))).astype(np.int64)
        every = _renumber(raw, table, grow=vocabulary is None)[every]
        known = np.concatenate(([0], np.cumsum(every >= 0)))
        return cls(
            names=names,
            titles=kept if titles is None else titles,
            words=table,
            tokens=every[every >= 0],
            offsets=known[offsets],
            citations=_adjacency(citations, number),
            ordered=ordered,
        )

    @classmethod
    def read(
        cls,
        path: Path,
        citations: Path | None = None,
        *,
        ordered: bool | None = None,
        vocabulary: Table | None = None,
    ) -> Corpus:
        """Read documents from a file of tab-separated columns with a header, or of JSON lines.

        The text of a document is its `title`, `abstract` and `text`, as many as are present;
        its name is its `id`, `name`, `paper` or `url`. A column `title_words` means that the
        words have no order. The file of citations has two columns with a header: the name of
        the citing document, then of the cited one.
        """
        names: list[str] = []
        titles: list[str] = []
        texts: list[str] = []
        loose = False
        for line, row in _rows(path):
            name = next((row[key] for key in NAMES if row.get(key)), str(line))
            loose = loose or "title_words" in row
            title = next((row[key] for key in TITLES if row.get(key)), "")
            body = [row[key] for key in TEXTS if row.get(key)]
            names.append(name)
            titles.append(title or (body[0][:200] if body else ""))
            texts.append(" ".join([title, *body]))
        if not names:
            raise UsageError(f"{path} has no documents; write one on each line.")
        pairs = [] if citations is None else _pairs(citations)
        order = not loose if ordered is None else ordered
        return cls.of(texts, names, titles, pairs, ordered=order, vocabulary=vocabulary)

    def subset(self, documents: NDArray[np.int64]) -> Corpus:
        """Return some of the documents, with the citations among them."""
        lengths = np.diff(self.offsets)[documents]
        offsets = np.concatenate(([0], np.cumsum(lengths))).astype(np.int64)
        places = np.repeat(self.offsets[documents] - offsets[:-1], lengths)
        return replace(
            self,
            names=[self.names[d] for d in documents.tolist()],
            titles=[self.titles[d] for d in documents.tolist()],
            tokens=self.tokens[places + np.arange(offsets[-1])],
            offsets=offsets,
            citations=self.citations[documents][:, documents],
        )


def _renumber(raw: Table, table: Table, *, grow: bool) -> NDArray[np.int32]:
    """Return for each written form the number of its singular, or -1."""
    forms = map(singular, raw)
    if grow:
        return np.array(table.numbers(forms), np.int32)
    found = (table.find(form) for form in forms)
    return np.array([-1 if number is None else number for number in found], np.int32)


def _adjacency(pairs: Iterable[tuple[str, str]], number: Mapping[str, int]) -> sparse.csr_matrix:
    ends = [(number[a], number[b]) for a, b in pairs if a in number and b in number and a != b]
    rows, columns = np.array(ends, np.int32).reshape(-1, 2).T
    shape = len(number), len(number)
    found = sparse.csr_matrix((np.ones(len(rows), np.float32), (rows, columns)), shape)
    found.data[:] = 1
    return found


def _lines(path: Path) -> Iterator[str]:
    try:
        with path.open(encoding="utf-8-sig", newline="\n") as file:
            yield from file
    except OSError as error:
        _log.debug("cannot read %s", path, exc_info=True)
        raise UsageError(f"{path} cannot be read: {error.strerror}.") from error
    except UnicodeDecodeError as error:
        _log.debug("cannot decode %s", path, exc_info=True)
        raise UsageError(f"{path} is not UTF-8 ({error.reason}); save it as UTF-8.") from error


def _rows(path: Path) -> Iterator[tuple[int, Mapping[str, str]]]:
    """Yield the line number and the columns of each row of a file."""
    lines = _lines(path)
    if path.suffix in {".jsonl", ".ndjson", ".json"}:
        for n, line in enumerate(lines, 1):
            if line.strip():
                yield n, _object(path, n, line)
        return
    head = next(lines, "").rstrip("\r\n").split("\t")
    if not set(head) & {*TITLES, *TEXTS}:
        wanted = ", ".join((*TITLES, *TEXTS))
        raise UsageError(
            f"{path} has no column of text: its first line must name the columns, "
            f"separated by tabs, and one of them must be {wanted}."
        )
    rows = csv.reader(lines, delimiter="\t", quoting=csv.QUOTE_NONE)
    try:
        for n, cells in enumerate(rows, 2):
            if cells:
                yield n, dict(zip(head, cells, strict=False))
    except csv.Error as error:
        _log.debug("cannot parse %s", path, exc_info=True)
        raise UsageError(f"{path} cannot be read as columns: {error}.") from error


def _object(path: Path, number: int, line: str) -> Mapping[str, str]:
    try:
        row = json.loads(line)
    except (ValueError, RecursionError):
        _log.debug("cannot parse line %d of %s", number, path, exc_info=True)
        row = None
    if not isinstance(row, dict):
        raise UsageError(
            f"{path}, line {number} is not a JSON object; write one document on each line."
        )
    plain = {k: v if isinstance(v, str) else str(v) for k, v in row.items() if v is not None}
    if not plain.keys() & {*TITLES, *TEXTS}:
        wanted = ", ".join((*TITLES, *TEXTS))
        raise UsageError(f"{path}, line {number} has no text; give one of {wanted}.")
    return plain


def _pairs(path: Path) -> Iterator[tuple[str, str]]:
    lines = _lines(path)
    next(lines, "")
    for n, line in enumerate(lines, 2):
        if not line.strip():
            continue
        cells = line.rstrip("\r\n").split("\t")
        if len(cells) < 2:
            raise UsageError(f"{path}, line {n} does not have two columns; separate them by a tab.")
        yield cells[0], cells[1]
