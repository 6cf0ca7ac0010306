"""HTML parser: words, headings and links in one walk over the tree.

The walk writes the text into a buffer, with a mark wherever an anchor or a
heading begins or ends. The buffer is then split into words once, and the
positions of the marks among them are the ranges that make up every bag.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache
from typing import NamedTuple

import numpy as np
from selectolax.lexbor import LexborHTMLParser, LexborNode

from lycosa.content import Content, Ints, Table
from lycosa.web.html_limits import limit_html
from lycosa.web.urls import Resolver, canonical
from lycosa.web.words import MARK, Numberer

MAX_TITLE_CHARACTERS = 1000
"""Characters of a title that are kept for people."""
MAX_HTML_CHARACTERS = 4 * 2**20
"""Characters of a page that are parsed; the rest is ignored."""
MAX_TARGETS = 10_000
"""Distinct URLs that a page links to; links to further ones are dropped."""

# Possessive: three runs of blanks in a row would be tried in every division.
_REFRESH = re.compile(
    r"""^\s*+[\d.]*+\s*+[;,]?+\s*+url\s*+=\s*+["']?+\s*+([^"'>\s]++)""", re.IGNORECASE
)
_DIGITS = re.compile(r"\d+")
_MAX_PATH_CHARACTERS = 400
_SPACED_MARK = f" {MARK} "

_LINKS = ("area", "frame", "iframe", "link", "meta", "base")
_SKIPPED = ("script", "style", "template", "noframes", "noembed", "object")
# Elements that may occur inside a word; all others separate words.
_INLINE = (
    "a b i u s em strong font span small big tt code sub sup nobr abbr mark kbd samp var cite q "
    "ins del bdi bdo wbr"
).split()
_OTHERS = ("title", "img")
_HEADINGS = ("h1", "h2", "h3", "h4", "h5", "h6")


def _tag_numbers() -> dict[str, int]:
    """Return Lexbor's numbers of the tags used here, found by parsing samples."""
    samples = {name: f"<{name}>" for name in {*_LINKS, *_SKIPPED, *_INLINE, *_HEADINGS, *_OTHERS}}
    samples["frame"] = "<frameset><frame></frameset>"
    samples |= {"-text": "<p>x", "-comment": "<p><!--x-->"}
    numbers = {}
    for name, html in samples.items():
        root = LexborHTMLParser(html).root
        nodes = root.traverse(include_text=True) if root else ()
        numbers[name] = next(node.tag_id for node in nodes if node.tag == name)
    return numbers


_TAG = _tag_numbers()
_TEXT = _TAG["-text"]
# How the walk treats an element, looked up once per node; most are plain blocks.
_BLOCK, _INLINE_KIND, _ANCHOR, _HEADING, _LINK, _IMAGE, _HEAD_TITLE, _SKIP = range(8)
_KINDS = {
    **{_TAG[name]: _INLINE_KIND for name in (*_INLINE, "-comment")},
    **{_TAG[name]: _HEADING for name in _HEADINGS},
    **{_TAG[name]: _LINK for name in _LINKS},
    **{_TAG[name]: _SKIP for name in _SKIPPED},
    _TAG["a"]: _ANCHOR,
    _TAG["img"]: _IMAGE,
    _TAG["title"]: _HEAD_TITLE,
}
_LEVELS = {_TAG[name]: level for level, name in enumerate(_HEADINGS, 1)}


class FollowedLinks(NamedTuple):
    """Which of the links of a page count."""

    only_unmarked: bool = False
    """Whether links with the relation nofollow are left out."""
    none: bool = False
    """Whether all are left out, because the page asks for that."""
    further: tuple[str, ...] = ()
    """URLs that it names without a link to be seen, such as its canonical one."""


ALL_LINKS = FollowedLinks()


class _Link:
    """An occurrence of a link; `start` and `stop` are numbers of marks in the text."""

    __slots__ = ("heading", "href", "path", "start", "stop")

    def __init__(self, href: str, start: int, heading: int, path: str) -> None:
        self.href = href
        self.start = start
        self.stop = start
        self.heading = heading
        self.path = path


class _Heading:
    """A heading; `above` is the number of the heading that it is under (-1: none).

    `start` and `stop` are numbers of marks in the text.
    """

    __slots__ = ("above", "level", "number", "start", "stop")

    def __init__(self, number: int, level: int, start: int, above: int) -> None:
        self.number = number
        self.level = level
        self.start = start
        self.stop = start
        self.above = above


