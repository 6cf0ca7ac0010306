"""Metadata of a web page: title, description, date and language.

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

from lycosa.portal.build.dates import parse_iso_date
from lycosa.web.html import MAX_HTML_CHARACTERS, tidy

_TITLE_TAGS = ("citation_title", "dc.title", "og:title")
_DESCRIPTION_TAGS = ("description", "og:description", "dc.description", "citation_abstract")
_DATE_TAGS = (
    "citation_publication_date", "citation_date", "article:published_time", "dc.date",
    "dc.date.issued", "dcterms.date", "dcterms.issued", "date", "pubdate",
)  # fmt: skip
_LANGUAGE = re.compile(r"\s*([a-zA-Z]{2})(?:[-_]|\s*$)")
MAX_VALUE_CHARACTERS = 2000


@dataclass(frozen=True, slots=True)
class PageDescription:
    """The metadata of a page; missing values are empty."""

    title: str = ""
    description: str = ""
    """The summary that its meta tags give."""
    date: str = ""
    """ISO 8601, as far as it is known."""
    language: str = ""
    """ISO 639-1, as the page declares it."""


def describe(html: str) -> PageDescription:
    """Read the metadata of a page; no content raises an error."""
    tree = LexborHTMLParser(tidy(html[:MAX_HTML_CHARACTERS]))
    tags: dict[str, str] = {}
    for node in tree.css("meta"):
        attributes = node.attributes
        name = attributes.get("name") or attributes.get("property") or ""
        if text := _line(attributes.get("content") or ""):
            tags.setdefault(name.strip().lower(), text)
    titles = [_line(node.text()) for tag in ("title", "h1") for node in tree.css(tag)[:1]]
    times = [node.attributes.get("datetime") or "" for node in tree.css("time[datetime]")[:1]]
    language = _LANGUAGE.match((tree.root.attributes.get("lang") or "") if tree.root else "")
    return PageDescription(
        _first([*_values(tags, _TITLE_TAGS), *titles]),
        _first(_values(tags, _DESCRIPTION_TAGS)),
        _first(map(parse_iso_date, [*_values(tags, _DATE_TAGS), *times])),
        language[1].lower() if language else "",
    )


def _values(tags: Mapping[str, str], names: Iterable[str]) -> list[str]:
    return [tags[name] for name in names if name in tags]


def _first(texts: Iterable[str]) -> str:
    return next(filter(None, texts), "")


def _line(text: str) -> str:
    return " ".join(text[: 4 * MAX_VALUE_CHARACTERS].split())[:MAX_VALUE_CHARACTERS]
