"""HTML parser: the words, headings and links of a page in one walk."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable
from typing import NamedTuple

import numpy as np
from selectolax.lexbor import LexborHTMLParser

from lycosa.content import Content, Ints, Table
from lycosa.web.html_limits import limit_html
from lycosa.web.markup import AmbiguousMarkup
from lycosa.web.markup_walk import walk_markup
from lycosa.web.numberer import NO_URL_WORDS, Numberer, UrlNumberer
from lycosa.web.outline import Outline
from lycosa.web.tree_walk import walk_tree
from lycosa.web.url_resolver import Resolver
from lycosa.web.urls import canonical
from lycosa.web.words import MARK

_log = logging.getLogger("lycosa.web")

MAX_TITLE_CHARACTERS = 1000
"""Characters of a title that are kept for people."""
MAX_HTML_CHARACTERS = 4 * 2**20
"""Characters of a page that are parsed; the rest is ignored."""
MAX_TARGETS = 10_000
"""Distinct URLs that a page links to; links to further ones are dropped."""


class FollowedLinks(NamedTuple):
    """Which of the links of a page count."""

    only_unmarked: bool = False
    """Whether links with the relation nofollow are left out."""
    none: bool = False
    """Whether all are left out, because the page asks for that."""
    further: tuple[str, ...] = ()
    """URLs that it names without a link to be seen, such as its canonical one."""


ALL_LINKS = FollowedLinks()


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
) -> list[int | None]:
    """Return the number of each target; None for one that is left out.

    `number` is called once for each of the first `MAX_TARGETS` distinct targets
    that are not the page at `url` itself.
    """
    known: dict[str | None, int | None] = {None: None, url: None}
    max_known = MAX_TARGETS + len(known)
    found: list[int | None] = []
    for target in targets:
        if target not in known and target is not None and len(known) < max_known:
            known[target] = number(target)
        found.append(known.get(target))
    return found


def read_outline(html: str, *, nofollow: bool = False) -> Outline:
    """Return the outline of a tidy page; with `nofollow`, links that are marked so are text."""
    outline = Outline()
    root = LexborHTMLParser(html).root
    if root is not None:
        try:
            walk_markup(root.html or "", outline, nofollow=nofollow)
        except AmbiguousMarkup:
            _log.debug("A page is read node by node", exc_info=True)
            outline = Outline()
            walk_tree(root, outline, nofollow=nofollow)
    return outline


def parse_html(
    html: str,
    url: str,
    words: Numberer,
    tag_paths: Table,
    number: Callable[[str], int | None],
    resolver: Resolver,
    followed: FollowedLinks = ALL_LINKS,
    url_words: UrlNumberer | None = None,
) -> tuple[Ints, Content]:
    """Parse a page; return the numbers of its targets, and its content.

    `number` returns the number of a canonical URL, or None to leave out links to it.
    `url_words` numbers the words of the targets' URLs; they are left out if None. Two
    anchors to one target are one link with two occurrences; links of a page to itself
    are dropped, and so are those that are not `followed`.
    """
    outline = read_outline(tidy(html), nofollow=followed.only_unmarked)
    for further in followed.further:
        outline.add_link(further)
    if followed.none:
        outline.clear_links()
    base = (canonical(outline.base, url) if outline.base else None) or url
    links: dict[int, int] = {}
    paths: list[int] = []
    owner: list[int] = []
    kept: list[int] = []
    for k, n in enumerate(number_targets(resolver.join(base, outline.hrefs), url, number)):
        if n is None:
            continue
        index = links.setdefault(n, len(links))
        if index == len(paths):
            paths.append(tag_paths.number(outline.paths[k]))
        owner.append(index)
        kept.append(k)
    tokens, marks = words.marked(outline.marked_text())
    urls = url_words.numbers(links) if url_words is not None else NO_URL_WORDS
    # One array for all: small arrays cost more than their values.
    place = marks.__getitem__
    starts, stops, headings = outline.starts, outline.stops, outline.headings
    values = np.array(
        [
            *map(place, outline.head_starts),
            *map(place, outline.head_stops),
            *outline.head_above,
            *[marks[starts[k]] for k in kept],
            *[marks[stops[k]] for k in kept],
            *owner,
            *[headings[k] for k in kept],
            *paths,
            *links,
            *urls.ends,
        ],
        np.int32,
    )
    heads, size, count = len(outline.head_above), len(kept), len(links)
    first, last = 3 * heads, 3 * heads + 4 * size
    ends = values[last + 2 * count :]
    return values[last + count : last + 2 * count], Content(
        tokens=tokens,
        title_size=marks[0],
        title=" ".join((outline.title or "")[:MAX_TITLE_CHARACTERS].split()),
        head_start=values[:heads],
        head_stop=values[heads : 2 * heads],
        head_above=values[2 * heads : first],
        start=values[first : first + size],
        stop=values[first + size : first + 2 * size],
        owner=values[first + 2 * size : first + 3 * size],
        heading=values[first + 3 * size : last],
        paths=values[last : last + count],
        url_tokens=urls.tokens,
        url_start=ends[:-1],
        url_stop=ends[1:],
    )
