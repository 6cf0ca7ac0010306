"""Counts of links and scripts in HTML, by a scan without a parser.

They decide whether a page may be worth rendering, and whether rendering has
gained links. Each pattern reads every byte a bounded number of times.
"""

from __future__ import annotations

import re

MAX_PLAIN_LINKS = 4
"""A page with more links than this is not suspected of having its menu written by script."""

MAX_SCANNED_BYTES = 1 << 20
"""Bytes of a page that are scanned; menus are at its start, or make up most of it."""

_SCRIPT = re.compile(rb"<script\b([^<>]{0,2000})", re.IGNORECASE)
# Scripts of these types are data or templates, which do not run.
_DATA = re.compile(
    rb"type\s{0,9}=\s{0,9}[\"']?\s{0,9}(?:application/(?:ld\+)?json|text/template|text/x-)",
    re.IGNORECASE,
)
_HREF = re.compile(
    rb"<a(?:rea)?\s(?:[^<>]{0,2000}?\s)?href\s{0,20}=\s{0,20}"
    rb"(?:\"([^\"<>]{1,2000})\"|'([^'<>]{1,2000})'|([^\s\"'<>]{1,2000}))",
    re.IGNORECASE,
)
_NO_PAGE = (b"#", b"javascript:", b"mailto:", b"tel:", b"data:")


def count_scripts(html: bytes) -> int:
    """Return the number of scripts that a browser would run.

    >>> count_scripts(b"<script src=a.js></script><script type='application/ld+json'>{}</script>")
    1
    """
    return sum(not _DATA.search(found[1]) for found in _SCRIPT.finditer(html, 0, MAX_SCANNED_BYTES))


def count_links(html: bytes) -> int:
    """Return the number of distinct links to pages.

    >>> count_links(b'<a href="/b">B</a> <a class=x href=/b>B</a> <a href="#top">Top</a>')
    1
    """
    found = {one or other or bare for one, other, bare in _HREF.findall(html, 0, MAX_SCANNED_BYTES)}
    return sum(not href.strip().lower().startswith(_NO_PAGE) for href in found)


def has_script_menu(html: bytes) -> bool:
    """Return whether a page has few links, and scripts that may write more of them.

    >>> has_script_menu(b"<div id=menu></div><script src=menu.js></script>")
    True
    >>> has_script_menu(b"<a href=/b>B</a><p>No scripts.")
    False
    """
    scripts = count_scripts(html)
    return scripts > 0 and count_links(html) <= min(MAX_PLAIN_LINKS, scripts + 1)
