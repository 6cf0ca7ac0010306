"""All works at once, as files to download."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from importlib.util import find_spec

from lycosa.portal.api.operation import ApiRequest, Operation
from lycosa.portal.api.problems import Problem
from lycosa.portal.exports import FORMATS

AT_ONCE = 4
"""Downloads under way: each keeps a core busy, and pages come first."""


def export(request: ApiRequest, ending: str) -> Iterator[bytes]:
    """A file in pieces."""
    downloads = request.context.downloads
    if not downloads.acquire(blocking=False):
        words = "Others are downloading everything just now. Try again in a minute."
        raise Problem(429, words, headers={"Retry-After": "60"})

    def pieces() -> Iterator[bytes]:
        try:
            yield b""
            yield from FORMATS[ending][1](request.catalogue, ())
        finally:
            downloads.release()

    found = pieces()
    # Only a generator that was begun comes to its end when it is thrown away.
    next(found)
    return found


def parquet(request: ApiRequest) -> Iterator[bytes]:
    """A file in pieces, where it can be written."""
    if find_spec("pyarrow") is None:
        raise Problem(
            404,
            "This portal has no Parquet, since pyarrow is not installed where it runs: "
            "take works.jsonl, or ask whoever runs it.",
        )
    return export(request, "parquet")


OPERATIONS = tuple(
    Operation(
        f"/export/works.{ending}",
        f"export{name}",
        f"All works as {name}" + ("; 404 where it cannot be written" if name == "Parquet" else ""),
        make,
        media=FORMATS[ending][0],
        filename=f"works.{ending}",
    )
    for ending, name, make in (
        ("jsonl", "JSONLines", partial(export, ending="jsonl")),
        ("bib", "BibTeX", partial(export, ending="bib")),
        ("parquet", "Parquet", parquet),
    )
)
