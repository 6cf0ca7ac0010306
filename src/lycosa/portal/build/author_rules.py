"""What authors of pages ask of a portal: noindex and canonical URLs.

A page that says noindex, in a meta element or by the header X-Robots-Tag, becomes a
document that cannot be shown. The canonical URL that a page names is kept with its fields,
under `CANONICAL`; `lycosa.portal.build.canonical_pages` uses it.
"""

from __future__ import annotations

import json
from dataclasses import replace
from typing import NamedTuple, Self

from lycosa.archive.http_message import ArchivedResponse
from lycosa.crawler.live.job import Job
from lycosa.portal.build.reading import ReadDocument
from lycosa.web.directives import NO_DIRECTIVES, Directives, response_directives

CANONICAL = "canonical"
"""The label of the canonical URL among the stored fields of a document."""

HIDDEN = ReadDocument("none", "noindex")
"""The result of a document whose author asks not to show it."""


class AuthorRules(NamedTuple):
    """The directives that a build respects."""

    noindex: bool = True
    """Whether pages that say so are left out."""
    canonical: bool = True
    """Whether a page with another canonical URL may be a copy of the page there."""
    name: str = "lycosa"
    """The name of the crawler in meta elements and headers."""

    @classmethod
    def of_job(cls, job: Job) -> Self:
        """Return the rules of the settings of a crawl."""
        return cls(job.noindex, job.canonical, job.client.name.lower())

    def read(self, url: str, type: str, response: ArchivedResponse | None) -> Directives:
        """Return the directives of a response, without those that are not respected."""
        if response is None or not (self.noindex or self.canonical):
            return NO_DIRECTIVES
        found = response_directives(url, response.body, type, response.headers, self.name)
        return Directives(
            found.noindex and self.noindex,
            found.nofollow,
            found.canonical if self.canonical else None,
        )


def with_canonical(document: ReadDocument, url: str | None) -> ReadDocument:
    """Return a document with this canonical URL among its fields, and no other.

    >>> with_canonical(ReadDocument("page", "text"), "http://a.example/").fields
    '{"canonical": [["http://a.example/", 1.0, 1, 1]]}'
    """
    fields = json.loads(document.fields)
    if fields.pop(CANONICAL, None) is None and url is None:
        return document
    if url is not None:
        fields[CANONICAL] = [[url, 1.0, 1, 1]]
    return replace(document, fields=json.dumps(fields, ensure_ascii=False))


def canonical_of(fields: str) -> str | None:
    """Return the canonical URL among the stored fields of a document; None if there is none.

    >>> canonical_of('{"canonical": [["http://a.example/", 1.0, 1, 1]]}'), canonical_of("{}")
    ('http://a.example/', None)
    """
    if CANONICAL not in fields:  # seldom; parsing all is slow
        return None
    found = json.loads(fields).get(CANONICAL)
    return str(found[0][0]) if found else None
