r"""A work in the vocabulary of schema.org, as JSON-LD that search engines and other tools read.

>>> from lycosa.portal.fields import Author, Work
>>> work = Work("w1", "paper", "Spiders </script>", (Author("lee-a", "Ann Lee"),), 1997, "1997-05")
>>> found = json_ld(work, "https://a.org/work/w1", lambda author: f"https://a.org/author/{author}")
>>> found["@type"], found["author"][0]["name"], found["datePublished"]
('ScholarlyArticle', 'Ann Lee', '1997-05')
>>> print(script_text({"name": "Spiders </script>"}))
{"name":"Spiders \u003c/script\u003e"}
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Sequence
from typing import Any

from markupsafe import Markup

from lycosa.portal.fields import Work
from lycosa.portal.records import Copy

TYPES = {"page": "WebPage"}
"""The types of kinds of works; all others are scholarly articles."""
_CREATIVE_COMMONS = re.compile(r"CC-(BY(?:-NC)?(?:-ND|-SA)?)-(\d\.\d)")
_SPDX = re.compile(r"[A-Za-z0-9.-]{1,60}")
_UNSAFE = {ord(char): f"\\u{ord(char):04x}" for char in "<>&"}


def schema_type(work: Work) -> str:
    """Return the type of a work in schema.org."""
    return TYPES.get(work.kind, "ScholarlyArticle")


def json_ld(
    work: Work, page: str, author_url: Callable[[str], str], copies: Sequence[Copy] = ()
) -> dict[str, Any]:
    """Return a work, for `json.dumps`.

    `page` is the URL of its page, `author_url` returns that of an author by id, and
    `copies` are the documents in which it can be read.
    """
    found = {
        "@context": "https://schema.org",
        "@type": schema_type(work),
        "@id": page,
        "url": page,
        "name": work.title.strip() or work.url,
        "author": [
            {"@type": "Person", "name": author.name, "url": author_url(author.id)}
            for author in work.authors
        ],
        "datePublished": work.date,
        "abstract": work.abstract,
        "inLanguage": work.language,
        "keywords": [topic.name for topic in work.topics],
        "isPartOf": work.venue and {"@type": "CreativeWork", "name": work.venue},
        "pagination": work.pages,
        "license": licence_url(work.licence),
        "identifier": work.doi
        and {"@type": "PropertyValue", "propertyID": "DOI", "value": work.doi},
        "sameAs": persistent_urls(work),
        "encoding": [
            {"@type": "MediaObject", "contentUrl": copy.url, "encodingFormat": copy.type}
            for copy in copies
        ],
    }
    return {name: value for name, value in found.items() if value}


def script_text(found: dict[str, Any]) -> Markup:
    """Return JSON for a script element: ASCII, without what could end the element."""
    text = json.dumps(found, separators=(",", ":"))
    return Markup(text.translate(_UNSAFE))  # noqa: S704 - has neither tags nor entities


def persistent_urls(work: Work) -> list[str]:
    """Return the URLs of a work that outlive its copies: those of its DOI and at arXiv.

    >>> persistent_urls(Work("w1", "paper", "Webs", doi="10.1/a", arxiv="1905.12345"))
    ['https://doi.org/10.1/a', 'https://arxiv.org/abs/1905.12345']
    """
    found = [
        ("https://doi.org/", work.doi),
        ("https://arxiv.org/abs/", work.arxiv),
    ]
    return [f"{place}{name}" for place, name in found if name]


def licence_url(name: str) -> str:
    """Return the URL of a licence by its SPDX name; empty if there is none.

    >>> licence_url("CC-BY-NC-4.0"), licence_url("CC0-1.0")
    ('https://creativecommons.org/licenses/by-nc/4.0/', \
'https://creativecommons.org/publicdomain/zero/1.0/')
    """
    if match := _CREATIVE_COMMONS.fullmatch(name):
        return f"https://creativecommons.org/licenses/{match[1].lower()}/{match[2]}/"
    if name == "CC0-1.0":
        return "https://creativecommons.org/publicdomain/zero/1.0/"
    return f"https://spdx.org/licenses/{name}.html" if _SPDX.fullmatch(name) else ""
