"""Link extraction without the text of the page, for policies that do not use it.

Finds the same links in the same order as `parse_html`, in about half the time.
"""

from __future__ import annotations

import re
from collections.abc import Callable

import numpy as np
from selectolax.lexbor import LexborHTMLParser

from lycosa.content import NO_INTS, Ints
from lycosa.web.html import ALL_LINKS, FollowedLinks, number_targets, tidy
from lycosa.web.outline import href_of, is_nofollow
from lycosa.web.url_resolver import Resolver
from lycosa.web.urls import canonical

_ANCHORS = "a[href]"
_ALL = "a[href],area[href],frame[src],iframe[src],link[rel],meta[http-equiv],base[href]"
# A tag ends the search at the next one, so that each character is read once; a tag with a `<`
# inside may be any of them.
_OTHERS = re.compile(
    r"<(?:area|i?frame|base|link\b[^<>]*(?:next|<)|meta\b[^<>]*(?:refresh|<))", re.IGNORECASE
)
# Links inside these elements are not followed, which a selector cannot express.
_HIDING = re.compile(r"<(?:object|template|noframes|noembed|svg|math)", re.IGNORECASE)


def parse_links(
    html: str,
    url: str,
    number: Callable[[str], int | None],
    resolver: Resolver,
    followed: FollowedLinks = ALL_LINKS,
) -> Ints | None:
    """Return the numbers of a page's targets; None if only `parse_html` can find them.

    Links that are not `followed` are left out.

    >>> urls = {}
    >>> number = lambda target: urls.setdefault(target, len(urls))
    >>> parse_links("<a href=b>B</a> <a href=/c>C", "http://a.example/", number, Resolver())
    array([0, 1], dtype=int32)
    """
    if followed.none:
        return NO_INTS
    text = tidy(html)
    if _HIDING.search(text):
        return None
    nodes = LexborHTMLParser(text).css(_ALL if _OTHERS.search(text) else _ANCHORS)
    marked = followed.only_unmarked and "nofollow" in text.lower()
    hrefs: list[str] = []
    base: str | None = None
    for node in nodes:
        tag, attributes = node.tag, node.attrs
        if tag == "base":
            base = base or attributes.get("href")
        elif (href := href_of(tag, attributes)) and not (marked and is_nofollow(attributes)):
            hrefs.append(href)
    hrefs += followed.further
    start = (canonical(base, url) if base else None) or url
    links: dict[int, None] = {}
    for n in number_targets(resolver.join(start, hrefs), url, number):
        if n is not None:
            links[n] = None
    return np.fromiter(links, np.int32, len(links))
