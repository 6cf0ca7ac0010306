"""Specification of a field of a work, and the reader of the table of fields of a record."""

from __future__ import annotations

import types
from collections.abc import Mapping
from dataclasses import MISSING, dataclass, field, fields
from types import MappingProxyType
from typing import Annotated, Any, Union, get_args, get_origin, get_type_hints

_SQL_TYPES: Mapping[Any, str] = MappingProxyType(
    {str: "TEXT NOT NULL", int: "INTEGER NOT NULL", float: "REAL NOT NULL", int | None: "INTEGER"}
)


@dataclass(frozen=True, slots=True, kw_only=True)
class FacetSpec:
    """A field whose values narrow the results of a search.

    `name` is the parameter in addresses, `title` the heading on the page of
    results, `about` the sentence in the reference of the API. Facets are shown
    by `position`. At most `max_values` values are counted. A facet with
    `many_values` (thousands) is counted by numbers instead of texts, which is
    several times faster and needs a second look-up for the texts.
    """

    name: str
    title: str
    about: str
    position: int = 100
    max_values: int = 20
    many_values: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class SortSpec:
    """An order of results: its `name` in addresses and its `label` on the page."""

    name: str
    label: str


@dataclass(frozen=True, slots=True, kw_only=True)
class InputSpec:
    """How a field is corrected.

    `kind` is the name of the correction in corrections.db, `about` says what its
    value is ("the title"), `hint` is shown below the input, which has `lines`
    lines. An `optional` field may be corrected to be empty.
    """

    kind: str
    about: str
    hint: str = ""
    lines: int = 1
    optional: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class FieldSpec:
    """What the portal does with a field of a work.

    `about` documents it, in portal.db and in the API; `label` names it on pages.
    `column` is its SQL type in the table works, if the Python type does not imply
    it; `select` is the SQL expression of a field that is not such a column, or is
    not read as it is stored; `table` is the table that the expression needs beside works
    and documents, and that an older portal.db may lack. `choices` are its only values,
    `names` what readers see instead of some values. `extracted` are the
    labels of headers and references that it is voted from. `search` is the name
    by which queries ask for it (`venue:nature`) and `terms` the field of the index
    that holds its words. `facet`, `sort` and `input` let results be filtered and
    sorted by it, and people correct it; each is None if they cannot. `bibtex`, `ris`,
    `csl`, `highwire` and `coins` are its names in these formats, for texts that are
    written there unchanged; what needs more (names, years, volumes, pages) is written
    by `formats`. `exported` fields are in the JSON of the API and in Parquet. `detail`
    fields are listed on the page of a work by their label.
    """

    about: str = ""
    label: str = ""
    column: str = ""
    select: str = ""
    table: str = ""
    choices: tuple[str, ...] = ()
    names: Mapping[str, str] = field(default_factory=dict, hash=False)
    extracted: tuple[str, ...] = ()
    search: str = ""
    terms: str = ""
    facet: FacetSpec | None = None
    sort: SortSpec | None = None
    input: InputSpec | None = None
    bibtex: str = ""
    ris: str = ""
    csl: str = ""
    highwire: str = ""
    coins: str = ""
    exported: bool = True
    detail: bool = False


@dataclass(frozen=True, slots=True)
class WorkField:
    """A field of a work: its name, its Python type, its default, and its `FieldSpec`."""

    name: str
    type: Any
    default: Any
    spec: FieldSpec

    @property
    def label(self) -> str:
        """Its name on pages."""
        return self.spec.label or self.name.replace("_", " ").capitalize()

    @property
    def column(self) -> str:
        """Its SQL type in the table works; empty if it is read from other tables."""
        if self.spec.column or self.spec.select:
            return self.spec.column
        return _SQL_TYPES.get(self.type, "")

    def shown(self, value: str) -> str:
        """Return a value as readers see it."""
        return self.spec.names.get(value, value)

    @property
    def is_plain(self) -> bool:
        """Whether it is one text."""
        return self.type is str


def work_fields(record: type) -> dict[str, WorkField]:
    """Return the table of a record whose attributes are annotated with a `FieldSpec`."""
    hints = get_type_hints(record, include_extras=True)
    found = {}
    for each in fields(record):
        hint = hints[each.name]
        if get_origin(hint) is Annotated:
            kind, spec = get_args(hint)
            if get_origin(kind) in (Union, types.UnionType):
                kind = int | None
            default = None if each.default is MISSING else each.default
            found[each.name] = WorkField(each.name, kind, default, spec)
    return found
