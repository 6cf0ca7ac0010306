"""Limits on HTML that keep the time to parse it linear in its size.

The tree-building rules of HTML are quadratic in four places: every block
element searches all open elements (nesting), every attribute is compared with
all before it, every unclosed formatting element is opened again in every block
that follows, and every further `html` or `body` tag adds its attributes to those
of the first. The parser adds a fifth: it keeps the names of elements and
attributes in hash tables that do not grow. Browsers have limits for these, and so
has this module. One for the number of elements bounds the time for a page.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from lycosa.web.open_elements import RAW, OpenElements

MAX_UNCHECKED_CHARACTERS = 65_536
"""A page with fewer characters, and fewer start tags than the next limit, is not changed."""
MAX_UNCHECKED_TAGS = 2_500
"""Start tags that any page may have: so few cannot take long to parse."""
MAX_DEPTH = 256
"""The tags of elements nested deeper than this are dropped; their content is kept."""
MAX_ATTRIBUTES = 64
"""The attributes of a tag beyond this many are dropped."""
MAX_NAMES = 1_000
"""Names of elements in a page, and of attributes; tags with further names are dropped, and so
are all attributes of a tag that has a further one."""
MAX_START_TAGS = 200_000
"""A page ends at the start tag after so many."""

_NAME = re.compile(r"<(/?)([A-Za-z][^\s/>]*)")
_VALUE = r"""(?:\s*+=\s*+(?:"[^"]*+"|'[^']*+'|[^\s>"'][^\s>]*+|(?=>)))?+"""
_ATTRIBUTE = rf"[\s/]*+[^\s/>][^\s/>=]*+{_VALUE}"
_FIRST = re.compile(rf"(?:{_ATTRIBUTE}){{0,{MAX_ATTRIBUTES}}}+([\s/]*+)")
_ATTRIBUTE_NAME = re.compile(rf"[\s/]*+([^\s/>][^\s/>=]*+){_VALUE}")
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
    tags, attributes = _Names(), _Names()
    kept = at = starts = 0
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
        starts += not tag[1]
        unfinished = head is None or tail is None or html[tail.end() : tail.end() + 1] != ">"
        if head is None or tail is None or unfinished or starts > MAX_START_TAGS:
            pieces.append(html[kept:at])
            return pieces  # an unfinished tag extends to the end of the page
        name, end, named = tag[2].lower(), tail.end() + 1, head.end()
        if named > tag.end() and not attributes.admit(
            _ATTRIBUTE_NAME.findall(html, tag.end(), named)
        ):
            named = tag.end()
        if not tags.admit((name,)):
            keep = False
        elif tag[1]:
            keep = elements.end(name)
        else:
            # A slash at the end of an unquoted value closes nothing, nor does one that is dropped.
            keep = elements.start(name, self_closing=named == end - 1 and head[1].endswith("/"))
        if not keep:
            pieces.append(html[kept:at])
            pieces.append(" ")
            kept = end
        elif tail.end() > named:
            pieces.append(html[kept:named])
            kept = end - 1
        at = end
        if keep and not tag[1] and name in RAW:
            close = _RAW_ENDS[name].search(html, at) if name in _RAW_ENDS else None
            if close is None:
                break
            at = close.start()
    pieces.append(html[kept:])
    return pieces


class _Names(set[str]):
    """The distinct names so far."""

    def admit(self, names: Iterable[str]) -> bool:
        """Add names; return False, and add none, if they would be too many."""
        new = [name for name in names if name not in self]
        if len(self) + len(new) > MAX_NAMES:
            return False
        self.update(new)
        return True
