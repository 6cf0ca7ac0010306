"""The index on disk: created, changed and opened.

A file beside the index, the signature, says which layout its entries have: the
version of the layout and a fingerprint of its fields (`layout.signature`). An
index with another signature is built again from portal.db.
"""

from __future__ import annotations

import json
import logging
import re
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from functools import cache, partial
from pathlib import Path
from typing import Any, Final

import numpy as np
import tantivy

from lycosa.errors import StoreError, UsageError
from lycosa.portal.search.analysis import Analysis, clean
from lycosa.portal.search.entry import IndexEntry
from lycosa.portal.search.latent_semantics import MAX_SAMPLE
from lycosa.portal.search.layout import PreparedEntry, number, prepare, schema, signature
from lycosa.portal.search.meaning import FILE as MEANING
from lycosa.portal.search.meaning import Meaning, encoder_name
from lycosa.portal.search.readable_folder import ReadableFolder
from lycosa.portal.search.vocabulary import Vocabulary
from lycosa.portal.search.work_vectors import LatentVectors, WorkVectors
from lycosa.processes import in_batches, map_parallel

WRITER_HEAP_BYTES: Final = 128_000_000
"""What the writer may buffer before it writes to disk."""
WRITER_THREADS: Final = 1
ENTRIES_PER_BATCH: Final = 20
"""Entries that a process analyses at once; their whole texts are sent to it."""
MAX_SOURCES: Final = MAX_SAMPLE
"""What the vectors of works are computed from is kept for so many, at most twice as many."""
HITS_AT_ONCE: Final = 100_000
"""Entries of the index that are listed at once."""
META: Final = "meta.json"
"""The file that tantivy replaces with every commit."""
MANAGED: Final = ".managed.json"
"""The file in which tantivy lists the files of an index: a folder that has it belongs to one."""
SEGMENT_FILES: Final = ("fast", "fieldnorm", "idx", "pos", "store", "term")
"""The endings of the files that every segment of an index has."""
SIGNATURE: Final = "layout"
"""The file with the signature of the layout."""

_SEGMENT_FILE = re.compile(r"[0-9a-f]{32}\..*")

_log = logging.getLogger("lycosa.portal")


class Outdated(StoreError):
    """The fields of an index are not those of the current layout."""


