"""A parsed body on its way between two processes.

A process that parses for another does not know the tables in which the other numbers
words, URLs and tag paths. It numbers them in tables of its own, and sends these numbers,
and each string once: a page of a site has hardly a word that the pages before it have
not. The receiver numbers a string in its own tables when a page that it adopts uses it first, and
so gets the page that it would have parsed itself.

    message      a line of JSON, then numbers of four bytes each
    line         whether the sender begins, the size of the title, the title, new words, new
                 URLs, new paths, the lengths of the arrays
    numbers      the arrays, in the order of `_ARRAYS`; those of `_OPTIONAL` are one more
                 than their values, of which the least is -1

>>> from lycosa.web.reader import BodyParser, Reader
>>> parser, decoder, reader = BodyParser(), BodyDecoder(), Reader()
>>> for name in "ab":
...     sent = parser.parse(f"http://a.example/{name}", b"<title>Spider</title><a href=c>c</a>")
...     page = reader.adopt(f"http://a.example/{name}", decoder.decode(sent))
...     page.title, page.link(0).target, b"spider" in sent
('Spider', 'http://a.example/c', True)
('Spider', 'http://a.example/c', False)
>>> BodyDecoder().decode(b"[]") is None
True
"""

from __future__ import annotations

import json
import logging
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lycosa.content import Content, Ints, Table
from lycosa.core import Page

_log = logging.getLogger("lycosa.web")

# The arrays of a page, and of what their numbers are positions. Those that are handled together
# are side by side: the words, and the places where something starts and where it stops.
_ARRAYS = {
    "targets": "urls",
    "tokens": "words",
    "url_tokens": "words",
    "paths": "paths",
    "owner": "targets",
    "head_start": "tokens",
    "url_start": "url_tokens",
    "start": "tokens",
    "head_stop": "tokens",
    "url_stop": "url_tokens",
    "stop": "tokens",
    "head_above": "headings",
    "heading": "headings",
}
_OF_CONTENT = tuple(_ARRAYS)[1:]
_OPTIONAL = ("head_above", "heading")  # the last ones
_STARTS = ("head_start", "url_start", "start")
# Positions between words, of which there is one more than words, and those that may be -1.
_ONE_MORE = {"tokens", "url_tokens", "headings"}
_EQUAL = (
    ("head_start", "head_stop", "head_above"),
    ("owner", "start", "stop", "heading"),
    ("targets", "paths", "url_start", "url_stop"),
)
_NO_NUMBER = -1
_NUMBER_BYTES = 4


class BodyEncoder:
    """Serialises the pages of a reader for one receiver, which decodes all of them in order.

    Parameters
    ----------
    words, urls, paths
        The tables of the pages; they grow, and nothing in them changes.
    """

    def __init__(self, words: Table, urls: Table, paths: Table) -> None:
        self._tables = words, urls, paths
        self._sent = [0, 0, 0]
        self._begins = True
        self.characters = 0
        """The characters of all strings that were sent."""

    def encode(self, page: Page) -> bytes:
        """Return the message of a page."""
        sizes = [len(table) for table in self._tables]
        new = [table.strings[sent:] for table, sent in zip(self._tables, self._sent, strict=True)]
        content = page.content
        arrays = [page.targets, *(getattr(content, name) for name in _OF_CONTENT)]
        lengths = [len(array) for array in arrays]
        line = json.dumps([self._begins, content.title_size, content.title, *new, lengths])
        numbers = np.concatenate(arrays, dtype="<i4", casting="same_kind")
        numbers[sum(lengths[: -len(_OPTIONAL)]) :] += 1
        self._sent, self._begins = sizes, False
        self.characters += sum(len(text) for texts in new for text in texts)
        return b"".join((line.encode(), b"\n", numbers.tobytes()))


class BodyDecoder:
    """Deserialises the messages of one `BodyEncoder`, and of those that follow it."""

    def __init__(self) -> None:
        self._strings: Mapping[str, _Strings] | None = None

    def decode(self, message: bytes) -> ParsedBody | None:
        """Return the body of a message; None if it is damaged.

        After a damaged message all are, until a sender begins: strings may be missing.
        """
        head, _, numbers = message.partition(b"\n")
        try:
            begins, title_size, title, words, urls, paths, lengths = json.loads(head)
            if begins is True:
                self._strings = {name: _Strings() for name in ("words", "urls", "paths")}
            if self._strings is None:
                raise ValueError("a sender must begin")
            for name, texts in (("words", words), ("urls", urls), ("paths", paths)):
                self._strings[name].add(_checked_texts(texts))
            arrays = _arrays(numbers, lengths, self._strings)
            if type(title_size) is not int or not 0 <= title_size <= len(arrays["tokens"]):
                raise ValueError("the title is longer than the text")
        except (ValueError, TypeError, RecursionError):
            _log.debug("A parsed body is damaged", exc_info=True)
            self._strings = None
            return None
        return ParsedBody(title_size, str(title), arrays, self._strings)


