"""Made-up people and the works they wrote."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(frozen=True)
class Person:
    """Somebody who writes: given names in full, and a family name."""

    given: tuple[str, ...]
    family: str

    def initials(self, space: str = " ") -> str:
        """The initials, as in `J. R.`, with what is between them."""
        return space.join("-".join(f"{p[0]}." for p in g.split("-")) for g in self.given)


@dataclass
class GeneratedWork:
    """A work to be cited. A field that is missing is the empty string."""

    kind: str
    authors: list[Person]
    title: str
    year: int
    fields: dict[str, str] = field(default_factory=dict)
    editors: list[Person] = field(default_factory=list)