class Index:
    """An index that a build writes, one writer at a time.

    Readers see nothing before `commit`, which is atomic; a build that is killed
    leaves the index unchanged. `folder` is that of the index, and `vectors`
    computes the vectors of works. Open it with `Index.open`.

    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     index = Index.open(folder)
    ...     index.update([IndexEntry("w1", "paper", "Spiders that learn")], removed=[])
    ...     index.commit()
    ...     len(index)
    1
    """

    def __init__(self, folder: Path, index: tantivy.Index, vectors: WorkVectors[Any]) -> None:
        self._folder = folder
        self._index = index
        self._vectors = vectors
        self._analysis = Analysis()
        self._writer: tantivy.IndexWriter | None = None
        self._last: str | None = None
        """The greatest id that was added since the index was empty; None if it was not."""
        self._sources: dict[int, Any] = {}
        """What the vectors of works added since the last commit are computed from, by number."""
        self._dropped = False
        """Whether there were too many of them: those with the least numbers are kept."""
        self._removed: set[int] = set()
        """The numbers of works removed since the last commit."""

    @classmethod
    def open(cls, folder: str | Path, vectors: WorkVectors[Any] | None = None) -> Index:
        """Open the index of a folder; create it if it does not exist.

        `vectors` computes the vectors of works, by default in a space learned from them.
        """
        folder = Path(folder)
        with translate_errors(folder):
            folder.mkdir(parents=True, exist_ok=True)
            if not (folder / META).is_file() and any(folder.iterdir()):
                raise ValueError("the folder holds other files")
            index = tantivy.Index(schema(), path=str(folder))
            return cls(folder, index, vectors or LatentVectors())

    def __len__(self) -> int:
        with translate_errors(self._folder):
            self._index.reload()
            return self._index.searcher().num_docs

    def update(
        self, added: Iterable[IndexEntry], removed: Iterable[str] = (), jobs: int = 1
    ) -> None:
        """Add entries, replacing those with the same ids, and remove others.

        Their texts are analysed by as many processes as `jobs`. A failure discards everything
        that was not committed.
        """
        writer = self._open_writer()
        try:
            for work in removed:
                with translate_errors(self._folder):
                    writer.delete_documents_by_term("id", work)
                self._removed.add(number(clean(work)))
            for work, prepared in self._prepared(added, jobs):
                self._keep_source(number(clean(work)), self._vectors.of_entry(prepared))
                with translate_errors(self._folder):
                    if self._last is None or work <= self._last:
                        writer.delete_documents_by_term("id", work)
                    else:
                        self._last = work  # in their order, none can be there
                    writer.add_document(prepared.document)
        except BaseException:
            self._writer = None
            self._forget_changes()
            raise

    def _keep_source(self, key: int, source: Any) -> None:
        if source is None:
            return
        self._sources[key] = source
        if len(self._sources) > 2 * MAX_SOURCES:
            self._dropped = True
            self._sources = {n: self._sources[n] for n in sorted(self._sources)[:MAX_SOURCES]}

    def _prepared(
        self, entries: Iterable[IndexEntry], jobs: int
    ) -> Iterator[tuple[str, PreparedEntry]]:
        """Yield entries that were analysed, in their order, with the ids of their works."""
        if jobs == 1:
            for entry in entries:
                yield entry.id, prepare(entry, self._analysis)
            return
        for batch in map_parallel(_prepare_all, in_batches(entries, ENTRIES_PER_BATCH), jobs):
            yield from batch

    def clear(self) -> None:
        """Remove all entries and the signature."""
        writer = self._open_writer()
        with translate_errors(self._folder):
            (self._folder / SIGNATURE).unlink(missing_ok=True)
            writer.delete_all_documents()
            (self._folder / MEANING).unlink(missing_ok=True)
        self._last = ""
        self._forget_changes()

    def commit(self) -> None:
        """Publish the changes to readers."""
        writer, self._writer = self._open_writer(), None
        with translate_errors(self._folder):
            writer.commit()
            # Merging runs in the background; searches are fast when there are few segments.
            writer.wait_merging_threads()
            self._index.reload()
            searcher = self._index.searcher()
            Vocabulary.from_searcher(searcher).save(self._folder)
            removed = np.fromiter(self._removed, np.uint64, len(self._removed))
            known = Meaning.load(self._folder) if self.has_vectors else Meaning.empty()
            self._vectors.updated(
                known,
                None if self._dropped else self._sources,
                removed,
                searcher.num_docs,
                partial(self._every_source, searcher),
            ).save(self._folder)
        self._forget_changes()

    def delete_old_files(self) -> None:
        """Delete the files of segments that are no part of the index any more."""
        with translate_errors(self._folder):
            writer = self._open_writer()
            writer.garbage_collect_files()
            self._writer = None
            current = {each[:32] for each in _segment_files(self._folder)}
            for path in self._folder.iterdir():
                if _SEGMENT_FILE.fullmatch(path.name) and path.name[:32] not in current:
                    path.unlink()

    @property
    def has_vectors(self) -> bool:
        """Whether the works have vectors by this encoder; after `commit` they do."""
        return encoder_name(self._folder) == self._vectors.name

    def _every_source(
        self, searcher: tantivy.Searcher, chosen: Callable[[int], bool] | None = None
    ) -> Iterator[tuple[int, Any]]:
        """Yield what the vector of every work is computed from, by its number."""
        for start in range(0, searcher.num_docs, HITS_AT_ONCE):
            found: Any = searcher.search(tantivy.Query.all_query(), HITS_AT_ONCE, offset=start)
            addresses = [address for _, address in found.hits]
            numbers: Any = searcher.fast_field_values("number", addresses)
            for key, address in zip(map(int, numbers), addresses, strict=True):
                if chosen is not None and not chosen(key):
                    continue
                source = self._sources.get(key)
                if source is None:
                    source = self._vectors.of_document(searcher.doc(address), self._analysis)
                yield key, source

    def _forget_changes(self) -> None:
        self._sources = {}
        self._dropped = False
        self._removed = set()

    def sign(self) -> None:
        """Record that all entries have the current layout."""
        with translate_errors(self._folder):
            (self._folder / SIGNATURE).write_text(signature())

    def _open_writer(self) -> tantivy.IndexWriter:
        if self._writer is None:
            with translate_errors(self._folder):
                try:
                    self._writer = self._index.writer(WRITER_HEAP_BYTES, WRITER_THREADS)
                    self._last = None if len(self) else ""
                except ValueError as error:
                    if "LockBusy" not in str(error):
                        raise
                    _log.debug("the index is locked by another writer", exc_info=error)
                    raise UsageError(
                        f"Another process is writing to {self._folder}: "
                        "wait until that build has ended, or stop it."
                    ) from None
        return self._writer


