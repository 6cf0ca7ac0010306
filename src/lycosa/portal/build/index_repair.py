"""Repair of the search index of a portal: rebuilt from portal.db if it is lost or damaged.

>>> from tempfile import TemporaryDirectory
>>> with TemporaryDirectory() as folder:
...     repair_index(folder)
'none'
"""

from __future__ import annotations

import logging
from pathlib import Path
from typing import Literal, TypeAlias

from lycosa.errors import StoreError
from lycosa.portal.build.database import FILE, Database
from lycosa.portal.build.indexing import FOLDER, has_index, update_index
from lycosa.portal.build.progress import BuildProgress
from lycosa.portal.search.index import Index, Outdated

_log = logging.getLogger("lycosa.portal")

IndexState: TypeAlias = Literal["none", "healthy", "lost", "damaged"]


def repair_index(folder: Path | str) -> IndexState:
    """Rebuild the index of a portal if it is lost or damaged; return the state it was in.

    A damaged index is kept beside the new one. An index of another version is left to
    `lycosa build`, which rebuilds it, and `none` means that there is no portal.
    """
    folder = Path(folder)
    if not (folder / FILE).is_file():
        return "none"
    with Database.open(folder) as database:
        if not database.one("SELECT count(*) FROM works WHERE document > ''")[0]:
            return "none"
        state = _state(folder, database)
        if state == "healthy":
            return state
        if (folder / FOLDER).exists():
            _move_aside(folder / FOLDER)
        update_index(database, BuildProgress())
        return state


def _state(folder: Path, database: Database) -> IndexState:
    if not has_index(folder):
        return "lost"
    try:
        held = len(Index.open(folder / FOLDER))
    except Outdated:
        return "healthy"
    except StoreError:
        _log.debug("The index in %s cannot be opened", folder, exc_info=True)
        return "damaged"
    listed = database.one("SELECT count(*) FROM indexed")[0]
    return "healthy" if held == listed else "damaged"


def _move_aside(path: Path) -> None:
    number, name = 1, f"{path.name}.damaged"
    while path.with_name(name).exists():
        number += 1
        name = f"{path.name}.damaged{number}"
    path.rename(path.with_name(name))
