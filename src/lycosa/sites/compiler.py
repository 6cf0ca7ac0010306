"""Compiler of recorded sites: parses an archive once and stores it as arrays.

Pages are parsed in batches, in several processes where it pays. A batch has
tables of its own for words, URLs and tag paths; these are renumbered into the
tables of the site in the order of the batches, so the result does not depend on
the number of processes.

The result is stored in the cache of the recording under a digest of its inputs
and of the source code that computed it, so a stale one is never read.
"""

from __future__ import annotations

import json
import logging
import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from tempfile import mkdtemp

import numpy as np
import xxhash

from lycosa.archive.archive import Archive
from lycosa.compiled import source_of
from lycosa.content import NO_INTS, Content, Ints, Table
from lycosa.errors import SiteError
from lycosa.processes import map_parallel
from lycosa.sites.columns import GROUPS, Columns, offsets
from lycosa.sites.recording import Progress, Recording
from lycosa.sites.tables import StoredTable
from lycosa.web.decoding import media_type
from lycosa.web.reader import Reader
from lycosa.web.urls import canonical
from lycosa.web.words import url_words

_BATCH_BYTES = 4 * 2**20
# Below this many bytes of archive, starting processes takes longer than they save.
_MIN_PARALLEL_BYTES = 3 * 2**20
_MAX_BATCHES_PER_PROCESS = 3  # submitted and not finished
_MAX_REDIRECTS = 20

_log = logging.getLogger("lycosa.sites")

# The modules whose output is stored: a change of their source invalidates the cache.
_SOURCE_MODULES = (
    "content", "web.words", "web.run_numbers", "web.word_scanner", "web.numberer", "web.digests",
    "web.url_resolver", "web.urls", "web.decoding", "web.open_elements", "web.limit_check",
    "web.html_limits", "web.outline", "web.markup", "web.markup_walk", "web.tree_walk",
    "web.html", "web.parsed_body", "web.reader", "archive.decompression", "archive.record_text",
    "archive.record",
    "archive.reader", "archive.content_encoding", "archive.http_message", "archive.archive",
    "sites.columns", "sites.tables", "sites.compiler",
)  # fmt: skip


@dataclass(slots=True)
class _Batch:
    """Parsed pages, with the tables that number their words, URLs and tag paths."""

    words: list[str]
    urls: list[str]
    paths: list[str]
    columns: Columns


@dataclass(slots=True)
class _Body:
    """A response to parse."""

    url: str
    type: str
    status: int
    body: bytes


def _parse(bodies: list[_Body]) -> _Batch:
    """Parse a batch; runs in a worker process."""
    reader = Reader()
    pages: list[tuple[Ints, Content]] = []
    for body in bodies:
        targets, content = reader.read(body.url, body.body, body.type)
        pages.append((targets, content) if body.status < 400 else (NO_INTS, Content()))
    return _Batch(list(reader.words), list(reader.urls), list(reader.paths), Columns.of(pages))


def compile_site(recording: Recording, progress: Progress | None, jobs: int) -> Path:
    """Return the folder with the arrays of a recording; compile it if necessary."""
    folder = recording.cache / f"compiled-{_fingerprint(recording)}"
    if not folder.is_dir():
        try:
            recording.cache.mkdir(parents=True, exist_ok=True)
            part = Path(mkdtemp(prefix="partial-", dir=recording.cache))
        except OSError as error:
            raise SiteError(
                f"{recording.cache} cannot be written ({error.strerror}); "
                "set LYCOSA_CACHE to a folder for compiled sites."
            ) from error
        try:
            _log.info("Compiling %s into %s", recording.folder, folder)
            _Compiler(recording, progress, jobs).write(part)
            # A process that compiles the same site at the same time writes the same files.
            if not folder.is_dir():
                part.rename(folder)
        finally:
            shutil.rmtree(part, ignore_errors=True)
        for old in recording.cache.glob("compiled-*"):
            if old != folder:
                shutil.rmtree(old, ignore_errors=True)
    return folder


def _fingerprint(recording: Recording) -> str:
    """Return a digest of the inputs and of the source code that compiles them."""
    digest = xxhash.xxh3_128()
    for name in _SOURCE_MODULES:
        digest.update(source_of(name).read_bytes())
    for file in (recording.folder / "site.toml", recording.archive,
                 recording.folder / "leaves.txt", recording.folder / "aliases.tsv"):  # fmt: skip
        digest.update(file.name.encode())
        if file.is_file():
            with file.open("rb") as stream:
                while chunk := stream.read(1 << 20):
                    digest.update(chunk)
    return digest.hexdigest()[:16]


class _Compiler:
    """Parses the archive of a recording and writes its arrays."""

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
        """Compile the recording into a folder."""
        columns = Columns.concatenate([self._renumber(batch) for batch in self._batches()])
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
        """Return the number of every URL of a page or leaf, through aliases and redirects."""
        known = {url: number for number, url in enumerate(self._pages)}
        aliases = {**self._recording.aliases(), **self._redirects}
        for alias in aliases:
            url, hops = alias, 0
            while url not in known and url in aliases and hops < _MAX_REDIRECTS:
                url, hops = aliases[url], hops + 1
            if alias not in known and url in known:
                known[alias] = known[url]
        return known

    def _renumber(self, batch: _Batch) -> Columns:
        """Return the columns of a batch with the numbers of the site's tables."""
        values = batch.columns.values
        for column, table, strings in (
            ("tokens", self._words, batch.words),
            ("targets", self._urls, batch.urls),
            ("paths", self._paths, batch.paths),
        ):
            values[column] = np.array(table.numbers(strings), np.int32)[values[column]]
        return batch.columns

    def _batches(self) -> Iterator[_Batch]:
        jobs = 1 if self._bytes < _MIN_PARALLEL_BYTES else self._jobs
        yield from map_parallel(
            _parse,
            self._bodies(),
            jobs,
            ahead=_MAX_BATCHES_PER_PROCESS,
            activity="compiling a site",
        )

    def _bodies(self) -> Iterator[list[_Body]]:
        """Yield the first response of each URL, in batches of about the same size."""
        batch: list[_Body] = []
        size = 0
        for url, response in self._archive:
            if self._progress:
                self._progress(self._archive.report.reached, self._bytes)
            if 300 <= response.status < 400:
                target = canonical(response.headers.get("location", ""), url)
                if target and target != url:
                    self._redirects[url] = target
                continue
            if self._pages.find(url) is not None:
                continue
            self._pages.number(url)
            self._status.append(response.status)
            self._type.append(self._types.number(media_type(response.type)))
            batch.append(_Body(url, response.type, response.status, response.body))
            size += len(response.body)
            if size > _BATCH_BYTES:
                yield batch
                batch, size = [], 0
        if batch:
            yield batch
