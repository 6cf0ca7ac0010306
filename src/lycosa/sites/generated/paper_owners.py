"""Who wrote which papers of a department: a few people many, most people few."""

from __future__ import annotations

from lycosa.sites.generated.random_stream import Split


class PaperOwners:
    """The first authors of papers: professors of four in five, students of the rest.

    Every sixth professor is prolific: together they have half of the papers of all professors.
    Every fourth student is a senior one: together they have seven tenths of those of all
    students. `papers`, `faculty` and `students` are numbers; `key` seeds the division.
    """

    __slots__ = ("_splits",)

    def __init__(self, papers: int, faculty: int, students: int, key: int) -> None:
        of_faculty = papers * 4 // 5
        parts = (*_tiers(of_faculty, faculty, one_in=6, tenths=5),
                 *_tiers(papers - of_faculty, students, one_in=4, tenths=7))  # fmt: skip
        self._splits: list[tuple[int, int, Split]] = []
        paper = person = 0
        for n, (items, owners) in enumerate(parts):
            if owners:
                self._splits.append((paper, person, Split(items, owners, key + n)))
            paper, person = paper + items, person + owners

    def of(self, person: int) -> range:
        """Return the papers of a person."""
        for paper, first, split in self._splits:
            if person < first + split.owners:
                papers = split.of(person - first)
                return range(paper + papers.start, paper + papers.stop)
        return range(0)

    def owner(self, paper: int) -> int:
        """Return the first author of a paper."""
        found = 0
        for start, first, split in self._splits:
            if start <= paper < start + split.items:
                found = first + split.owner(paper - start)
        return found


def _tiers(papers: int, people: int, *, one_in: int, tenths: int) -> tuple[tuple[int, int], ...]:
    """Divide papers among two tiers: the first people, one in so many, have so many tenths."""
    first = max(1, people // one_in)
    many = papers * tenths // 10 if people > first else papers
    return (many, first), (papers - many, people - first)
