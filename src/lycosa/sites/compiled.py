"""A compiled site: memory-mapped arrays that implement `Site`."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lycosa.content import NOTHING, Content, Ints, Tables
from lycosa.core import Page
from lycosa.errors import UnknownName
from lycosa.sites.columns import COLUMNS, GROUPS
from lycosa.sites.graph import Graph
from lycosa.sites.tables import StoredTable, load


class CompiledSite:
    """A recorded site ready for simulation; opening it reads almost nothing.

    `folder` holds the arrays that the compiler wrote, and `targets` has the
    numbers of the targets of every goal. `damage` is a sentence about what could
    not be read of the recording, None if everything could.
    """

    def __init__(self, folder: Path, targets: Mapping[str, Ints]) -> None:
        about = json.loads((folder / "about.json").read_text())
        self.name: str = about["name"]
        self.family: str = about["family"]
        self.damage: str | None = about["damage"]
        self.seeds = np.array(about["seeds"], np.int32)
        self._types: list[str] = about["types"]
        self._targets = dict(targets)
        self.tables = Tables(*(StoredTable(folder, name) for name in ("words", "urls", "paths")))
        self._column: dict[str, Any] = {
            column: load(folder / f"{column}.npy") for column in COLUMNS
        }
        self._offsets: dict[str, Any] = {
            group: load(folder / f"{group}.offsets.npy") for group in GROUPS
        }
        # The offsets as numbers of Python, which are read faster one by one.
        self._groups = [
            (self._offsets[group].data, [(name, self._column[name]) for name in names])
            for group, names in GROUPS.items()
        ]
        self._title_sizes: Ints = load(folder / "title_sizes.npy")
        self._url_tokens: Ints = load(folder / "url_tokens.npy")
        self._url_offsets: NDArray[Any] = load(folder / "url_offsets.npy")
        self._status: list[int] = load(folder / "status.npy").tolist()
        self._type: list[int] = load(folder / "type.npy").tolist()
        self._link_offsets: list[int] = self._offsets["links"].tolist()

    def __len__(self) -> int:
        return len(self._link_offsets) - 1

    def __repr__(self) -> str:
        return f"<CompiledSite {self.name}: {len(self):,} URLs>"

    @property
    def goals(self) -> Sequence[str]:
        """Return the goals whose targets the recording lists."""
        return tuple(sorted(self._targets))

    @property
    def graph(self) -> Graph:
        """Return the link graph of the whole site."""
        return Graph(self._offsets["links"], self._column["targets"])

    def wanted(self, goal: str, /) -> Ints:
        """Return the numbers of the targets of a goal."""
        if goal not in self._targets:
            raise UnknownName("goal", goal, self._targets)
        return self._targets[goal]

    def page(self, number: int, /) -> Page:
        """Return the page of a URL; a document whose body was not kept has no content."""
        begin, end = self._link_offsets[number], self._link_offsets[number + 1]
        return Page(
            number,
            self.tables,
            self._column["targets"][begin:end],
            partial(self._content, number) if number < len(self._title_sizes) else NOTHING,
            status=self._status[number],
            type=self._types[self._type[number]],
        )

    def _content(self, number: int) -> Content:
        columns = {}
        for offsets, arrays in self._groups:
            begin, end = offsets[number], offsets[number + 1]
            for name, array in arrays:
                columns[name] = array[begin:end]
        targets = columns.pop("targets")
        return Content(
            title_size=int(self._title_sizes[number]),
            url_tokens=self._url_tokens,
            url_start=self._url_offsets.take(targets),
            url_stop=self._url_offsets.take(targets + 1),
            **columns,
        )
