"""State of the last build: its members and their matching, for the next one.

It is a file `matching/N.arrays` beside portal.db; N is the `generation` of the tables that it
belongs to. A build writes the file of its own number, commits the tables, and then removes the
others: whenever it is killed, the file of the tables is there. Without it, or if it was
kept by another version, the next build derives everything from the documents.
"""

from __future__ import annotations

import logging
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from hashlib import sha256
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from lycosa.papers.matching.matched_forms import VERSION as MATCHING_VERSION
from lycosa.papers.matching.matched_forms import Columns, MatchedForms
from lycosa.portal.build.array_files import Pieces, read_arrays, write_arrays
from lycosa.portal.build.error_advice import translate_errors
from lycosa.portal.build.member_table import Members
from lycosa.portal.build.works import CitationCounts
from lycosa.portal.corrections import Correction
from lycosa.scratch import Scratch

FOLDER = "matching"
VERSION = 2
"""Of the arrays."""

_log = logging.getLogger("lycosa.portal")


@dataclass(frozen=True, slots=True, eq=False)
class BuildState:
    """What a build has found out about members and works."""

    members: Members
    forms: MatchedForms
    """Their normal forms, matched."""
    form_of: NDArray[np.int32]
    """The normal form of each member."""
    group_of: NDArray[np.int64]
    """The work of each member: the number of its first member."""
    counts: CitationCounts
    """Of each work, in the order of ids."""
    confidence: NDArray[np.uint8]
    """That each member belongs to its work, in hundredths."""
    hidden: Mapping[str, int]
    """Documents that cannot be shown, with their steps."""
    corrections: Sequence[Correction]
    """Those that were in force."""
    scratch: Scratch
    """Lets the pages of the arrays leave memory."""

    @classmethod
    def open(cls, folder: Path, name: str, basis: str, tables: str) -> BuildState | None:
        """Open the state of this name, if it was kept on the same basis and for these tables."""
        if not name.isdecimal():
            return None
        try:
            scratch = Scratch()
            arrays, facts = read_arrays(_path(folder, name), scratch)
            if (facts["basis"], facts["tables"]) != (_whole(basis), tables):
                return None
            return cls(
                Members.from_columns(arrays),
                MatchedForms.from_columns(arrays),
                arrays["form_of"],
                arrays["group_of"],
                CitationCounts(arrays["cited_by"], arrays["cites"], arrays["rank"]),
                arrays["confidence"],
                dict(
                    zip(
                        [each.decode() for each in arrays["hidden"].tolist()],
                        arrays["hidden_steps"].tolist(),
                        strict=True,
                    )
                ),
                [Correction(**each) for each in facts["corrections"]],
                scratch,
            )
        except (OSError, ValueError, KeyError, TypeError):
            _log.debug("the matching %s in %s cannot be used", name, folder, exc_info=True)
            return None


def keep_state(
    folder: Path,
    name: str,
    basis: str,
    tables: str,
    columns: Iterator[tuple[str, Pieces]],
    corrections: Sequence[Correction],
    scratch: Scratch,
) -> None:
    """Write the state of a build under a name.

    It can be used on the same `basis` only, and with the `tables` that it was written with, which
    are named by what no other tables have. `columns` are those of `state_columns`, parts of
    which are arrays of `scratch`.
    """
    facts = {
        "basis": _whole(basis),
        "tables": tables,
        "corrections": [asdict(each) for each in corrections],
    }
    with translate_errors(folder):
        _path(folder, name).parent.mkdir(exist_ok=True)
        write_arrays(_path(folder, name), columns, facts, scratch.release)


def state_columns(
    members: Members,
    forms: Columns,
    form_of: NDArray[np.int32],
    group_of: NDArray[np.int64],
    counts: CitationCounts,
    confidence: NDArray[np.uint8],
    hidden: Mapping[str, int],
) -> Iterator[tuple[str, Pieces]]:
    """Yield the columns of a state, one by one, so that not all of them are in memory."""
    yield from members.columns()
    yield from forms
    yield "form_of", form_of
    yield "group_of", group_of
    yield from counts._asdict().items()
    yield "confidence", confidence
    yield "hidden", np.array([each.encode() for each in hidden], "S")
    yield "hidden_steps", np.array([*hidden.values()], np.int64)


def remove_other_states(folder: Path, name: str) -> None:
    """Remove all states but one."""
    for path in sorted((folder / FOLDER).glob("*")):
        if path != _path(folder, name):
            path.unlink(missing_ok=True)


def _path(folder: Path, name: str) -> Path:
    return folder / FOLDER / f"{name}.arrays"


def _whole(basis: str) -> str:
    return sha256(f"{VERSION} {MATCHING_VERSION} {basis}".encode("utf-8", "replace")).hexdigest()
