"""Backups of a project while it is crawled, built and served.

A backup is a tar file of the folder. Databases are copied by SQLite itself, each in
one state, and before the archive: a step log never counts a page that the copied
archive lacks. The index is copied as the files of one commit. What processes need only
while they run (locks, write-ahead logs) is left out. Unpacking the file restores the
project.
"""

from __future__ import annotations

import logging
import os
import sqlite3
import tarfile
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from lycosa.errors import StoreError, UsageError
from lycosa.portal.search.index import META, missing_files

INDEX: Final = "index"
LEFT_OUT: Final = ("-wal", "-shm", "-journal", ".lock", ".part")
"""Endings of files that processes need only while they run."""
LOCK: Final = "lock"
INDEX_ATTEMPTS: Final = 20
"""Attempts to take the files of one commit; a build may commit in between."""
SQLITE_MAGIC: Final = b"SQLite format 3\0"

_log = logging.getLogger("lycosa.portal")


@dataclass(frozen=True, slots=True)
class Backup:
    """What was written."""

    path: str
    files: int
    size: int
    """Bytes of the tar file."""


def back_up(
    folder: Path | str, target: Path | str, progress: Callable[[int, int], object] | None = None
) -> Backup:
    """Write a backup of a project to a tar file that does not exist yet.

    `progress` is called with the bytes that were written and those there are. The file
    has its name when it is complete and on the disk; only its user can read it, because
    it holds the owner's token.
    """
    folder, target = Path(folder), Path(target)
    _check(folder, target)
    part = target.with_name(f"{target.name}.part")
    try:
        with TemporaryDirectory(prefix=".backup-", dir=folder) as scratch:
            copies = [*_databases(folder, Path(scratch)), *_index(folder, Path(scratch))]
            taken = {name for name, _ in copies}
            files = [*copies, *_others(folder, taken, skipped=(part, target, Path(scratch)))]
            _write(folder.absolute().name, files, part, progress)
        os.link(part, target)  # fails if there is one by now
    except FileExistsError:
        raise UsageError(f"{target} exists already: choose another name.") from None
    except (OSError, sqlite3.Error) as error:
        _log.debug("the backup of %s failed", folder, exc_info=error)
        raise StoreError(f"The backup of {folder} failed ({error}).") from error
    finally:
        part.unlink(missing_ok=True)
    return Backup(str(target), len(files), target.stat().st_size)


def _check(folder: Path, target: Path) -> None:
    if not folder.is_dir():
        raise UsageError(f"There is no folder {folder}.")
    if target.exists():
        raise UsageError(f"{target} exists already: choose another name.")
    if not target.absolute().parent.is_dir():
        raise UsageError(f"There is no folder {target.absolute().parent} to write to.")


def _databases(folder: Path, scratch: Path) -> Iterator[tuple[str, Path]]:
    """Yield the name and a copy of every database, in one state each."""
    for path in sorted(folder.glob("*.db")):
        if path.is_symlink() or not _is_database(path):
            continue
        copy = scratch / path.name
        address = f"{path.absolute().as_uri()}?mode=ro"
        with (
            closing(sqlite3.connect(address, uri=True)) as source,
            closing(sqlite3.connect(copy)) as target,
        ):
            source.backup(target)
        yield path.name, copy


def _is_database(path: Path) -> bool:
    with path.open("rb") as file:
        return file.read(len(SQLITE_MAGIC)) == SQLITE_MAGIC


def _index(folder: Path, scratch: Path) -> list[tuple[str, Path]]:
    """Return the files of one commit of the index, as links that a later one cannot remove."""
    index = folder / INDEX
    if not (index / META).is_file():
        return []
    for attempt in range(INDEX_ATTEMPTS):
        links = scratch / f"{INDEX}-{attempt}"
        links.mkdir()
        before = (index / META).read_bytes()
        (links / META).write_bytes(before)
        for path in index.iterdir():
            if path.is_file() and path.name != META and not _is_left_out(path.name):
                try:
                    os.link(path, links / path.name)
                except FileNotFoundError:
                    _log.debug("%s was removed by a build", path)
        if (index / META).read_bytes() == before and not missing_files(links):
            return [(f"{INDEX}/{path.name}", path) for path in sorted(links.iterdir())]
    raise StoreError(f"The index in {folder} changes all the time: try again after the build.")


def _others(folder: Path, taken: set[str], skipped: tuple[Path, ...]) -> Iterator[tuple[str, Path]]:
    """Yield every other file of the project."""
    own = {each.absolute() for each in skipped}
    for root, folders, names in os.walk(folder):
        here = Path(root)
        folders[:] = sorted(
            name
            for name in folders
            if (here / name).absolute() not in own and not name.startswith(".backup-")
        )
        if here == folder / INDEX and f"{INDEX}/{META}" in taken:
            continue
        for name in sorted(names):
            path = here / name
            relative = path.relative_to(folder).as_posix()
            known = relative in taken or relative == LOCK or path.absolute() in own
            if not known and not _is_left_out(name) and path.is_file() and not path.is_symlink():
                yield relative, path


def _is_left_out(name: str) -> bool:
    return name.endswith(LEFT_OUT)


def _write(
    project: str,
    files: list[tuple[str, Path]],
    part: Path,
    progress: Callable[[int, int], object] | None,
) -> None:
    sizes = {path: path.stat().st_size for _, path in files if path.exists()}
    total, done = sum(sizes.values()), 0
    with (
        open(os.open(part, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb") as output,
        tarfile.open(fileobj=output, mode="w", format=tarfile.PAX_FORMAT) as tar,
    ):
        for name, path in files:
            try:
                file = path.open("rb")
            except FileNotFoundError:
                _log.debug("%s is gone", path)  # a checkpoint that was replaced, for instance
                continue
            with file:
                # Its size now: a volume that grows meanwhile is cut there.
                tar.addfile(tar.gettarinfo(arcname=f"{project}/{name}", fileobj=file), file)
            done += sizes.get(path, 0)
            if progress is not None:
                progress(done, total)
        tar.close()
        output.flush()
        os.fsync(output.fileno())
