"""The files of test collections as records and judgements, in the forms they are distributed in.

Records, each a number with named parts:

- SMART (Cranfield, CACM, CISI, MED, ADI): a line `.I NUMBER`, then lines `.T`,
  `.W`, `.A`, `.B`, … each followed by the lines of that part;
- TIME: a line `*TEXT NUMBER …` or `*FIND NUMBER`, then the text;
- NPL: a line with the number, then the text, then a line `/`;
- LISA: a line `Document NUMBER`, the title, an empty line, the text, a line of
  stars; its questions have a line with the number and end in `#`.

Judgements, each a question with a document and a code:

- columns `QUESTION DOCUMENT [CODE …]`, or TREC's `QUESTION 0 DOCUMENT CODE`;
- lists: `QUESTION DOCUMENT DOCUMENT …` on a line (TIME), the documents on the
  lines between the question and `/` (NPL), or between `Query NUMBER` and -1
  (LISA).
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from lycosa.errors import UsageError

SMART = re.compile(r"\.I\s+(\d+)")
TIME = re.compile(r"\*(?:TEXT|FIND)\s+(\d+).*")
LISA = re.compile(r"Document\s+(\d+)")
NUMBER = re.compile(r"(\d+)")
PART = re.compile(r"\.([A-Z])")
LISA_QUERY = re.compile(r"Query\s+(\d+)(.*?)(?=Query|\Z)", re.DOTALL)
LISA_COUNT = re.compile(r"\d+\s+Relevant Refs?:?")
MOST_COLUMNS = 4
"""Lines with more numbers, of different lengths, are lists."""

Parts = dict[str, list[str]]
"""The lines of each part of a record, by its letter."""


class Judgement(NamedTuple):
    """A document that was judged for a question, with a code where the file has one."""

    question: str
    document: str
    code: float = 0.0


def begins_records(line: str) -> bool:
    """Return whether a file with this first line may hold records."""
    return any(head.fullmatch(line.strip()) for head in (SMART, TIME, LISA, NUMBER))


def records(text: str) -> Iterator[tuple[str, Parts]]:
    r"""Yield the records of a file.

    >>> list(records(".I 007\n.T\nA title\n.I 8\n"))
    [('7', {'T': ['A title']}), ('8', {})]
    >>> list(records("*TEXT 017 01/04/63\nAllies\n*STOP\n"))
    [('17', {'W': ['Allies']})]
    >>> list(records("1\nmemories\n  /\n2\ncores\n  /\n"))
    [('1', {'W': ['memories']}), ('2', {'W': ['cores']})]
    >>> list(records("Document   1\nA TITLE\n \nText\n*****\n"))
    [('1', {'T': ['A TITLE'], 'W': ['Text']})]
    """
    lines = text.splitlines()
    first = next((line.strip() for line in lines if line.strip()), "")
    if SMART.fullmatch(first):
        return _smart(lines)
    if TIME.fullmatch(first):
        return _after_heads(lines, TIME)
    if LISA.fullmatch(first):
        return ((number, _with_title(parts)) for number, parts in _after_heads(lines, LISA))
    return _delimited(lines)


def _smart(lines: Iterable[str]) -> Iterator[tuple[str, Parts]]:
    number, part = "", ""
    parts: Parts = defaultdict(list)
    for line in lines:
        if head := SMART.fullmatch(line.strip()):
            if number:
                yield number, dict(parts)
            number, part, parts = _plain(head[1]), "", defaultdict(list)
        elif head := PART.fullmatch(line.rstrip()):
            part = head[1]
        elif part:
            parts[part].append(line)
    if number:
        yield number, dict(parts)


def _after_heads(lines: Iterable[str], pattern: re.Pattern[str]) -> Iterator[tuple[str, Parts]]:
    """Yield records of plain text that begin with a head."""
    number = ""
    body: list[str] = []
    for line in lines:
        if head := pattern.fullmatch(line.strip()):
            if number:
                yield number, {"W": _trimmed(body)}
            number, body = _plain(head[1]), []
        elif line.strip("* \r") and line.strip() != "*STOP":
            body.append(line)
        elif body:
            body.append("")
    if number:
        yield number, {"W": _trimmed(body)}


def _delimited(lines: Iterable[str]) -> Iterator[tuple[str, Parts]]:
    """Yield records of plain text that begin with their number and end in / or #."""
    number = ""
    body: list[str] = []
    for line in lines:
        bare = line.strip()
        if not number:
            number = _plain(bare) if NUMBER.fullmatch(bare) else ""
        elif bare == "/" or bare.endswith("#"):
            yield number, {"W": [*body, *filter(None, [bare.rstrip("/# ")])]}
            number, body = "", []
        else:
            body.append(line)


def _with_title(parts: Parts) -> Parts:
    """Return the parts of a record whose title ends at the first empty line."""
    body = parts["W"]
    end = body.index("") if "" in body else len(body)
    return {"T": body[:end], "W": _trimmed(body[end + 1 :])}


def judgements(text: str) -> list[Judgement]:
    r"""Return the judgements of a file; codes are as they are written.

    >>> judgements("01 1410 0 0\n")
    [Judgement(question='1', document='1410', code=0.0)]
    >>> [tuple(each) for each in judgements("1 0 13 1\n1 0 14 2\n")]
    [('1', '13', 1.0), ('1', '14', 2.0)]
    >>> [tuple(each) for each in judgements("Query 2\n1 Relevant Refs:\n 39 -1\n")]
    [('2', '39', 0.0)]
    """
    if LISA_QUERY.match(text.strip()):
        return [
            Judgement(_plain(question), _plain(document))
            for question, rest in LISA_QUERY.findall(text)
            for document in NUMBER.findall(LISA_COUNT.sub("", rest).partition("-1")[0])
        ]
    lines = [line for line in text.splitlines() if line.strip()]
    if any(line.strip() == "/" for line in lines):
        return [
            Judgement(question, _plain(document))
            for question, parts in _delimited(lines)
            for document in " ".join(parts["W"]).split()
        ]
    rows = [numbers(line) for line in lines]
    found = [row for row in rows if row is not None and len(row) > 1]
    if not found or len(found) < len(rows):
        raise UsageError("Judgements need lines “QUESTION DOCUMENT [CODE …]”.")
    lengths = {len(row) for row in found}
    if len(lengths) > 1 and max(lengths) > MOST_COLUMNS:
        return [Judgement(f"{row[0]:.0f}", f"{each:.0f}") for row in found for each in row[1:]]
    return _columns(found, min(lengths))


def _columns(rows: Sequence[Sequence[float]], width: int) -> list[Judgement]:
    trec = width == 4 and all(row[1] == 0 for row in rows) and any(row[2] for row in rows)
    document, code = (2, 3) if trec else (1, 2)
    return [
        Judgement(f"{row[0]:.0f}", f"{row[document]:.0f}", row[code] if width > code else 0.0)
        for row in rows
    ]


def numbers(line: str) -> list[float] | None:
    """Return the numbers of a line, None if it has anything else; Q0 is TREC's 0."""
    try:
        return [0.0 if word == "Q0" else float(word) for word in line.split()]
    except ValueError:  # an answer, not a failure: the line is not one of judgements
        return None


def _plain(digits: str) -> str:
    """Return a number without leading zeros."""
    return digits.lstrip("0") or "0"


def _trimmed(lines: list[str]) -> list[str]:
    while lines and not lines[-1]:
        lines.pop()
    return lines
