r"""HTML templates, with every value escaped.

>>> clean("A title\x00 with \x1b[2J")
'A title with [2J'
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import lru_cache, partial
from types import MappingProxyType
from typing import Any
from urllib.parse import urlsplit

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup, escape

from lycosa.portal.records import Work
from lycosa.portal.search.results import HighlightedText
from lycosa.portal.web.assets import Assets
from lycosa.portal.web.links import Links
from lycosa.reporting.text import plural, size
from lycosa.web.decoding import media_type

# What HTML may not contain: control characters, surrogates and noncharacters.
_INVALID = dict.fromkeys(
    [
        *(c for c in range(0x20) if c not in (0x09, 0x0A, 0x0D)),
        *range(0x7F, 0xA0),
        *range(0xD800, 0xE000),
        *range(0xFDD0, 0xFDF0),
        *(plane + last for plane in range(0, 0x110000, 0x10000) for last in (0xFFFE, 0xFFFF)),
    ]
)
_KINDS = MappingProxyType({"paper": "Paper", "page": "Web page", "cited": "Cited work"})
_TYPES = MappingProxyType(
    {
        "application/pdf": "PDF",
        "application/postscript": "PostScript",
        "text/html": "HTML",
        "application/xhtml+xml": "HTML",
        "text/plain": "text",
    }
)


def templates(links: Links, assets: Assets) -> Environment:
    """Return the environment of all templates, with their functions and filters."""
    environment = Environment(
        loader=PackageLoader("lycosa.portal.web"),
        autoescape=True,
        undefined=StrictUndefined,
        finalize=clean,
        trim_blocks=True,
        lstrip_blocks=True,
        auto_reload=False,
    )
    functions: dict[str, Callable[..., Any]] = {
        "link": links.to,
        "asset": lambda name: links.to(f"/static/{assets.names[name]}"),
        "plural": plural,
        "size": size,
    }
    environment.globals.update(functions)
    environment.filters.update(
        display_title=display_title,
        number=lambda value: f"{value:,}",
        percent=percent,
        day=lambda time: time[:10],
        kind=lambda name: _KINDS.get(name, name),
        type=lambda name: _TYPES.get(media_type(name), name),
        host=host,
        excerpt=excerpt,
        web_url=web_url,
        choices=choices,
        highlighted=highlighted,
        under=lambda name, path: links.to(path + name),
        people=partial(people, links),
    )
    return environment


def clean(value: Any) -> Any:
    """Remove the characters that HTML may not contain."""
    # `Markup` was cleaned when it was built.
    if type(value) is str and not value.isprintable():
        return value.translate(_INVALID)
    return value


def highlighted(pieces: HighlightedText) -> Markup:
    """Return a text with its matches in `mark` elements.

    >>> highlighted((("A ", False), ("<spider>", True)))
    Markup('A <mark>&lt;spider&gt;</mark>')
    """
    # Two control characters stand for the tags while the text is escaped; `clean` removed others.
    found = "".join([f"\x01{clean(text)}\x02" if hit else clean(text) for text, hit in pieces])
    whole = str(escape(found)).replace("\x01", "<mark>").replace("\x02", "</mark>")
    return Markup(whole)  # noqa: S704 - escaped except for the tags


def people(links: Links, work: Work, limit: int = 8) -> Markup:
    """Return the authors of a work, each with a link."""
    found = ", ".join(
        f'<a href="{escape(links.to(f"/author/{author.id}"))}">'
        f"<bdi>{_escaped(author.name)}</bdi></a>"
        for author in work.authors[:limit]
    )
    others = len(work.authors) - limit
    more = f" and {others} more" if others > 0 else ""
    return Markup(found + more)  # noqa: S704 - names and links are escaped


def choices(values: Iterable[tuple[str, int, bool, str, int]]) -> Markup:
    """Return the list items of a facet: label, works, whether it is chosen, URL, depth.

    A page has over a hundred of them, for which a macro would be too slow.
    """
    current, remove = ' aria-current="true"', '<span class="unseen"> (chosen; remove)</span>'
    found = "\n".join(
        f'<li class="depth{depth}"><a href="{escape(href)}" rel="nofollow"'
        f"{current if chosen else ''}>"
        f'<span class="label" dir="auto">{_escaped(label)}</span> '
        f'<span class="count">{works:,}</span>{remove if chosen else ""}</a></li>'
        for label, works, chosen, href, depth in values
    )
    return Markup(found)  # noqa: S704 - labels and URLs are escaped


@lru_cache(maxsize=4096)
def _escaped(label: str) -> Markup:
    return escape(clean(label))


def display_title(work: Work) -> str:
    """Return the title of a work, or its URL if it has none.

    >>> display_title(Work("w1", "page", "", url="http://a.example/x"))
    'a.example/x'
    """
    if title := work.title.strip():
        return title
    return work.url.partition("://")[2][:100] or "Untitled"


def percent(share: float) -> str:
    """Format a share as a percentage.

    >>> percent(0.973), percent(0.999), percent(1.0)
    ('97 %', '> 99 %', '100 %')
    """
    return "> 99 %" if 0.995 <= share < 1 else f"{100 * share:.0f} %"


def excerpt(text: str) -> str:
    """Return a part of a text, with an ellipsis where it starts or ends within a sentence.

    >>> excerpt("As was shown [2]."), excerpt("ders learn [2], and so")
    ('As was shown [2].', '… ders learn [2], and so …')
    """
    before = "" if text[:1].isupper() or not text[:1].isalpha() else "… "
    return f"{before}{text}{'' if text.endswith(('.', '!', '?', '…')) else ' …'}"


def host(url: str) -> str:
    """Return the host of a URL, to show where a link leads."""
    try:
        return urlsplit(url).hostname or ""
    except ValueError:
        return ""


def web_url(url: str) -> str:
    """Return a URL if it is safe in a link (http or https); else an empty string.

    >>> web_url("https://a.example/"), web_url("javascript:alert(1)")
    ('https://a.example/', '')
    """
    return url if url.startswith(("http://", "https://")) else ""
