"""A walk over the tree of a page, node by node: for any tree, but slow.

It reads the few pages whose markup is ambiguous: see `lycosa.web.markup_walk`.

>>> from selectolax.lexbor import LexborHTMLParser
>>> outline = Outline()
>>> tree = LexborHTMLParser("<plaintext>All of this is <b>text")
>>> walk_tree(tree.root, outline)
>>> "".join(outline.text).split()
['All', 'of', 'this', 'is', '<b>text']
"""

from __future__ import annotations

from selectolax.lexbor import LexborNode

from lycosa.web.outline import (
    HEADINGS,
    INLINE,
    LINKS,
    SKIPPED,
    Outline,
    extend_path,
    href_of,
    is_nofollow,
    path_label,
)
from lycosa.web.words import SPACED_MARK

_WITHIN_WORDS = frozenset((*INLINE, "-comment"))
_CHILDLESS = frozenset((*SKIPPED, *LINKS, "title", "img"))
_LEVELS = {name: level for level, name in enumerate(HEADINGS, 1)}


def walk_tree(node: LexborNode, outline: Outline, *, nofollow: bool = False) -> None:
    """Walk depth first, without recursion: nesting has no bound of Python's.

    With `nofollow`, links that are marked so are text.
    """
    write = outline.text.append
    above: list[LexborNode] = []  # the open elements
    paths: list[str | None] = []  # their tag paths, None until needed
    closing: list[tuple[str, int]] = []  # their names, and the numbers of links and headings
    while True:
        tag, number = node.tag or "", -1
        child = node.first_child if tag not in _CHILDLESS else None
        if tag == "-text":
            write(node.text_content or "")
        elif tag not in _WITHIN_WORDS:
            if tag != "a":
                write(" ")
            if tag in _LEVELS:
                write(SPACED_MARK)
                number = outline.open_heading(_LEVELS[tag])
            elif tag == "a" or tag in LINKS:
                if tag == "area":
                    write(node.attrs.get("alt") or "")
                elif tag == "base":
                    outline.base = outline.base or node.attrs.get("href")
                href = href_of(tag, node.attrs)
                if href and not (nofollow and is_nofollow(node.attrs)):
                    write(SPACED_MARK)
                    number = outline.open_link(href, _path(node, above, paths))
            elif tag == "img":
                write(node.attrs.get("alt") or "")
            elif tag == "title" and outline.title is None:
                outline.title = node.text()
        if child is not None:
            above.append(node)
            paths.append(None)
            closing.append((tag, number))
            node = child
            continue
        while True:
            if number >= 0:
                write(SPACED_MARK)
                close = outline.close_heading if tag in _LEVELS else outline.close_link
                close(number)
            elif tag not in _WITHIN_WORDS and tag not in ("a", "-text"):
                write(" ")
            following = node.next
            if following is not None:
                node = following
                break
            if not above:
                return
            node = above.pop()
            paths.pop()
            tag, number = closing.pop()


def _path(node: LexborNode, above: list[LexborNode], paths: list[str | None]) -> str:
    """Return the tag path of a node; the paths of the elements above it are cached."""
    known = len(above)
    while known and paths[known - 1] is None:
        known -= 1
    path = (paths[known - 1] or "") if known else ""
    for level in range(known, len(above)):
        one = above[level]
        path = paths[level] = extend_path(path, path_label(one.tag or "", one.attrs))
    return extend_path(path, path_label(node.tag or "", node.attrs))
