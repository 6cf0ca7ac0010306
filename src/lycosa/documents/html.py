"""HTML reader: a line for each block of a web page."""

from __future__ import annotations

from selectolax.lexbor import LexborHTMLParser, LexborNode

from lycosa.documents.layout import TextLine
from lycosa.web.html import MAX_HTML_CHARACTERS, tidy

_INLINE_ELEMENTS = frozenset(
    "a b i u s em strong font span small big tt code sub sup nobr abbr mark kbd samp var cite q "
    "ins del bdi bdo wbr -text".split()
)
_SKIPPED_ELEMENTS = frozenset("script style template noscript title -comment".split())
_HEADING_SIZES = {"h1": 2.0, "h2": 1.5, "h3": 1.25, "h4": 1.1, "h5": 1.0, "h6": 1.0}
_BOLD_ELEMENTS = frozenset(("b", "strong", *_HEADING_SIZES))
_ITALIC_ELEMENTS = frozenset(("i", "em", "cite"))
_MAX_DEPTH = 50  # inline elements around a text that are looked at


def html_lines(html: str) -> list[TextLine]:
    """Return the text of HTML, a line for each block: a heading, a paragraph, a list item.

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
            ancestors = _ancestors(node)
            if any(parent.tag in _SKIPPED_ELEMENTS for parent in ancestors):
                continue
            block_element = ancestors[-1]
            if block_element.mem_id != block:
                flush()
                block, size = block_element.mem_id, _HEADING_SIZES.get(block_element.tag or "", 1.0)
            tags = {parent.tag for parent in ancestors}
            parts.append(text)
            marks.append(
                (len(text.strip()), bool(tags & _BOLD_ELEMENTS), bool(tags & _ITALIC_ELEMENTS))
            )
    flush()
    return lines


def _ancestors(node: LexborNode) -> list[LexborNode]:
    """Return the inline elements around a text, and the block that contains them."""
    found: list[LexborNode] = []
    parent = node.parent
    while parent is not None and len(found) < _MAX_DEPTH:
        found.append(parent)
        if parent.tag not in _INLINE_ELEMENTS:
            break
        parent = parent.parent
    return found or [node]
