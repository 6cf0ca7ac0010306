"""Features of the lines of a whole document, for its segmentation by a CRF.

The features describe the words of a line, its place on the page and in the document,
its neighbourhood, the headings before and after it, and, where it is known, its style.
None of them needs coordinates, so a document of a corpus, a PDF and plain text have the
same ones. The cost is linear in the number of lines.

>>> lines = [SegmentLine("Spiders that hunt"), SegmentLine("1 Introduction")]
>>> rows = segmentation_features(lines)
>>> "head=introduction" in rows[1], "next=introduction" in rows[0]
(True, True)
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Sequence
from functools import cache
from itertools import product
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from lycosa.papers.extraction.crf import Row

VERSION = 1
"""Raised whenever the same lines give other features; models of another version are refused."""

_MAX_CHARACTERS = 400  # of a line that are looked at; a line of HTML is a whole paragraph
_MAX_WORD = 12  # characters of a word in a feature
_MAX_HEADING_WORDS = 5
_MAX_HEADING_CHARACTERS = 60
_MAX_LINE_CHARACTERS = 100  # that count for the lengths of lines in a neighbourhood
_WINDOWS = (3, 12)  # lines on either side over which signs of references are averaged
_DENSE_SIGNS = 30  # of references in the larger window, as only a list of references has them

_DIGITS = str.maketrans("123456789", "000000000")
_STRIP = ".,;:()[]{}\"'*\u201c\u201d\u2018\u2019"
_WORD = re.compile(r"[^\W\d_]{3,12}")
_NUMBERING = re.compile(r"^\W*(?:(?:0{1,2}(?:\.0{1,2})*|[ivx]{1,4}|[a-h])(?:[.:)]|(?=\s))\s*)?")
_CAPTION = re.compile(
    r"(supplement\w*|extended data|appendix)?\s*(?:fig(?:ure|\.)?|table|tab\.)\s*([sa]?)[-.]?\s?0"
)
_NOTE = re.compile(r"(?:0{1,2}|[*\u2020\u2021\xa7\xb6\u2217])\s?[^\W\d_]")
_SECTION_NUMBER = re.compile(r"([a-h]|0{1,2})((?:\.0{1,2}){0,2})[.:]?\s+[^\W\d_][^.]{3,60}$")
_YEAR = re.compile(r"\b(?:1[89]|20)\d\d[a-z]?\b")
_INITIAL = re.compile(r"\b[A-Z]\.|\b[A-Z][A-Z]?(?=[,;])")
_RANGE = re.compile(r"\d\s?[-\u2013\u2014]{1,2}\s?[A-Z]?\d|\d\s?[:(]\s?\d|\bpp?\.\s?\d")
_LABEL = re.compile(r"\[[^\]\s]{1,12}\]|\(\d{1,3}\)|\d{1,3}[.)]?\s+[^\W\d_]")
_NUMBER = re.compile(r"\W*(?:page\s+)?(\d{1,5})\W*(?:(?:of|/)\s*\d{1,4}\W*)?", re.IGNORECASE)
_MAX_NUMBER_CHARACTERS = 24

_HEADINGS = {
    "abstract": "abstract summary zusammenfassung r\xe9sum\xe9 resumen sommario samenvatting "
    "resumo sammanfattning \u0430\u043d\u043d\u043e\u0442\u0430\u0446\u0438\u044f",
    "introduction": "introduction einleitung introducci\xf3n introduzione introdu\xe7\xe3o "
    "inleiding inledning background motivation \u0432\u0432\u0435\u0434\u0435\u043d\u0438\u0435",
    "references": "references reference bibliography literature literatur literaturverzeichnis "
    "r\xe9f\xe9rences bibliographie referencias bibliograf\xeda bibliografia riferimenti "
    "refer\xeancias referenties referenser "
    "\u043b\u0438\u0442\u0435\u0440\u0430\u0442\u0443\u0440\u0430",
    "acknowledgement": "acknowledgement acknowledgements acknowledgment acknowledgments "
    "acknowledgement(s) remerciements danksagung agradecimientos ringraziamenti thanks funding",
    "annex": "appendix appendices annex annexe annexes anhang ap\xe9ndice appendice supplementary "
    "supplemental supplement supporting additional",
    "statement": "abbreviations author authors author's authors' competing conflict conflicts "
    "disclosure disclosures ethics ethical availability data contributions contributors biography "
    "biographies declaration declarations statement",
    "legends": "figures tables legends captions",
    "notes": "endnotes notes footnotes",
    "body": "conclusion conclusions discussion results methods method materials experiments "
    "evaluation schlussfolgerung conclusiones fazit",
}
_KINDS = {word: kind for kind, words in _HEADINGS.items() for word in words.split()}
_LONG_HEADINGS = frozenset(
    ("annex", "acknowledgement", "references", "statement")
)  # of several words
_SECTIONS = ("none", *_HEADINGS, "caption", "supplement")
_CODES = {name: code for code, name in enumerate(_SECTIONS)}
_NUMBERED = ("", "digit", "letter")

Numbers = NDArray[np.int64]


class SegmentLine(NamedTuple):
    """A line of a document; None where the layout is not known."""

    text: str
    page: int = 0
    size_change: int | None = None
    """Whether its letters are larger (1) or smaller (-1) than those of the line before."""
    bold: bool | None = None
    italic: bool | None = None


def segmentation_features(lines: Sequence[SegmentLine]) -> list[Row]:
    """Return the features of each line."""
    if not lines:
        return []
    lows = [line.text[:_MAX_CHARACTERS].translate(_DIGITS).strip().lower() for line in lines]
    kinds = [_heading_kind(low) for low in lows]
    listed, neighbourhood = _neighbourhood(lines, lows)
    columns = [*_places(lines, lows), *neighbourhood, *_headings(lows, kinds, listed)]
    rows = [list(row) for row in zip(*columns, strict=True)]
    for row, line, low, kind in zip(rows, lines, lows, kinds, strict=True):
        row.extend(_word_features(line, low))
        if kind:
            row.append(f"head={kind}")
    _add_repeats(rows, lines, lows)
    return rows


def _column(name: str, *parts: tuple[Numbers, Sequence[object]]) -> list[str]:
    """Return a feature of each line, composed of numbers, each of which is the index of a value.

    Larger numbers than there are values become the last.
    """
    codes: Any = 0
    for numbers, values in parts:
        codes = codes * len(values) + np.minimum(numbers, len(values) - 1)
    found: list[str] = _names(name, tuple(values for _, values in parts))[codes].tolist()
    return found


@cache
def _names(name: str, values: tuple[Sequence[object], ...]) -> NDArray[Any]:
    names = [f"{name}={','.join(map(str, chosen))}" for chosen in product(*values)]
    return np.array(names, dtype=object)


def _logarithm(numbers: Numbers) -> Numbers:
    """Return the number of binary digits of each number."""
    return np.frexp(numbers)[1].astype(np.int64)


def _latest(marks: NDArray[np.bool_]) -> Numbers:
    """Return for each place the last marked one up to it; -1 if there is none."""
    places = np.arange(len(marks))
    found: Numbers = np.maximum.accumulate(np.where(marks, places, -1))
    return found


def _heading_kind(low: str) -> str:
    """Return which section a line is the heading of, or "", with ? if it says more than that."""
    if len(low) > _MAX_HEADING_CHARACTERS:
        return ""
    words = _NUMBERING.sub("", low, count=1).split()
    if len(words) > 4 and all(len(word) == 1 for word in words):
        words = ["".join(words)]  # it is spaced out
    if not words or len(words) > _MAX_HEADING_WORDS:
        return ""
    kind = _KINDS.get(words[0].strip(_STRIP), "")
    return kind if len(words) == 1 or kind in _LONG_HEADINGS else (kind and f"{kind}?")


def _word_features(line: SegmentLine, low: str) -> Row:
    row = [f"b={word}" for word in set(_WORD.findall(low))]
    count = low.count(" ") + 1
    ends = low.split(None, 2)
    if ends:
        last = low.rsplit(None, 1)[-1]
        row += (f"0={ends[0].strip(_STRIP)[:_MAX_WORD]}", f"-1={last.strip(_STRIP)[-_MAX_WORD:]}")
    if count > 1:
        row.append(f"1={ends[1].strip(_STRIP)[:_MAX_WORD] if len(ends) > 1 else ''}")
    if count <= _MAX_HEADING_WORDS:
        row.append(f"all={low}")
    size = len(low)
    first, end = line.text[:1], low[-1:]
    shape = "A" if first.isupper() else "a" if first.islower() else first
    if first.isdigit():
        shape = "0"
    row += (
        f"n={count if count < 15 else 15}",
        f"len={size // 12 if size < 108 else 9}",
        f"dig={5 * low.count('0') // size if size else 0}",
        f"first={shape}",
        f"last={'x' if end.isalpha() else end}",
    )
    if size > 3 and line.text.isupper():
        row.append("caps")
    if line.bold:
        row.append("bold")
    if line.italic:
        row.append("italic")
    if line.size_change is not None:
        row += (
            f"size={line.size_change}",
            f"size={line.size_change},{shape},{count if count < 6 else 6}",
        )
    if "http" in low or "www." in low or "doi" in low or "@" in low:
        row.append("link")
    if _NOTE.match(low):
        row.append("note")
    return row


def _places(lines: Sequence[SegmentLine], lows: Sequence[str]) -> list[list[str]]:
    """Return the place of each line on its page and in the document."""
    total = len(lines)
    n = np.arange(total)
    columns = [
        _column("doc", (12 * n // total, range(12))),
        _column("start", (_logarithm(n), range(18))),
        _column("left", (_logarithm(total - n), range(18))),
    ]
    numbers = np.array([line.page for line in lines])
    opens = np.append([True], numbers[1:] != numbers[:-1])
    if opens.sum() == 1:
        return columns
    page = np.cumsum(opens) - 1
    starts = np.append(np.flatnonzero(opens), total)
    size = np.diff(starts)[page]
    place = n - starts[page]
    below = size - 1 - place
    change = np.array([line.size_change or 0 for line in lines])
    at = _latest(opens | (change != 0))
    run = np.where(opens[at], 0, change[at]) + 1  # whether letters became larger or smaller
    note = np.array([_NOTE.match(low) is not None for low in lows], np.int64)
    length = np.array([len(low) // 12 for low in lows])
    blank = np.array([not low.replace("0", "").strip(" -\u2013\u2014|") for low in lows], np.int64)
    signs, edges = range(-1, 2), range(4)
    last = page[-1] - page
    return [
        *columns,
        _column("edge", (place, edges), (below, edges)),
        _column("edge", (place, edges), (below, edges), (length, range(7)), (blank, range(2))),
        _column(
            "run", (run, signs), (_logarithm(n - at + 1), range(10)), (2 * place // size, range(2))
        ),
        _column("note", (note, range(2)), (run, signs), (3 * place // size, range(3))),
        _column("pos", (8 * place // size, range(8))),
        _column("bottom", (_logarithm(below), range(10)), (run, signs)),
        _column("top", (_logarithm(place), range(10))),
        _column("page", (page, edges), (last, range(3))),
        _column("page", (page, edges), (4 * place // size, range(4))),
        _column("page size", (np.minimum(page, 2), range(3)), (_logarithm(size), range(10))),
    ]


def _add_repeats(rows: list[Row], lines: Sequence[SegmentLine], lows: Sequence[str]) -> None:
    """Add on how many pages a line is found, and whether it is the number of its page."""
    pages: dict[str, set[int]] = defaultdict(set)
    numbers: list[int | None] = []
    for line, low in zip(lines, lows, strict=True):
        pages[low].add(line.page)
        match = _NUMBER.fullmatch(line.text) if len(low) < _MAX_NUMBER_CHARACTERS else None
        numbers.append(int(match[1]) - line.page if match else None)
    shifts = Counter(shift for shift in numbers if shift is not None)
    usual, support = shifts.most_common(1)[0] if shifts else (0, 0)
    first = lines[0].page
    for row, low, line, shift in zip(rows, lows, lines, numbers, strict=True):
        found = len(pages[low])
        if found > 1:
            row.append(f"repeat={min(found, 4)},{len(low) > 8}")
            row.append(f"repeat={min(found, 3)},{min(line.page - first, 2)}")
        if shift is not None:
            row.append(f"number={support > 2 and shift == usual}")


def _headings(
    lows: Sequence[str], kinds: Sequence[str], listed: tuple[Numbers, Sequence[str]]
) -> list[list[str]]:
    """Return the headings before and after each line, and how far away they are."""
    total = len(lows)
    n = np.arange(total)
    codes = np.array([_CODES.get(kind, 0) for kind in kinds])
    captions = np.zeros(total, np.int64)
    numbered = np.zeros(total, np.int64)
    for k, low in enumerate(lows):
        if match := _CAPTION.match(low):
            captions[k] = _CODES["supplement" if match[1] or match[2] else "caption"]
        if match := _SECTION_NUMBER.match(low):
            numbered[k] = 2 if match[1].isalpha() else 1

    def before(values: Numbers) -> tuple[Numbers, Numbers]:
        """Return the last value that is not 0 up to each line, and its distance."""
        at = _latest(values != 0)
        return np.where(at < 0, 0, values[at]), n - np.maximum(at, 0)

    last, distance = before(codes)
    recent, _ = before(np.where(codes, codes, captions))
    after, ahead = before(np.append([0], codes[:0:-1]))
    seen = [_latest(codes == _CODES[kind]) >= 0 for kind in ("introduction", "references")]
    return [
        _column("numbered", (numbered, _NUMBERED)),
        _column("under", (before(numbered)[0], _NUMBERED)),
        _column("caption", (captions, _SECTIONS)),
        _column("section", (last, _SECTIONS)),
        _column("section", (last, _SECTIONS), (_logarithm(distance), range(14))),
        _column("seen", *((flags.astype(np.int64), range(2)) for flags in seen)),
        _column("recent", (recent, _SECTIONS), (last, _SECTIONS)),
        _column("recent", (recent, _SECTIONS), listed),
        _column("next", (after[::-1], _SECTIONS)),
        _column("next", (after[::-1], _SECTIONS), (_logarithm(ahead[::-1]), range(14))),
    ]


def _reference_signs(text: str, low: str) -> int:
    """Return how many signs of a reference a line has, from 0 to 5."""
    text = text[:_MAX_CHARACTERS]
    commas = low.count(",")
    initials = len(_INITIAL.findall(text)) if commas or "." in low or ";" in low else 0
    found = (initials > 0) + (initials > 2) + (commas > 2)
    if "0" in low:  # nothing else can have a year or a number of pages
        found += (_YEAR.search(text) is not None) + (_RANGE.search(text) is not None)
    return found


def _neighbourhood(
    lines: Sequence[SegmentLine], lows: Sequence[str]
) -> tuple[tuple[Numbers, Sequence[str]], list[list[str]]]:
    """Return where each line stands to the list of references, and what is in and around it."""
    total = len(lines)
    n = np.arange(total)
    signs = np.array(
        [_reference_signs(line.text, low) for line, low in zip(lines, lows, strict=True)]
    )
    labels = np.array([_LABEL.match(line.text) is not None for line in lines], np.int64)
    lengths = np.array([len(line.text) for line in lines])
    sums, marks, widths = (
        np.append([0], np.cumsum(values))
        for values in (signs, labels, np.minimum(lengths, _MAX_LINE_CHARACTERS))
    )
    columns = [
        _column("ref", (signs, range(6))),
        _column("label", (labels, range(2))),
    ]
    for width in _WINDOWS:
        low, high = np.maximum(n - width, 0), np.minimum(n + width + 1, total)
        inside = sums[high] - sums[low]
        span = high - low
        columns.append(_column(f"ref{width}", (4 * inside // span, range(13))))
        columns.append(
            _column(f"len{width}", ((widths[high] - widths[low]) // (10 * span), range(11)))
        )
    columns.append(_column("labels", (marks[high] - marks[low], range(10))))
    before = sums[n] - sums[np.maximum(n - 8, 0)]
    after = sums[np.minimum(n + 8, total)] - sums[n]
    columns.append(_column("turn", (before // 4, range(5)), (after // 4, range(5))))
    dense = (inside >= _DENSE_SIGNS).astype(np.int64)
    past = np.cumsum(dense) - dense
    whole = int(dense.sum())
    share = 10 * past // max(whole, 1)
    where = np.where(past == 0, 0, np.where(past == whole, 3, np.where(dense == 1, 2, 1)))
    listed = (where, ("before", "gap", "in", "after"))
    columns.append(_column("listed", listed))
    columns.append(_column("listed", (share, range(11)), (dense, range(2))))
    return listed, columns
