"""A walk over the markup of a tree: the fast way to read a page.

A parser's tree is slow to walk from Python, because every step makes an object. Its markup
is one string, made in one call, and regular (`lycosa.web.markup`). So it is split at each `<`,
and a piece is a tag and the text after it. `markup_walk.pyx` is the same walk in C, without
an object for each tag.

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

from collections.abc import Iterator

from lycosa.web.markup import (
    AMBIGUOUS,
    ANCHOR,
    ANCHOR_END,
    COMMENT,
    END,
    FOREIGN,
    FOREIGN_END,
    HEADING,
    HEADING_END,
    IMAGE,
    INLINE_END,
    INLINE_START,
    INLINE_VOID,
    KINDS,
    LABELS,
    LINK,
    NESTED,
    OTHER_LINKS,
    RAW,
    START,
    TITLE,
    VOID,
    AmbiguousMarkup,
    attributes_of,
    escaped_attributes,
    remember,
    unescape,
)
from lycosa.web.outline import Outline, extend_path, is_nofollow, path_label
from lycosa.web.words import SPACED_MARK


class _TagKinds(dict[str, int]):
    """The kinds of tags, given without their brackets: a known tag costs one look-up."""

    def __missing__(self, tag: str) -> int:
        name = tag.partition(" ")[0]
        kind = KINDS.get(name)
        if kind is None:
            if name.startswith("!--"):
                return COMMENT
            if name.startswith("?"):  # a processing instruction: its data is not escaped
                return AMBIGUOUS
            kind = END if name.startswith("/") else START
        remember(self, tag, kind)
        return kind


class _Anchors(dict[str, tuple[str, bool, str]]):
    """Start tags of anchors: the target, whether it may be followed, and the step in paths."""

    def __missing__(self, tag: str) -> tuple[str, bool, str]:
        attributes = attributes_of(tag)
        followed = "rel" not in attributes or not is_nofollow(attributes)
        anchor = attributes.get("href", ""), followed, path_label("a", attributes)
        remember(self, tag, anchor)
        return anchor


class _Images(dict[str, str]):
    """Tags of images: their alternative texts, with escapes."""

    def __missing__(self, tag: str) -> str:
        text = escaped_attributes(tag).get("alt", "")
        remember(self, tag, text)
        return text


_KIND_OF, _ANCHORS, _IMAGES = _TagKinds(), _Anchors(), _Images()


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
        if kind == START:
            above.append(tag)
            parts.append(" ")
        elif kind == END:
            above.pop()
            parts.append(" ")
        elif kind == ANCHOR:
            href, followed, label = anchors[tag]
            link = -1
            if href and (followed or not nofollow):
                top = above[-1]
                path = _path(above) if isinstance(top, str) else top[0]
                link = outline.open_link(href, extend_path(path, label))
                parts.append(SPACED_MARK)
            links.append(link)
            above.append(tag)
        elif kind == ANCHOR_END:
            above.pop()
            link = links.pop()
            if link >= 0:
                outline.close_link(link)
                parts.append(SPACED_MARK)
        elif kind == INLINE_START:
            above.append(tag)
        elif kind == INLINE_END:
            above.pop()
        elif kind == INLINE_VOID:
            pass
        elif kind == COMMENT:
            text = _skip_comment(piece, pieces)
        else:
            parts.append(" ")
            if kind == VOID:
                pass
            elif kind == IMAGE:
                parts.append(_IMAGES[tag])
                parts.append(" ")
            elif kind == HEADING:
                headings.append(outline.open_heading(int(tag[1])))
                parts.append(SPACED_MARK)
                above.append(tag)
            elif kind == HEADING_END:
                above.pop()
                outline.close_heading(headings.pop())
                parts.append(SPACED_MARK)
            elif kind == LINK:
                _read_link(tag, above, outline, nofollow)
                if tag.startswith("iframe"):
                    text = _skip_raw("iframe", pieces, foreign)
                parts.append(" ")
            elif kind == TITLE:
                if outline.title is None:
                    outline.title = unescape(text)
                end, closed, text = next(pieces).partition(">")
                if end != "/title":
                    raise AmbiguousMarkup
                parts.append(" ")
            elif kind == RAW:
                text = _skip_raw(tag.partition(" ")[0], pieces, foreign)
            elif kind == NESTED:
                text = _skip_nested(tag.partition(" ")[0], pieces, foreign)
            elif kind == FOREIGN:
                above.append(tag)
                foreign += 1
            elif kind == FOREIGN_END:
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
        if kind == COMMENT:
            _skip_comment(piece, pieces)
        elif kind == RAW or inner == "iframe":
            _skip_raw(inner, pieces, foreign)
        elif kind == AMBIGUOUS:
            raise AmbiguousMarkup
        elif kind in (FOREIGN, FOREIGN_END):
            foreign += 1 if kind == FOREIGN else -1
        elif inner == name:
            depth += 1
        elif tag == f"/{name}":
            depth -= 1
            if not depth:
                return text
    raise AmbiguousMarkup


def _read_link(tag: str, above: list[str | tuple[str]], outline: Outline, nofollow: bool) -> None:
    """Read an element that may link and is no anchor."""
    name, href, followed, label = OTHER_LINKS[tag]
    if name == "area":
        outline.text.append(_IMAGES[tag])
    elif name == "base":
        outline.base = outline.base or href
        return
    if href and (followed or not nofollow):
        outline.close_link(outline.open_link(href, extend_path(_path(above), label)))
        outline.text += (SPACED_MARK, SPACED_MARK)


def _path(above: list[str | tuple[str]]) -> str:
    """Return the tag path of the innermost open element."""
    known = len(above)
    while known and isinstance(above[known - 1], str):
        known -= 1
    path = above[known - 1][0] if known else ""
    for level in range(known, len(above)):
        path = extend_path(path, LABELS[str(above[level])])
        above[level] = (path,)
    return path
