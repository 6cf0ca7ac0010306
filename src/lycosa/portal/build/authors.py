"""Who wrote what: names of works, and people by family name and initial.

>>> authors = Authors()
>>> authors.sign("w1", [PersonName("Lee", "A.")], here=True)
>>> authors.sign("w2", [PersonName("Roe", "Bob"), PersonName("Lee", "Ann")], here=False)
>>> authors.authorship
[('w1', 1, 'lee-a', 'A. Lee'), ('w2', 1, 'roe-b', 'Bob Roe'), ('w2', 2, 'lee-a', 'Ann Lee')]
>>> authors.rows()
[('lee-a', 'Ann Lee', 1), ('roe-b', 'Bob Roe', 0)]
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence

from lycosa.papers.extraction.names import PersonName
from lycosa.portal.build.database import Row
from lycosa.portal.build.identity import author_id


class Authors:
    """The rows of authorship, in the order in which works are signed, and of authors."""

    def __init__(self) -> None:
        self.authorship: list[Row] = []
        self._forms: dict[str, Counter[str]] = defaultdict(Counter)
        self._works: Counter[str] = Counter()

    def sign(self, work: str, names: Sequence[PersonName], *, here: bool) -> None:
        """Write down who wrote a work; one that is only cited is not `here`."""
        signed = [(author_id(name), spoken(name)) for name in names]
        for position, (author, name) in enumerate(signed, 1):
            self.authorship.append((work, position, author, name))
            self._forms[author][name] += 1
        if here:
            self._works.update({author for author, _ in signed})

    def rows(self) -> list[Row]:
        """Everybody by the most usual of the full forms of the name."""
        return [
            (author, max(forms, key=lambda name: (_is_full(name), forms[name], name)), works)
            for author, forms in sorted(self._forms.items())
            for works in [self._works[author]]
        ]


def spoken(name: PersonName) -> str:
    """A name as people say it."""
    return f"{name.given} {name.family}".strip()


def _is_full(name: str) -> bool:
    first = name.split(maxsplit=1)[0].rstrip(".")
    return len(first) > 1 and not first.isupper()
