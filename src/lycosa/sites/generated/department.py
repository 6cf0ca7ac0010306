"""The plan of a university department: kind, type, style, menu and topic of each page."""

from __future__ import annotations

from collections.abc import Sequence

from lycosa.errors import UnknownName
from lycosa.sites.generated.department_facts import FIXED
from lycosa.sites.generated.department_outlines import DepartmentOutlines
from lycosa.sites.generated.department_paths import DepartmentPaths
from lycosa.sites.generated.layout import style_of
from lycosa.sites.generated.random_stream import key, mix
from lycosa.sites.generated.words import TOPICS

_KINDS = {
    "faculty": "person", "student": "person", "staff": "person", "frame": "person",
    "cv": "person", "continued": "hub", "course": "course", "handout": "course",
    "document": "document", "group": "group", "lab": "group", "project": "project",
    "result": "hub", "paper": "paper", "report": "report", "news": "news", "month": "month",
    "manual": "manual", "mirror": "manual", "misc": "misc", "dead": "dead", "form": "document",
}  # fmt: skip

_FACULTY_PAGES = ("person", "hub", "person", "course")
"""The kinds of a professor's pages: research, publications, vita, teaching."""


class Department(DepartmentPaths, DepartmentOutlines):
    """The plan of one department of `pages` pages, computed from a seed.

    >>> plan = Department(seed=0, pages=100)
    >>> plan.path(0), plan.kind(0), len(plan.layout)
    ('/', 'front', 100)
    """

    family = "departments"
    goals: tuple[str, ...] = ("papers", "faculty", "courses", "projects")

    def __init__(self, seed: int, pages: int) -> None:
        super().__init__(seed, pages)
        self._styles = key(seed, "style")
        # A department has one main style; some of its pages are older or newer.
        main = mix(self._styles, 1) % 4
        self._site_styles = (main, main, main, main, main, (main + 1) % 4, (main + 3) % 4, 0)

    def kind(self, number: int) -> str:
        """Return the kind of a page."""
        section, index = self.layout.where(number)
        if section == "fixed":
            return "front" if index == 0 else "hub" if FIXED[index] == "reports" else "group"
        if section.endswith("-list"):
            return _KINDS[section[:-5]]
        if section == "cv":
            return _FACULTY_PAGES[index % 4]
        if section == "desk":
            return "misc" if index % 2 else "hub"
        if section == "lab":
            return "hub" if index % 2 else "group"
        return _KINDS[section]

    def type(self, number: int) -> str:
        """Return the media type of a page."""
        starts = self.layout.starts
        if (
            starts["document"] <= number < starts["group"]
            or starts["paper"] <= number < starts["report"]
            or starts["form"] <= number < starts["manual"]
        ):
            return "application/pdf"
        return "text/html"

    def wanted(self, goal: str) -> range:
        """Return the pages that a goal rewards."""
        sections = {"papers": "paper", "faculty": "faculty", "courses": "course"}
        sections["projects"] = "project"
        if goal not in sections:
            raise UnknownName("goal", goal, self.goals)
        return self.layout.range(sections[goal])

    def style(self, number: int) -> int:
        """Return the template of a page; all pages of one person have the same."""
        section, index = self.layout.where(number)
        if section in ("manual", "mirror"):
            return 0
        if section in ("faculty", "student", "cv", "continued", "desk", "misc", "frame"):
            return (mix(self._styles, self.person_of(section, index) + 1000) >> 9) % 4
        if section in ("course", "handout"):
            course = index if section == "course" else index // 3
            return style_of((*self._site_styles, 0, 1, 2, 3), mix(self._styles, course + 7))
        return style_of(self._site_styles, mix(self._styles, number))

    def menu(self, number: int) -> Sequence[int]:
        """Return the pages that the menu of a page links to."""
        section, index = self.layout.where(number)
        if section in ("manual", "mirror"):
            return ()
        if section in ("faculty", "student", "cv", "continued", "desk", "misc", "frame"):
            # Half of the people link back to their home page, one in four to the department;
            # from private pages fewer do.
            person = self.person_of(section, index)
            code = mix(self._styles, person + 5000)
            if code & 1 or (section == "misc" and code & 28):
                return ()
            return (self.home(person),) if code & 2 else (self.home(person), 0)
        if section in ("course", "handout"):
            course = self.layout.starts["course"] + (index if section == "course" else index // 3)
            code = mix(self._styles, course)
            if section == "handout" and code & 2:
                return ()
            return (course, 4) if code & 1 else (course,)
        # Only the main pages have the whole menu; items of news, reports and the like lead home
        # at most, and old ones nowhere.
        if section == "fixed" or (self.style(number) > 1 and section.endswith("-list")):
            return self.menu_pages
        if section == "news":
            return ()
        return (0,) if self.style(number) & 1 else ()

    def topic(self, number: int) -> int:
        """Return the index of the topic of a page."""
        section, index = self.layout.where(number)
        if section in ("faculty", "student", "cv", "continued", "desk", "misc", "frame"):
            return self.person_topic(self.person_of(section, index))
        if section == "paper":
            return self.paper_topic(index)
        if section == "report":
            return self.paper_topic(self.reports.start(index))
        if section in ("course", "handout"):
            return self.course_topic(index if section == "course" else index // 3)
        if section in ("group", "lab"):
            return self.group_topic(index if section == "group" else index // 2)
        if section in ("project", "result"):
            return self.group_topic(self.projects.owner(index))
        if section in ("manual", "mirror"):
            return index % len(TOPICS)
        return mix(self._topics, number) % len(TOPICS)
