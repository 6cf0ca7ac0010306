"""The outlines of a department's pages: their parts and the links in each."""

from __future__ import annotations

from lycosa.sites.generated.department_facts import FIXED, LISTED
from lycosa.sites.generated.department_publications import (
    BY_RESEARCH,
    BY_VITA,
    ON_HOME,
    DepartmentPublications,
)
from lycosa.sites.generated.layout import ENTRIES_PER_PAGE, Outliner, PagedList, Part, children
from lycosa.sites.generated.random_stream import Split, key, mix

_ROLES = {
    "faculty": "people", "student": "people", "staff": "people", "course": "courses",
    "group": "groups", "report": "reports", "news": "news", "project": "projects",
}  # fmt: skip


STUDENTS_IN_DIRECTORY = 100
"""The students on the page of all people, which is long on recorded sites too."""

PRIVATE_ON_HOME = 4
"""The private pages of a person that one page links to; these link to the rest."""

NEGLECTED = 30
"""One private page of so many is neglected: these have all links to pages that are gone."""


class DepartmentOutlines(DepartmentPublications):
    """The parts of every page, and the numbers of the pages that they link to.

    `seed` and `pages` are those of `DepartmentFacts`.
    """

    def __init__(self, seed: int, pages: int) -> None:
        super().__init__(seed, pages)
        size, starts = self.layout.sizes, self.layout.starts
        self._dead = Split(size["dead"], max(1, size["misc"] // NEGLECTED), key(seed, "dead"))
        self._lists = {
            name: PagedList(starts[f"{name}-list"], starts[name], size[name]) for name in LISTED
        }
        self._codes = key(seed, "outline")
        # Lists of reports link to the documents too, at some departments.
        self._inline = self._codes % 4 == 0
        self._outlines: dict[str, Outliner] = {
            "fixed": self._fixed, "faculty": self._faculty, "student": self._student,
            "staff": self._staff, "cv": self._cv, "continued": self.second_page,
            "desk": self._desk, "frame": self._frame,
            "course": self._course, "handout": self._handout, "group": self._group,
            "lab": self._lab, "project": self._project, "result": self._result,
            "report": self._report, "news": self._news, "month": self._month,
            "manual": self._manual, "mirror": self._mirror, "misc": self._misc,
            "document": _no_links, "paper": _no_links, "form": _no_links, "dead": _no_links,
        }  # fmt: skip

    def outline(self, number: int) -> list[Part]:
        """Return the parts of a page between its menus, in reading order."""
        section, index = self.layout.where(number)
        outliner = self._outlines.get(section)
        if outliner is None:
            return self._list(section[:-5], index)
        return outliner(index)

    def _fixed(self, index: int) -> list[Part]:
        starts, sizes = self.layout.starts, self.layout.sizes
        news, month = starts["news"], starts["month"]

        def first(section: str, count: int) -> range:
            return range(starts[section], starts[section] + min(count, sizes[section]))

        match FIXED[index]:
            case "front":
                return [("text", ()), ("menu", self.menu_pages[1:]),
                        ("news", range(news, news + 3)), ("see", (8, 9, 11))]  # fmt: skip
            case "about":
                return [("text", ()), ("see", (7, 2, 10))]
            case "people":
                return [("people", first("faculty", ENTRIES_PER_PAGE)),
                        ("people", first("student", STUDENTS_IN_DIRECTORY)),
                        ("list", [starts[f"{n}-list"] for n in ("faculty", "student", "staff")])
                        ]  # fmt: skip
            case "research":
                return [("text", ()), ("groups", first("group", 8)),
                        ("list", (starts["group-list"],)), ("see", (5, 10))]  # fmt: skip
            case "teaching":
                return [("courses", first("course", ENTRIES_PER_PAGE)),
                        ("list", (starts["course-list"],)), ("see", (8, 9))]  # fmt: skip
            case "reports":
                return [("text", ()), ("list", (starts["report-list"],)), ("see", (9,))]
            case "newsroom":
                return [("news", first("news", 3)), ("list", (starts["news-list"],)),
                        ("months", (month,)), ("see", (11,))]  # fmt: skip
            case "contact":
                return [("text", ()), ("people", first("staff", 5))]
            case "forms":
                return [("forms", self.layout.range("form"))]
            case "resources":
                return [("text", ()), ("outside", ()), ("see", (12, 10))]
            case "software":
                return [("text", ()), ("manual", (starts["manual"],)),
                        ("projects", first("project", 4)), ("see", (12,))]  # fmt: skip
            case "seminars":
                return [("months", (month, month + 1)), ("people", first("faculty", 4))]
        return [("text", ()), ("manual", (starts["mirror"], starts["manual"]))]

    def _list(self, name: str, index: int) -> list[Part]:
        listing = self._lists[name]
        entries = listing.entries(index)
        role = _ROLES[name]
        if name == "report" and self._inline:
            start, paper = self.layout.starts["report"], self.layout.starts["paper"]
            pairs: list[int] = []
            for number in entries:
                pairs += (number, paper + self.reports.start(number - start))
            return [("reports", pairs), ("more", listing.more(index))]
        return [(role, entries), ("more", listing.more(index))]

    def _faculty(self, index: int) -> list[Part]:
        if self.framed(index):
            return [("frames", self.frames(index))]
        return self._professor_home(index)

    def _professor_home(self, index: int) -> list[Part]:
        """Return the outline of a professor's home page, or of the menu of a framed one."""
        starts = self.layout.starts
        code = mix(self._codes, index)
        cv = starts["cv"] + 4 * index
        path = self.path_to_papers(index)
        # Direct, by the research page, by the vita, and with the papers on the home page.
        own = ((cv, cv + 1, cv + 2, cv + 3), (cv, cv + 3, cv + 2), (cv + 2, cv, cv + 3),
               (cv + 1, cv + 3, cv + 2, cv))[path]  # fmt: skip
        parts: list[Part] = [("text", ()), ("own", own)]
        if path == ON_HOME:
            parts += self.publications(index)
        parts.append(("courses", [starts["course"] + c for c in self.lecturers.of(index)]))
        group = self.members.owner(index)
        parts.append(("groups", (starts["group"] + group,)))
        if code & 64:
            students = self.advisors.of(index)
            parts.append(("people", [starts["student"] + s for s in students]))
        parts.append(("misc", self._private(index)))
        return parts

    def _private(self, person: int) -> list[int]:
        start = self.layout.starts["misc"]
        pages = self.private.of(person)
        return [start + page for page in pages[:PRIVATE_ON_HOME]]

    def _cv(self, index: int) -> list[Part]:
        starts = self.layout.starts
        person, page = divmod(index, 4)
        code = mix(self._codes, starts["cv"] + index)
        path = self.path_to_papers(person)
        cv = starts["cv"] + 4 * person
        paper, faculty = starts["paper"], starts["faculty"]
        papers = self.papers.of(person)
        match page:
            case 0:
                group = self.members.owner(person)
                own = self.projects.of(group)
                parts: list[Part] = [("text", ()), ("groups", (starts["group"] + group,))]
                if own:
                    parts.append(("projects", (starts["project"] + own[code % len(own)],)))
                members = self.members.of(group)
                parts.append(("people", (faculty + members[(code >> 8) % len(members)],)))
                parts.append(("own", (cv + 1,) if path != BY_VITA else (cv + 2,)))
                return parts
            case 1:
                students = [s + self.layout.sizes["faculty"] for s in self.advisors.of(person)]
                joint = [p for s in students for p in self.papers.of(s)[:1]]
                # What the home page lists already is not listed here again.
                parts = [] if path == ON_HOME else self.publications(person)
                if joint and code % 8 == 0:
                    parts.append(("papers", [paper + p for p in joint]))
                parts.append(("outside", ()) if code % 4 == 0 else ("text", ()))
                return parts
            case 2:
                chosen = papers[: code % 4] if code & 56 == 0 else papers[:0]
                parts = [("text", ()), ("papers", [paper + p for p in chosen])]
                if path != BY_RESEARCH:
                    parts.append(("own", (cv + 1,)))
                return parts
        taught = self.lecturers.of(person)
        documents = [d for c in taught for d in self.documents.of(c)[:2]]
        return [("courses", [starts["course"] + c for c in taught]),
                ("documents", [starts["document"] + d for d in documents])]  # fmt: skip

    def _student(self, index: int) -> list[Part]:
        person = self.layout.sizes["faculty"] + index
        if self.framed(person):
            return [("frames", self.frames(person))]
        return self._student_home(index)

    def _student_home(self, index: int) -> list[Part]:
        starts = self.layout.starts
        person = self.layout.sizes["faculty"] + index
        advisor = self.advisors.owner(index)
        desk = starts["desk"] + 2 * index
        code = mix(self._codes, starts["student"] + index)
        own = (desk, desk + 1) if code & 1 else (desk + 1, desk)
        parts: list[Part] = [
            ("text", ()),
            ("people", (starts["faculty"] + advisor,)),
            ("groups", (starts["group"] + self.members.owner(advisor),)),
            ("own", own),
        ]
        if self._shows_private(index):
            parts.append(("misc", self._private(person)))
        if code & 6 == 0:
            courses = self.layout.sizes["course"]
            parts.append(("courses", (starts["course"] + (code >> 8) % courses,)))
        return parts

    def _shows_private(self, student: int) -> bool:
        """Return whether the home page of a student links to the private pages."""
        return mix(self._codes, self.layout.starts["student"] + student) & 1 == 1

    def _staff(self, index: int) -> list[Part]:
        forms = self.layout.range("form")
        return [("text", ()), ("see", (2, 7, 8)), ("forms", forms[index % len(forms) :][:1])]

    def _desk(self, index: int) -> list[Part]:
        starts, sizes = self.layout.starts, self.layout.sizes
        student, fun = divmod(index, 2)
        code = mix(self._codes, starts["desk"] + index)
        person = sizes["faculty"] + student
        if fun:
            friends = [starts["student"] + (code >> s) % sizes["student"] for s in (8, 24, 40)]
            private = [] if self._shows_private(student) else self._private(person)
            return [("misc", private), ("people", friends[: 1 + code % 3]),
                    ("outside", ())]  # fmt: skip
        advisor = self.advisors.owner(student)
        papers = [starts["paper"] + p for p in self.papers.of(person)]
        shared = self.papers.of(advisor)[:1] if code % 8 == 0 else ()
        own = (starts["cv"] + 4 * advisor + 1,) if code & 24 == 0 else ()
        return [("text", ()), ("papers", papers), ("papers", [starts["paper"] + p for p in shared]),
                ("own", own)]  # fmt: skip

    def _frame(self, index: int) -> list[Part]:
        person = self.person_of("frame", index)
        faculty = self.layout.sizes["faculty"]
        if index % 2:
            return [
                ("text", ()),
                ("groups", (self.layout.starts["group"] + self.group_of(person),)),
            ]
        return (
            self._professor_home(person)
            if person < faculty
            else self._student_home(person - faculty)
        )

    def _course(self, index: int) -> list[Part]:
        starts = self.layout.starts
        lecturer = self.lecturers.owner(index)
        pages = starts["handout"] + 3 * index
        parts: list[Part] = [
            ("text", ()),
            ("people", (starts["faculty"] + lecturer,)),
            ("handouts", (pages, pages + 1, pages + 2)),
        ]
        if index:
            parts.append(("courses", (starts["course"] + (index - 1) // 2,)))
        return parts

    def _handout(self, index: int) -> list[Part]:
        starts, sizes = self.layout.starts, self.layout.sizes
        course, page = divmod(index, 3)
        if page == 0:
            return [("text", ())]
        documents = self.documents.of(course)[page - 1 :: 2]
        parts: list[Part] = [("documents", [starts["document"] + d for d in documents])]
        code = mix(self._codes, starts["handout"] + index)
        if page == 2 and code % 4 == 0:
            # Readings: real papers on a page that otherwise has none.
            lecturer = self.lecturers.owner(course)
            readings = list(self.papers.of(lecturer)[:1])
            readings.append((code >> 8) % sizes["paper"])
            parts.append(("papers", [starts["paper"] + p for p in readings]))
        return parts

    def _group(self, index: int) -> list[Part]:
        starts = self.layout.starts
        members = [starts["faculty"] + f for f in self.members.of(index)]
        projects = [starts["project"] + p for p in self.projects.of(index)]
        lab = starts["lab"] + 2 * index
        return [("text", ()), ("people", members), ("projects", projects), ("own", (lab, lab + 1))]

    def _lab(self, index: int) -> list[Part]:
        starts = self.layout.starts
        group, hub = divmod(index, 2)
        members = self.members.of(group)
        if hub:
            # Some groups list papers, others send the reader to the pages of their members.
            if mix(self._codes, group) % 4:
                hubs = [starts["cv"] + 4 * f + 1 for f in members[:10]]
                return [("text", ()), ("own", hubs)]
            papers = [p for f in members[:10] for p in self.papers.of(f)[-3:]]
            return [("text", ()), ("papers", [starts["paper"] + p for p in papers])]
        students = [s for f in members for s in self.advisors.of(f)]
        people = [starts["faculty"] + f for f in members]
        return [("people", people + [starts["student"] + s for s in students[:40]])]

    def _project(self, index: int) -> list[Part]:
        starts = self.layout.starts
        group = self.projects.owner(index)
        code = mix(self._codes, starts["project"] + index)
        leader = self.leader(index)
        papers = self.papers.of(leader)
        chosen = [papers[(code >> s) % len(papers)] for s in (8, 20)] if papers else []
        students = self.advisors.of(leader)[:2]
        people = [starts["faculty"] + leader] + [starts["student"] + s for s in students]
        return [
            ("text", ()),
            ("groups", (starts["group"] + group,)),
            ("people", people),
            ("own", (starts["result"] + index,)),
            ("papers", [starts["paper"] + p for p in chosen[: code % 8 == 0]]),
        ]

    def _result(self, index: int) -> list[Part]:
        starts = self.layout.starts
        code = mix(self._codes, starts["result"] + index)
        own = (starts["project"] + index,)
        parts: list[Part] = [("own", own), ("papers", self.project_papers(index))]
        if code % 5 == 0:
            parts.append(("manual", (starts["manual"],)))
        return parts

    def _report(self, index: int) -> list[Part]:
        starts = self.layout.starts
        paper = self.reports.start(index)
        near = [
            starts["report"] + i for i in (index + 1, index - 1) if 0 <= i < self.reports.owners
        ]
        return [("abstract", ()), ("papers", (starts["paper"] + paper,)),
                ("people", (self.home(self.papers.owner(paper)),)), ("near", near)]  # fmt: skip

    def _news(self, index: int) -> list[Part]:
        starts, sizes = self.layout.starts, self.layout.sizes
        section, about = self.news_subject(index)
        if mix(self._codes, index + (1 << 42)) % 3:
            return [("text", ())]
        near = [starts["news"] + i for i in (index + 1, index - 1) if 0 <= i < sizes["news"]]
        return [("text", ()), (_ROLES[section], (starts[section] + about,)), ("near", near)]

    def news_subject(self, index: int) -> tuple[str, int]:
        """Return the section, and the index in it, of the page that an item of news is about."""
        code = mix(self._codes, self.layout.starts["news"] + index)
        section = ("faculty", "student", "project", "group", "report", "course")[code % 6]
        return section, (code >> 8) % self.layout.sizes[section]

    def _month(self, index: int) -> list[Part]:
        starts, sizes = self.layout.starts, self.layout.sizes
        code = mix(self._codes, starts["month"] + index)
        speakers = [starts["faculty"] + (code >> s) % sizes["faculty"] for s in (8, 30)]
        months = [starts["month"] + m for m in (index - 1, index + 1) if m >= 0]
        # The page after the last one has no number: it exists only over HTTP.
        known = [m for m in months if m < starts["form"]]
        return [("months", known), ("people", speakers[: code % 3])]

    def _manual(self, index: int) -> list[Part]:
        return self._chapter(index, "manual")

    def _mirror(self, index: int) -> list[Part]:
        return self._chapter(index, "mirror")

    def _chapter(self, index: int, section: str) -> list[Part]:
        start, size = self.layout.starts[section], self.layout.sizes[section]
        near = [i for i in (index + 1, (index - 1) // 6, index - 1) if 0 <= i < size and i != index]
        below = [start + i for i in children(index, size, 6)]
        return [("near", [start + i for i in near]), ("text", ()), ("manual", below)]

    def _misc(self, index: int) -> list[Part]:
        starts = self.layout.starts
        person = self.private.owner(index)
        pages = self.private.of(person)
        code = mix(self._codes, starts["misc"] + index)
        position = index - pages.start
        below = [
            starts["misc"] + pages.start + child
            for child in children(position, len(pages), 12, PRIVATE_ON_HOME)
        ]
        neglected, other = divmod(index, NEGLECTED)
        dead = [] if other else [starts["dead"] + d for d in self._dead.of(neglected)]
        parts: list[Part] = [("text", ()), ("misc", below), ("gone", dead)]
        if code % 3 == 0:
            parts.append(("outside", ()))
        if code % 18 == 0:
            # A list of friends: many links on a page that leads nowhere.
            friends = [self.home(mix(code, n) % self.people) for n in range(5 + (code >> 8) % 16)]
            parts.append(("people", friends))
        return parts


def _no_links(index: int) -> list[Part]:
    return []
