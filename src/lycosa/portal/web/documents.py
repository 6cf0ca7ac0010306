"""What was archived: as text on a page of ours, and as it came, to be kept in a file.

What others wrote is never shown as a page of ours. The original is a download
that the browser may not open in our name: it is a file of a type that is known
to be harmless or of none, and in a sandbox.
"""

from __future__ import annotations

import re
from types import MappingProxyType

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from lycosa.crawler.storage.reader import CrawlReader
from lycosa.errors import LycosaError
from lycosa.portal.records import Document
from lycosa.portal.web.portal import SHARED, Portal
from lycosa.portal.web.search_request import parse_page_number

PART = 60_000
"""Characters of a text on one page."""
_TYPES = MappingProxyType(
    {
        "application/pdf": "pdf",
        "application/postscript": "ps",
        "application/gzip": "gz",
        "text/plain": "txt",
        "text/html": "html",
        "application/xhtml+xml": "html",
    }
)
_OPENED = ("pdf", "ps", "gz")
SANDBOX = "default-src 'none'; sandbox; frame-ancestors 'none'"


def document(portal: Portal, request: Request) -> Response:
    """The text of a document, a part at a time."""
    found = _wanted(portal, request)
    parts = _parts(found.text)
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
    """The bytes of a document as they came, as a download."""
    found = _wanted(portal, request)
    body = _archived(portal, found)
    if body is None:
        raise HTTPException(404, "The archive does not have this document any more.")
    kind = found.copy.type.partition(";")[0].strip().lower()
    ending = _TYPES.get(kind, "bin")
    name = re.sub(r"[^A-Za-z0-9]+", "-", found.copy.title)[:60].strip("-").lower() or found.copy.id
    return Response(
        body,
        media_type=kind if ending in _OPENED else "application/octet-stream",
        headers={
            "Content-Disposition": f'attachment; filename="{name}.{ending}"',
            "Content-Security-Policy": SANDBOX,
            "Cross-Origin-Resource-Policy": "same-origin",
            "Cache-Control": SHARED,
        },
    )


def _wanted(portal: Portal, request: Request) -> Document:
    found = portal.catalogue.document(request.path_params["id"])
    if found is None:
        raise HTTPException(404)
    return found


def _archived(portal: Portal, document: Document) -> bytes | None:
    try:
        with CrawlReader.open(portal.folder) as ledger:
            entry = ledger.step(document.copy.step)
            answer = ledger.answer(entry) if entry else None
    except LycosaError:
        return None
    return answer.body if answer else None


def _parts(text: str) -> list[str]:
    """A long text cut into parts, at the ends of lines where there are some.

    >>> [len(part) for part in _parts("x" * 150_000)]
    [60000, 60000, 30000]
    """
    found = []
    start = 0
    while start < len(text):
        end = start + PART
        if end < len(text):
            line = text.rfind("\n", start + PART // 2, end)
            end = line + 1 if line > 0 else end
        found.append(text[start:end])
        start = end
    return found or [""]
