"""A parsed body with numbers of its own, as one process hands it to another.

A process that parses for another does not know the tables in which the other numbers
words, URLs and tag paths. It numbers them in tables of its own, and a `ParsedBody` has
both the numbers and the strings. The receiver numbers the strings in the order of their
first use, and so gets the page that it would have parsed itself.

>>> body = ParsedBody((), ("spider", "web"), ("/a",), Content(title="Spider"))
>>> again = ParsedBody.from_text(body.to_text())
>>> again.words, again.content.title
(('spider', 'web'), 'Spider')
>>> ParsedBody.from_text("[]") is None
True
"""

from __future__ import annotations

import json
import logging
from base64 import b64decode, b64encode
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lycosa.content import Content, Ints, Strings, Table
from lycosa.core import Page

_log = logging.getLogger("lycosa.web")

# The arrays of a content, and of which of the lists their numbers are positions.
_ARRAYS = {
    "tokens": "words",
    "head_start": "tokens",
    "head_stop": "tokens",
    "head_above": "headings",
    "paths": "paths",
    "url_tokens": "words",
    "url_start": "url_tokens",
    "url_stop": "url_tokens",
    "owner": "targets",
    "start": "tokens",
    "stop": "tokens",
    "heading": "headings",
}
_OPTIONAL = ("head_above", "heading")  # -1 is none
_BOUNDS = ("tokens", "url_tokens")  # positions between words: one more than there are words
_EQUAL = (
    ("head_start", "head_stop", "head_above"),
    ("owner", "start", "stop", "heading"),
    ("targets", "paths", "url_start", "url_stop"),
)


@dataclass(frozen=True, slots=True, eq=False)
class ParsedBody:
    """The links and words of a body.

    `targets` are the canonical URLs of its links, and `words` and `paths` the strings
    that the numbers in `content` refer to.
    """

    targets: tuple[str, ...]
    words: tuple[str, ...]
    paths: tuple[str, ...]
    content: Content

    @classmethod
    def of(cls, page: Page) -> ParsedBody:
        """Return the links and words of a page, numbered anew without those of other pages."""
        content, tables = page.content, page.tables
        both = np.concatenate((content.tokens, content.url_tokens))
        words, word_numbers = _used(both, tables.words)
        paths, path_numbers = _used(content.paths, tables.paths)
        targets = tuple(map(tables.urls.__getitem__, page.targets.tolist()))
        numbered = replace(
            content,
            tokens=word_numbers[: len(content.tokens)],
            url_tokens=word_numbers[len(content.tokens) :],
            paths=path_numbers,
        )
        return cls(targets, words, paths, numbered)

    def to_text(self) -> str:
        """Serialise as JSON."""
        content = self.content
        arrays = {
            name: b64encode(np.asarray(getattr(content, name), "<i4").tobytes()).decode()
            for name in _ARRAYS
        }
        fields = (self.targets, self.words, self.paths, content.title_size, content.title, arrays)
        return json.dumps(fields, separators=(",", ":"))

    @classmethod
    def from_text(cls, text: str) -> ParsedBody | None:
        """Return the body that `to_text` serialised; None if the text is anything else."""
        try:
            targets, words, paths, title_size, title, encoded = json.loads(text)
            arrays = {
                name: np.frombuffer(b64decode(encoded[name]), "<i4").astype(np.int32)
                for name in _ARRAYS
            }
            strings = _strings(targets), _strings(words), _strings(paths)
            _check(*strings, int(title_size), arrays)
        except (ValueError, TypeError, KeyError):
            _log.debug("A parsed body is damaged", exc_info=True)
            return None
        return cls(*strings, Content(title_size=int(title_size), title=str(title), **arrays))

    def numbered(self, kept: NDArray[np.bool_], words: Table, paths: Table) -> Content:
        """Return the content with the numbers of these tables.

        `kept` says which of the links stay.
        """
        content = self.content if kept.all() else _without_links(self.content, kept)
        path_numbers = _renumber(self.paths, content.paths, paths)
        both = np.concatenate((content.tokens, content.url_tokens))
        word_numbers = _renumber(self.words, both, words)
        return replace(
            content,
            tokens=word_numbers[: len(content.tokens)],
            url_tokens=word_numbers[len(content.tokens) :],
            paths=path_numbers,
        )


def _used(numbers: Ints, table: Strings) -> tuple[tuple[str, ...], Ints]:
    """Return the strings of a table that are used, and their numbers among these."""
    occurs = np.zeros(len(table), np.bool_)
    occurs[numbers] = True
    place = occurs.cumsum(dtype=np.int32) - np.int32(1)
    return tuple(map(table.__getitem__, occurs.nonzero()[0].tolist())), place.take(numbers)


def _strings(values: Any) -> tuple[str, ...]:
    if not isinstance(values, list) or not all(isinstance(value, str) for value in values):
        raise TypeError("not a list of strings")
    return tuple(values)


def _check(
    targets: tuple[str, ...],
    words: tuple[str, ...],
    paths: tuple[str, ...],
    title_size: int,
    arrays: dict[str, Ints],
) -> None:
    """Raise a `ValueError` unless every number refers to something."""
    sizes = {name: len(array) for name, array in arrays.items()}
    sizes |= {"targets": len(targets), "words": len(words), "headings": sizes["head_start"]}
    for names in _EQUAL:
        if len({sizes[name] for name in names}) > 1:
            raise ValueError(f"the lengths of {', '.join(names)} differ")
    sizes["paths"] = len(paths)
    for name, array in arrays.items():
        end = sizes[_ARRAYS[name]] + (_ARRAYS[name] in _BOUNDS)
        start = -1 if name in _OPTIONAL else 0
        if len(array) and not start <= array.min() <= array.max() < end:
            raise ValueError(f"{name} has a number that refers to nothing")
    if not 0 <= title_size <= sizes["tokens"]:
        raise ValueError("the title is longer than the text")


def _without_links(content: Content, kept: NDArray[np.bool_]) -> Content:
    """Return a content without some of its links; its words stay."""
    occurs = kept.take(content.owner)
    numbers = np.cumsum(kept, dtype=np.int32) - np.int32(1)
    lengths = (content.url_stop - content.url_start)[kept]
    stop = np.cumsum(lengths, dtype=np.int32)
    index = np.repeat(content.url_start[kept] - (stop - lengths), lengths)
    index += np.arange(len(index), dtype=index.dtype)
    return replace(
        content,
        paths=content.paths[kept],
        owner=numbers.take(content.owner[occurs]),
        start=content.start[occurs],
        stop=content.stop[occurs],
        heading=content.heading[occurs],
        url_tokens=content.url_tokens.take(index),
        url_start=stop - lengths,
        url_stop=stop,
    )


def _renumber(strings: tuple[str, ...], used: Ints, table: Table) -> Ints:
    """Return the numbers in a table of the strings that are used, new ones in order of use."""
    first = np.full(len(strings), len(used), np.int64)
    # Of the assignments to one place the last one holds: that of the first use.
    first[used[::-1]] = np.arange(len(used))[::-1]
    order = np.argsort(first, kind="stable")[: np.count_nonzero(first < len(used))]
    numbers = np.zeros(len(strings), np.int32)
    numbers[order] = table.numbers([strings[k] for k in order.tolist()])
    return numbers.take(used)