class _Walk:
    """The title, text, headings and links that one walk over a tree collects.

    With `nofollow`, links that are marked so are text.
    """

    __slots__ = ("base", "headings", "links", "marks", "nofollow", "text", "title")

    def __init__(self, html: str, *, nofollow: bool = False) -> None:
        self.nofollow = nofollow
        self.title: str | None = None
        self.base: str | None = None
        self.text: list[str] = []
        self.marks = 0
        self.headings: list[_Heading] = []
        self.links: list[_Link] = []
        root = LexborHTMLParser(html).root
        if root is not None:
            self._walk(root)

    def _walk(self, node: LexborNode) -> None:
        """Walk depth first, without recursion: nesting has no bound of Python's."""
        write = self.text.append
        kind_of = _KINDS.get
        above: list[LexborNode] = []  # the open elements
        paths: list[str | None] = []  # their tag paths, None until needed
        closing: list[_Link | _Heading | bool] = []  # what ends with them; True: a word ends
        chain: list[_Heading] = []  # the headings that the current position is under
        close: _Link | _Heading | bool
        while True:
            tag = node.tag_id
            if tag == _TEXT:
                write(node.text_content or "")
                child, close = None, False
            else:
                kind = kind_of(tag, _BLOCK)
                if kind == _BLOCK:
                    write(" ")
                    child, close = node.first_child, True
                elif kind == _INLINE_KIND:
                    child, close = node.first_child, False
                elif kind == _ANCHOR:
                    child, close = node.first_child, False
                    href = node.attrs.get("href")
                    if href and not (self.nofollow and is_nofollow(node)):
                        close = self._link(href, chain, _path(node, above, paths))
                else:
                    write(" ")
                    child, close = None, True
                    if kind == _HEADING:
                        child, close = node.first_child, self._heading(_LEVELS[tag], chain)
                    elif kind == _LINK:
                        if node.tag == "area":
                            write(node.attrs.get("alt") or "")
                        elif node.tag == "base":
                            self.base = self.base or node.attrs.get("href")
                        href = href_of(node)
                        if href and not (self.nofollow and is_nofollow(node)):
                            close = self._link(href, chain, _path(node, above, paths))
                    elif kind == _IMAGE:
                        write(node.attrs.get("alt") or "")
                    elif kind == _HEAD_TITLE and self.title is None:
                        self.title = node.text()
            if child is not None:
                above.append(node)
                paths.append(None)
                closing.append(close)
                node = child
                continue
            while True:
                if close is True:
                    write(" ")
                elif close is not False:
                    close.stop = self._mark()
                following = node.next
                if following is not None:
                    node = following
                    break
                if not above:
                    return
                node = above.pop()
                paths.pop()
                close = closing.pop()

    def add_link(self, url: str) -> None:
        """Add a link that has no element, and no words."""
        self.links.append(_Link(url, self._mark(), -1, ""))

    def _link(self, href: str, chain: list[_Heading], path: str) -> _Link:
        link = _Link(href, self._mark(), chain[-1].number if chain else -1, path)
        self.links.append(link)
        return link

    def _heading(self, level: int, chain: list[_Heading]) -> _Heading:
        while chain and chain[-1].level >= level:
            chain.pop()
        above = chain[-1].number if chain else -1
        heading = _Heading(len(self.headings), level, self._mark(), above)
        self.headings.append(heading)
        chain.append(heading)
        return heading

    def _mark(self) -> int:
        self.text.append(_SPACED_MARK)
        self.marks += 1
        return self.marks - 1


def is_nofollow(node: LexborNode) -> bool:
    """Return whether a link asks crawlers not to follow it.

    The relations `ugc` and `sponsored` say what a link is, and do not ask for anything.
    """
    return "nofollow" in (node.attrs.get("rel") or "").lower().split()


def href_of(node: LexborNode) -> str | None:
    """Return the target of an element as it is written; None if it links to nothing."""
    attributes = node.attrs
    match node.tag:
        case "a" | "area":
            return attributes.get("href")
        case "frame" | "iframe":
            return attributes.get("src")
        case "link":
            relations = (attributes.get("rel") or "").lower().split()
            return attributes.get("href") if "next" in relations else None
        case "meta" if (attributes.get("http-equiv") or "").lower() == "refresh":
            found = _REFRESH.match(attributes.get("content") or "")
            return found[1] if found else None
    return None


