"""Compiling: a recorded site becomes arrays, once.

Pages are parsed in batches, in several processes where it pays. A batch comes
back with words, URLs and tag paths numbered by itself; they are renumbered into
the tables of the site in the order of the batches, so the result does not
depend on how many processes there were.

The result lies in the cache of the recording under a name made of the content
of its inputs and of the source code that computed it, so nothing stale is ever
read.
"""

from __future__ import annotations

import importlib
import inspect
import json
import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from tempfile import mkdtemp

import numpy as np
import xxhash

from lycosa.archive.archive import Archive
from lycosa.content import NO_INTS, Content, Ints, Table
from lycosa.errors import SiteError
from lycosa.processes import map_parallel
from lycosa.sites.columns import GROUPS, Columns, offsets
from lycosa.sites.recording import Progress, Recording
from lycosa.sites.tables import StoredTable
from lycosa.web.reader import Reader
from lycosa.web.urls import canonical
from lycosa.web.words import url_words

_BATCH_BYTES = 4 * 2**20
_WORTH_PROCESSES = 3 * 2**20  # bytes of archive; below, starting processes takes longer
_AHEAD = 3  # batches under way for each process

# The code whose output is stored: when it changes, so does the name of the cache.
_SOURCE_MODULES = (
    "content", "web.words", "web.urls", "web.decoding", "web.html_limits", "web.html",
    "web.reader", "archive.decompression", "archive.record", "archive.reader",
    "archive.content_encoding", "archive.http_message", "archive.archive",
    "sites.columns", "sites.tables", "sites.compiler",
)  # fmt: skip


@dataclass(slots=True)
class _Batch:
    """Parsed pages with numbers of their own."""

    words: list[str]
    urls: list[str]
    paths: list[str]
    columns: Columns


@dataclass(slots=True)
class _Body:
    url: str
    type: str
    status: int
    body: bytes


def _parse(bodies: list[_Body]) -> _Batch:
    """Parse a batch; runs in a process of its own."""
    reader = Reader()
    pages: list[tuple[Ints, Content]] = []
    for body in bodies:
        targets, content = reader.read(body.url, body.body, body.type)
        pages.append((targets, content) if body.status < 400 else (NO_INTS, Content()))
    return _Batch(list(reader.words), list(reader.urls), list(reader.paths), Columns.of(pages))


def compiled_folder(recording: Recording, progress: Progress | None, jobs: int) -> Path:
    """The folder with the arrays of a recording, made now if need be."""
    folder = recording.cache / f"compiled-{_fingerprint(recording)}"
    if not folder.is_dir():
        try:
            recording.cache.mkdir(parents=True, exist_ok=True)
            made = Path(mkdtemp(prefix="partial-", dir=recording.cache))
        except OSError as fault:
            raise SiteError(
                f"Nothing can be written to {recording.cache} ({fault.strerror}); "
                "set LYCOSA_CACHE to a folder for compiled sites."
            ) from None
        try:
            _Compiler(recording, progress, jobs).write(made)
            # Whoever compiles the same site at the same time makes the same files.
            if not folder.is_dir():
                made.rename(folder)
        finally:
            shutil.rmtree(made, ignore_errors=True)
        for old in recording.cache.glob("compiled-*"):
            if old != folder:
                shutil.rmtree(old, ignore_errors=True)
    return folder


def _fingerprint(recording: Recording) -> str:
    digest = xxhash.xxh3_128()
    for name in _SOURCE_MODULES:
        digest.update(inspect.getsource(importlib.import_module(f"lycosa.{name}")).encode())
    for file in (recording.folder / "site.toml", recording.archive,
                 recording.folder / "leaves.txt", recording.folder / "aliases.tsv"):  # fmt: skip
        digest.update(file.name.encode())
        if file.is_file():
            with file.open("rb") as stream:
                while chunk := stream.read(1 << 20):
                    digest.update(chunk)
    return digest.hexdigest()[:16]


