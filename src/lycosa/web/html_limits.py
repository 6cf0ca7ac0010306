"""Limits on HTML that keep the time to parse it linear in its size.

The tree-building rules of HTML are quadratic in three places: every block
element searches all open elements (nesting), every attribute is compared with
all before it, and every unclosed formatting element is opened again in every
block that follows. Browsers have limits for all three, and so has this module.
"""

from __future__ import annotations

import re

MAX_UNCHECKED_CHARACTERS = 131_072
"""A page with fewer characters, and fewer start tags than the next limit, is not changed."""
MAX_UNCHECKED_TAGS = 2_500
"""Start tags that any page may have: so few cannot take long to parse."""
MAX_DEPTH = 256
"""The tags of elements nested deeper than this are dropped; their content is kept."""
MAX_UNCLOSED = 8
"""The tags of formatting elements are dropped while this many are unclosed."""
MAX_ATTRIBUTES = 64
"""The attributes of a tag beyond this many are dropped."""

_NAME = re.compile(r"<(/?)([A-Za-z][^\s/>]*)")
_VALUE = r"""(?:\s*+=\s*+(?:"[^"]*+"|'[^']*+'|[^\s>"'][^\s>]*+|(?=>)))?+"""
_ATTRIBUTE = rf"[\s/]*+[^\s/>][^\s/>=]*+{_VALUE}"
_FIRST = re.compile(rf"(?:{_ATTRIBUTE}){{0,{MAX_ATTRIBUTES}}}+[\s/]*+")
_REST = re.compile(rf"(?:{_ATTRIBUTE})*+[\s/]*+")

_VOID = frozenset(
    "area base basefont bgsound br col embed frame hr img input keygen link meta param source "
    "track wbr image".split()
)
# Their end tags may be omitted, and a sibling closes them, so they nest only
# inside elements that are counted.
_IMPLIED = frozenset(
    "a p li dd dt tr td th thead tbody tfoot option optgroup colgroup caption rt rp rb rtc "
    "html head body".split()
)
_FORMATTING = frozenset("b big code em font i nobr s small strike strong tt u".split())
_RAW = {
    name: re.compile(rf"</{name}[\s/>]", re.IGNORECASE)
    for name in "script style textarea title xmp iframe noembed noframes".split()
}


def limit_html(html: str) -> str:
    """Return a page without the tags that would make parsing it slow.

    >>> limit_html("<b>x</b>")
    '<b>x</b>'
    >>> limit_html("<div>" * 100_000 + "x").count("<div>")
    256
    """
    tags = html.count("<") - html.count("</")
    if len(html) < MAX_UNCHECKED_CHARACTERS and tags < MAX_UNCHECKED_TAGS:
        return html
    return "".join(_limited_pieces(html))


def _limited_pieces(html: str) -> list[str]:
    """Return the parts of a page that stay, in order."""
    pieces: list[str] = []
    kept = at = depth = unclosed = 0
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
            return pieces  # an unfinished tag extends to the end of the page
        name, end = tag[2].lower(), tail.end() + 1
        keep = True
        if tag[1]:
            if name in _FORMATTING:
                unclosed = max(0, unclosed - 1)
            elif name not in _IMPLIED:
                depth = max(0, depth - 1)
        elif name in _FORMATTING:
            unclosed += 1
            keep = unclosed <= MAX_UNCLOSED
        elif name not in _VOID and name not in _IMPLIED:
            depth += 1
            keep = depth <= MAX_DEPTH
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