def _path(node: LexborNode, above: list[LexborNode], paths: list[str | None]) -> str:
    """Return the tag path of a node; the paths of the elements above it are cached."""
    known = len(above)
    while known and paths[known - 1] is None:
        known -= 1
    path = (paths[known - 1] or "") if known else ""
    for level in range(known, len(above)):
        path = paths[level] = _extend_path(path, above[level])
    return _extend_path(path, node)


def _extend_path(path: str, node: LexborNode) -> str:
    identifier = (node.id or "")[:40]
    classes = (node.attrs.get("class") or "")[:80]
    return _add_step(path, node.tag or "", identifier, classes)


@lru_cache(maxsize=65_536)
def _add_step(path: str, tag: str, identifier: str, classes: str) -> str:
    """Return a path with one step more: `/html/body/div#main.wide`; every number becomes 0."""
    if len(path) > _MAX_PATH_CHARACTERS:
        return path
    label = tag
    if identifier:
        label += "#" + identifier
    if classes:
        label += "." + ".".join(classes.split())
    return f"{path}/{_DIGITS.sub('0', label)}"


def tidy(html: str) -> str:
    """Return the part of a page that is parsed, without what would mislead the parser."""
    return limit_html(_close_comment(html[:MAX_HTML_CHARACTERS].replace(MARK, "")))


def _close_comment(html: str) -> str:
    """End an unclosed comment at the next `>`, as browsers did when such pages were written.

    By the standard the comment would extend to the end of the page and hide its links.
    """
    unclosed = html.find("<!--", html.rfind("-->") + 1)
    if unclosed < 0:
        return html
    return html[:unclosed] + html[unclosed:].replace("<!--", "<!")


def number_targets(
    targets: Iterable[str | None], url: str, number: Callable[[str], int | None]
) -> Iterator[int | None]:
    """Yield the number of each target; None for one that is left out.

    `number` is called once for each of the first `MAX_TARGETS` distinct targets
    that are not the page at `url` itself.
    """
    known: dict[str, int | None] = {}
    for target in targets:
        if target is None or target == url:
            yield None
        elif target in known:
            yield known[target]
        elif len(known) < MAX_TARGETS:
            known[target] = number(target)
            yield known[target]
        else:
            yield None


def parse_html(
    html: str,
    url: str,
    words: Numberer,
    tag_paths: Table,
    number: Callable[[str], int | None],
    resolver: Resolver,
    followed: FollowedLinks = ALL_LINKS,
) -> tuple[Ints, Content]:
    """Parse a page; return the numbers of its targets, and its content.

    The words of the targets' URLs are not filled in. `number` returns the
    number of a canonical URL, or None to leave out links to it. Two anchors to
    one target are one link with two occurrences; links of a page to itself are
    dropped, and so are those that are not `followed`.
    """
    walk = _Walk(tidy(html), nofollow=followed.only_unmarked)
    for further in followed.further:
        walk.add_link(further)
    if followed.none:
        walk.links.clear()
    base = (canonical(walk.base, url) if walk.base else None) or url
    links: dict[int, int] = {}
    paths: list[int] = []
    owner: list[int] = []
    kept: list[_Link] = []
    targets = resolver.join(base, [link.href for link in walk.links])
    for link, n in zip(walk.links, number_targets(targets, url, number), strict=True):
        if n is None:
            continue
        index = links.setdefault(n, len(links))
        if index == len(paths):
            paths.append(tag_paths.number(link.path))
        owner.append(index)
        kept.append(link)

    title = words.numbers(walk.title or "")
    numbers = np.array(title + words.numbers("".join(walk.text)), np.int32)
    marks = np.flatnonzero(numbers < 0)
    position = (marks - np.arange(len(marks))).astype(np.int32)
    return np.fromiter(links, np.int32, len(links)), Content(
        tokens=numbers[numbers >= 0],
        title_size=len(title),
        title=" ".join((walk.title or "")[:MAX_TITLE_CHARACTERS].split()),
        head_start=position[[h.start for h in walk.headings]],
        head_stop=position[[h.stop for h in walk.headings]],
        head_above=np.array([h.above for h in walk.headings], np.int32),
        paths=np.array(paths, np.int32),
        owner=np.array(owner, np.int32),
        start=position[[link.start for link in kept]],
        stop=position[[link.stop for link in kept]],
        heading=np.array([link.heading for link in kept], np.int32),
    )
