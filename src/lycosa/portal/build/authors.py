"""Authors of works, identified by family name and initial.

>>> authors = Authors()
>>> authors.add("w1", [PersonName("Lee", "A.")], found=True)
>>> authors.add("w2", [PersonName("Roe", "Bob"), PersonName("Lee", "Ann")], found=False)
>>> authors.authorship
[('w1', 1, 'lee-a', 'A. Lee'), ('w2', 1, 'roe-b', 'Bob Roe'), ('w2', 2, 'lee-a', 'Ann Lee')]
>>> authors.rows()
[('lee-a', 'Ann Lee', 1), ('roe-b', 'Bob Roe', 0)]
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from typing import TypeAlias

from lycosa.papers.extraction.names import PersonName
from lycosa.portal.build.database import Row
from lycosa.portal.build.identity import author_id

Persons: TypeAlias = Mapping[str, str]
"""Ids of authors, with the ids of the persons that they are."""


class Authors:
    """Collects the rows of the tables authorship and authors, work by work.

    Parameters
    ----------
    merged
        The authors that are the same as others.
    persons
        By the id of a work, its authors who are other persons of their names.
    """

    def __init__(
        self, merged: Persons | None = None, persons: Mapping[str, Persons] | None = None
    ) -> None:
        self.merged = merged or {}
        self._persons = persons or {}
        self.authorship: list[Row] = []
        self._forms: dict[str, Counter[str]] = defaultdict(Counter)
        self._works: Counter[str] = Counter()

    def add(self, work: str, names: Sequence[PersonName], *, found: bool) -> None:
        """Add the authors of a work; one that is only cited was not `found`."""
        persons = self._persons.get(work, {})
        entries = [(self._person(author_id(name), persons), full_name(name)) for name in names]
        for position, (author, name) in enumerate(entries, 1):
            self.authorship.append((work, position, author, name))
            self._forms[author][name] += 1
        if found:
            self._works.update({author for author, _ in entries})

    def _person(self, author: str, persons: Persons) -> str:
        """Return the id of an author of a work, after the corrections."""
        known = self.merged.get(author, author)
        if (person := persons.get(author) or persons.get(known)) is not None:
            return self.merged.get(person, person)
        return known

    def count(self, author: str, name: str, works: int) -> None:
        """Add a form of an author's name that so many works have."""
        self._forms[author][name] += works

    def count_works(self, author: str, works: int) -> None:
        """Add works of an author that were found."""
        self._works[author] += works

    def rows(self) -> list[Row]:
        """Return all authors, named by the most frequent of the full forms of their names."""
        return [
            (author, max(forms, key=lambda name: (_is_full(name), forms[name], name)), works)
            for author, forms in sorted(self._forms.items())
            for works in [self._works[author]]
        ]


def full_name(name: PersonName) -> str:
    """Return given and family name."""
    return f"{name.given} {name.family}".strip()


def _is_full(name: str) -> bool:
    first = name.split(maxsplit=1)[0].rstrip(".")
    return len(first) > 1 and not first.isupper()
