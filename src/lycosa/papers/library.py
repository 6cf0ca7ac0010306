"""Many papers: the works they are and cite, and who cites whom (McCallum et al. 1999).

The header of a paper is a record like each of its references, so a reference to
a paper that is here, and a second copy of it, are found by the same matching.

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
from lycosa.papers.matching.works import MatchExplanation, Works
from lycosa.papers.paper import Paper


@dataclass(frozen=True, slots=True)
class CitationEvidence:
    """The reference by which a paper cites another, and why that reference matches it."""

    citing: str
    number: int
    """Of the reference in the list of the citing paper, from 1."""
    text: str
    why: MatchExplanation

    def __str__(self) -> str:
        return f"{self.citing}, reference {self.number}: {self.text}\n{self.why}"


class Library:
    """Papers by their names, such as file names or URLs, in any number of portions.

    What is said of works and citations is what is known of all papers so far:
    a work is known by a number that may change when papers are added, a paper
    by its name for ever. In which portions papers came makes no difference.

    A paper in all its versions is one work; with `separate_versions` each is its own. What
    has no title is like nothing else: each such record is a work of its own.
    """

    def __init__(self, *, separate_versions: bool = False) -> None:
        self._works = Works(separate_versions=separate_versions)
        self._papers: dict[str, int] = {}  # the record of the header; the references follow
        self._texts: dict[str, tuple[str, ...]] = {}
        self._untitled: list[int] = []

    def __len__(self) -> int:
        """How many papers there are."""
        return len(self._papers)

    def __iter__(self) -> Iterator[str]:
        return iter(self._papers)

    def __contains__(self, name: object) -> bool:
        return name in self._papers

    def add(self, name: str, paper: Paper) -> int:
        """Add one paper: the number of its work."""
        self.add_many({name: paper})
        return self.work(name)

    def add_many(self, papers: Mapping[str, Paper]) -> None:
        """Add papers by their names, all or none; that is quicker than one by one."""
        for name, paper in papers.items():
            if name in self._papers:
                raise UsageError(f"There is a paper {name!r} already; give another name.")
            if paper.outcome != "text":
                raise UsageError(f"{name} is no paper but {paper.outcome}; leave it out.")
        records: list[dict[str, str]] = []
        for name, paper in papers.items():
            self._papers[name] = len(self._works) + len(records)
            self._texts[name] = tuple(one.text for one in paper.references)
            records.append(paper.record())
            records += [one.fields.record() for one in paper.references]
        start = len(self._works)
        self._untitled += [start + k for k, each in enumerate(records) if not each["title"]]
        self._works.add_many(each if each["title"] else {} for each in records)
        for known in ("citations", "works", "_names"):
            self.__dict__.pop(known, None)

    @cached_property
    def works(self) -> Ints:
        """The work of every record: of each header, followed by those of its references."""
        found = self._works.works()
        found[self._untitled] = self._untitled
        return found

    def work(self, name: str) -> int:
        """The work that a paper is."""
        return int(self.works[self._known(name)])

    def cited(self, name: str) -> list[int]:
        """The works of the references of a paper, in their order."""
        first = self._known(name) + 1
        found: list[int] = self.works[first : first + len(self._texts[name])].tolist()
        return found

    def papers(self, work: int) -> list[str]:
        """The papers here that are a work: none, one, or several copies and versions."""
        return list(self._names.get(work, ()))

    def record(self, work: int) -> dict[str, str]:
        """The canonical record of a work, voted by all that is known of it."""
        return self._works.record(work)

    @cached_property
    def citations(self) -> Citations:
        """Who cites whom, by the numbers of works."""
        works = self.works
        citing, cited = [np.empty(0, np.int64)], [np.empty(0, np.int64)]
        for name, record in self._papers.items():
            mine = works[record + 1 : record + 1 + len(self._texts[name])]
            citing.append(np.full(len(mine), works[record], np.int64))
            cited.append(mine.astype(np.int64))
        pairs = np.stack((np.concatenate(citing), np.concatenate(cited)), axis=1)
        return Citations(pairs, len(works))

    def cites(self, name: str) -> list[str]:
        """The papers here that a paper cites."""
        return self._here(self.citations.cites(self.work(name)).tolist())

    def cited_by(self, name: str) -> list[str]:
        """The papers here that cite a paper."""
        return self._here(self.citations.cited_by(self.work(name)).tolist())

    def why(self, citing: str, cited: str) -> CitationEvidence:
        """Explain why a paper cites another; if it does not, return its most similar reference."""
        target, first = self._known(cited), self._known(citing) + 1
        texts = self._texts[citing]
        if not texts:
            raise UsageError(f"{citing} has no references, so it cites nothing.")
        if target in self._untitled:
            raise UsageError(f"No title was found in {cited}, so nothing can be said to cite it.")
        reasons = [self._works.why(first + k, target) for k in range(len(texts))]
        best = max(range(len(texts)), key=lambda k: (reasons[k].same, reasons[k].similarity.score))
        return CitationEvidence(citing, best + 1, texts[best], reasons[best])

    @cached_property
    def _names(self) -> dict[int, list[str]]:
        found: dict[int, list[str]] = defaultdict(list)
        for name, record in self._papers.items():
            found[int(self.works[record])].append(name)
        return found

    def _here(self, works: list[int]) -> list[str]:
        return [name for work in works for name in self._names.get(work, ())]

    def _known(self, name: str) -> int:
        if name not in self._papers:
            raise UnknownName("paper", name, self._papers)
        return self._papers[name]