def _prepare_all(entries: list[IndexEntry]) -> list[tuple[str, PreparedEntry]]:
    return [(entry.id, prepare(entry, _analysis())) for entry in entries]


@cache
def _analysis() -> Analysis:
    """Return the analysis that a worker process keeps, with the words that it has seen."""
    return Analysis()


def has_current_layout(folder: Path) -> bool:
    """Whether all entries of an index have the current layout."""
    try:
        found = (folder / SIGNATURE).read_text("utf-8", "replace")
    except OSError as error:
        _log.debug("the index in %s is not signed", folder, exc_info=error)
        return False
    return found == signature()


def missing_files(folder: Path) -> list[str]:
    """Return the names of files that an index should have and has not.

    A file of deletions may be missing only if its segment has none; tantivy finds that out.
    """
    meta = folder / META
    if not meta.is_file():
        return [META]
    try:
        wanted = _segment_files(folder)
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        _log.debug("%s cannot be read", meta, exc_info=error)
        return [META]
    return [name for name in wanted if not (folder / name).is_file()]


def _segment_files(folder: Path) -> list[str]:
    """Return the names of the files that every segment of an index has."""
    segments = json.loads((folder / META).read_bytes())["segments"]
    names = [each["segment_id"].replace("-", "") for each in segments]
    return [f"{name}.{ending}" for name in names for ending in SEGMENT_FILES]


def open_for_reading(folder: ReadableFolder) -> tantivy.Index:
    """Open the index of a folder for searches."""
    with translate_errors(folder.path):
        index = tantivy.Index(schema(), path=str(folder.path))
        index.config_reader("manual")
        return index


@contextmanager
def translate_errors(folder: Path) -> Iterator[None]:
    """Turn any failure of tantivy into one sentence."""
    try:
        yield
    except (ValueError, OSError, RuntimeError) as error:
        _log.debug("the index in %s failed", folder, exc_info=error)
        if "schema does not match" in str(error):
            raise Outdated(
                f"The index in {folder} was made by another version of Lycosa: "
                "build the portal again (lycosa build)."
            ) from error
        raise StoreError(_advice(folder, error)) from error
    except BaseException as error:
        if type(error).__name__ != "PanicException":  # of Rust, not a subclass of Exception
            raise
        _log.debug("the index in %s failed", folder, exc_info=error)
        raise StoreError(_advice(folder, error)) from None


def _advice(folder: Path, error: BaseException) -> str:
    why = str(error).strip().splitlines() or [type(error).__name__]
    advice = "delete that folder and build again"
    if "PermissionDenied" in why[0] or isinstance(error, PermissionError):
        advice = "let the user of this process read and write that folder"
    return f"The index in {folder} cannot be used ({why[0][:200].rstrip('.')}): {advice}."
