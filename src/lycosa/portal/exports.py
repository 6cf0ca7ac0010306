"""All works at once, for other programs: JSON lines, BibTeX, Parquet.

Each is made in pieces; no more than a few hundred works are held at a time.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from itertools import islice
from types import MappingProxyType
from typing import Any

from lycosa.errors import UsageError
from lycosa.portal.catalogue import Catalogue
from lycosa.portal.formats import facts, keyed_bibtex

AT_ONCE = 500
ROWS = 5_000
"""In a row group of Parquet."""

Record = dict[str, Any]
"""A work with the names of all that it cites, `references`."""


def jsonl(catalogue: Catalogue, kinds: tuple[str, ...] = ()) -> Iterator[bytes]:
    """A work a line."""
    for records in _records(catalogue, kinds, AT_ONCE):
        lines = (json.dumps(one, ensure_ascii=False, separators=(",", ":")) for one in records)
        yield "".join(f"{line}\n" for line in lines).encode("utf-8", "replace")


def bib(catalogue: Catalogue, kinds: tuple[str, ...] = ()) -> Iterator[bytes]:
    """An entry a work; its key ends with the id of the work, so that no two have the same."""
    works = catalogue.every(*kinds)
    while some := list(islice(works, AT_ONCE)):
        yield "".join(f"{keyed_bibtex(work)}\n" for work in some).encode("utf-8", "replace")


def parquet(catalogue: Catalogue, kinds: tuple[str, ...] = ()) -> Iterator[bytes]:
    """A work a row, compressed; it needs pyarrow."""
    try:
        import pyarrow
        from pyarrow.parquet import ParquetWriter
    except ImportError:
        raise UsageError(
            "Parquet is written by pyarrow, which is not installed here: "
            "pip install 'lycosa[parquet]', or take JSON lines."
        ) from None
    schema = _columns(pyarrow)
    sink = _Sink()
    with ParquetWriter(pyarrow.PythonFile(sink, "w"), schema, compression="zstd") as writer:
        for records in _records(catalogue, kinds, ROWS):
            writer.write_table(pyarrow.Table.from_pylist(records, schema=schema))
            yield sink.taken()
    yield sink.taken()


FORMATS: Mapping[str, tuple[str, Callable[[Catalogue, tuple[str, ...]], Iterator[bytes]]]] = (
    MappingProxyType(
        {
            "jsonl": ("application/jsonl", jsonl),
            "bib": ("application/x-bibtex", bib),
            "parquet": ("application/vnd.apache.parquet", parquet),
        }
    )
)
"""Media types and makers, by the ending of a file."""


def _records(catalogue: Catalogue, kinds: tuple[str, ...], at_once: int) -> Iterator[list[Record]]:
    works = catalogue.every(*kinds)
    while some := list(islice(works, at_once)):
        references = catalogue.references(work.id for work in some)
        yield [{**facts(work), "references": references[work.id]} for work in some]


def _columns(pyarrow: Any) -> Any:
    text, number = pyarrow.string(), pyarrow.int64()
    named = [("id", text), ("name", text)]
    return pyarrow.schema(
        [
            *((name, text) for name in ("id", "kind", "title")),
            ("authors", pyarrow.list_(pyarrow.struct(named))),
            ("year", number),
            *((name, text) for name in ("date", "venue", "volume", "pages", "abstract")),
            *((name, text) for name in ("language", "site", "url", "document", "type")),
            ("cited_by", number),
            ("cites", number),
            ("rank", pyarrow.float64()),
            ("topics", pyarrow.list_(pyarrow.struct([*named, ("sure", pyarrow.float64())]))),
            ("references", pyarrow.list_(text)),
        ]
    )


class _Sink:
    """A file that is taken away in pieces while it is written."""

    closed = False

    def __init__(self) -> None:
        self._pieces: list[bytes] = []

    def write(self, piece: Any) -> int:
        self._pieces.append(bytes(piece))
        return len(piece)

    def taken(self) -> bytes:
        pieces, self._pieces = self._pieces, []
        return b"".join(pieces)

    def flush(self) -> None:
        pass

    def close(self) -> None:
        pass
