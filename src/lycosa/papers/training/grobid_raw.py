"""Reader of the layout in GROBID's corpora: files of the folder `raw`.

A row is a token or, in the segmentation corpus, a line of the document, followed by
columns of features; an empty line ends a sequence. The columns are those of GROBID's
feature vectors; only those that describe the layout are read.

>>> cells = "Web web W We Web Web b eb Web Web BLOCKSTART LINESTART ALIGNEDLEFT NEWFONT HIGHERFONT"
>>> token = read_raw(cells + " 1 0 INITCAP" + " 0" * 14, "header")[0]
>>> token.text, token.block, token.line, token.size_change, token.bold
('Web', 'start', 'start', 1, True)
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import NamedTuple

from lycosa.errors import UnknownName


class RawRow(NamedTuple):
    """A token, or a line of the segmentation corpus, with its layout.

    What a corpus does not tell has its default.
    """

    text: str
    """The token; of a line its first word."""
    second: str = ""
    """Of a line its second word, or the first again if it has only one."""
    block: str = ""
    """`start`, `in` or `end`: the position in its block."""
    line: str = ""
    """`start`, `in` or `end`: the position in its line."""
    page: str = ""
    """`start`, `in` or `end`: the position in its page."""
    indented: bool = False
    """Whether its line is indented."""
    new_font: bool = False
    """Whether its font differs from that of the row before."""
    size_change: int = 0
    """Whether its letters are larger (1) or smaller (-1) than those of the row before."""
    bold: bool = False
    italic: bool = False


_Columns = Mapping[str, int]
COLUMNS: Mapping[str, _Columns] = MappingProxyType(
    {
        "header": {
            "width": 32, "block": 10, "line": 11, "indented": 12, "font": 13, "size": 14,
            "bold": 15, "italic": 16,
        },
        "reference-segmenter": {"width": 28, "line": 10, "indented": 11, "block": 25},
        "segmentation": {
            "width": 33, "second": 1, "block": 7, "page": 8, "font": 9, "size": 10, "bold": 11,
            "italic": 12,
        },
    }
)  # fmt: skip
"""The number of columns of each corpus, and at which of them is what."""

_SIZES = {"HIGHERFONT": 1, "LOWERFONT": -1}


def read_raw(text: str, corpus: str) -> list[RawRow]:
    """Return the rows of a file; rows with another number of columns are damaged, and left out."""
    if corpus not in COLUMNS:
        raise UnknownName("corpus with layout", corpus, COLUMNS)
    columns = COLUMNS[corpus]
    # A token can be a control character or an unusual space; only these two separate.
    rows = (line.split(" ") for line in text.split("\n"))
    return [_row(cells, columns) for cells in rows if len(cells) == columns["width"]]


def _row(cells: list[str], columns: _Columns) -> RawRow:
    def cell(name: str) -> str:
        return cells[columns[name]] if name in columns else ""

    return RawRow(
        cells[0],
        cell("second"),
        cell("block").removeprefix("BLOCK").lower(),
        cell("line").removeprefix("LINE").lower(),
        cell("page").removeprefix("PAGE").lower(),
        cell("indented") == "LINEINDENT",
        cell("font") == "NEWFONT",
        _SIZES.get(cell("size"), 0),
        cell("bold") == "1",
        cell("italic") == "1",
    )
