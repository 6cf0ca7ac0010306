"""Downloads of all works, one operation for each export format that has them."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from lycosa.portal.api.operation import ApiRequest, Operation
from lycosa.portal.api.problems import Problem
from lycosa.portal.exports import DOWNLOADS, EXPORTS, ExportFormat

MAX_DOWNLOADS = 4
"""Downloads at the same time: each keeps a core busy, and pages come first."""


def export(request: ApiRequest, ending: str) -> Iterator[bytes]:
    """Return the pieces of a file."""
    found = EXPORTS[ending]
    if not found.is_available:
        raise Problem(
            404,
            f"This portal has no {found.label}, since {found.module} is not installed on its "
            "server: download works.jsonl, or ask the owner of the portal.",
        )
    downloads = request.context.downloads
    if not downloads.acquire(blocking=False):
        detail = "Too many downloads are running. Try again in a minute."
        raise Problem(429, detail, headers={"Retry-After": "60"})

    def pieces() -> Iterator[bytes]:
        try:
            yield b""
            yield from DOWNLOADS[ending](request.catalogue, ())
        finally:
            downloads.release()

    started = pieces()
    # Only a generator that was started runs its `finally` when it is discarded.
    next(started)
    return started


def _operation(found: ExportFormat) -> Operation:
    words = found.label.split()
    return Operation(
        f"/export/works.{found.ending}",
        "export" + "".join(word[0].upper() + word[1:] for word in words),
        f"All works as {found.label}"
        + ("; 404 where it cannot be written" if found.module else ""),
        partial(export, ending=found.ending),
        media=found.media_type,
        filename=f"works.{found.ending}",
    )


OPERATIONS = tuple(
    _operation(EXPORTS[ending]) for ending in sorted(DOWNLOADS, key=lambda each: each != "jsonl")
)
