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
from collections.abc import Collection
from typing import NamedTuple

from lycosa.web.limit_check import is_within_limits
from lycosa.web.open_elements import RAW, OpenElements, is_plain

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

MAX_CACHED_CHARACTERS = 1_000
"""Of a tag that is remembered while a page is checked."""

_NAME = re.compile(r"<(/?)([A-Za-z][^\s/>]*)")
_VALUE = r"""(?:\s*+=\s*+(?:"[^"]*+"|'[^']*+'|[^\s>"'][^\s>]*+|(?=>)))?+"""
_ATTRIBUTE = rf"[\s/]*+[^\s/>][^\s/>=]*+{_VALUE}"
_FIRST = re.compile(rf"(?:{_ATTRIBUTE}){{0,{MAX_ATTRIBUTES}}}+([\s/]*+)")
_ATTRIBUTE_NAME = re.compile(rf"[\s/]*+([^\s/>][^\s/>=]*+){_VALUE}")
_REST = re.compile(rf"(?:{_ATTRIBUTE})*+[\s/]*+")

# A tag without its quoted values: each stands directly after `=`, and nothing else is quoted.
_BARE = r"[^=\"'<>]*+"
_SHAPE = re.compile(
    rf"""[A-Za-z][^\s/="'<>]*+[\s/]{_BARE}(?<![\s/])=(?:"{_BARE}(?<![\s/"])=)*+"{_BARE}"""
)

# The text of plaintext has no end.
_RAW_ENDS = {name: re.compile(rf"</{name}[\s/>]", re.IGNORECASE) for name in RAW - {"plaintext"}}


def limit_html(html: str) -> str:
    """Return a page without the tags that would make parsing it slow.

    >>> limit_html("<b>x</b>")
    '<b>x</b>'
    >>> limit_html("<div>" * 100_000 + "x").count("<div>")
    256
    """
    if (
        len(html) < MAX_UNCHECKED_CHARACTERS
        and html.count("<") - html.count("</") < MAX_UNCHECKED_TAGS
    ):
        return html
    if is_within_limits(html, MAX_DEPTH, MAX_ATTRIBUTES, MAX_START_TAGS):
        return html
    return "".join(_limited_pieces(html))


class _Tag(NamedTuple):
    """A tag as it is in a page, from `<` to `>`."""

    name: str
    is_end: bool
    is_self_closing: bool
    named: int
    """Where the attributes end that stay."""
    last: int
    """Where its `>` is."""


def _limited_pieces(html: str) -> list[str]:
    """Return the parts of a page that stay, in order."""
    pieces: list[str] = []
    elements = OpenElements(MAX_DEPTH)
    open_names = elements.names
    names, attributes = _Names(), _Names()
    # Most tags of a page were in it before, and stay as they are: by what is inside brackets,
    # and by that without its quoted values.
    known: dict[str, tuple[str, bool, bool, bool]] = {}
    known_shapes: dict[str, tuple[str, bool, bool, bool]] = {}
    kept = at = starts = 0
    bracket = -1
    while (at := html.find("<", at)) >= 0:
        if bracket < at and (bracket := html.find(">", at)) < 0:
            bracket = len(html) + MAX_CACHED_CHARACTERS  # too far for any tag
        inside = html[at + 1 : bracket] if bracket - at < MAX_CACHED_CHARACTERS else ""
        admitted = True
        found = known.get(inside)
        if found is None and '"' in inside:
            shape = _shape(inside)
            found = known_shapes.get(shape)
            if found is not None:
                known[inside] = found
        else:
            shape = ""
        if found is not None:
            name, is_end, is_self_closing, plain = found
            if plain:
                if is_end:
                    if open_names and open_names[-1] == name:
                        open_names.pop()
                        at = bracket
                        continue
                elif len(open_names) < MAX_DEPTH and starts < MAX_START_TAGS:
                    open_names.append(name)
                    starts += 1
                    at = bracket
                    continue
            named = last = bracket
        else:
            tag = _NAME.match(html, at)
            if tag is None:
                if html.startswith("<!--", at):
                    at = html.find("-->", at + 4)
                    if at < 0:
                        break
                at += 1
                continue
            read = _read_tag(html, tag, attributes)
            if read is None:
                pieces.append(html[kept:at])
                return pieces  # an unfinished tag extends to the end of the page
            name, is_end, is_self_closing, named, last = read
            admitted = name in names or names.admit((name,))
            if admitted and inside and named == last == bracket:
                plain = is_plain(name, is_end=is_end, self_closing=is_self_closing)
                known[inside] = name, is_end, is_self_closing, plain
                if _SHAPE.fullmatch(shape):
                    known_shapes[shape] = known[inside]
        starts += not is_end
        if starts > MAX_START_TAGS:
            pieces.append(html[kept:at])
            return pieces
        if not admitted:
            keep = False
        elif is_end:
            keep = elements.end(name)
        else:
            keep = elements.start(name, self_closing=is_self_closing)
        if not keep:
            pieces += (html[kept:at], " ")
            kept = last + 1
        elif last > named:
            pieces.append(html[kept:named])
            kept = last
        at = last + 1
        if keep and not is_end and name in RAW:
            close = _RAW_ENDS[name].search(html, at) if name in _RAW_ENDS else None
            if close is None:
                break
            at = close.start()
    pieces.append(html[kept:])
    return pieces


def _shape(inside: str) -> str:
    """Return what is inside the brackets of a tag without quoted values; empty if one is open.

    Tags of one shape have the same names, if it is one of `_SHAPE`.
    """
    parts = inside.split('"')
    return '"'.join(parts[::2]) if len(parts) % 2 else ""


def _read_tag(html: str, tag: re.Match[str], attributes: _Names) -> _Tag | None:
    """Return the tag with this name; None if it has no end."""
    head = _FIRST.match(html, tag.end())
    if head is None:
        return None
    named = last = head.end()
    if not html.startswith(">", last):
        rest = _REST.match(html, last)
        if rest is None or not html.startswith(">", rest.end()):
            return None
        last = rest.end()
    if named > tag.end() and not attributes.admit(_ATTRIBUTE_NAME.findall(html, tag.end(), named)):
        named = tag.end()
    # A slash at the end of an unquoted value closes nothing, nor does one that is dropped.
    is_self_closing = named == last and head[1].endswith("/")
    return _Tag(tag[2].lower(), bool(tag[1]), is_self_closing, named, last)


class _Names(set[str]):
    """The distinct names so far."""

    def admit(self, names: Collection[str]) -> bool:
        """Add names; return False, and add none, if they would be too many."""
        if self.issuperset(names):
            return True
        new = [name for name in names if name not in self]
        if len(self) + len(new) > MAX_NAMES:
            return False
        self.update(new)
        return True
