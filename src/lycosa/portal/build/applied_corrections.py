"""What people have corrected, as it is about members: the last word on each field counts.

A correction of a field goes two ways: the work shows what the person said, and
the member it was said of is matched by it, so that references which have it
right find the work.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from lycosa.papers.extraction.names import parse_names
from lycosa.portal.build.facts import Fact
from lycosa.portal.build.identity import header_name
from lycosa.portal.build.members import Members
from lycosa.portal.corrections import PAIRS, Correction

PERSON = "person"
"""The source of what somebody has corrected."""


class Opinions:
    """Corrections, and the members that they are about as far as these have come."""

    def __init__(self, corrections: Sequence[Correction] = ()) -> None:
        self._corrections = corrections
        self._numbers: dict[str, int] = {}
        self._fields: dict[str, dict[str, str]] = {}
        self._names: set[str] = set()
        for one in corrections:
            self._names.add(_member(one.work))
            if one.kind in PAIRS:
                self._names.add(_member(one.value))
            elif one.kind != "topic":
                self._fields.setdefault(_member(one.work), {})[one.kind] = _value(one)

    def hear(self, members: Members, numbers: Iterable[int]) -> bool:
        """Let members that have come say what people say they do: whether any of them does."""
        corrected = False
        for number in numbers if self._names else ():
            name = members.names[number]
            if name in self._names:
                self._numbers[name] = number
                if name in self._fields:
                    members.correct(number, self._fields[name])
                    corrected = True
        return corrected

    def pairs(self) -> Iterator[tuple[str, int, int]]:
        """Which two are the same or different, in the order in which it was said."""
        for each in self._corrections:
            if each.kind in PAIRS:
                one, two = (self._numbers.get(_member(x)) for x in (each.work, each.value))
                if one is not None and two is not None:
                    yield each.kind, one, two

    def facts(self, works: Sequence[int]) -> dict[int, dict[str, Fact]]:
        """What was said of works, given the work of every member."""
        found: dict[int, dict[str, Fact]] = {}
        for work, one in self._about(works):
            if one.kind not in (*PAIRS, "topic"):
                found.setdefault(work, {})[one.kind] = (_value(one), 1.0, PERSON)
        return found

    def topics(self, works: Sequence[int]) -> Mapping[int, str]:
        """The topics of works that somebody has named, given the work of every member."""
        return {work: one.value for work, one in self._about(works) if one.kind == "topic"}

    def _about(self, works: Sequence[int]) -> Iterator[tuple[int, Correction]]:
        for one in self._corrections:
            number = self._numbers.get(_member(one.work))
            if number is not None:
                yield int(works[number]), one


def _member(name: str) -> str:
    """The member that a correction speaks of by the name of a work or of a document."""
    return header_name(name)


def _value(one: Correction) -> str:
    """A value as records have it."""
    if one.kind != "authors":
        return one.value
    # Who writes a name without a comma or a space means just that.
    names = [parse_names(part) or (part.strip(),) for part in one.value.split(";")]
    return " and ".join(str(name) for some in names for name in some)
