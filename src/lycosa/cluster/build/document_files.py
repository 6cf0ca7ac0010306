"""Arrow files of documents that were read, in any folder that fsspec reaches.

A row is a `ReadDocument` with its key: all that the reading of a document depends on. A file
appears whole, under a name made from what it was read from, and is never changed; so tasks
that are repeated do no harm, and a build that was stopped reads nothing twice.
"""

from __future__ import annotations

import logging
from collections import OrderedDict
from collections.abc import Iterable
from dataclasses import fields
from functools import cache
from hashlib import sha256
from importlib.metadata import version
from typing import Any, Final
from uuid import uuid4

from lycosa.documents.conversion import CONVERTER_VERSION
from lycosa.papers.extraction.crf import MODELS
from lycosa.portal.build.reading import ReadDocument, StoredReference

MAX_OPEN_FILES: Final = 4
"""Files whose rows are kept in memory; a build asks for documents in the order of files."""

_REFERENCES = "references"
_log = logging.getLogger("lycosa.cluster")


def document_key(digest: str, kind: str, name: str) -> str:
    """Return the key of a document: the SHA-256 of its body, its MIME type, its file's name."""
    return f"{digest}:{kind}:{name}"


@cache
def reading_version() -> str:
    """Return a hash of what the reading of a document depends on beside the document.

    Nodes of a cluster must agree on it, and files of another version are not used.
    """
    hashed = sha256(f"{version('lycosa')} {CONVERTER_VERSION} {_columns()}".encode())
    for path in sorted(MODELS.glob("*.crf")):
        hashed.update(path.read_bytes())
    return hashed.hexdigest()[:16]


def _columns() -> list[str]:
    return [field.name for field in fields(ReadDocument)]


class DocumentFiles:
    """The files of one version of the reader, in a folder.

    `url` is a path or a URL such as `s3://bucket/documents`; the files lie in a folder
    below it that has the name of the version.
    """

    def __init__(self, url: str) -> None:
        from fsspec.core import url_to_fs

        self._files: Any
        self._files, root = url_to_fs(url)
        self._root = f"{root.rstrip('/')}/{reading_version()}"
        self._places: dict[str, tuple[str, int]] = {}
        self._tables: OrderedDict[str, Any] = OrderedDict()

    def names(self) -> set[str]:
        """Return the names of the files that exist."""
        if not self._files.exists(self._root):
            return set()
        found = self._files.ls(self._root, detail=False)
        return {path.rpartition("/")[2] for path in found if path.endswith(".arrow")}

    def write(self, name: str, documents: Iterable[tuple[str, ReadDocument]]) -> None:
        """Write a file of documents with their keys, whole or not at all."""
        import pyarrow
        from pyarrow import ipc

        rows = [
            {
                "key": key,
                **{column: getattr(document, column) for column in _columns()},
                _REFERENCES: [reference._asdict() for reference in document.references],
            }
            for key, document in documents
        ]
        sink = pyarrow.BufferOutputStream()
        table = pyarrow.Table.from_pylist(rows, schema=_schema())
        options = ipc.IpcWriteOptions(compression="zstd")
        with ipc.new_file(sink, table.schema, options=options) as writer:
            writer.write_table(table)
        self._files.makedirs(self._root, exist_ok=True)
        # An object appears whole; a local file is renamed when it is.
        part = f"{self._root}/.{name}.{uuid4().hex}.part"
        self._files.pipe_file(part, sink.getvalue().to_pybytes())
        self._files.mv(part, f"{self._root}/{name}")

    def load(self, names: Iterable[str]) -> int:
        """Make the documents of these files known to `find`; return how many there are."""
        before = len(self._places)
        for name in names:
            keys = self._read(name).column("key").to_pylist()
            for row, key in enumerate(keys):
                self._places.setdefault(key, (name, row))
        return len(self._places) - before

    def find(self, digest: str, kind: str, name: str) -> ReadDocument | None:
        """Return a document by its key; None if no file has it, or if the file is damaged."""
        place = self._places.get(document_key(digest, kind, name))
        if place is None:
            return None
        try:
            [row] = self._table(place[0]).slice(place[1], 1).to_pylist()
        except (OSError, ValueError):
            _log.debug("%s cannot be read.", place[0], exc_info=True)
            return None
        references = tuple(StoredReference(**reference) for reference in row.pop(_REFERENCES))
        del row["key"]
        return ReadDocument(**row, references=references)

    def _table(self, name: str) -> Any:
        if name in self._tables:
            self._tables.move_to_end(name)
        else:
            self._tables[name] = self._read(name)
            if len(self._tables) > MAX_OPEN_FILES:
                self._tables.popitem(last=False)
        return self._tables[name]

    def _read(self, name: str) -> Any:
        from pyarrow import ipc

        return ipc.open_file(self._files.cat_file(f"{self._root}/{name}")).read_all()


def _schema() -> Any:
    import pyarrow

    text = pyarrow.string()
    whole = pyarrow.int64()
    kinds = {"confidence": pyarrow.float64()}
    parts = {"number": whole, "page": whole, "line": whole}
    reference = pyarrow.struct([(part, parts.get(part, text)) for part in StoredReference._fields])
    kinds[_REFERENCES] = pyarrow.list_(reference)
    return pyarrow.schema([("key", text)] + [(name, kinds.get(name, text)) for name in _columns()])
