"""Which page of a department lists which papers, and how home pages lead there.

A paper is on the list of its first author, on the second page of that list, or on
the pages of a project, and on one of them only: that a paper is linked from several
pages is as rare as on recorded sites.
"""

from __future__ import annotations

from lycosa.sites.generated.department_facts import DepartmentFacts
from lycosa.sites.generated.layout import Part
from lycosa.sites.generated.random_stream import key, mix

DIRECT, BY_RESEARCH, BY_VITA, ON_HOME = range(4)
"""The paths from a professor's home page to the list of publications."""

_PATHS = (DIRECT, BY_RESEARCH, BY_VITA, DIRECT, BY_RESEARCH, BY_VITA, DIRECT, ON_HOME)


class DepartmentPublications(DepartmentFacts):
    """The lists of papers of one department.

    `seed` and `pages` are those of `DepartmentFacts`.
    """

    def __init__(self, seed: int, pages: int) -> None:
        super().__init__(seed, pages)
        self._publications_key = key(seed, "publications")

    def path_to_papers(self, professor: int) -> int:
        """Return how a professor's home page leads to the list of publications.

        Neighbours differ, so that the few prolific professors of a department never all
        have the same path: it decides how deep half of the papers are.
        """
        path = _PATHS[(self._publications_key + professor) % len(_PATHS)]
        # A list of two pages is not part of the home page.
        return BY_RESEARCH if path == ON_HOME and self.has_second_page(professor) else path

    def has_second_page(self, professor: int) -> bool:
        """Return whether a professor's list of publications has two pages."""
        return professor < self.layout.sizes["continued"]

    def leader(self, project: int) -> int:
        """Return the professor who leads a project: the members of its group take turns."""
        group = self.projects.owner(project)
        members = self.members.of(group)
        return members[(project - self.projects.start(group)) % len(members)]

    def publications(self, professor: int) -> list[Part]:
        """Return a professor's own list of publications, with the link to its second page."""
        papers = self.papers.of(professor)
        begin = len(self._continued(professor))
        own = papers[begin : len(papers) - len(self._of_project(professor))]
        parts: list[Part] = [("papers", [self._paper_or_report(paper) for paper in own])]
        if self.has_second_page(professor):
            parts.append(("own", (self.layout.starts["continued"] + professor,)))
        return parts

    def second_page(self, professor: int) -> list[Part]:
        """Return the second page of a professor's list of publications."""
        start = self.layout.starts["paper"]
        back = self.layout.starts["cv"] + 4 * professor + 1
        papers = [start + paper for paper in self._continued(professor)]
        return [("papers", papers), ("own", (back,))]

    def project_papers(self, project: int) -> list[int]:
        """Return the papers that the pages of a project list."""
        leader = self.leader(project)
        papers = self._of_project(leader) if self._listing_project(leader) == project else ()
        start = self.layout.starts["paper"]
        return [start + paper for paper in papers]

    def _continued(self, professor: int) -> range:
        papers = self.papers.of(professor)
        return papers[: len(papers) // 4 if self.has_second_page(professor) else 0]

    def _of_project(self, professor: int) -> range:
        """Return the last quarter of a professor's papers, if a project lists it."""
        papers = self.papers.of(professor)
        listed = self._listing_project(professor) is not None
        return papers[len(papers) * 3 // 4 if listed else len(papers) :]

    def _listing_project(self, professor: int) -> int | None:
        """Return the project that lists papers of the professor who leads it, if one does."""
        if mix(self._publications_key, professor) % 3 == 0:
            return None
        group = self.members.owner(professor)
        projects = self.projects.of(group)
        place = professor - self.members.start(group)
        return projects[place] if place < len(projects) else None

    def _paper_or_report(self, paper: int) -> int:
        """Return what a list of publications links to: a paper, or the page of a report."""
        report = self.reports.owner(paper)
        if self.reports.start(report) == paper:
            return self.layout.starts["report"] + report
        return self.layout.starts["paper"] + paper
