"""The dense side of the index: the vectors of all works and what gives a text its vector.

It is a file beside the index, `meaning.npz`, replaced as a whole with every
commit. The file says which encoder made the vectors, because a query must be
encoded by the same. It may be one commit behind the index, which is harmless: a
work without a vector is found by its words.
"""

from __future__ import annotations

import logging
import zipfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np

from lycosa.errors import StoreError
from lycosa.files import replace_file
from lycosa.portal.search.encoders import LATENT, Encoder, LatentEncoder, SentenceEncoder
from lycosa.portal.search.latent_semantics import LatentSpace
from lycosa.portal.search.sentence_encoder import MODEL
from lycosa.portal.search.vectors import Array, VectorTable

FILE: Final = "meaning.npz"
_TABLE = ("numbers", "rows", "order", "centres", "starts")
_UNREADABLE = (OSError, ValueError, TypeError, KeyError, EOFError, zipfile.BadZipFile)

_log = logging.getLogger("lycosa.portal")


@dataclass(frozen=True, slots=True, eq=False)
class Meaning:
    """The vectors of works, and the encoder that gives queries theirs."""

    encoder: Encoder
    table: VectorTable

    @classmethod
    def empty(cls) -> Meaning:
        """Return what an index without works has."""
        nothing = VectorTable.of(np.empty(0, np.uint64), np.empty((0, 0), np.float32))
        return cls(LatentEncoder(LatentSpace.fit([])), nothing)

    @classmethod
    def load(cls, folder: Path) -> Meaning:
        """Load the file beside an index; without a usable one, no work has a vector."""
        try:
            with _opened(folder) as file:
                encoder = _read_encoder(file)
                return cls(encoder, VectorTable(*(file[name] for name in _TABLE)))
        except _UNREADABLE:
            _log.debug("there are no vectors in %s", folder, exc_info=True)
        except StoreError as error:
            _log.warning("The index in %s is searched by words alone. %s", folder, error)
            _log.debug("the encoder cannot be used", exc_info=error)
        return cls.empty()

    def save(self, folder: Path) -> None:
        """Save the file beside an index, atomically."""
        table = {name: getattr(self.table, name) for name in _TABLE}
        arrays: Any = {"encoder": np.array(self.encoder.name), **table, **self.encoder.arrays()}
        with replace_file(folder / FILE) as part, part.open("wb") as file:
            np.savez(file, **arrays)

    def __bool__(self) -> bool:
        return self.table.rows.size > 0

    def vector(self, text: str, terms: Mapping[str, int]) -> Array:
        """Return the vector of a query, given as typed, and as terms with their counts."""
        return self.encoder.vector(text, terms)


def encoder_name(folder: Path) -> str:
    """Return the name of the encoder of the file beside an index; empty if there is no file."""
    try:
        with _opened(folder) as file:
            return _name(file)
    except _UNREADABLE:
        _log.debug("there are no vectors in %s", folder, exc_info=True)
        return ""


@contextmanager
def _opened(folder: Path) -> Iterator[Mapping[str, Any]]:
    # Opened here, because numpy does not close a file that it cannot read.
    with (folder / FILE).open("rb") as raw, np.load(raw, allow_pickle=False) as file:
        yield file


def _name(file: Mapping[str, Any]) -> str:
    return str(file["encoder"]) if "encoder" in file else LATENT


def _read_encoder(file: Mapping[str, Any]) -> Encoder:
    match _name(file):
        case name if name == LATENT:
            return LatentEncoder.read(file)
        case name if name == MODEL:
            return SentenceEncoder.load()
        case name:
            raise StoreError(f"Its vectors are those of {name[:100]}, which is not known here.")
