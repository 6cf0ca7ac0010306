"""The index on disk: made, changed and opened."""

from __future__ import annotations

import inspect
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from functools import cache
from hashlib import blake2b
from importlib import import_module
from pathlib import Path

import tantivy

from lycosa.errors import StoreError, UsageError
from lycosa.portal.search.analysis import Analysis
from lycosa.portal.search.entry import Entry
from lycosa.portal.search.layout import document, schema
from lycosa.portal.search.vocabulary import Vocabulary

HEAP = 128_000_000
"""Bytes that writing may take before it goes to disk."""
THREADS = 1
META = "meta.json"
"""The file that tantivy replaces with every commit."""
LAYOUT = "layout"
"""The file that says by which code all entries were made into terms."""

_CODE = ("lycosa.portal.search.layout", "lycosa.portal.search.analysis", "lycosa.web.words")


class Outdated(StoreError):
    """An index with other fields than those that are written now."""


class Index:
    """What a build writes.

    Nothing is seen before `commit`, which is all or nothing; a build that was
    killed leaves the index as it was. One writer at a time.

    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     index = Index.open(folder)
    ...     index.update([Entry("w1", "paper", "Spiders that learn")], removed=[])
    ...     index.commit()
    ...     len(index)
    1
    """

    def __init__(self, folder: Path, index: tantivy.Index) -> None:
        self._folder = folder
        self._index = index
        self._analysis = Analysis()
        self._writer: tantivy.IndexWriter | None = None
        self._told: set[str] | None = None
        """Of what was empty, all that it was told of."""

    @classmethod
    def open(cls, folder: str | Path) -> Index:
        """The index of a folder, made if it is not there."""
        folder = Path(folder)
        with damage(folder):
            folder.mkdir(parents=True, exist_ok=True)
            if not (folder / META).is_file() and any(folder.iterdir()):
                raise ValueError("it holds other things")
            return cls(folder, tantivy.Index(schema(), path=str(folder)))

    def __len__(self) -> int:
        with damage(self._folder):
            self._index.reload()
            return self._index.searcher().num_docs

    def update(self, added: Iterable[Entry], removed: Iterable[str] = ()) -> None:
        """Add entries, in the place of those with their ids, and take others away.

        If that fails, all that was not committed is forgotten.
        """
        writer = self._writing()
        try:
            for gone in removed:
                with damage(self._folder):
                    writer.delete_documents_by_term("id", gone)
            for entry in added:
                made = document(entry, self._analysis)
                with damage(self._folder):
                    if self._told is None or entry.id in self._told:
                        writer.delete_documents_by_term("id", entry.id)
                    else:
                        self._told.add(entry.id)
                    writer.add_document(made)
        except BaseException:
            self._writer = None
            raise

    def clear(self) -> None:
        """Take all entries away; who makes it anew has to sign it anew."""
        writer = self._writing()
        with damage(self._folder):
            (self._folder / LAYOUT).unlink(missing_ok=True)
            writer.delete_all_documents()
        self._told = set()

    def commit(self) -> None:
        """Make everybody see what was changed."""
        writer, self._writer = self._writing(), None
        with damage(self._folder):
            writer.commit()
            # Merging goes on in the background; few segments are what makes searching fast.
            writer.wait_merging_threads()
            self._index.reload()
            Vocabulary.from_searcher(self._index.searcher()).save(self._folder)

    def sign(self) -> None:
        """Note that all entries were made into terms by this very code."""
        with damage(self._folder):
            (self._folder / LAYOUT).write_text(_fingerprint())

    def _writing(self) -> tantivy.IndexWriter:
        if self._writer is None:
            with damage(self._folder):
                try:
                    self._writer = self._index.writer(HEAP, THREADS)
                    self._told = None if len(self) else set()
                except ValueError as error:
                    if "LockBusy" not in str(error):
                        raise
                    raise UsageError(
                        f"Something else is writing to {self._folder}: "
                        "wait until that build is done, or end it."
                    ) from None
        return self._writer


def is_signed(folder: Path) -> bool:
    """Whether all entries of an index were made into terms by this very code."""
    try:
        return (folder / LAYOUT).read_text("utf-8", "replace") == _fingerprint()
    except OSError:
        return False


@cache
def _fingerprint() -> str:
    sources = "".join(inspect.getsource(import_module(name)) for name in _CODE)
    return blake2b(sources.encode(), digest_size=16).hexdigest()


def existing(folder: Path) -> tantivy.Index:
    """The index of a folder, to be read."""
    if not (folder / META).is_file():
        raise StoreError(f"There is no index in {folder}: build the portal first.")
    with damage(folder):
        index = tantivy.Index(schema(), path=str(folder))
        index.config_reader("manual")
        return index


@contextmanager
def damage(folder: Path) -> Iterator[None]:
    """Whatever tantivy fails with is one sentence."""
    try:
        yield
    except (ValueError, OSError, RuntimeError) as error:
        if "schema does not match" in str(error):
            raise Outdated(
                f"The index in {folder} was made by another version of Lycosa: "
                "build the portal again (lycosa build)."
            ) from error
        raise StoreError(_advice(folder, error)) from error
    except BaseException as error:
        if type(error).__name__ != "PanicException":  # which is no Exception
            raise
        raise StoreError(_advice(folder, error)) from None


def _advice(folder: Path, error: BaseException) -> str:
    why = str(error).strip().splitlines() or [type(error).__name__]
    return (
        f"The index in {folder} cannot be used ({why[0][:200].rstrip('.')}): "
        "delete that folder and build again."
    )
