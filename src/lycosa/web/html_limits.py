"""Hostile HTML made harmless, in time linear in its size.

The tree-building rules of HTML are quadratic in three places: every block
element looks through all open elements (nesting), every attribute is compared
with all before it, and every unclosed formatting element is opened again in
every block that follows. Browsers live with it by limits; so do we.
"""

from __future__ import annotations

import re

SMALL = 131_072
"""A page of fewer characters and `FEW` start tags cannot take long and is left alone."""
FEW = 2_500
DEEP = 256
"""Elements nested deeper than this are dropped; what they contain is kept."""
UNCLOSED = 8
"""So are formatting elements beyond this many that nobody closed."""
ATTRIBUTES = 64
"""And attributes of one tag beyond this many."""

_NAME = re.compile(r"<(/?)([A-Za-z][^\s/>]*)")
_VALUE = r"""(?:\s*+=\s*+(?:"[^"]*+"|'[^']*+'|[^\s>"'][^\s>]*+|(?=>)))?+"""
_ATTRIBUTE = rf"[\s/]*+[^\s/>][^\s/>=]*+{_VALUE}"
_FIRST = re.compile(rf"(?:{_ATTRIBUTE}){{0,{ATTRIBUTES}}}+[\s/]*+")
_REST = re.compile(rf"(?:{_ATTRIBUTE})*+[\s/]*+")

_VOID = frozenset(
    "area base basefont bgsound br col embed frame hr img input keygen link meta param source "
    "track wbr image".split()
)
# Their end tags may be left out, and a sibling closes them, so they nest only
# inside something that is counted.
_IMPLIED = frozenset(
    "a p li dd dt tr td th thead tbody tfoot option optgroup colgroup caption rt rp rb rtc "
    "html head body".split()
)
_FORMATTING = frozenset("b big code em font i nobr s small strike strong tt u".split())
_RAW = {
    name: re.compile(rf"</{name}[\s/>]", re.IGNORECASE)
    for name in "script style textarea title xmp iframe noembed noframes".split()
}


def tame(html: str) -> str:
    """The same page without the tags that would make parsing it slow.

    >>> tame("<b>x</b>")
    '<b>x</b>'
    >>> tame("<div>" * 100_000 + "x").count("<div>")
    256
    """
    if len(html) < SMALL and html.count("<") - html.count("</") < FEW:
        return html
    return "".join(_pieces(html))


def _pieces(html: str) -> list[str]:
    pieces: list[str] = []
    kept = at = deep = unclosed = 0
    while (at := html.find("<", at)) >= 0:
        tag = _NAME.match(html, at)
        if tag is None:
            if html.startswith("<!--", at):
                at = html.find("-->", at + 4)
                if at < 0:
                    break
            at += 1
            continue
        head = _FIRST.match(html, tag.end())
        tail = _REST.match(html, head.end()) if head else None
        if head is None or tail is None or html[tail.end() : tail.end() + 1] != ">":
            pieces.append(html[kept:at])
            return pieces  # a tag that never ends swallows the rest of the page
        name, end = tag[2].lower(), tail.end() + 1
        keep = True
        if tag[1]:
            if name in _FORMATTING:
                unclosed = max(0, unclosed - 1)
            elif name not in _IMPLIED:
                deep = max(0, deep - 1)
        elif name in _FORMATTING:
            unclosed += 1
            keep = unclosed <= UNCLOSED
        elif name not in _VOID and name not in _IMPLIED:
            deep += 1
            keep = deep <= DEEP
        if not keep:
            pieces.append(html[kept:at])
            pieces.append(" ")
            kept = end
        elif tail.end() > head.end():
            pieces.append(html[kept : head.end()])
            kept = end - 1
        at = end
        if not tag[1] and name in _RAW:
            close = _RAW[name].search(html, at)
            if close is None:
                break
            at = close.start()
        elif name == "plaintext":
            break
    pieces.append(html[kept:])
    return pieces
