"""What a web page says about itself: title, description, date and language.

>>> page = describe('''<html lang="en-GB"><title>Spiders  of Texas</title>
... <meta name="Description" content="All of them."><time datetime="1999-05-02T10:00">May</time>''')
>>> page.title, page.description, page.date, page.language
('Spiders of Texas', 'All of them.', '1999-05-02', 'en')
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from selectolax.lexbor import LexborHTMLParser

from lycosa.portal.build.dates import iso_date
from lycosa.web.html import MAX_HTML_CHARACTERS, tidy

_TITLES = ("citation_title", "dc.title", "og:title")
_DESCRIPTIONS = ("description", "og:description", "dc.description", "citation_abstract")
_DATES = (
    "citation_publication_date", "citation_date", "article:published_time", "dc.date",
    "dc.date.issued", "dcterms.date", "dcterms.issued", "date", "pubdate",
)  # fmt: skip
_LANGUAGE = re.compile(r"\s*([a-zA-Z]{2})(?:[-_]|\s*$)")
_LONGEST = 2000


@dataclass(frozen=True, slots=True)
class Description:
    """What a page says about itself; what it does not say is empty."""

    title: str = ""
    description: str = ""
    date: str = ""
    """ISO 8601, as far as it is known."""
    language: str = ""


def describe(html: str) -> Description:
    """Look at the head of a page; nothing that it may hold makes this raise."""
    tree = LexborHTMLParser(tidy(html[:MAX_HTML_CHARACTERS]))
    said: dict[str, str] = {}
    for node in tree.css("meta"):
        given = node.attributes
        name = given.get("name") or given.get("property") or ""
        if text := _line(given.get("content") or ""):
            said.setdefault(name.strip().lower(), text)
    titles = [_line(node.text()) for tag in ("title", "h1") for node in tree.css(tag)[:1]]
    times = [node.attributes.get("datetime") or "" for node in tree.css("time[datetime]")[:1]]
    spoken = _LANGUAGE.match((tree.root.attributes.get("lang") or "") if tree.root else "")
    return Description(
        _first([*_said(said, _TITLES), *titles]),
        _first(_said(said, _DESCRIPTIONS)),
        _first(map(iso_date, [*_said(said, _DATES), *times])),
        spoken[1].lower() if spoken else "",
    )


def _said(said: Mapping[str, str], names: Iterable[str]) -> list[str]:
    return [said[name] for name in names if name in said]


def _first(texts: Iterable[str]) -> str:
    return next(filter(None, texts), "")


def _line(text: str) -> str:
    return " ".join(text[: 4 * _LONGEST].split())[:_LONGEST]
