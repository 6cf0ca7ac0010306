"""Scanned pages: recognition of their text by Tesseract, where it is installed.

A page is scanned if it has next to no words and an image covers most of it. It is drawn
in grey at a resolution at which letters of ten points are recognised, and Tesseract
(Smith, "An overview of the Tesseract OCR engine", 2007) returns words with their boxes.
Tesseract is a separate process; it inherits the memory limit of the caller and ends with
it, and the time for a page and for a document is limited.
"""

from __future__ import annotations

import logging
import os
import shutil
import subprocess
import time
from collections.abc import Iterator, Sequence
from typing import Any

from lycosa.documents.columns import PositionedWord

MAX_WORDS_ON_SCAN = 5
"""Words that a scanned page may have: a page number, or the stamp of a library."""
MIN_IMAGE_SHARE = 0.5
"""The share of a page that its image covers if it is scanned."""
RESOLUTION = 200
"""Pixels an inch at which a page is drawn."""
MAX_PIXELS = 12_000_000
"""Of a drawn page; a larger page has a lower resolution."""
MAX_PAGE_SECONDS = 15.0
"""The time for one page."""
MAX_DOCUMENT_SECONDS = 20.0
"""The time after which no further page of a document is begun."""
MIN_WORD_CONFIDENCE = 30.0
"""In per cent; what Tesseract recognises with less is dirt more often than a word."""

_POINTS = 72  # in an inch
_MAX_IMAGES = 50  # of a page that are looked at
_BASELINE = 0.22  # of the height of a line, from its lower edge
_OUTER_PAGES = 2  # at each end of a document, which are recognised first

_log = logging.getLogger("lycosa.documents")


class NoTesseract(Exception):
    """The program `tesseract` is not on the path; install Tesseract to read scanned pages."""


def is_scan(page: Any, words: Sequence[PositionedWord]) -> bool:
    """Return whether a page of PDFium with these words is scanned."""
    from pypdfium2 import raw

    if len(words) > MAX_WORDS_ON_SCAN:
        return False
    whole = page.get_width() * page.get_height()
    images = page.get_objects(filter=[raw.FPDF_PAGEOBJ_IMAGE], max_depth=2)
    for image, _ in zip(images, range(_MAX_IMAGES), strict=False):
        left, bottom, right, top = image.get_bounds()
        if (right - left) * (top - bottom) >= MIN_IMAGE_SHARE * whole:
            return True
    return False


def recognise_pages(document: Any, numbers: Sequence[int]) -> dict[int, list[PositionedWord]]:
    """Return the words of scanned pages, as many of them as the time allows.

    The first and the last pages come first: they have the header and the references.
    """
    program = shutil.which("tesseract")
    if program is None:
        raise NoTesseract(NoTesseract.__doc__)
    end = time.monotonic() + MAX_DOCUMENT_SECONDS
    found = {}
    for number in outer_first(numbers):
        if time.monotonic() > end:
            break
        found[number] = _recognise(program, document[number])
    return {number: found[number] for number in sorted(found)}


def outer_first(numbers: Sequence[int]) -> list[int]:
    """Return page numbers with the first and the last ones first.

    >>> outer_first([0, 1, 2, 3, 4, 5])
    [0, 1, 5, 4, 2, 3]
    """
    ends = (*numbers[:_OUTER_PAGES], *numbers[-_OUTER_PAGES:][::-1])
    return list(dict.fromkeys((*ends, *numbers)))


def _recognise(program: str, page: Any) -> list[PositionedWord]:
    width, height = page.get_width(), page.get_height()
    area = max(width * height, 1.0)
    scale = min(RESOLUTION / _POINTS, (MAX_PIXELS / area) ** 0.5)
    bitmap = page.render(scale=scale, grayscale=True)
    rows = memoryview(bitmap.buffer).cast("B")
    lines = (
        rows[n * bitmap.stride : n * bitmap.stride + bitmap.width] for n in range(bitmap.height)
    )
    image = b"P5 %d %d 255\n" % (bitmap.width, bitmap.height) + b"".join(lines)
    try:
        done = subprocess.run(  # noqa: S603 (no shell, and no word of it is from outside)
            [program, "stdin", "stdout", "--dpi", str(round(scale * _POINTS)), "tsv"],
            input=image,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            timeout=MAX_PAGE_SECONDS,
            env={**os.environ, "OMP_THREAD_LIMIT": "1"},  # several documents are read at a time
            check=False,
        )
    except (subprocess.TimeoutExpired, OSError):
        _log.debug("Tesseract does not recognise a page.", exc_info=True)
        return []
    return list(parse_words(done.stdout.decode("utf-8", "replace"), scale, height))


def parse_words(table: str, scale: float, height: float) -> Iterator[PositionedWord]:
    r"""Yield the words in a table of Tesseract, with positions on a page so many points high.

    >>> table = "level\tleft\ttop\twidth\theight\tconf\ttext\n4\t20\t10\t90\t20\t-1\t\n" \
    ...     "5\t20\t10\t40\t20\t96\tWeb\n5\t70\t10\t40\t20\t12\t~;\n"
    >>> [(word.text, word.x, word.end, word.size) for word in parse_words(table, 2.0, 100)]
    [('Web', 10.0, 30.0, 10.0)]
    """
    baseline = size = 0.0
    head, *rows = (row.split("\t") for row in table.split("\n"))
    for row in rows:
        cells = dict(zip(head, row, strict=False))
        try:
            left, top, wide, high = (int(cells[k]) for k in ("left", "top", "width", "height"))
            level, confidence = int(cells["level"]), float(cells["conf"])
        except (KeyError, ValueError):
            continue  # a table that was cut off
        if level == _LINE_LEVEL:
            baseline = height - (top + high - _BASELINE * high) / scale
            size = high / scale
        elif level == _WORD_LEVEL and confidence >= MIN_WORD_CONFIDENCE:
            text = cells.get("text", "").strip()
            if text and size > 0:
                yield PositionedWord(
                    text, left / scale, (left + wide) / scale, baseline, size, False, False
                )


_LINE_LEVEL, _WORD_LEVEL = 4, 5  # of Tesseract's tables
