"""Archived documents: their text as a page, and their original bytes as a download.

A document of another site is never rendered as a page of the portal, since its
scripts would run in the portal's origin. The original is sent as an attachment
in a sandbox, with its media type only if browsers do not execute that type.
"""

from __future__ import annotations

import logging
import re
from types import MappingProxyType

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from lycosa.crawler.storage.reader import CrawlReader
from lycosa.errors import LycosaError
from lycosa.portal.message import Message
from lycosa.portal.records import Document
from lycosa.portal.web.portal import SHARED, Portal
from lycosa.portal.web.search_request import parse_page_number
from lycosa.web.decoding import media_type

MAX_PAGE_LENGTH = 60_000
"""Characters of a text on one page."""
MAX_FILENAME_LENGTH = 60
"""Characters of a title in the name of a download."""
_EXTENSIONS = MappingProxyType(
    {
        "application/pdf": "pdf",
        "application/postscript": "ps",
        "application/gzip": "gz",
        "text/plain": "txt",
        "text/html": "html",
        "application/xhtml+xml": "html",
    }
)
_SAFE_EXTENSIONS = ("pdf", "ps", "gz")
"""Files whose media type is sent, since they cannot run scripts in the portal's origin."""
SANDBOX = "default-src 'none'; sandbox; frame-ancestors 'none'"

_log = logging.getLogger("lycosa.portal")


def document(portal: Portal, request: Request) -> Response:
    """Render the text of a document, split into pages."""
    found = _find_document(portal, request)
    parts = _split_text(found.text)
    part = parse_page_number(request.query_params.get("part", ""), len(parts))
    return portal.render(
        request,
        "document",
        document=found,
        work=portal.catalogue.work(found.work) if found.work else None,
        text=parts[part - 1],
        part=part,
        parts_of=len(parts),
    )


def original(portal: Portal, request: Request) -> Response:
    """Return the archived bytes of a document as a download."""
    found = _find_document(portal, request)
    body = _read_archive(portal, found)
    if body is None:
        raise HTTPException(404, Message("This document is no longer in the archive."))
    kind = media_type(found.copy.type)
    extension = _EXTENSIONS.get(kind, "bin")
    name = (
        re.sub(r"[^A-Za-z0-9]+", "-", found.copy.title)[:MAX_FILENAME_LENGTH].strip("-").lower()
        or found.copy.id
    )
    return Response(
        body,
        media_type=kind if extension in _SAFE_EXTENSIONS else "application/octet-stream",
        headers={
            "Content-Disposition": f'attachment; filename="{name}.{extension}"',
            "Content-Security-Policy": SANDBOX,
            "Cross-Origin-Resource-Policy": "same-origin",
            "Cache-Control": SHARED,
        },
    )


def _find_document(portal: Portal, request: Request) -> Document:
    found = portal.catalogue.document(request.path_params["id"])
    if found is None:
        raise HTTPException(404)
    return found


def _read_archive(portal: Portal, document: Document) -> bytes | None:
    try:
        with CrawlReader.open(portal.folder) as crawl:
            entry = crawl.step(document.copy.step)
            answer = crawl.answer(entry) if entry else None
    except LycosaError:
        _log.debug("cannot read the archived document %s", document.copy.id, exc_info=True)
        return None
    return answer.body if answer else None


def _split_text(text: str) -> list[str]:
    """Split a text into pages, at the ends of lines where there are any.

    >>> [len(part) for part in _split_text("x" * 150_000)]
    [60000, 60000, 30000]
    """
    found = []
    start = 0
    while start < len(text):
        end = start + MAX_PAGE_LENGTH
        if end < len(text):
            line = text.rfind("\n", start + MAX_PAGE_LENGTH // 2, end)
            end = line + 1 if line > 0 else end
        found.append(text[start:end])
        start = end
    return found or [""]
