"""The markup of a tree: what its tags are, and what is in them.

It is regular where that of an author is not: every element but the void ones has an end tag,
every value is quoted, and `<`, `>` and `"` occur nowhere else (HTML standard, section 13.3).
"""

from __future__ import annotations

import re
from typing import TypeVar

from lycosa.web.outline import HEADINGS, INLINE, LINKS, href_of, is_nofollow, path_label

T = TypeVar("T")

MAX_CACHED_CHARACTERS = 300
"""Of a tag; longer ones are seldom seen twice."""
MAX_CACHED_TAGS = 20_000

_ATTRIBUTE = re.compile(r' ([^ ]+?)="([^"]*)"')
_ESCAPES = {"nbsp": "\xa0", "quot": '"', "lt": "<", "gt": ">", "amp": "&"}

# The kinds of tags.
(
    START, END, INLINE_START, INLINE_END, VOID, INLINE_VOID, ANCHOR, ANCHOR_END, HEADING,
    HEADING_END, IMAGE, LINK, TITLE, RAW, NESTED, FOREIGN, FOREIGN_END, COMMENT,
    AMBIGUOUS,
) = range(19)  # fmt: skip
_VOIDS = (
    "area base basefont bgsound br col embed frame hr img input keygen link meta param source "
    "track wbr"
).split()
_RAWS = ("script", "style", "noembed", "noframes")
KINDS = {
    **dict.fromkeys(INLINE, INLINE_START),
    **{f"/{name}": INLINE_END for name in INLINE},
    **dict.fromkeys(_VOIDS, VOID),
    "wbr": INLINE_VOID,
    "img": IMAGE,
    "a": ANCHOR,
    "/a": ANCHOR_END,
    **dict.fromkeys(HEADINGS, HEADING),
    **{f"/{name}": HEADING_END for name in HEADINGS},
    **dict.fromkeys(LINKS, LINK),
    "title": TITLE,
    **dict.fromkeys(_RAWS, RAW),
    **dict.fromkeys(("template", "object"), NESTED),
    **dict.fromkeys(("svg", "math"), FOREIGN),
    **dict.fromkeys(("/svg", "/math"), FOREIGN_END),
    **dict.fromkeys(("plaintext", "xmp"), AMBIGUOUS),
    # Void elements have end tags where they are foreign.
    **{f"/{name}": AMBIGUOUS for name in _VOIDS},
}
"""The kinds of tags by name; all others are those of blocks, comments and instructions."""


class AmbiguousMarkup(Exception):
    """Markup from which the tree cannot be told."""


class OtherLinks(dict[str, tuple[str, str | None, bool, str]]):
    """Tags of elements that may link and are no anchors.

    Each has a name, a target, whether it may be followed, and a step in paths.
    """

    def __missing__(self, tag: str) -> tuple[str, str | None, bool, str]:
        name, attributes = tag.partition(" ")[0], attributes_of(tag)
        followed = "rel" not in attributes or not is_nofollow(attributes)
        # A base is no link: its target is that of all others.
        href = attributes.get("href") if name == "base" else href_of(name, attributes)
        link = name, href, followed, path_label(name, attributes)
        remember(self, tag, link)
        return link


class Labels(dict[str, str]):
    """Start tags of other elements: their steps in paths."""

    def __missing__(self, tag: str) -> str:
        label = path_label(tag.partition(" ")[0], attributes_of(tag))
        remember(self, tag, label)
        return label


def remember(cache: dict[str, T], tag: str, value: T) -> None:
    """Keep what was found for a tag; a full cache is emptied first."""
    if len(tag) <= MAX_CACHED_CHARACTERS:
        if len(cache) >= MAX_CACHED_TAGS:
            cache.clear()
        cache[tag] = value


def attributes_of(tag: str) -> dict[str, str]:
    """Return the attributes of a tag."""
    found = escaped_attributes(tag)
    return {name: unescape(value) for name, value in found.items()} if "&" in tag else found


def escaped_attributes(tag: str) -> dict[str, str]:
    """Return the attributes of a tag, with escapes.

    The tag is split at the quotes, or searched if a name is odd.

    >>> escaped_attributes('a id="x" href="/b?c=d"')
    {'id': 'x', 'href': '/b?c=d'}
    """
    parts = tag.split('"')
    last = len(parts) - 1
    if not last:
        return {}
    parts[0] = parts[0][parts[0].find(" ") :]
    found: dict[str, str] = {}
    for at in range(0, last, 2):
        name = parts[at]
        if name[:1] != " " or name[-1:] != "=" or len(name) < 3 or name.find(" ", 1) > 0:
            return dict(_ATTRIBUTE.findall(tag))
        found[name[1:-1]] = parts[at + 1]
    return dict(_ATTRIBUTE.findall(tag)) if last % 2 else found


def unescape(text: str) -> str:
    """Return a text without the escapes that markup has.

    >>> unescape("a &lt;b&gt; &amp;lt;")
    'a <b> &lt;'
    """
    # One search for `&`: a `replace` for each escape searches the whole text five times.
    first, *others = text.split("&")
    parts = [first]
    for part in others:
        name, end, rest = part.partition(";")
        character = _ESCAPES.get(name) if end else None
        if character is None:
            parts += ("&", part)
        else:
            parts += (character, rest)
    return "".join(parts)


OTHER_LINKS, LABELS = OtherLinks(), Labels()
