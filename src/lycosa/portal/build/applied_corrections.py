"""Corrections applied to the members and works of a build; the latest correction wins.

A corrected field has two effects: the work shows the corrected value, and the
member that the correction names is matched by it, so that references with the
right value find the work. Corrections of kinds that the table of fields does not
have are ignored, and stay in corrections.db.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from lycosa.papers.extraction.names import parse_names
from lycosa.portal.build.facts import FactRow
from lycosa.portal.build.identity import header_name
from lycosa.portal.build.member_table import Members
from lycosa.portal.corrections import OTHER_AUTHOR, PAIRS, SAME_AUTHOR, Correction
from lycosa.portal.fields import INPUTS

PERSON = "person"
"""The source of a corrected fact."""


class AppliedCorrections:
    """Corrections, and the numbers of the members that they are about.

    `corrections` are those in force, oldest first. Members become known by `locate`.
    """

    def __init__(self, corrections: Sequence[Correction] = ()) -> None:
        self._corrections = corrections
        self._numbers: dict[str, int] = {}
        self._fields: dict[str, dict[str, str]] = {}
        self._names: set[str] = set()
        for one in corrections:
            if one.kind == SAME_AUTHOR:
                continue
            self._names.add(header_name(one.work))
            if one.kind in PAIRS:
                self._names.add(header_name(one.value))
            elif _is_field(one.kind):
                name = INPUTS[one.kind].name
                self._fields.setdefault(header_name(one.work), {})[name] = _value(one)

    def apply(self, members: Members, numbers: range) -> bool:
        """Apply corrected fields to new members; return whether any member changed."""
        changed = False
        names = members.names[numbers.start : numbers.stop] if self._fields else ()
        for number, name in zip(numbers, names, strict=False):
            if name in self._fields:
                members.correct(number, self._fields[name])
                changed = True
        return changed

    def locate(self, members: Members) -> None:
        """Find the members that corrections are about, when all are known."""
        self._numbers = members.names.numbers_of(self._names)

    def pairs(self) -> Iterator[tuple[str, int, int]]:
        """Yield the pairs of members that are the same or different, oldest first."""
        for each in self._corrections:
            if each.kind in PAIRS:
                one, two = (self._numbers.get(header_name(x)) for x in (each.work, each.value))
                if one is not None and two is not None:
                    yield each.kind, one, two

    def facts(self, works: NDArray[np.int64]) -> dict[int, dict[str, FactRow]]:
        """Return the corrected fields of works, given the work of every member."""
        found: dict[int, dict[str, FactRow]] = {}
        for work, one in self._by_work(works):
            if _is_field(one.kind):
                fact = (_value(one), 1.0, PERSON)
                found.setdefault(work, {})[INPUTS[one.kind].name] = fact
        return found

    def persons(self, works: NDArray[np.int64]) -> dict[int, dict[str, str]]:
        """Return, by work, the authors that are other persons of their names, and who they are."""
        found: dict[int, dict[str, str]] = {}
        for work, one in self._by_work(works):
            if one.kind == OTHER_AUTHOR:
                author, _, person = one.value.partition(" ")
                found.setdefault(work, {})[author] = person
        return found

    def topics(self, works: NDArray[np.int64]) -> Mapping[int, str]:
        """Return the corrected topics of works, given the work of every member."""
        return {work: one.value for work, one in self._by_work(works) if one.kind == "topic"}

    def _by_work(self, works: NDArray[np.int64]) -> Iterator[tuple[int, Correction]]:
        for one in self._corrections:
            if one.kind == SAME_AUTHOR:
                continue
            number = self._numbers.get(header_name(one.work))
            if number is not None:
                yield int(works[number]), one


def merged_authors(corrections: Sequence[Correction]) -> dict[str, str]:
    """Return the authors that are the same as others, with the id that all of them have.

    Later corrections are applied to what earlier ones have merged.

    >>> def same(author, other):
    ...     return Correction(1, "same-author", author, other, "")
    >>> merged_authors([same("lee-a", "lee-ann"), same("lee-ann", "li-a")])
    {'lee-a': 'li-a', 'lee-ann': 'li-a'}
    """
    found: dict[str, str] = {}
    for one in corrections:
        if one.kind == SAME_AUTHOR:
            old, new = (found.get(each, each) for each in (one.work, one.value))
            if old != new:
                found = {each: new if at == old else at for each, at in found.items()}
                found[old] = new
    return {each: at for each, at in found.items() if each != at}


def changed_members(
    before: Sequence[Correction], now: Sequence[Correction]
) -> tuple[set[str], set[str]]:
    """Return the names of members about which corrections differ: in their fields, and in all.

    >>> one = Correction(1, "title", "w1", "Spiders", "")
    >>> two = Correction(2, "same", "w2", "w3", "")
    >>> fields, every = changed_members([one], [one, two])
    >>> sorted(fields), sorted(every)
    ([], ['w2', 'w3'])
    """
    fields, every = (
        {name for name in mine.keys() | others.keys() if mine.get(name) != others.get(name)}
        for mine, others in zip(_by_member(before), _by_member(now), strict=True)
    )
    return fields, every


def _by_member(
    corrections: Sequence[Correction],
) -> tuple[dict[str, list[tuple[str, str]]], dict[str, list[tuple[str, str]]]]:
    """Return the corrections of fields by the member that they are about, and all of them."""
    fields: dict[str, list[tuple[str, str]]] = {}
    every: dict[str, list[tuple[str, str]]] = {}
    for one in corrections:
        if one.kind == SAME_AUTHOR:
            continue
        pair = one.kind in PAIRS
        for work in (one.work, one.value) if pair else (one.work,):
            every.setdefault(header_name(work), []).append((one.kind, one.value))
        if not pair and _is_field(one.kind):
            fields.setdefault(header_name(one.work), []).append((one.kind, one.value))
    return fields, every


def _is_field(kind: str) -> bool:
    return kind in INPUTS and kind != "topic"


def _value(one: Correction) -> str:
    """Return a corrected value as the records of members have it."""
    if one.kind != "authors":
        return one.value
    # A name without a comma or a space is kept as it is.
    names = [parse_names(part) or (part.strip(),) for part in one.value.split(";")]
    return " and ".join(str(name) for some in names for name in some)
