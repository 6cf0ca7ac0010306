"""Generated people and works."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(frozen=True)
class Person:
    """A generated author or editor: given names in full, and a family name."""

    given: tuple[str, ...]
    family: str

    def initials(self, space: str = " ") -> str:
        """Return the initials, as in `J. R.`, separated by `space`."""
        return space.join("-".join(f"{p[0]}." for p in g.split("-")) for g in self.given)


@dataclass
class GeneratedWork:
    """A generated work: its authors, title and year as facts, which a style prints."""

    kind: str
    """A key of `Style.patterns`: article, paper, chapter, book, report, thesis or other."""
    authors: list[Person]
    title: str
    year: int
    fields: dict[str, str] = field(default_factory=dict)
    """The values for the patterns of a style; a missing field is not printed."""
    editors: list[Person] = field(default_factory=list)
    """The editors of a collection; empty for other works."""
