"""Identifiers in matching: the same identifier is the same work, different DOIs are not.

Matching by fields comes first. Then a work whose references carry different DOIs is
divided: each DOI takes its own references, and those without any stay with the most
frequent one. At last works that share a DOI or an arXiv id are joined.

Two exceptions: the DOI of a preprint and that of the published paper may be one work, as
versions are, and an identifier does not join titles without a common word, because the
DOI of a book is printed with each of its chapters.

>>> works = np.array([0, 0, 2, 3])
>>> some = [Identified("Garden webs", "10.1/a"), Identified("Garden webs", "10.2/b"),
...     Identified("Garden webs"), Identified("Garden wbes", "10.1/a")]
>>> apply_identifiers(works, some).tolist()
[0, 1, 2, 0]
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np

from lycosa.content import Ints
from lycosa.papers.evidence.identifiers import find_identifiers
from lycosa.web.words import words

PREPRINT_PREFIXES = (
    "10.48550/", "10.1101/", "10.2139/", "10.31219/", "10.31234/", "10.20944/", "10.21203/",
    "10.36227/", "10.26434/",
)  # fmt: skip
"""The prefixes of DOIs that archives of preprints register."""
_MIN_LETTERS = 4  # of a word that two titles have in common; shorter ones are articles
_ARXIV_DOI = "10.48550/arxiv."


class Identified(NamedTuple):
    """The title and the identifiers of a reference or a header; "" for none."""

    title: str = ""
    doi: str = ""
    arxiv: str = ""

    def identifiers(self) -> list[str]:
        """Return its identifiers with their kinds."""
        pairs = (("doi", self.doi), ("arxiv", self.arxiv))
        return [f"{kind}:{value}" for kind, value in pairs if value]

    def shared(self, other: Identified) -> str:
        """Return the identifier that joins both; "" if none does."""
        common = [key for key in self.identifiers() if key in other.identifiers()]
        return common[0] if common and _may_be_one(self.title, other.title) else ""


def identify(title: str, text: str) -> Identified:
    """Return the identifiers in the text of a reference; the first of each kind.

    >>> identify("Webs", "A. Lee. Webs. doi:10.1234/a, arXiv:1905.12345")
    Identified(title='Webs', doi='10.1234/a', arxiv='1905.12345')
    >>> identify("Webs", "https://doi.org/10.48550/arXiv.1905.12345").arxiv
    '1905.12345'
    """
    found: dict[str, str] = {}
    for identifier in find_identifiers(text):
        kind, _, value = identifier.partition(":")
        if kind == "doi" and value.startswith(_ARXIV_DOI):
            kind, value = "arxiv", value.removeprefix(_ARXIV_DOI)
        found.setdefault(kind, value)
    return Identified(title, found.get("doi", ""), found.get("arxiv", ""))


def apply_identifiers(
    works: Ints, references: Sequence[Identified], *, separate_versions: bool = False
) -> Ints:
    """Return the work of each reference after its identifiers were taken into account.

    A work has the number of its first reference, as in `works`.
    """
    chosen = {n: one for n, one in enumerate(references) if one.doi or one.arxiv}
    if not chosen:
        return works
    found = works.copy()
    _divide(found, chosen, separate_versions=separate_versions)
    _join(found, chosen)
    return found


def _divide(works: Ints, chosen: dict[int, Identified], *, separate_versions: bool) -> None:
    """Divide the works that have references with different DOIs."""
    dois: dict[int, set[str]] = defaultdict(set)
    for n, one in chosen.items():
        if one.doi and (separate_versions or not one.doi.startswith(PREPRINT_PREFIXES)):
            dois[int(works[n])].add(one.doi)
    spellings = {work: found for work, some in dois.items() if (found := _distinct(some))}
    members: dict[int, list[int]] = defaultdict(list)
    for n in np.flatnonzero(np.isin(works, [*spellings])).tolist():
        members[int(works[n])].append(n)
    for work, some in members.items():
        distinct = spellings[work]
        own = {
            n: distinct[chosen[n].doi] for n in some if n in chosen and chosen[n].doi in distinct
        }
        counts = Counter(own.values())
        main = min(counts, key=lambda doi: (-counts[doi], doi))
        groups: dict[str, list[int]] = defaultdict(list)
        for n in some:
            groups[own.get(n, main)].append(n)
        for group in groups.values():
            works[group] = group[0]


def _distinct(dois: Iterable[str]) -> dict[str, str]:
    """Map each DOI to itself, or to a longer one that it begins: lines cut DOIs off.

    The result is empty if all are one.
    """
    found: dict[str, str] = {}
    longest = ""
    for doi in sorted(dois, reverse=True):  # a DOI follows those that it begins
        longest = longest if longest.startswith(doi) else doi
        found[doi] = longest
    return found if len(set(found.values())) > 1 else {}


def _join(works: Ints, chosen: dict[int, Identified]) -> None:
    """Join the works that share an identifier, if their titles have a word in common."""
    first: dict[str, int] = {}
    root: dict[int, int] = {}

    def find(work: int) -> int:
        while (above := root.get(work, work)) != work:
            root[work] = root.get(above, above)
            work = above
        return work

    for n, one in chosen.items():
        for key in one.identifiers():
            other = first.setdefault(key, n)
            if other != n and _may_be_one(one.title, chosen[other].title):
                a, b = find(int(works[n])), find(int(works[other]))
                root[max(a, b)] = min(a, b)
    if root:
        new = np.arange(len(works), dtype=works.dtype)
        old = sorted(root)
        new[old] = [find(work) for work in old]
        works[:] = new[works]


def _may_be_one(one: str, two: str) -> bool:
    a, b = ({word for word in words(title) if len(word) >= _MIN_LETTERS} for title in (one, two))
    return not a or not b or bool(a & b)
