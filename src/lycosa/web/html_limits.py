"""Limits on HTML that keep the time to parse it linear in its size.

The tree-building rules of HTML are quadratic in four places: every block
element searches all open elements (nesting), every attribute is compared with
all before it, every unclosed formatting element is opened again in every block
that follows, and every further `html` or `body` tag adds its attributes to those
of the first. Browsers have limits for these, and so has this module.
"""

from __future__ import annotations

import re

from lycosa.web.open_elements import RAW, OpenElements

MAX_UNCHECKED_CHARACTERS = 131_072
"""A page with fewer characters, and fewer start tags than the next limit, is not changed."""
MAX_UNCHECKED_TAGS = 2_500
"""Start tags that any page may have: so few cannot take long to parse."""
MAX_DEPTH = 256
"""The tags of elements nested deeper than this are dropped; their content is kept."""
MAX_ATTRIBUTES = 64
"""The attributes of a tag beyond this many are dropped."""

_NAME = re.compile(r"<(/?)([A-Za-z][^\s/>]*)")
_VALUE = r"""(?:\s*+=\s*+(?:"[^"]*+"|'[^']*+'|[^\s>"'][^\s>]*+|(?=>)))?+"""
_ATTRIBUTE = rf"[\s/]*+[^\s/>][^\s/>=]*+{_VALUE}"
_FIRST = re.compile(rf"(?:{_ATTRIBUTE}){{0,{MAX_ATTRIBUTES}}}+[\s/]*+")
_REST = re.compile(rf"(?:{_ATTRIBUTE})*+[\s/]*+")

# The text of plaintext has no end.
_RAW_ENDS = {name: re.compile(rf"</{name}[\s/>]", re.IGNORECASE) for name in RAW - {"plaintext"}}


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
    elements = OpenElements(MAX_DEPTH)
    kept = at = 0
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
        if tag[1]:
            keep = elements.end(name)
        else:
            keep = elements.start(name, self_closing=html[end - 2] == "/")
        if not keep:
            pieces.append(html[kept:at])
            pieces.append(" ")
            kept = end
        elif tail.end() > head.end():
            pieces.append(html[kept : head.end()])
            kept = end - 1
        at = end
        if keep and not tag[1] and name in RAW:
            close = _RAW_ENDS[name].search(html, at) if name in _RAW_ENDS else None
            if close is None:
                break
            at = close.start()
    pieces.append(html[kept:])
    return pieces
