"""A walk over the markup of a tree: the fast way to read a page.

A parser's tree is slow to walk from Python, because every step makes an object. Its markup
is one string, made in one call, and regular where that of an author is not: every element
but the void ones has an end tag, every value is quoted, and `<`, `>` and `"` occur
nowhere else (HTML standard, section 13.3). So it is split at each `<`, and a piece is a
tag and the text after it.

What remains ambiguous raises `AmbiguousMarkup`: raw text that may contain what looks like
its end, which is that of `plaintext` and of scripts with a script in a comment, and that
of foreign elements (SVG, MathML), where the parser does not take it for raw.

>>> from lycosa.web.outline import Outline
>>> outline = Outline()
>>> walk_markup('<html><body>Our <a href="tr.ps">paper</a></body></html>', outline)
>>> outline.hrefs, outline.paths
(['tr.ps'], ['/html/body/a'])
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TypeVar

from lycosa.web.outline import (
    HEADINGS,
    INLINE,
    LINKS,
    Outline,
    extend_path,
    href_of,
    is_nofollow,
    path_label,
)

T = TypeVar("T")

MAX_CACHED_CHARACTERS = 300
"""Of a tag; longer ones are seldom seen twice."""
MAX_CACHED_TAGS = 20_000

_ATTRIBUTE = re.compile(r' ([^ ]+?)="([^"]*)"')
_ESCAPES = {"nbsp": "\xa0", "quot": '"', "lt": "<", "gt": ">", "amp": "&"}

(
    _START, _END, _INLINE_START, _INLINE_END, _VOID, _INLINE_VOID, _ANCHOR, _ANCHOR_END, _HEADING,
    _HEADING_END, _IMAGE, _LINK, _TITLE, _RAW, _NESTED, _FOREIGN, _FOREIGN_END, _COMMENT,
    _AMBIGUOUS,
) = range(19)  # fmt: skip
_VOIDS = (
    "area base basefont bgsound br col embed frame hr img input keygen link meta param source "
    "track wbr"
).split()
_RAWS = ("script", "style", "noembed", "noframes")
_KINDS = {
    **dict.fromkeys(INLINE, _INLINE_START),
    **{f"/{name}": _INLINE_END for name in INLINE},
    **dict.fromkeys(_VOIDS, _VOID),
    "wbr": _INLINE_VOID,
    "img": _IMAGE,
    "a": _ANCHOR,
    "/a": _ANCHOR_END,
    **dict.fromkeys(HEADINGS, _HEADING),
    **{f"/{name}": _HEADING_END for name in HEADINGS},
    **dict.fromkeys(LINKS, _LINK),
    "title": _TITLE,
    **dict.fromkeys(_RAWS, _RAW),
    **dict.fromkeys(("template", "object"), _NESTED),
    **dict.fromkeys(("svg", "math"), _FOREIGN),
    **dict.fromkeys(("/svg", "/math"), _FOREIGN_END),
    **dict.fromkeys(("plaintext", "xmp"), _AMBIGUOUS),
    # Void elements have end tags where they are foreign.
    **{f"/{name}": _AMBIGUOUS for name in _VOIDS},
}


class AmbiguousMarkup(Exception):
    """Markup from which the tree cannot be told."""


class _TagKinds(dict[str, int]):
    """The kinds of tags, given without their brackets: a known tag costs one look-up."""

    def __missing__(self, tag: str) -> int:
        name = tag.partition(" ")[0]
        kind = _KINDS.get(name)
        if kind is None:
            if name.startswith("!--"):
                return _COMMENT
            if name.startswith("?"):  # a processing instruction: its data is not escaped
                return _AMBIGUOUS
            kind = _END if name.startswith("/") else _START
        _remember(self, tag, kind)
        return kind


class _Anchors(dict[str, tuple[str, bool, str]]):
    """Start tags of anchors: the target, whether it may be followed, and the step in paths."""

    def __missing__(self, tag: str) -> tuple[str, bool, str]:
        attributes = _attributes(tag)
        followed = "rel" not in attributes or not is_nofollow(attributes)
        anchor = attributes.get("href", ""), followed, path_label("a", attributes)
        _remember(self, tag, anchor)
        return anchor


class _Images(dict[str, str]):
    """Tags of images: their alternative texts, with escapes."""

    def __missing__(self, tag: str) -> str:
        text = _escaped_attributes(tag).get("alt", "")
        _remember(self, tag, text)
        return text


class _OtherLinks(dict[str, tuple[str, str | None, bool, str]]):
    """Tags of elements that may link and are no anchors: name, target, as in `_Anchors`."""

    def __missing__(self, tag: str) -> tuple[str, str | None, bool, str]:
        name, attributes = tag.partition(" ")[0], _attributes(tag)
        followed = "rel" not in attributes or not is_nofollow(attributes)
        # A base is no link: its target is that of all others.
        href = attributes.get("href") if name == "base" else href_of(name, attributes)
        link = name, href, followed, path_label(name, attributes)
        _remember(self, tag, link)
        return link


class _Labels(dict[str, str]):
    """Start tags of other elements: their steps in paths."""

    def __missing__(self, tag: str) -> str:
        label = path_label(tag.partition(" ")[0], _attributes(tag))
        _remember(self, tag, label)
        return label


def _remember(cache: dict[str, T], tag: str, value: T) -> None:
    if len(tag) <= MAX_CACHED_CHARACTERS:
        if len(cache) >= MAX_CACHED_TAGS:
            cache.clear()
        cache[tag] = value


_KIND_OF, _ANCHORS, _LABELS = _TagKinds(), _Anchors(), _Labels()
_IMAGES, _OTHER_LINKS = _Images(), _OtherLinks()


def walk_markup(markup: str, outline: Outline, *, nofollow: bool = False) -> None:
    """Read the markup of a page; with `nofollow`, links that are marked so are text.

    Raises `AmbiguousMarkup` if the markup may be that of another tree; then the outline
    is of no use.
    """
    pieces = iter(markup.split("<"))
    next(pieces)  # what is before the first tag
    try:
        _walk(pieces, outline, nofollow)
    except (StopIteration, IndexError) as error:
        raise AmbiguousMarkup from error
    if "&" in markup:
        outline.text[:] = (unescape("".join(outline.text)),)


def _walk(pieces: Iterator[str], outline: Outline, nofollow: bool) -> None:
    parts = outline.text
    kind_of, anchors = _KIND_OF, _ANCHORS
    # The open elements: their tags, or their paths where they are known, each in a tuple.
    above: list[str | tuple[str]] = []
    links: list[int] = []  # the numbers of open anchors; -1 if one is no link
    headings: list[int] = []
    foreign = 0
    for piece in pieces:
        tag, closed, text = piece.partition(">")
        if not closed:
            if piece.startswith("!--"):
                parts.append(_skip_comment(piece, pieces))
                continue
            tag, text = _joined(tag, pieces)
        kind = kind_of[tag]
        if kind == _START:
            above.append(tag)
            parts.append(" ")
        elif kind == _END:
            above.pop()
            parts.append(" ")
        elif kind == _ANCHOR:
            href, followed, label = anchors[tag]
            link = -1
            if href and (followed or not nofollow):
                top = above[-1]
                path = _path(above) if isinstance(top, str) else top[0]
                link = outline.open_link(href, extend_path(path, label))
            links.append(link)
            above.append(tag)
        elif kind == _ANCHOR_END:
            above.pop()
            link = links.pop()
            if link >= 0:
                outline.close_link(link)
        elif kind == _INLINE_START:
            above.append(tag)
        elif kind == _INLINE_END:
            above.pop()
        elif kind == _INLINE_VOID:
            pass
        elif kind == _COMMENT:
            text = _skip_comment(piece, pieces)
        else:
            parts.append(" ")
            if kind == _VOID:
                pass
            elif kind == _IMAGE:
                parts.append(_IMAGES[tag])
                parts.append(" ")
            elif kind == _HEADING:
                headings.append(outline.open_heading(int(tag[1])))
                above.append(tag)
            elif kind == _HEADING_END:
                above.pop()
                outline.close_heading(headings.pop())
            elif kind == _LINK:
                _read_link(tag, above, outline, nofollow)
                if tag.startswith("iframe"):
                    text = _skip_raw("iframe", pieces, foreign)
                parts.append(" ")
            elif kind == _TITLE:
                if outline.title is None:
                    outline.title = unescape(text)
                end, closed, text = next(pieces).partition(">")
                if end != "/title":
                    raise AmbiguousMarkup
                parts.append(" ")
            elif kind == _RAW:
                text = _skip_raw(tag.partition(" ")[0], pieces, foreign)
            elif kind == _NESTED:
                text = _skip_nested(tag.partition(" ")[0], pieces, foreign)
            elif kind == _FOREIGN:
                above.append(tag)
                foreign += 1
            elif kind == _FOREIGN_END:
                above.pop()
                foreign -= 1
            else:
                raise AmbiguousMarkup
        if text:
            parts.append(text)
    if above:
        raise AmbiguousMarkup


def _joined(part: str, pieces: Iterator[str]) -> tuple[str, str]:
    """Return a tag with a `<` in the name of an element or attribute, and the text after it."""
    parts = [part]
    while True:
        part, closed, text = next(pieces).partition(">")
        parts.append(part)
        if closed:
            return "<".join(parts), text


def _skip_comment(piece: str, pieces: Iterator[str]) -> str:
    """Return the text after a comment, given its first piece and the ones after it."""
    start = len("!--")
    while (end := piece.find("-->", start)) < 0:
        piece, start = next(pieces), 0
    return piece[end + len("-->") :]


def _skip_raw(name: str, pieces: Iterator[str], foreign: int) -> str:
    """Return the text after an element whose content is raw text."""
    end = f"/{name}>"
    is_commented = False
    while not (piece := next(pieces)).startswith(end):
        if foreign:
            raise AmbiguousMarkup
        is_commented = is_commented or piece.startswith("!--")
        if is_commented and name == "script" and piece[:6].lower() == "script":
            raise AmbiguousMarkup
    return piece[len(end) :]


def _skip_nested(name: str, pieces: Iterator[str], foreign: int) -> str:
    """Return the text after an element that is skipped with the elements inside it."""
    depth = 1
    for piece in pieces:
        tag, closed, text = piece.partition(">")
        if not closed:
            if piece.startswith("!--"):
                _skip_comment(piece, pieces)
                continue
            tag, text = _joined(tag, pieces)
        kind = _KIND_OF[tag]
        inner = tag.partition(" ")[0]
        if kind == _COMMENT:
            _skip_comment(piece, pieces)
        elif kind == _RAW or inner == "iframe":
            _skip_raw(inner, pieces, foreign)
        elif kind == _AMBIGUOUS:
            raise AmbiguousMarkup
        elif kind in (_FOREIGN, _FOREIGN_END):
            foreign += 1 if kind == _FOREIGN else -1
        elif inner == name:
            depth += 1
        elif tag == f"/{name}":
            depth -= 1
            if not depth:
                return text
    raise AmbiguousMarkup


def _read_link(tag: str, above: list[str | tuple[str]], outline: Outline, nofollow: bool) -> None:
    """Read an element that may link and is no anchor."""
    name, href, followed, label = _OTHER_LINKS[tag]
    if name == "area":
        outline.text.append(_IMAGES[tag])
    elif name == "base":
        outline.base = outline.base or href
        return
    if href and (followed or not nofollow):
        outline.close_link(outline.open_link(href, extend_path(_path(above), label)))


def _path(above: list[str | tuple[str]]) -> str:
    """Return the tag path of the innermost open element."""
    known = len(above)
    while known and isinstance(above[known - 1], str):
        known -= 1
    path = above[known - 1][0] if known else ""
    for level in range(known, len(above)):
        path = extend_path(path, _LABELS[str(above[level])])
        above[level] = (path,)
    return path


def _attributes(tag: str) -> dict[str, str]:
    found = _escaped_attributes(tag)
    return {name: unescape(value) for name, value in found.items()} if "&" in tag else found


def _escaped_attributes(tag: str) -> dict[str, str]:
    """Return the attributes of a tag: split at the quotes, or searched for if a name is odd.

    >>> _escaped_attributes('a id="x" href="/b?c=d"')
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
