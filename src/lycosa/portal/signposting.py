"""Signposting: typed links of the page of a work, by which programs find what it is about.

The links are sent in the Link header (RFC 8288): the URL to cite, the authors, the
licence, descriptions in other formats, and the documents themselves. A header that were
too long would be refused by proxies; what it has no room for is in the link set (RFC 9264).

>>> links = [TypedLink("cite-as", "https://doi.org/10.1/a"), TypedLink("item", "http://a.edu/ü>")]
>>> link_header(links)
'<https://doi.org/10.1/a>; rel="cite-as", <http://a.edu/%C3%BC%3E>; rel="item"'
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from typing import Any, Final, NamedTuple
from urllib.parse import quote

from lycosa.portal.exports import EXPORTS
from lycosa.portal.fields import Work
from lycosa.portal.records import Copy
from lycosa.portal.schema_org import licence_url, persistent_urls, schema_type

MAX_HEADER_BYTES: Final = 2000
"""Of the Link header; nginx takes 4,096 bytes for all headers of a response."""
LINKSET: Final = "application/linkset+json"
_MEDIA_TYPE = re.compile(r"[\w.+-]+/[\w.+-]+", re.ASCII)
_URL_CHARACTERS = "%/:?#[]@!$&'()*+,;=-._~"


class TypedLink(NamedTuple):
    """A link: its relation, the URL it leads to, and the media type of what is there, if known."""

    relation: str
    url: str
    type: str = ""


def work_links(
    work: Work, copies: Iterable[Copy], absolute: Callable[[str], str]
) -> list[TypedLink]:
    """Return the links of the page of a work, the most important first.

    `absolute` returns the URL of a path of the portal.
    """
    page = absolute(f"/work/{work.id}")
    found = [
        TypedLink("linkset", absolute(f"/work/{work.id}/linkset"), LINKSET),
        TypedLink("cite-as", next(iter(persistent_urls(work)), page)),
        TypedLink("type", f"https://schema.org/{schema_type(work)}"),
        TypedLink("type", "https://schema.org/AboutPage"),
        TypedLink("license", licence_url(work.licence)),
        *(
            TypedLink("describedby", f"{page}.{each.ending}", each.media_type)
            for each in EXPORTS.values()
            if each.write_one
        ),
        *(TypedLink("item", copy.url, copy.type) for copy in copies),
        *(TypedLink("author", absolute(f"/author/{author.id}")) for author in work.authors),
    ]
    return [
        TypedLink(relation, url, media if _MEDIA_TYPE.fullmatch(media) else "")
        for relation, url, media in found
        if url.startswith(("http://", "https://"))
    ]


def link_header(links: Iterable[TypedLink], max_bytes: int = MAX_HEADER_BYTES) -> str:
    """Return the value of the Link header: the links that it has room for."""
    found, size = [], 0
    for relation, url, media in links:
        kind = f'; type="{media}"' if media else ""
        quoted = quote(url.encode("utf-8", "replace"), safe=_URL_CHARACTERS)
        text = f'<{quoted}>; rel="{relation}"{kind}'
        if size + len(text) + 2 <= max_bytes:
            found.append(text)
            size += len(text) + 2
    return ", ".join(found)


def link_set(anchor: str, links: Sequence[TypedLink]) -> dict[str, Any]:
    """Return all links of a page as a link set, for `json.dumps`.

    >>> link_set("http://a.edu/w1", [TypedLink("item", "http://a.edu/1.pdf", "application/pdf")])
    {'linkset': [{'anchor': 'http://a.edu/w1', 'item': [{'href': 'http://a.edu/1.pdf', \
'type': 'application/pdf'}]}]}
    """
    context: dict[str, Any] = {"anchor": anchor}
    for relation, url, media in links:
        target = {"href": url, "type": media} if media else {"href": url}
        context.setdefault(relation, []).append(target)
    return {"linkset": [context]}
