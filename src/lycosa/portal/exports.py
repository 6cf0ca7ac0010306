"""The registry of export formats: of one work, and of all works of a portal.

`EXPORTS` is the one table. The command `lycosa export`, the downloads of the
API, the addresses of a single work (`/work/ID.bib`) and the links on its page
derive from it; a new format is a function here and a row of the table.
"""

from __future__ import annotations

import csv
import io
import json
import logging
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from importlib.util import find_spec
from itertools import islice
from types import MappingProxyType
from typing import Any, Final, TypeAlias

from lycosa.errors import UsageError
from lycosa.portal.catalogue import Catalogue
from lycosa.portal.fields import FIELDS, Author, TopicAssignment, Work
from lycosa.portal.formats import bibtex, csl, keyed_bibtex, plain, ris, table_cell, work_record

WORKS_PER_PIECE = 500
ROWS_PER_GROUP = 5_000
"""In a row group of Parquet."""

Record: TypeAlias = dict[str, Any]
"""A work with the ids of all that it cites, `references`."""
WriteAll: TypeAlias = Callable[[Catalogue, tuple[str, ...]], Iterator[bytes]]
"""Yields the pieces of a file with all works, or those of some kinds."""

_log = logging.getLogger("lycosa.portal")


@dataclass(frozen=True, slots=True)
class ExportFormat:
    """A file format for works.

    `name` is its key in the links of the API, `label` its name for people, `ending`
    that of its files, and `media_type` its Content-Type. `write_one` returns one work;
    `write_all` yields all works in pieces, so that no more than a few hundred are in
    memory. Either may be missing. `module` is an optional dependency, installed by
    `extra`; both are empty for a format without.
    """

    name: str
    label: str
    ending: str
    media_type: str
    write_one: Callable[[Work], str] | None = None
    write_all: WriteAll | None = None
    module: str = ""
    extra: str = ""

    @property
    def is_available(self) -> bool:
        """Whether its optional dependency is installed."""
        return not self.module or find_spec(self.module) is not None


def jsonl(catalogue: Catalogue, kinds: tuple[str, ...] = ()) -> Iterator[bytes]:
    """Yield JSON lines: one work a line."""
    for records in _records(catalogue, kinds, WORKS_PER_PIECE):
        lines = (json.dumps(one, ensure_ascii=False, separators=(",", ":")) for one in records)
        yield "".join(f"{line}\n" for line in lines).encode("utf-8", "replace")


def bib(catalogue: Catalogue, kinds: tuple[str, ...] = ()) -> Iterator[bytes]:
    """Yield BibTeX: one entry a work; keys end with the id of the work, and so are unique."""
    works = catalogue.iter_works(*kinds)
    while some := list(islice(works, WORKS_PER_PIECE)):
        yield "".join(f"{keyed_bibtex(work)}\n" for work in some).encode("utf-8", "replace")


def comma_separated(catalogue: Catalogue, kinds: tuple[str, ...] = ()) -> Iterator[bytes]:
    """Yield a table as RFC 4180 has it: one work a row, lists separated by semicolons."""
    names = [*(name for name, each in FIELDS.items() if each.spec.exported), "references"]
    sink = io.StringIO(newline="")
    writer = csv.writer(sink)
    writer.writerow(names)
    for records in _records(catalogue, kinds, WORKS_PER_PIECE):
        writer.writerows([table_cell(record[name]) for name in names] for record in records)
        yield _taken(sink)
    yield _taken(sink)  # the names alone, if there is no work


def _taken(sink: io.StringIO) -> bytes:
    """Return what was written, and empty the sink."""
    text = sink.getvalue()
    sink.seek(0)
    sink.truncate()
    return text.encode("utf-8", "replace")


def parquet(catalogue: Catalogue, kinds: tuple[str, ...] = ()) -> Iterator[bytes]:
    """Yield Parquet, compressed: one row a work; needs pyarrow."""
    try:
        import pyarrow
        from pyarrow.parquet import ParquetWriter
    except ImportError as error:
        _log.debug("pyarrow cannot be imported", exc_info=error)
        raise UsageError(
            "Parquet needs pyarrow, which is not installed: "
            "pip install 'lycosa[parquet]', or export JSON lines."
        ) from None
    schema = _columns(pyarrow)
    sink = _Sink()
    with ParquetWriter(pyarrow.PythonFile(sink, "w"), schema, compression="zstd") as writer:
        for records in _records(catalogue, kinds, ROWS_PER_GROUP):
            writer.write_table(pyarrow.Table.from_pylist(records, schema=schema))
            yield sink.take()
    yield sink.take()


_FORMATS = (
    ExportFormat(
        "bibtex", "BibTeX", "bib", "application/x-bibtex", lambda work: bibtex([work]), bib
    ),
    ExportFormat("ris", "RIS", "ris", "application/x-research-info-systems", ris),
    ExportFormat(
        "csl",
        "CSL-JSON",
        "json",
        "application/vnd.citationstyles.csl+json",
        lambda work: json.dumps([csl(work)], ensure_ascii=False, indent=1),
    ),
    ExportFormat("text", "Text", "txt", "text/plain", lambda work: f"{plain(work)}\n"),
    ExportFormat("jsonl", "JSON lines", "jsonl", "application/jsonl", write_all=jsonl),
    ExportFormat("csv", "CSV", "csv", "text/csv; charset=utf-8", write_all=comma_separated),
    ExportFormat(
        "parquet",
        "Parquet",
        "parquet",
        "application/vnd.apache.parquet",
        write_all=parquet,
        module="pyarrow",
        extra="parquet",
    ),
)

EXPORTS: Final[Mapping[str, ExportFormat]] = MappingProxyType(
    {each.ending: each for each in _FORMATS}
)
"""The formats by the endings of their files."""

DOWNLOADS: Final[Mapping[str, WriteAll]] = MappingProxyType(
    {ending: each.write_all for ending, each in EXPORTS.items() if each.write_all}
)
"""What writes all works, by the endings of files."""


def _records(catalogue: Catalogue, kinds: tuple[str, ...], size: int) -> Iterator[list[Record]]:
    works = catalogue.iter_works(*kinds)
    while some := list(islice(works, size)):
        references = catalogue.references(work.id for work in some)
        yield [{**work_record(work), "references": references[work.id]} for work in some]


def _columns(pyarrow: Any) -> Any:
    text, real = pyarrow.string(), pyarrow.float64()
    named = [("id", text), ("name", text)]
    types: dict[Any, Any] = {
        str: text,
        int: pyarrow.int64(),
        int | None: pyarrow.int64(),
        float: real,
        tuple[Author, ...]: pyarrow.list_(pyarrow.struct(named)),
        tuple[TopicAssignment, ...]: pyarrow.list_(pyarrow.struct([*named, ("sure", real)])),
    }
    columns = [(name, types[each.type]) for name, each in FIELDS.items() if each.spec.exported]
    return pyarrow.schema([*columns, ("references", pyarrow.list_(text))])


class _Sink:
    """A file for pyarrow whose content is taken in pieces while it is written."""

    closed = False

    def __init__(self) -> None:
        self._pieces: list[bytes] = []

    def write(self, piece: Any) -> int:
        self._pieces.append(bytes(piece))
        return len(piece)

    def take(self) -> bytes:
        pieces, self._pieces = self._pieces, []
        return b"".join(pieces)

    def flush(self) -> None:
        pass

    def close(self) -> None:
        pass
