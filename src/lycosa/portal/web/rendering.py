r"""Templates into HTML. All that is put into them is escaped, whoever wrote it.

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

# What HTML may not hold: control characters, halves of pairs, and what is no character.
_UNSHOWN = dict.fromkeys(
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
    """The templates of all pages, with what they may call."""
    found = Environment(
        loader=PackageLoader("lycosa.portal.web"),
        autoescape=True,
        undefined=StrictUndefined,
        finalize=clean,
        trim_blocks=True,
        lstrip_blocks=True,
        auto_reload=False,
    )
    calls: dict[str, Callable[..., Any]] = {
        "link": links.to,
        "asset": lambda name: links.to(f"/static/{assets.names[name]}"),
        "plural": plural,
        "size": size,
    }
    found.globals.update(calls)
    found.filters.update(
        named=named,
        number=lambda value: f"{value:,}",
        percent=percent,
        day=lambda time: time[:10],
        kind=lambda name: _KINDS.get(name, name),
        type=lambda name: _TYPES.get(name.partition(";")[0].strip().lower(), name),
        host=host,
        cut=cut,
        safely=web_address,
        choices=choices,
        marked=marked,
        under=lambda name, path: links.to(path + name),
        people=partial(people, links),
    )
    return found


def clean(value: Any) -> Any:
    """A text without what HTML may not hold."""
    # What is marked up already was cleaned when it was made.
    if type(value) is str and not value.isprintable():
        return value.translate(_UNSHOWN)
    return value


def marked(pieces: HighlightedText) -> Markup:
    """A text with what matched in it.

    >>> marked((("A ", False), ("<spider>", True)))
    Markup('A <mark>&lt;spider&gt;</mark>')
    """
    # Control characters, of which none is left in what was cleaned, stand for the marks.
    found = "".join([f"\x01{clean(text)}\x02" if hit else clean(text) for text, hit in pieces])
    whole = str(escape(found)).replace("\x01", "<mark>").replace("\x02", "</mark>")
    return Markup(whole)  # noqa: S704 - it is escaped, but for the marks


def people(links: Links, work: Work, most: int = 8) -> Markup:
    """Who wrote a work, each with a link."""
    found = ", ".join(
        f'<a href="{escape(links.to(f"/author/{author.id}"))}">'
        f"<bdi>{_escaped(author.name)}</bdi></a>"
        for author in work.authors[:most]
    )
    others = len(work.authors) - most
    more = f" and {others} more" if others > 0 else ""
    return Markup(found + more)  # noqa: S704 - names and links are escaped


def choices(values: Iterable[tuple[str, int, bool, str, int]]) -> Markup:
    """Values to narrow results by: label, number of works, whether it is chosen, address, depth.

    There are more than a hundred on a page, too many for a macro.
    """
    current, remove = ' aria-current="true"', '<span class="unseen"> (chosen; remove)</span>'
    found = "\n".join(
        f'<li class="depth{depth}"><a href="{escape(href)}" rel="nofollow"'
        f"{current if chosen else ''}>"
        f'<span class="label" dir="auto">{_escaped(label)}</span> '
        f'<span class="count">{works:,}</span>{remove if chosen else ""}</a></li>'
        for label, works, chosen, href, depth in values
    )
    return Markup(found)  # noqa: S704 - all that is not ours is escaped


@lru_cache(maxsize=4096)
def _escaped(label: str) -> Markup:
    return escape(clean(label))


def named(work: Work) -> str:
    """A title for a work, also where none was found.

    >>> named(Work("w1", "page", "", url="http://a.example/x"))
    'a.example/x'
    """
    if title := work.title.strip():
        return title
    return work.url.partition("://")[2][:100] or "Untitled"


def percent(share: float) -> str:
    """A share as people read it.

    >>> percent(0.973), percent(0.999), percent(1.0)
    ('97 %', '> 99 %', '100 %')
    """
    return "> 99 %" if 0.995 <= share < 1 else f"{100 * share:.0f} %"


def cut(words: str) -> str:
    """A part of a text, with dots where it seems to begin or end within a sentence.

    >>> cut("As was shown [2]."), cut("ders learn [2], and so")
    ('As was shown [2].', '… ders learn [2], and so …')
    """
    before = "" if words[:1].isupper() or not words[:1].isalpha() else "… "
    return f"{before}{words}{'' if words.endswith(('.', '!', '?', '…')) else ' …'}"


def host(url: str) -> str:
    """The host of a URL, for a person to see where a link leads."""
    try:
        return urlsplit(url).hostname or ""
    except ValueError:
        return ""


def web_address(url: str) -> str:
    """A URL that a link may have: of the web only.

    >>> web_address("https://a.example/"), web_address("javascript:alert(1)")
    ('https://a.example/', '')
    """
    return url if url.startswith(("http://", "https://")) else ""
