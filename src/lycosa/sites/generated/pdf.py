"""A minimal PDF writer: lines of text in the standard fonts.

The standard fonts need no embedding; the tables below are their widths in
thousandths of the size for the characters from space to tilde.
"""

from __future__ import annotations

from functools import lru_cache

PAGE = (612, 792)
"""US letter, in points."""

_TIMES = tuple(
    map(
        int,
        """250 333 408 500 500 833 778 180 333 333 500 564 250 333 250 278 500 500 500 500 500 500
        500 500 500 500 278 278 564 564 564 444 921 722 667 667 722 611 556 722 722 333 389 722 611
        889 722 722 556 722 667 556 611 722 722 944 722 722 611 333 278 333 469 500 333 444 500 444
        500 444 333 500 500 278 278 500 278 778 500 500 500 500 333 389 278 500 500 722 500 500 444
        480 200 480 541""".split(),
    )
)
_HELVETICA = tuple(
    map(
        int,
        """278 278 355 556 556 889 667 191 333 333 389 584 278 333 278 278 556 556 556 556 556 556
        556 556 556 556 278 278 584 584 584 556 1015 667 667 722 722 667 611 778 722 278 500 667 556
        833 722 778 667 778 722 667 611 722 667 944 667 667 611 278 278 278 469 556 333 556 556 500
        556 556 278 556 556 222 222 500 222 833 556 556 556 556 333 500 278 556 500 722 500 500 500
        334 260 334 584""".split(),
    )
)

# The widths of bold and italic are approximations, close enough to break lines.
_FONTS = {
    "roman": ("Times-Roman", _TIMES, 1.0),
    "bold": ("Times-Bold", _TIMES, 1.06),
    "italic": ("Times-Italic", _TIMES, 1.0),
    "sans": ("Helvetica", _HELVETICA, 1.0),
    "heavy": ("Helvetica-Bold", _HELVETICA, 1.06),
}
_NUMBERS = {name: n + 1 for n, name in enumerate(_FONTS)}


@lru_cache(maxsize=100_000)
def width(word: str, font: str) -> float:
    """Return the width of a word in a font of size 1."""
    _, widths, factor = _FONTS[font]
    return factor * sum(widths[min(ord(c), 126) - 32] for c in word) / 1000


def wrap(text: str, font: str, size: float, measure: float) -> list[str]:
    """Break a text into lines of at most `measure` points.

    >>> wrap("a spider hunts", "roman", 10, 45)
    ['a spider', 'hunts']
    """
    limit = measure / size
    space = width(" ", font)
    lines: list[str] = []
    line: list[str] = []
    used = 0.0
    for word in text.split():
        extent = width(word, font)
        if line and used + extent > limit:
            lines.append(" ".join(line))
            line, used = [], 0.0
        line.append(word)
        used += extent + space
    if line:
        lines.append(" ".join(line))
    return lines


class PdfWriter:
    """Collects pages and lines of text; `bytes(writer)` is the PDF.

    `size` is that of a page in points.

    >>> writer = PdfWriter("A title")
    >>> writer.page()
    >>> writer.line(72, 720, "Hello", "roman", 12)
    >>> bytes(writer)[:8]
    b'%PDF-1.4'
    """

    def __init__(self, title: str, size: tuple[int, int] = PAGE) -> None:
        self._title = title
        self._size = size
        self._pages: list[list[str]] = []

    def page(self) -> None:
        """Begin a new page."""
        self._pages.append([])

    def line(self, x: float, y: float, text: str, font: str, size: float) -> None:
        """Write a line of text with its left end at a point."""
        self._pages[-1].append(
            f"BT /F{_NUMBERS[font]} {size:g} Tf {x:.1f} {y:.1f} Td ({_escape(text)}) Tj ET"
        )

    def lines(
        self, x: float, y: float, texts: list[str], font: str, size: float, step: float
    ) -> None:
        """Write lines below each other, the first with its left end at a point."""
        body = "".join(f"({_escape(text)}) Tj T*\n" for text in texts)
        self._pages[-1].append(
            f"BT /F{_NUMBERS[font]} {size:g} Tf {step:g} TL {x:.1f} {y:.1f} Td\n{body}ET"
        )

    def __bytes__(self) -> bytes:
        fonts = " ".join(f"/F{n} {n + 2} 0 R" for n in _NUMBERS.values())
        first = 3 + len(_FONTS)
        kids = " ".join(f"{first + 2 * n} 0 R" for n in range(len(self._pages)))
        objects = [
            b"<< /Type /Catalog /Pages 2 0 R >>",
            f"<< /Type /Pages /Kids [{kids}] /Count {len(self._pages)} >>".encode(),
        ]
        objects += [
            f"<< /Type /Font /Subtype /Type1 /BaseFont /{face} "
            f"/Encoding /WinAnsiEncoding >>".encode()
            for face, _, _ in _FONTS.values()
        ]
        for n, commands in enumerate(self._pages):
            stream = "\n".join(commands).encode("latin-1", "replace")
            objects.append(
                f"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 {self._size[0]} {self._size[1]}] "
                f"/Resources << /Font << {fonts} >> >> "
                f"/Contents {first + 2 * n + 1} 0 R >>".encode()
            )
            objects.append(b"<< /Length %d >>\nstream\n%b\nendstream" % (len(stream), stream))
        title = _escape(self._title).encode("latin-1", "replace")
        objects.append(b"<< /Title (%b) /Producer (Lycosa) >>" % title)
        return _file(objects)


def _escape(text: str) -> str:
    if "(" in text or ")" in text or "\\" in text:
        return text.replace("\\", r"\\").replace("(", r"\(").replace(")", r"\)")
    return text


def _file(objects: list[bytes]) -> bytes:
    out = bytearray(b"%PDF-1.4\n%\xe2\xe3\xcf\xd3\n")
    table = [b"0000000000 65535 f \n"]
    for n, body in enumerate(objects, 1):
        table.append(b"%010d 00000 n \n" % len(out))
        out += b"%d 0 obj\n%b\nendobj\n" % (n, body)
    place = len(out)
    out += b"xref\n0 %d\n" % len(table) + b"".join(table)
    out += b"trailer\n<< /Size %d /Root 1 0 R /Info %d 0 R >>\n" % (len(table), len(objects))
    out += b"startxref\n%d\n%%%%EOF\n" % place
    return bytes(out)
