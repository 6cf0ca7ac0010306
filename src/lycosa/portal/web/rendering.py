r"""HTML templates, with every value escaped.

>>> clean("A title\x00 with \x1b[2J")
'A title with [2J'
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from functools import lru_cache, partial
from types import MappingProxyType
from typing import Any
from urllib.parse import urlsplit

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup, escape

from lycosa.portal.languages import Language
from lycosa.portal.message import Message
from lycosa.portal.records import Work
from lycosa.portal.search.results import HighlightedText
from lycosa.portal.web.assets import Assets
from lycosa.portal.web.links import Links
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
_KINDS: Mapping[str, Message] = MappingProxyType(
    {"paper": Message("Paper"), "page": Message("Web page"), "cited": Message("Cited work")}
)
_TYPES: Mapping[str, str] = MappingProxyType(
    {
        "application/pdf": "PDF",
        "application/postscript": "PostScript",
        "text/html": "HTML",
        "application/xhtml+xml": "HTML",
        "text/plain": Message("text"),
    }
)


_SENTENCE_START = re.compile(r"[^\w\s.,;:!?)\]-]?[^\W_a-z]")
_SENTENCE_END = re.compile(r"(?<=[a-z\])])[.!?](?= [A-Z])")


def templates(links: Links, assets: Assets, language: Language) -> Environment:
    """Return the environment of all templates in a language, with their functions and filters."""
    environment = Environment(
        extensions=["jinja2.ext.i18n"],
        loader=PackageLoader("lycosa.portal.web"),
        autoescape=True,
        undefined=StrictUndefined,
        finalize=clean,
        trim_blocks=True,
        lstrip_blocks=True,
        auto_reload=False,
    )
    texts = _Texts(language)
    functions: dict[str, Callable[..., Any]] = {
        "link": links.to,
        "asset": lambda name: links.to(f"/static/{assets.names[name]}"),
        "size": language.size,
        "_": texts.gettext,
        "gettext": texts.gettext,
        "ngettext": texts.ngettext,
    }
    environment.globals.update(functions)
    # The functions above fill in the values of texts; without this, templates would.
    environment.newstyle_gettext = True  # type: ignore[attr-defined]
    environment.policies["ext.i18n.trimmed"] = True
    environment.filters.update(
        display_title=partial(display_title, language),
        number=language.number,
        percent=language.percent,
        day=language.day,
        text=texts.shown,
        kind=lambda name: texts.shown(_KINDS.get(name, name)),
        type=lambda name: language.show(_TYPES.get(media_type(name), name)),
        host=host,
        excerpt=excerpt,
        web_url=web_url,
        choices=partial(choices, language),
        highlighted=highlighted,
        under=lambda name, path: links.to(path + name),
        people=partial(people, links, language),
    )
    return environment


class _Texts:
    """The texts of templates in a language.

    Texts are those of the catalogue and may have tags; values that are filled in are escaped, and
    whole numbers written as the language writes them.
    """

    def __init__(self, language: Language) -> None:
        self._language = language

    def gettext(self, text: str, /, **values: Any) -> Markup:
        """Return a text with its values."""
        return self._fill_in(self._language.translate(text), values)

    def ngettext(self, text: str, plural: str, count: int, /, **values: Any) -> Markup:
        """Return a text that depends on a number, with its values."""
        return self._fill_in(self._language.translate(text, plural, count), values)

    def shown(self, value: str) -> str:
        """Return a text that does not come from a template."""
        if isinstance(value, Message):
            return self._language.show(value)
        return self._language.translate(value)

    def _fill_in(self, text: str, values: Mapping[str, Any]) -> Markup:
        shown = {
            name: self._language.number(value) if isinstance(value, int) else clean(value)
            for name, value in values.items()
        }
        return Markup(text) % shown  # noqa: S704 - the catalogue is part of the code


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


def people(links: Links, language: Language, work: Work, limit: int = 8) -> Markup:
    """Return the authors of a work, each with a link."""
    found = ", ".join(
        f'<a href="{escape(links.to(f"/author/{author.id}"))}">'
        f"<bdi>{_escaped(author.name)}</bdi></a>"
        for author in work.authors[:limit]
    )
    others = len(work.authors) - limit
    if others > 0:
        more = Message("%(parts)s and %(more)s more", parts=found, more=others)
        found = language.show(more)
    return Markup(found)  # noqa: S704 - names and links are escaped


def choices(language: Language, values: Iterable[tuple[str, int, bool, str, int]]) -> Markup:
    """Return the list items of a facet: label, works, whether it is chosen, URL, depth.

    A page has over a hundred of them, for which a macro would be too slow.
    """
    remove = language.show(Message("(chosen; remove)"))
    current, remove = ' aria-current="true"', f'<span class="unseen"> {remove}</span>'
    found = "\n".join(
        f'<li class="depth{depth}"><a href="{escape(href)}" rel="nofollow"'
        f"{current if chosen else ''}>"
        f'<span class="label" dir="auto">{_escaped(label)}</span> '
        f'<span class="count">{language.number(works)}</span>{remove if chosen else ""}</a></li>'
        for label, works, chosen, href, depth in values
    )
    return Markup(found)  # noqa: S704 - labels and URLs are escaped


@lru_cache(maxsize=4096)
def _escaped(label: str) -> Markup:
    return escape(clean(label))


def display_title(language: Language, work: Work) -> str:
    """Return the title of a work, or its URL if it has none.

    >>> from lycosa.portal.languages import ENGLISH
    >>> display_title(ENGLISH, Work("w1", "page", "", url="http://a.example/x"))
    'a.example/x'
    """
    if title := work.title.strip():
        return title
    return work.url.partition("://")[2][:100] or language.show(Message("Untitled"))


def excerpt(text: str) -> str:
    """Return the whole sentences about a citation, which is in the middle of a text.

    Where no sentence begins or ends near enough, there is an ellipsis, and no part of a word.

    >>> excerpt("As was shown [2]."), excerpt("ders hunt. Some learn [2], and others do n")
    ('As was shown [2].', 'Some learn [2], and others do …')
    """
    # A text that starts like no sentence, or ends without a full stop, was cut there.
    cut_before = not _SENTENCE_START.match(text)
    cut_after = not text.endswith((".", "!", "?", "…"))
    ends = [match.end() for match in _SENTENCE_END.finditer(text)]
    first, last, before, after = 0, len(text), "", ""
    if cut_before:
        near = [end for end in ends if end < len(text) / 2]
        first, before = (near[0] + 1, "") if near else (text.find(" ") + 1, "… ")
    if cut_after:
        near = [end for end in ends if end > len(text) / 2]
        last, after = (near[-1], "") if near else (text.rfind(" ") % (len(text) + 1), " …")
    return f"{before}{text[first:last]}{after}"


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
