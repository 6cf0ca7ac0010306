"""Tagged text: the format of headers and references with labelled words.

The format is that of the two corpora of Seymore, McCallum & Rosenfeld 1999:

    <NEW_HEADER>
    <title> A Model-Based Approach to +L+
    Analogical Reasoning +L+ </title>
    <author> Sambasiva R. Bhatta +L+ </author>

A mark begins each item, a tag labels the words in it, `+L+` ends a line of the
paper, and the word `+PAGE+` stands for the end of the first page. Line ends of the
file have no meaning. Words outside any tag have the label "". A tag is a lower-case
word in angle brackets; `<joe@x.edu>` is text. A tag that is unknown, not closed,
closed but not open, or nested is an error, reported with its line number.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from operator import attrgetter
from pathlib import Path
from typing import NamedTuple

from lycosa.errors import UsageError

HEADER_LABELS = tuple(
    "title author affiliation address note email date abstract intro phone keyword web degree "
    "pubnum page".split()
)
"""The fifteen classes of words in the header of a paper."""

REFERENCE_LABELS = tuple(
    "author title booktitle journal volume pages date editor publisher location institution tech "
    "note".split()
)
"""The thirteen classes of words in a reference of the corpus."""

ADDRESS_LABELS = ("web", "identifier")
"""Two more classes of later references: web addresses, and DOI, arXiv number and others."""

NEW_HEADER, NEW_REFERENCE = "<NEW_HEADER>", "<NEWREFERENCE>"
"""The marks that begin an item of each kind."""

_LABELS = {NEW_HEADER: HEADER_LABELS, NEW_REFERENCE: REFERENCE_LABELS + ADDRESS_LABELS}
_END_OF_LINE = "+L+"
_MARKUP = re.compile(rf"({NEW_HEADER}|{NEW_REFERENCE}|</?[a-z]+>|\+L\+)")


class Token(NamedTuple):
    """A word of an item.

    `text` is the word as printed, `label` its class ("" if it has none), and `line` its line in
    the item, from 0.
    """

    text: str
    label: str = ""
    line: int = 0


def read_headers(path: Path) -> list[list[Token]]:
    """Read the headers of a tagged file, each as its words in reading order."""
    return _read(path, NEW_HEADER)


def read_references(path: Path) -> list[list[Token]]:
    """Read the references of a tagged file, each as its words in reading order."""
    return _read(path, NEW_REFERENCE)


def parse_tagged(text: str, mark: str, name: str = "text") -> list[list[Token]]:
    """Parse tagged text into items; `mark` begins each, `name` is used in error messages.

    >>> parse_tagged("<NEWREFERENCE> <title> Spiders. +L+ </title> 1999", NEW_REFERENCE)
    [[Token(text='Spiders.', label='title', line=0), Token(text='1999', label='', line=1)]]
    """
    items: list[list[Token]] = []
    label, opened, line = "", 0, 0
    for number, part in _parts(text):

        def damaged(what: str, at: int = number) -> UsageError:
            return UsageError(f"{name}, line {at}: {what}; correct the tags of this item.")

        if part == mark:
            if label:
                raise damaged(f"<{label}> is never closed", opened)
            items.append([])
            line = 0
        elif not items:
            raise damaged(f"{part!r} is before the first {mark}")
        elif part == _END_OF_LINE:
            line += 1
        elif _MARKUP.fullmatch(part) is None:
            items[-1].append(Token(part, label, line))
        elif part.strip("</>") not in _LABELS[mark]:
            raise damaged(f"{part} is not a tag of a {mark} file")
        elif part.startswith("</"):
            if part[2:-1] != label:
                raise damaged(f"{part} closes a tag that is not open")
            label = ""
        elif label:
            raise damaged(f"{part} is inside <{label}>")
        else:
            label, opened = part[1:-1], number
    if label:
        raise UsageError(f"{name}, line {opened}: <{label}> is never closed; close it.")
    return items


def format_tagged(items: Iterable[Sequence[Token]], mark: str) -> str:
    """Format items as tagged text that parses back to them.

    >>> print(format_tagged([[Token("Spiders.", "title"), Token("1999", "", 1)]], NEW_REFERENCE))
    <NEWREFERENCE>
    <title> Spiders. </title> +L+
    1999
    <BLANKLINE>
    """
    lines: list[str] = []
    for item in items:
        lines.append(mark)
        parts: list[str] = []
        line = 0
        for label, run in groupby(item, attrgetter("label")):
            if label and label not in _LABELS[mark]:
                raise UsageError(f"{label!r} is not a tag of a {mark} file; rename the label.")
            words = list(run)
            parts.extend(_breaks(line, words[0]))
            line = words[0].line
            parts.extend([f"<{label}> "] if label else [])
            for word in words:
                parts.extend(_breaks(line, word))
                parts.append(_check_word(word.text) + " ")
                line = word.line
            parts.extend([f"</{label}> "] if label else [])
        lines.extend(text.rstrip() for text in "".join(parts).split("\n"))
    return "".join(f"{text}\n" for text in lines)


def write_tagged(path: Path, items: Iterable[Sequence[Token]], mark: str) -> None:
    """Write items to a file that `read_headers` or `read_references` reads, depending on `mark`."""
    path.write_text(format_tagged(items, mark), encoding="utf-8")


def _read(path: Path, mark: str) -> list[list[Token]]:
    try:
        text = path.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeError) as error:
        raise UsageError(f"{path} cannot be read as UTF-8 text ({error}).") from error
    return parse_tagged(text, mark, str(path))


def _parts(text: str) -> Iterator[tuple[int, str]]:
    """Yield tags, marks and words, each with its line number in the file."""
    for number, line in enumerate(text.split("\n"), start=1):
        for part in _MARKUP.split(line):
            for word in part.split():
                yield number, word


def _breaks(line: int, word: Token) -> list[str]:
    if word.line < line:
        raise UsageError(f"{word} goes back to an earlier line; give words in reading order.")
    return [f"{_END_OF_LINE}\n"] * (word.line - line)


def _check_word(text: str) -> str:
    if text.split() != [text] or _MARKUP.search(text):
        raise UsageError(f"{text!r} cannot be written as one word of tagged text.")
    return text