class _Compiler:
    def __init__(self, recording: Recording, progress: Progress | None, jobs: int) -> None:
        self._recording = recording
        self._archive = Archive(recording.archive)
        self._bytes = recording.archive.stat().st_size
        self._progress = progress
        self._jobs = jobs
        self._words, self._urls, self._paths = Table(), Table(), Table()
        self._pages = Table()
        self._status: list[int] = []
        self._types = Table()
        self._type: list[int] = []
        self._redirects: dict[str, str] = {}

    def write(self, folder: Path) -> None:
        """Compile everything into a folder."""
        columns = Columns.joined([self._renumbered(batch) for batch in self._batches()])
        if not len(self._pages):
            raise SiteError(f"{self._recording.folder} is empty: its archive holds no page.")
        pages = len(self._pages)
        for leaf in self._recording.leaves():
            self._pages.number(leaf)
        known = self._known()
        numbers = np.array([known.get(url, -1) for url in self._urls], np.int32)
        columns.relink(numbers)
        size = len(self._pages)
        for group, names in GROUPS.items():
            np.save(folder / f"{group}.offsets.npy", offsets(columns.sizes[group], size))
            for name in names:
                np.save(folder / f"{name}.npy", columns.values[name])
        np.save(folder / "title_sizes.npy", columns.title_sizes)
        url_numbers = [self._words.numbers(url_words(url)) for url in self._pages]
        lengths = np.array([len(n) for n in url_numbers], np.int32)
        np.save(folder / "url_offsets.npy", offsets(lengths, size))
        np.save(
            folder / "url_tokens.npy", np.array([n for ns in url_numbers for n in ns], np.int32)
        )
        np.save(folder / "status.npy", np.array(self._status + [200] * (size - pages), np.int16))
        document = self._types.number("application/octet-stream")
        np.save(folder / "type.npy", np.array(self._type + [document] * (size - pages), np.int16))
        for name, table in (("words", self._words), ("urls", self._pages), ("paths", self._paths)):
            StoredTable.write(folder, name, table)
        self._write_about(folder, known)

    def _write_about(self, folder: Path, known: dict[str, int]) -> None:
        recording = self._recording
        seeds = [known.get(canonical(seed) or "") for seed in recording.seeds]
        if None in seeds:
            missing = recording.seeds[seeds.index(None)]
            raise SiteError(f"{recording.folder}: the seed {missing} is not in the recording.")
        about = {
            "name": recording.name,
            "family": recording.family,
            "seeds": seeds,
            "types": list(self._types),
            "damage": self._archive.report.damage(str(recording.archive)),
        }
        (folder / "about.json").write_text(json.dumps(about, indent=1))

    def _known(self) -> dict[str, int]:
        """Every URL that leads to a page or leaf, aliases and redirects followed."""
        known = {url: number for number, url in enumerate(self._pages)}
        aliases = {**self._recording.aliases(), **self._redirects}
        for alias in aliases:
            url, hops = alias, 0
            while url not in known and url in aliases and hops < 20:
                url, hops = aliases[url], hops + 1
            if alias not in known and url in known:
                known[alias] = known[url]
        return known

    def _renumbered(self, batch: _Batch) -> Columns:
        values = batch.columns.values
        for column, table, strings in (
            ("tokens", self._words, batch.words),
            ("targets", self._urls, batch.urls),
            ("paths", self._paths, batch.paths),
        ):
            values[column] = np.array(table.numbers(strings), np.int32)[values[column]]
        return batch.columns

    def _batches(self) -> Iterator[_Batch]:
        jobs = 1 if self._bytes < _WORTH_PROCESSES else self._jobs
        yield from map_parallel(
            _parse, self._bodies(), jobs, ahead=_AHEAD, activity="compiling a site"
        )

    def _bodies(self) -> Iterator[list[_Body]]:
        """The first answer for each URL, in batches of about the same size."""
        batch: list[_Body] = []
        size = 0
        for url, answer in self._archive:
            if self._progress:
                self._progress(self._archive.report.reached, self._bytes)
            if 300 <= answer.status < 400:
                place = canonical(answer.headers.get("location", ""), url)
                if place and place != url:
                    self._redirects[url] = place
                continue
            if self._pages.find(url) is not None:
                continue
            self._pages.number(url)
            self._status.append(answer.status)
            self._type.append(self._types.number(answer.type.partition(";")[0].strip().lower()))
            batch.append(_Body(url, answer.type, answer.status, answer.body))
            size += len(answer.body)
            if size > _BATCH_BYTES:
                yield batch
                batch, size = [], 0
        if batch:
            yield batch
