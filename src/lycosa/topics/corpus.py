"""Documents as numbers: which words stand where, how often, and who cites whom.

>>> corpus = Corpus.of(["Neural networks learn", "A neural network"])
>>> list(corpus.words)
['neural', 'network', 'learn', 'a']
>>> corpus.counts.toarray().astype(int).tolist()
[[1, 1, 1, 0], [1, 1, 0, 1]]
"""

from __future__ import annotations

import csv
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from lycosa.content import Table
from lycosa.errors import UsageError
from lycosa.web.words import Numberer, words

NAMES = ("id", "name", "paper", "url")
TITLES = ("title", "title_words")
TEXTS = ("abstract", "text")
"""The columns that are read; all others are left alone."""


def singular(word: str) -> str:
    """A word without its plural, by rules that never need a list.

    >>> [singular(w) for w in "networks queries classes bus analysis class gas".split()]
    ['network', 'query', 'class', 'bus', 'analysis', 'class', 'gas']
    """
    if len(word) < 4 or word[-1] != "s" or word[-2] in "sui":
        return word
    if word.endswith("ies") and len(word) > 4:
        return word[:-3] + "y"
    if word.endswith(("sses", "shes", "ches", "xes")):
        return word[:-2]
    return word[:-1]


def terms(text: str) -> list[str]:
    """The words of a text as documents and keywords are compared by.

    >>> terms("Hidden Markov Models")
    ['hidden', 'markov', 'model']
    """
    return [singular(word) for word in words(text)]


@dataclass(frozen=True, eq=False)
class Corpus:
    """Documents; `tokens[offsets[d]:offsets[d + 1]]` are the words of document d.

    Row d, column e of `citations` is 1 if d cites e. Where `ordered` is false
    the words of a document were given in no order, and phrases are not looked for.
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
        """How often each word stands in each document."""
        shape = len(self), len(self.words)
        ones = np.ones(len(self.tokens), np.float32)
        counts = sparse.csr_matrix((ones, self.tokens, self.offsets), shape, copy=True)
        counts.sum_duplicates()
        return counts

    @cached_property
    def owners(self) -> NDArray[np.int32]:
        """For each token the document it stands in."""
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
        """The corpus of some texts; `citations` are pairs of names, citing and cited.

        Pairs with a document that is not in the corpus are left out. Words get
        their numbers from `vocabulary`, and those it does not know are left
        out, if there is one.
        """
        raw = Table()
        numberer = Numberer(raw)
        tokens: list[NDArray[np.int32]] = []
        kept: list[str] = []
        for text in texts:
            tokens.append(np.array(numberer.numbers(text), np.int32))
            kept.append(text[:200])
        if names is None:
            names = [str(n) for n in range(len(tokens))]
        if len(names) != len(tokens) or (titles is not None and len(titles) != len(tokens)):
            raise UsageError("There must be as many names and titles as texts.")
        number = {name: n for n, name in enumerate(names)}
        if len(number) != len(names):
            twice = next(name for n, name in enumerate(names) if number[name] != n)
            raise UsageError(f"Two documents are called {twice!r}; give each a name of its own.")
        table = Table() if vocabulary is None else vocabulary
        every = np.concatenate(tokens) if tokens else np.zeros(0, np.int32)
        offsets = np.concatenate(([0], np.cumsum([len(t) for t in tokens]))).astype(np.int64)
        every = _renumbered(raw, table, grow=vocabulary is None)[every]
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
        """Documents from a file of tab-separated columns with a head, or of JSON lines.

        A document is its `title`, `abstract` and `text`, as many as are there;
        its name is its `id`, `name`, `paper` or `url`. A column `title_words`
        says that the words stand in no order. The file of citations has two
        columns with a head: the name of the citing document, then of the cited.
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
            raise UsageError(f"{path} holds no documents; give a row or a line to each.")
        pairs = [] if citations is None else _pairs(citations)
        order = not loose if ordered is None else ordered
        return cls.of(texts, names, titles, pairs, ordered=order, vocabulary=vocabulary)

    def part(self, documents: NDArray[np.int64]) -> Corpus:
        """Some of the documents, with the citations among them."""
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


def _renumbered(raw: Table, table: Table, *, grow: bool) -> NDArray[np.int32]:
    """For each word as it was written the number of its folded form, or -1."""
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
        raise UsageError(f"{path} cannot be read: {error.strerror}.") from error
    except UnicodeDecodeError as error:
        raise UsageError(f"{path} is not UTF-8 ({error.reason}); convert it.") from error


def _rows(path: Path) -> Iterator[tuple[int, Mapping[str, str]]]:
    """The rows of a file and the numbers of their lines."""
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
            f"divided by tabs, and one of them must be {wanted}."
        )
    rows = csv.reader(lines, delimiter="\t", quoting=csv.QUOTE_NONE)
    try:
        for n, cells in enumerate(rows, 2):
            if cells:
                yield n, dict(zip(head, cells, strict=False))
    except csv.Error as error:
        raise UsageError(f"{path} cannot be read as columns: {error}.") from error


def _object(path: Path, number: int, line: str) -> Mapping[str, str]:
    try:
        row = json.loads(line)
    except (ValueError, RecursionError):
        row = None
    if not isinstance(row, dict):
        raise UsageError(f"{path}, line {number} is no JSON object; give one document a line.")
    plain = {k: v if isinstance(v, str) else str(v) for k, v in row.items() if v is not None}
    if not plain.keys() & {*TITLES, *TEXTS}:
        wanted = ", ".join((*TITLES, *TEXTS))
        raise UsageError(f"{path}, line {number} has no text; one of {wanted} must be there.")
    return plain


def _pairs(path: Path) -> Iterator[tuple[str, str]]:
    lines = _lines(path)
    next(lines, "")
    for n, line in enumerate(lines, 2):
        if not line.strip():
            continue
        cells = line.rstrip("\r\n").split("\t")
        if len(cells) < 2:
            raise UsageError(f"{path}, line {n} has no two columns divided by a tab.")
        yield cells[0], cells[1]
