"""Authors of works, identified by family name and initial.

>>> AuthorIdentities().rows("w2", [PersonName("Roe", "Bob"), PersonName("Lee", "Ann")])
[('w2', 1, 'roe-b', 'Bob Roe'), ('w2', 2, 'lee-a', 'Ann Lee')]
>>> authors = Authors()
>>> authors.count("lee-a", "Ann Lee", 2)
>>> authors.count("lee-a", "A. Lee", 5)
>>> authors.count_works("lee-a", 6)
>>> authors.rows()
[('lee-a', 'Ann Lee', 6)]
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from operator import itemgetter
from typing import TypeAlias

from lycosa.papers.extraction.names import PersonName
from lycosa.portal.build.database import Database, Row
from lycosa.portal.build.identity import author_id

Persons: TypeAlias = Mapping[str, str]
"""Ids of authors, with the ids of the persons that they are."""


class Authors:
    """Counts the works of authors and the forms of their names."""

    def __init__(self) -> None:
        self._forms: dict[str, Counter[str]] = defaultdict(Counter)
        self._works: Counter[str] = Counter()

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


class AuthorIdentities:
    """The author that each name of a work stands for, after the corrections.

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

    def rows(self, work: str, names: Sequence[PersonName]) -> list[Row]:
        """Return the rows of the table authorship of a work."""
        persons = self._persons.get(work, {})
        return [
            (work, position, self._person(author_id(name), persons), full_name(name))
            for position, name in enumerate(names, 1)
        ]

    def _person(self, author: str, persons: Persons) -> str:
        known = self.merged.get(author, author)
        if (person := persons.get(author) or persons.get(known)) is not None:
            return self.merged.get(person, person)
        return known


def author_rows(database: Database) -> Iterator[Row]:
    """Yield the rows of the table authors, from those of authorship and works."""
    found = database.rows(_WORKS)
    following = next(found, None)
    for author, forms in groupby(database.rows(_FORMS), itemgetter(0)):
        one = Authors()
        for _, name, works in forms:
            one.count(author, name, works)
        if following is not None and following[0] == author:
            one.count_works(*following)
            following = next(found, None)
        yield from one.rows()


_FORMS = "SELECT author, name, count(*) FROM authorship GROUP BY author, name ORDER BY author"
_WORKS = """
SELECT author, count(DISTINCT work) FROM authorship JOIN works ON works.id = work
WHERE works.document > '' GROUP BY author ORDER BY author
"""


def full_name(name: PersonName) -> str:
    """Return given and family name."""
    return f"{name.given} {name.family}".strip()


def _is_full(name: str) -> bool:
    first = name.split(maxsplit=1)[0].rstrip(".")
    return len(first) > 1 and not first.isupper()
