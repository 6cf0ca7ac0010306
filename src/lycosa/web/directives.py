"""Directives of authors: robots meta elements, X-Robots-Tag and rel=canonical.

A page says with `<meta name="robots" content="noindex, nofollow">`, or its server with
the header `X-Robots-Tag`, that it is not to be shown and that its links are not to be
followed; `none` means both. A meta element with the name of this crawler, and a header
that begins with it (`lycosa: noindex`), count as well; of all that apply, the strictest
is valid. `<link rel="canonical">` and the header `Link` (RFC 6596, RFC 8288) name the
URL that a page is a copy of. As search engines do, only elements in the head count, and
two different canonical URLs cancel each other.

>>> page = '<head><meta name=robots content="NoFollow"><link rel=canonical href=/b></head>'
>>> read_directives("http://a.example/c", page)
Directives(noindex=False, nofollow=True, canonical='http://a.example/b')
>>> read_directives("http://a.example/c", robots_tags=["otherbot: nofollow", "noindex"])
Directives(noindex=True, nofollow=False, canonical=None)
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from selectolax.lexbor import LexborHTMLParser

from lycosa.web.decoding import decode, media_type
from lycosa.web.html import tidy
from lycosa.web.reader import is_markup
from lycosa.web.urls import canonical

MAX_HEAD_CHARACTERS = 131_072
"""Of a page in which directives are looked for; a head is seldom longer."""
MAX_HEAD_BYTES = 4 * MAX_HEAD_CHARACTERS
"""Of a body that have so many characters in any encoding."""
MAX_HEADER_CHARACTERS = 8192
"""Of the headers of one name that are read."""

_BODY = re.compile(r"<body[\s/>]", re.IGNORECASE)
# Without one of these words the head has no directive, and is not parsed.
_HINT = re.compile(r"noindex|nofollow|\bnone\b|canonical", re.IGNORECASE)
_BODY_BYTES = re.compile(rb"<body[\s/>]", re.IGNORECASE)
_HINT_BYTES = (b"noindex", b"nofollow", b"none", b"canonical")
# Bytes with which an encoding is one whose letters are not those of ASCII, or shifts to another
# one and back: UTF-16, ISO-2022 and HZ.
_SHIFTS = (b"\0", b"\x1b", b"~\n", b"~{", b"~}")
_AGENT = re.compile(r"\s*([\w.*+-]+)\s*:(.*)", re.ASCII | re.DOTALL)
# Directives with a value look like the name of a crawler.
_VALUED = frozenset(
    "unavailable_after max-snippet max-image-preview max-video-preview indexifembedded".split()
)
_LINK_VALUE = re.compile(r'<([^<>]*+)>((?:\s*+;[^;,"]*+(?:"[^"]*+"[^;,"]*+)?+)*+)')
_RELATION = re.compile(r';\s*rel\s*=\s*(?:"([^"]*)"|([^\s;,"]+))', re.IGNORECASE)
_EVERYONE = ("robots", "*")


class Directives(NamedTuple):
    """What the author of a page asks of crawlers."""

    noindex: bool = False
    """Whether the page is not to be shown."""
    nofollow: bool = False
    """Whether its links are not to be followed."""
    canonical: str | None = None
    """The URL that it is a copy of, in canonical form; None if that is its own or none."""


NO_DIRECTIVES = Directives()


def read_directives(
    url: str,
    html: str | None = None,
    *,
    robots_tags: Iterable[str] = (),
    links: Iterable[str] = (),
    name: str = "lycosa",
) -> Directives:
    """Return the directives of the page of a canonical URL.

    `html` is its text; None if it is no HTML. `robots_tags` and `links` are the values of
    its headers `X-Robots-Tag` and `Link`, and `name` is that of this crawler.
    """
    names = (*_EVERYONE, name.lower())
    rules: set[str] = set()
    for value in robots_tags:
        rules |= _robots_tag(value[:MAX_HEADER_CHARACTERS], names)
    found = {canonical(target, url) for value in links for target in _canonical_links(value)}
    if html is not None:
        start = html[:MAX_HEAD_CHARACTERS]
        body = _BODY.search(start)
        head = start[: body.start()] if body else start
        if _HINT.search(head):
            tree = LexborHTMLParser(tidy(head))
            for node in tree.css("head > meta[name]"):
                if (node.attrs.get("name") or "").strip().lower() in names:
                    rules |= _words(node.attrs.get("content") or "")
            bases = [node.attrs.get("href") or "" for node in tree.css("head > base[href]")[:1]]
            base = (canonical(bases[0], url) if bases else None) or url
            found |= {
                canonical(node.attrs.get("href") or "", base)
                for node in tree.css("head > link[rel][href]")
                if "canonical" in (node.attrs.get("rel") or "").lower().split()
            }
    [target] = found if len(found) == 1 else [None]
    return Directives(
        not rules.isdisjoint(("noindex", "none")),
        not rules.isdisjoint(("nofollow", "none")),
        target if target != url else None,
    )


def response_directives(
    url: str, body: bytes, type: str, headers: Mapping[str, str], name: str
) -> Directives:
    """Return the directives of a response, given its headers by names in lower case.

    An `X-Robots-Tag` or `Link` that occurs several times is one text, a line each.

    >>> page = b"<head><meta name=Lycosa content=none>"
    >>> response_directives("http://a.example/", page, "text/html", {}, "lycosa")
    Directives(noindex=True, nofollow=True, canonical=None)
    """
    html = None
    if is_markup(media_type(type)) and _may_have_directives(body[:MAX_HEAD_BYTES]):
        html = decode(body[:MAX_HEAD_BYTES], type)
    elif "x-robots-tag" not in headers and "link" not in headers:
        return NO_DIRECTIVES
    return read_directives(
        url,
        html,
        robots_tags=headers.get("x-robots-tag", "")[:MAX_HEADER_CHARACTERS].splitlines(),
        links=headers.get("link", "")[:MAX_HEADER_CHARACTERS].splitlines(),
        name=name,
    )


def _may_have_directives(page: bytes) -> bool:
    """Return whether the head of a page may have directives, by its bytes.

    Nearly every page has none, and is not decoded to find that out.
    """
    body = _BODY_BYTES.search(page)
    # What shifts an encoding shifts it before the body, or the body is one.
    head = (page[: body.start()] if body else page).lower()
    return any(map(head.__contains__, (*_HINT_BYTES, *_SHIFTS)))


def _robots_tag(value: str, names: tuple[str, ...]) -> set[str]:
    """Return the rules of one header: `a, b`, or `crawler: a, b`."""
    found: set[str] = set()
    applies = True
    for part in value.split(","):
        agent = _AGENT.fullmatch(part)
        if agent and agent[1].lower() not in _VALUED:
            applies = agent[1].lower() in names
            found |= {agent[2].strip().lower()} if applies else set()
        elif applies:
            found.add(part.strip().lower())
    return found


def _words(content: str) -> set[str]:
    # Some authors forget the commas.
    return set(content[:MAX_HEADER_CHARACTERS].lower().replace(",", " ").split())


def _canonical_links(value: str) -> Iterator[str]:
    """Yield the targets of a Link header that have the relation canonical."""
    for link in _LINK_VALUE.finditer(value[:MAX_HEADER_CHARACTERS]):
        relation = _RELATION.search(link[2])
        words = (relation[1] or relation[2] or "").lower().split() if relation else []
        if "canonical" in words:
            yield link[1]
