"""Lines of documents that have no layout: HTML and plain text."""

from __future__ import annotations

import re

from selectolax.lexbor import LexborHTMLParser, LexborNode

from lycosa.documents.layout import TextLine
from lycosa.web.html import MAX_HTML_CHARACTERS, tidy

_HTML = re.compile(rb"<(?:!doctype\s+html|html|head|body|title|h1|p)\b", re.IGNORECASE)
_INLINE = frozenset(
    "a b i u s em strong font span small big tt code sub sup nobr abbr mark kbd samp var cite q "
    "ins del bdi bdo wbr -text".split()
)
_SKIPPED = frozenset("script style template noscript title -comment".split())
_SIZES = {"h1": 2.0, "h2": 1.5, "h3": 1.25, "h4": 1.1, "h5": 1.0, "h6": 1.0}
_BOLD = frozenset(("b", "strong", *_SIZES))
_ITALIC = frozenset(("i", "em", "cite"))
_TAB = 8
_DEEPEST = 50


def is_html(body: bytes, kind: str) -> bool:
    """Whether a body is to be read as HTML, for it looks so or its sender says so.

    >>> is_html(b"<!DOCTYPE html>", ""), is_html(b"a < b", "text/plain")
    (True, False)
    """
    kind = kind.partition(";")[0].strip().lower()
    if kind in ("text/html", "application/xhtml+xml"):
        return True
    return kind != "text/plain" and bool(_HTML.search(body, 0, 1024))


def html_lines(html: str) -> list[TextLine]:
    """The text of HTML, a line for each block: a heading, a paragraph, an item.

    >>> [(line.text, line.bold) for line in html_lines("<h1>Web spiders</h1> by <i>Ann</i> Lee")]
    [('Web spiders', True), ('by Ann Lee', False)]
    """
    root = LexborHTMLParser(tidy(html[:MAX_HTML_CHARACTERS])).root
    lines: list[TextLine] = []
    parts: list[str] = []
    marks: list[tuple[int, bool, bool]] = []
    block, size = -1, 1.0

    def flush() -> None:
        text = " ".join("".join(parts).split())
        if text:
            whole = sum(n for n, _, _ in marks)
            bold = 2 * sum(n for n, b, _ in marks if b) > whole
            italic = 2 * sum(n for n, _, i in marks if i) > whole
            lines.append(TextLine(text, 0, 0.0, -float(len(lines)), len(text), size, bold, italic))
        parts.clear()
        marks.clear()

    for node in root.traverse(include_text=True) if root else ():
        if node.tag == "br":
            flush()
        elif node.tag == "-text" and (text := node.text_content):
            above = _above(node)
            if any(parent.tag in _SKIPPED for parent in above):
                continue
            home = above[-1]
            if home.mem_id != block:
                flush()
                block, size = home.mem_id, _SIZES.get(home.tag or "", 1.0)
            tags = {parent.tag for parent in above}
            parts.append(text)
            marks.append((len(text.strip()), bool(tags & _BOLD), bool(tags & _ITALIC)))
    flush()
    return lines


def _above(node: LexborNode) -> list[LexborNode]:
    """The inline elements around a text, and the block that they stand in."""
    found: list[LexborNode] = []
    parent = node.parent
    while parent is not None and len(found) < _DEEPEST:
        found.append(parent)
        if parent.tag not in _INLINE:
            break
        parent = parent.parent
    return found or [node]


def plain_lines(text: str) -> list[TextLine]:
    r"""The lines of plain text; a form feed ends a page, and `x` is how far a line is indented.

    >>> [(line.text, line.page, line.x) for line in plain_lines("Spiders\n   hunt\fat night")]
    [('Spiders', 0, 0), ('hunt', 0, 3), ('at night', 1, 0)]
    """
    lines = []
    for page, part in enumerate(text.split("\f")):
        for n, raw in enumerate(part.splitlines()):
            line = raw.expandtabs(_TAB)
            words = line.strip()
            if words:
                indent = len(line) - len(line.lstrip())
                lines.append(TextLine(words, page, indent, -float(n), len(words)))
    return lines
