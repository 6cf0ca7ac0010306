"""Library of papers: their works, and the citations between them (McCallum et al. 1999).

The header of a paper is a record like each of its references, so the same matching
finds the references to a paper of the library and its further copies.

>>> from lycosa.papers.extraction.fields import FieldSpan, Header, Reference
>>> from lycosa.papers.paper import Paper, PaperReference
>>> def fields(title, author):
...     words = {"title": title, "author": author}
...     return {k: (FieldSpan(v, 1.0, 0, 1, 0, 0),) for k, v in words.items()}
>>> weak = ("The strength of weak learnability", "R. Schapire")
>>> old = Paper("text", Header(fields(*weak)))
>>> new = Paper("text", Header(fields("Boosting a weak learner by majority", "Y. Freund")),
...     (PaperReference("Schapire, R. The strength ...", Reference(fields(*weak))),))
>>> library = Library()
>>> library.add_many({"new.pdf": new, "old.pdf": old})
>>> library.cites("new.pdf"), library.cited_by("old.pdf")
(['old.pdf'], ['new.pdf'])
>>> library.record(library.work("old.pdf"))["title"]
'The strength of weak learnability'
>>> print(library.why("new.pdf", "old.pdf"))              # doctest: +ELLIPSIS
new.pdf, reference 1: Schapire, R. The strength ...
one work; score +...
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from lycosa.content import Ints
from lycosa.errors import UnknownName, UsageError
from lycosa.papers.citations import Citations
from lycosa.papers.matching.identifiers import find_decisive
from lycosa.papers.matching.works import MatchExplanation, Works
from lycosa.papers.paper import Paper


@dataclass(frozen=True, slots=True)
class CitationEvidence:
    """The reference by which a paper cites another, and why that reference matches it."""

    citing: str
    """The name of the citing paper."""
    number: int
    """The number of the reference in the list of the citing paper, from 1."""
    text: str
    """The reference as printed."""
    why: MatchExplanation
    """The comparison of the reference with the cited paper."""
    identifier: str = ""
    """The identifier that both have, which decides whatever the comparison says."""

    def __str__(self) -> str:
        shared = f"\nthe same identifier: {self.identifier}" if self.identifier else ""
        return f"{self.citing}, reference {self.number}: {self.text}{shared}\n{self.why}"


class Library:
    """Papers by their names, such as file names or URLs.

    Works and citations are computed from all papers added so far. The number of a work
    can change when papers are added; the name of a paper does not. The result does not
    depend on the batches in which papers are added.

    A record without a title matches nothing and is a work of its own, unless it shares a
    DOI or an arXiv id with another. Two entries of the list of references of one paper are
    two works, unless they are copies or have the same identifier.

    Parameters
    ----------
    separate_versions
        Whether report, meeting and journal version of a paper are different works, as
        people cite them.
    """

    def __init__(self, *, separate_versions: bool = True) -> None:
        self._works = Works(separate_versions=separate_versions)
        self._papers: dict[str, int] = {}  # the record of the header; the references follow
        self._texts: dict[str, tuple[str, ...]] = {}
        self._untitled: list[int] = []

    def __len__(self) -> int:
        """Return the number of papers."""
        return len(self._papers)

    def __iter__(self) -> Iterator[str]:
        return iter(self._papers)

    def __contains__(self, name: object) -> bool:
        return name in self._papers

    def add(self, name: str, paper: Paper) -> int:
        """Add one paper and return the number of its work."""
        self.add_many({name: paper})
        return self.work(name)

    def add_many(self, papers: Mapping[str, Paper]) -> None:
        """Add papers by their names, all or none; faster than one by one."""
        for name, paper in papers.items():
            if name in self._papers:
                raise UsageError(f"There is already a paper {name!r}; give another name.")
            if paper.outcome != "text":
                raise UsageError(f"{name} has no text (outcome: {paper.outcome}); leave it out.")
        records: list[dict[str, str]] = []
        sources: list[int] = []
        for name, paper in papers.items():
            self._papers[name] = len(self._works) + len(records)
            self._texts[name] = tuple(one.text for one in paper.references)
            records.append(paper.record())
            records += [
                one.fields.record() | find_decisive({"printed": one.text}).fields()
                for one in paper.references
            ]
            sources += [-1, *[len(self._papers)] * len(paper.references)]
        start = len(self._works)
        matched = [each if each["title"] else _identifiers_of(each) for each in records]
        self._untitled += [start + k for k, each in enumerate(matched) if not each]
        self._works.add_many(matched, sources)
        for cached in ("citations", "works", "_names"):
            self.__dict__.pop(cached, None)

    @cached_property
    def works(self) -> Ints:
        """The work of every record: of each header, then of its references."""
        found = self._works.works()
        found[self._untitled] = self._untitled
        return found

    def work(self, name: str) -> int:
        """Return the work of a paper."""
        return int(self.works[self._record_of(name)])

    def cited(self, name: str) -> list[int]:
        """Return the works of the references of a paper, in their order."""
        first = self._record_of(name) + 1
        found: list[int] = self.works[first : first + len(self._texts[name])].tolist()
        return found

    def papers(self, work: int) -> list[str]:
        """Return the papers of a work: none, one, or several copies and versions."""
        return list(self._names.get(work, ()))

    def record(self, work: int) -> dict[str, str]:
        """Return the canonical record of a work."""
        return self._works.record(work)

    @cached_property
    def citations(self) -> Citations:
        """The citation graph over the numbers of works."""
        works = self.works
        citing, cited = [np.empty(0, np.int64)], [np.empty(0, np.int64)]
        for name, record in self._papers.items():
            references = works[record + 1 : record + 1 + len(self._texts[name])]
            citing.append(np.full(len(references), works[record], np.int64))
            cited.append(references.astype(np.int64))
        pairs = np.stack((np.concatenate(citing), np.concatenate(cited)), axis=1)
        return Citations(pairs, len(works))

    def cites(self, name: str) -> list[str]:
        """Return the papers of the library that a paper cites."""
        return self._names_of(self.citations.cites(self.work(name)).tolist())

    def cited_by(self, name: str) -> list[str]:
        """Return the papers of the library that cite a paper."""
        return self._names_of(self.citations.cited_by(self.work(name)).tolist())

    def why(self, citing: str, cited: str) -> CitationEvidence:
        """Explain why a paper cites another; if it does not, return its most similar reference."""
        target, first = self._record_of(cited), self._record_of(citing) + 1
        texts = self._texts[citing]
        if not texts:
            raise UsageError(f"{citing} has no references, so it cites no paper.")
        if target in self._untitled:
            raise UsageError(
                f"No title was found in {cited}, so no reference can be matched with it."
            )
        reasons = [self._works.why(first + k, target) for k in range(len(texts))]
        best = max(range(len(texts)), key=lambda k: (reasons[k].same, reasons[k].similarity.score))
        mine, other = (find_decisive(self._works.fields(n)) for n in (first + best, target))
        return CitationEvidence(citing, best + 1, texts[best], reasons[best], mine.shared(other))

    @cached_property
    def _names(self) -> dict[int, list[str]]:
        found: dict[int, list[str]] = defaultdict(list)
        for name, record in self._papers.items():
            found[int(self.works[record])].append(name)
        return found

    def _names_of(self, works: list[int]) -> list[str]:
        return [name for work in works for name in self._names.get(work, ())]

    def _record_of(self, name: str) -> int:
        if name not in self._papers:
            raise UnknownName("paper", name, self._papers)
        return self._papers[name]


def _identifiers_of(record: Mapping[str, str]) -> dict[str, str]:
    """Return the identifiers of a record: without a title, nothing else matches it."""
    return {name: record[name] for name in ("doi", "arxiv") if record.get(name)}