class _Strings:
    """The strings that a sender has sent, by its numbers, and their numbers in a table."""

    def __init__(self) -> None:
        self.size = 0
        self._numbers: NDArray[np.int32] = np.full(1 << 10, _NO_NUMBER, np.int32)
        self._texts: dict[int, str] = {}  # of those without a number

    def add(self, texts: Sequence[str]) -> None:
        """Add the next strings."""
        if not texts:
            return
        self._texts.update(enumerate(texts, self.size))
        self.size += len(texts)
        if self.size > len(self._numbers):
            more = np.full(self.size, _NO_NUMBER, np.int32)  # at least twice as many
            self._numbers = np.concatenate((self._numbers, more))

    def numbered(self, used: Ints, number: Callable[[str], int | None]) -> Ints:
        """Return the numbers of strings by `number`, which is asked once, in the order of use.

        It may return None for a string that has no number, which is `_NO_NUMBER` here, and is
        asked again the next time.
        """
        found = self._numbers.take(used)
        if not len(found) or found.min() >= 0:
            return found
        for k in dict.fromkeys(used[found < 0].tolist()):
            if (given := number(self._texts[k])) is not None:
                self._numbers[k] = given
                del self._texts[k]
        return self._numbers.take(used)


@dataclass(frozen=True, slots=True, eq=False)
class ParsedBody:
    """The links and words of a body that another process has parsed.

    The tables in which it is numbered are the same for all bodies of a decoder.
    """

    _title_size: int
    _title: str
    _arrays: Mapping[str, Ints]
    _strings: Mapping[str, _Strings]

    def targets(self, number: Callable[[str], int | None]) -> Ints:
        """Return the numbers of the URLs that the links lead to, -1 for those that have none."""
        return self._strings["urls"].numbered(self._arrays["targets"], number)

    def content(self, kept: NDArray[np.bool_], words: Table, paths: Table) -> Content:
        """Return the content with the numbers of these tables.

        `kept` says which of the links stay.
        """
        arrays = {name: self._arrays[name] for name in _OF_CONTENT}
        if not kept.all():
            arrays |= _without_links(arrays, kept)
        size = len(arrays["tokens"])
        both = np.concatenate((arrays["tokens"], arrays["url_tokens"]))
        numbers = self._strings["words"].numbered(both, words.number)
        arrays["tokens"], arrays["url_tokens"] = numbers[:size], numbers[size:]
        arrays["paths"] = self._strings["paths"].numbered(arrays["paths"], paths.number)
        return Content(title_size=self._title_size, title=self._title, **arrays)


def _checked_texts(values: Any) -> list[str]:
    if not isinstance(values, list) or not all(isinstance(value, str) for value in values):
        raise TypeError("not a list of strings")
    return values


def _arrays(data: bytes, lengths: Any, strings: Mapping[str, _Strings]) -> dict[str, Ints]:
    """Return the arrays of a message; raise a `ValueError` if a number refers to nothing."""
    sizes: dict[str, int] = dict(zip(_ARRAYS, lengths, strict=True))
    if any(type(size) is not int or size < 0 for size in sizes.values()):
        raise ValueError("a length is not a number")
    if sum(sizes.values()) * _NUMBER_BYTES != len(data):
        raise ValueError("the lengths are not those of the numbers")
    for names in _EQUAL:
        if len({sizes[name] for name in names}) > 1:
            raise ValueError(f"the lengths of {', '.join(names)} differ")
    ends = sizes | {"headings": sizes["head_start"]}
    ends |= {name: texts.size for name, texts in strings.items()}
    limits = [ends[of] + (of in _ONE_MORE) for of in _ARRAYS.values()]
    # Without a sign, so that there is no number below the first.
    numbers = np.frombuffer(data, "<u4")
    if (numbers >= np.repeat(np.array(limits), lengths)).any():
        raise ValueError("a number refers to nothing")
    every = numbers.view("<i4").astype(np.int32, copy=False)
    arrays: dict[str, Ints] = {}
    start = 0
    for name, size in sizes.items():
        arrays[name] = every[start : start + size]
        start += size
    for name in _OPTIONAL:
        arrays[name] = arrays[name] - np.int32(1)
    end = len(every) - sum(sizes[name] for name in _OPTIONAL)
    ranges = every[end - 2 * sum(sizes[name] for name in _STARTS) : end].reshape(2, -1)
    if (ranges[0] > ranges[1]).any():
        raise ValueError("something stops before it starts")
    if (arrays["head_above"] >= np.arange(sizes["head_above"])).any():
        raise ValueError("a heading is above itself")
    return arrays


def _without_links(arrays: Mapping[str, Ints], kept: NDArray[np.bool_]) -> dict[str, Ints]:
    """Return the arrays that change when some links are left out; the words of the page stay."""
    occurs = kept.take(arrays["owner"])
    numbers = np.cumsum(kept, dtype=np.int32) - np.int32(1)
    url_start = arrays["url_start"][kept]
    lengths = arrays["url_stop"][kept] - url_start
    stop = np.cumsum(lengths, dtype=np.int32)
    index = np.repeat(url_start - (stop - lengths), lengths)
    index += np.arange(len(index), dtype=index.dtype)
    return {
        "paths": arrays["paths"][kept],
        "owner": numbers.take(arrays["owner"][occurs]),
        "start": arrays["start"][occurs],
        "stop": arrays["stop"][occurs],
        "heading": arrays["heading"][occurs],
        "url_tokens": arrays["url_tokens"].take(index),
        "url_start": stop - lengths,
        "url_stop": stop,
    }
