"""The URL paths of a department: from a page's number to its path, and back.

A path is decoded in two steps: guess the number from the digits and names in
the path, then compute that number's path and compare. So paths may vary freely,
and a wrong path is never accepted.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from lycosa.sites.generated.department_facts import DepartmentFacts
from lycosa.sites.generated.layout import UnnumberedPage
from lycosa.sites.generated.pastimes import PASTIMES, Pastime
from lycosa.sites.generated.random_stream import T, key, mix
from lycosa.sites.generated.words import TOPICS

_DIGITS = re.compile(r"(\d+)$")
_LETTER = re.compile(r"\d\d([a-z])$")
_SHORTS = {topic.short: n for n, topic in enumerate(TOPICS)}

_CV = (
    ("research.html", "interests.html", "work.html", "projects.html"),
    ("pubs.html", "papers/", "publications.html", "papers.html", "publist.html", "bib.html"),
    ("vita.html", "cv.html", "resume.html", "bio.html"),
    ("teaching.html", "classes.html", "courses.html", "students/"),
)
_CONTINUED = ("more.html", "pubs2.html", "papers2.html", "archive.html", "publist2.html")
_DESK = (
    ("research.html", "mywork.html", "thesis.html", "papers.html", "pubs.html", "writing.html"),
    ("fun.html", "links.html", "hobbies.html", "personal.html"),
)
_LAB = (("people.html", "members.html"), ("pubs.html", "publications.html", "papers.html"))
_RESULT = ("results.html", "publications.html", "software.html", "docs.html", "papers/")
_HANDOUT = (
    ("syllabus.html", "info.html", "outline.html"),
    ("homework.html", "assignments.html", "hw/"),
    ("lectures.html", "notes.html", "handouts/"),
)
_FRAME = ("menu.html", "main.html")
_HOMEWORK = ("hw{}", "assign{}", "homework/hw{}", "ps{}", "exam{}")
_LECTURE = ("lec{}", "slides/lecture{}", "notes{}", "papers/reading{}", "handout{}")
_FORMS = ("travel", "request", "leave", "grade", "key", "purchase")

FIRST_MONTH = 1996
"""The year in which calendars begin."""


class DepartmentPaths(DepartmentFacts):
    """The path of every page; `seed` and `pages` are those of `DepartmentFacts`."""

    def __init__(self, seed: int, pages: int) -> None:
        super().__init__(seed, pages)
        self._path_key = key(seed, "paths")
        self._alias_key = key(seed, "aliases")
        code = mix(self._path_key, 0)

        def choose(*options: str) -> str:
            nonlocal code
            code, chosen = divmod(code, len(options))
            return options[chosen]

        self._user_root = choose("/~", "/people/", "/users/", "/~", "/homes/")
        self._courses_root = choose("/courses/cs", "/class/cs", "/teaching/", "/education/cs")
        self._groups_root = choose("/research/", "/groups/", "/labs/")
        self._project_root = choose("/projects/", "/research/projects/", "/proj/")
        self._reports_root = choose("/tr/", "/reports/", "/techreports/", "/library/tr/")
        self._calendar_root = choose("/calendar.cgi?year={}&month={}", "/events/{}/{:02d}.html")
        self._package = choose("grobs", "telum", "mesolib", "quarry")
        page = choose(".html", ".htm", "/")
        names = ("about", "people", "research", choose("teaching", "academics", "education"),
                 choose("publications", "reports", "library"), "news", "contact", "forms",
                 choose("resources", "links", "papers"), "software", "seminars",
                 choose("mirrors", "ftp"))  # fmt: skip
        fixed = ["/", *[f"/{name}{page}" for name in names]]
        self._fixed_paths = fixed
        self._fixed_numbers = {path: n for n, path in enumerate(fixed)}
        self._list_stems = {
            "faculty-list": "/directory/" + choose("faculty", "professors"),
            "student-list": "/directory/" + choose("students", "grads"),
            "staff-list": "/directory/staff",
            "course-list": "/directory/" + choose("courses", "classes"),
            "group-list": "/directory/" + choose("groups", "labs"),
            "report-list": "/directory/" + choose("reports", "papers"),
            "news-list": "/directory/news",
        }
        self._list_names = {stem: name for name, stem in self._list_stems.items()}

    def path(self, number: int) -> str:
        """Return the path of a page's URL, with its query."""
        section, index = self.layout.where(number)
        match section:
            case "fixed":
                return self._fixed_paths[index]
            case "faculty" | "student" | "staff":
                return f"{self._user_root}{self.logins[self.person_of(section, index)]}/"
            case "cv" | "continued" | "desk" | "frame" | "misc":
                person = self.person_of(section, index)
                return (
                    f"{self._user_root}{self.logins[person]}/{self._file(section, index, person)}"
                )
            case "paper":
                return self._paper_path(index)
            case "course":
                return f"{self._courses_root}{101 + index}/"
            case "handout":
                name = self._pick(_HANDOUT[index % 3], number)
                return f"{self._courses_root}{101 + index // 3}/{name}"
            case "document":
                course = self.documents.owner(index)
                position, odd = divmod(index - self.documents.start(course), 2)
                name = self._pick(_LECTURE if odd else _HOMEWORK, course).format(position + 1)
                return f"{self._courses_root}{101 + course}/{name}.pdf"
            case "group":
                return self._group_path(index)
            case "lab":
                return self._group_path(index >> 1) + self._pick(_LAB[index & 1], number)
            case "project":
                return f"{self._project_root}{self.project_names[index]}/"
            case "result":
                return (
                    f"{self._project_root}{self.project_names[index]}/{self._pick(_RESULT, number)}"
                )
            case "report":
                year = self.year(self.reports.start(index))
                return f"{self._reports_root}{year}/tr{year % 100:02d}-{index + 1}.html"
            case "news":
                return f"/news/{1994 + index % 17}/item{index + 1}.html"
            case "month":
                return self.month_path(index)
            case "form":
                return f"/forms/{_FORMS[index % len(_FORMS)]}{index}.pdf"
            case "manual":
                return f"/doc/{self._package}/node{index}.html"
            case "mirror":
                return f"/mirrors/{self._package}/node{index}.html"
            case "dead":
                return f"/old/{self._pick(PASTIMES, number).word}{index}.html"
        return f"{self._list_stems[section]}{f'-{index + 1}' if index else ''}.html"

    def month_path(self, index: int) -> str:
        """Return the path of a month of the calendar, which is endless."""
        return self._calendar_root.format(FIRST_MONTH + index // 12, index % 12 + 1)

    def alias(self, number: int) -> str | None:
        """Return a path that redirects to the page (moved, or without its slash), or None."""
        if number == 0:
            return "/index.html"
        code = mix(self._alias_key, number)
        if code & 3:
            return None
        section, _ = self.layout.where(number)
        if section in ("dead", "manual", "mirror", "month"):
            return None
        path = self.path(number)
        if code & 28 == 0:
            return "/old-www" + path
        return path[:-1] if path.endswith("/") else None

    def locate(self, path: str) -> int | None:
        """Return the page of a path, directly or through a redirect; None if there is none."""
        number = self._exact(path)
        if number is not None:
            return number
        if path == "/index.html":
            return 0
        other = path[8:] if path.startswith("/old-www/") else path + "/"
        number = self._exact(other)
        return number if number is not None and self.alias(number) == path else None

    def month(self, path: str) -> int | None:
        """Return the index of the month of the endless calendar that a path names, or None."""
        numbers = re.findall(r"\d+", path)
        if len(numbers) != 2 or len(path) > 60:
            return None
        index = (int(numbers[0]) - FIRST_MONTH) * 12 + int(numbers[1]) - 1
        return index if index >= 0 and self.month_path(index) == path else None

    def next_unnumbered_path(self, number: int) -> str | None:
        """Return the path of the first month without a number, if `number` is the month before."""
        last = self.layout.range("month")[-1]
        return self.month_path(self.layout.sizes["month"]) if number == last else None

    def unnumbered_page(self, path: str) -> UnnumberedPage | None:
        """Return the month of a path, if it is after the last month with a number."""
        index = self.month(path)
        months = self.layout.range("month")
        if index is None or index < len(months):
            return None
        title = f"Calendar of {index % 12 + 1}/{FIRST_MONTH + index // 12}"
        near = self.month_path(index - 1), self.month_path(index + 1)
        return UnnumberedPage(months[-1 - index % min(12, len(months))], title, *near)

    def _exact(self, path: str) -> int | None:
        number = self._guess(path)
        if number is None or not 0 <= number < len(self.layout) or self.path(number) != path:
            return None
        return number

    def _guess(self, path: str) -> int | None:
        fixed = self._fixed_numbers.get(path)
        if fixed is not None:
            return fixed
        starts = self.layout.starts
        if path.startswith("/directory/"):
            stem, _, page = path.removesuffix(".html").partition("-")
            name = self._list_names.get(stem)
            if name is None:
                return None
            return starts[name] + (int(page) - 1 if page.isdecimal() else 0)
        if path.startswith(self._courses_root):
            return self._guess_course(path[len(self._courses_root) :])
        if path.startswith(self._reports_root):
            return self._guess_report(path)
        for prefix, section, base in (
            ("/news/", "news", 1),
            ("/forms/", "form", 0),
            ("/doc/", "manual", 0),
            ("/mirrors/", "mirror", 0),
            ("/old/", "dead", 0),
        ):
            if path.startswith(prefix):
                return self._guess_by_digits(path, section, base)
        if path.startswith(self._project_root):
            project = self.project_names.find(path[len(self._project_root) :].partition("/")[0])
            if project is not None:
                section = (
                    "project" if path.endswith(f"{self.project_names[project]}/") else "result"
                )
                return starts[section] + project
        if path.startswith(self._groups_root):
            group = self._guess_group(path[len(self._groups_root) :])
            if group is not None:
                return group
        if path.startswith(self._user_root) or path.startswith("/ftp/"):
            return self._guess_person(path)
        month = self.month(path)
        return starts["month"] + month if month is not None else None

    def _guess_by_digits(self, path: str, section: str, base: int) -> int | None:
        digits = _DIGITS.search(path.rpartition(".")[0])
        if digits is None or len(digits[1]) > 9:
            return None
        index = int(digits[1]) - base
        inside = 0 <= index < self.layout.sizes[section]
        return self.layout.starts[section] + index if inside else None

    def _guess_report(self, path: str) -> int | None:
        number = self._guess_by_digits(path, "report", 1)
        if number is None or path.endswith(".html"):
            return number
        return self.layout.starts["paper"] + self.reports.start(
            number - self.layout.starts["report"]
        )

    def _guess_course(self, rest: str) -> int | None:
        name, _, file = rest.partition("/")
        if not name.isdecimal() or len(name) > 9:
            return None
        course = int(name) - 101
        if not 0 <= course < self.layout.sizes["course"]:
            return None
        starts = self.layout.starts
        if not file:
            return starts["course"] + course
        if file.endswith(".pdf"):
            digits = _DIGITS.search(file[:-4])
            if digits is None or len(digits[1]) > 9:
                return None
            stem = file[: digits.start()] + "{}"
            position = 2 * (int(digits[1]) - 1) + (stem in _LECTURE)
            return starts["document"] + self.documents.start(course) + position
        for page, names in enumerate(_HANDOUT):
            if file in names:
                return starts["handout"] + 3 * course + page
        return None

    def _guess_group(self, rest: str) -> int | None:
        name, _, file = rest.partition("/")
        short = name.rstrip("0123456789")
        topic = _SHORTS.get(short)
        count = name[len(short) :]
        if topic is None or len(count) > 9:
            return None
        ordinal = int(count) - 1 if count else 0
        for residue in range(len(TOPICS)):
            if self.group_topic(residue) == topic:
                group = ordinal * len(TOPICS) + residue
                if not file:
                    return self.layout.starts["group"] + group
                hub = file in _LAB[1]
                return self.layout.starts["lab"] + 2 * group + hub
        return None

    def _guess_person(self, path: str) -> int | None:
        prefix = "/ftp/" if path.startswith("/ftp/") else self._user_root
        login, _, file = path[len(prefix) :].partition("/")
        person = self.logins.find(login)
        if person is None:
            return None
        if not file:
            return self.home(person)
        starts, faculty = self.layout.starts, self._faculty_size
        if person >= faculty + self.layout.sizes["student"]:
            return None
        if file.endswith(".pdf"):
            position = _ordinal(file[:-4])
            papers = self.papers.of(person)
            return starts["paper"] + papers.start + position if position is not None else None
        if file in _FRAME:
            return self.frames(person)[_FRAME.index(file)]
        if file in _CONTINUED:
            return starts["continued"] + person
        start, pages = (
            (starts["cv"] + 4 * person, _CV)
            if person < faculty
            else (starts["desk"] + 2 * (person - faculty), _DESK)
        )
        for page, names in enumerate(pages):
            if file in names:
                return start + page
        digits = _DIGITS.search(file.removesuffix(".html"))
        if digits is None or len(digits[1]) > 9:
            return None
        return starts["misc"] + self.private.start(person) + int(digits[1])

    def _file(self, section: str, index: int, person: int) -> str:
        match section:
            case "cv":
                return self._pick(_CV[index & 3], index)
            case "continued":
                return self._pick(_CONTINUED, index)
            case "desk":
                return self._pick(_DESK[index & 1], index)
            case "frame":
                return _FRAME[index & 1]
        return f"{self.pastime(index).word}{index - self.private.start(person)}.html"

    def pastime(self, index: int) -> Pastime:
        """Return what the `index`-th private page is about."""
        return self._pick(PASTIMES, index)

    def _pick(self, options: Sequence[T], number: int) -> T:
        return options[(mix(self._path_key, number + 1) >> 7) % len(options)]

    def _group_path(self, group: int) -> str:
        ordinal = group // len(TOPICS)
        short = TOPICS[self.group_topic(group)].short
        return f"{self._groups_root}{short}{ordinal + 1 if ordinal else ''}/"

    def _paper_path(self, paper: int) -> str:
        person = self.papers.owner(paper)
        code = mix(self._path_key, paper + (1 << 40))
        year = self.year(paper)
        if code & 48 == 0:
            report = self.reports.owner(paper)
            if self.reports.start(report) == paper:
                return f"{self._reports_root}{year}/tr{year % 100:02d}-{report + 1}.pdf"
        position = paper - self.papers.of(person).start
        login = self.logins[person]
        topic = TOPICS[(code >> 32) % len(TOPICS)] if code & 256 else TOPICS[self._hint(person)]
        word = topic.words[(code >> 20) % len(topic.words)]
        match code & 3:
            case 0 if position < 26:
                slug = f"{topic.short}{year % 100:02d}{chr(97 + position)}"
            case 1:
                slug = f"{word}-{position}"
            case 2:
                slug = f"{login[:4]}_{word[:5]}_{position}"
            case _:
                slug = f"paper{position}" if code & 512 else f"{word[:6]}-{year}-{position}"
        folder = ("papers/", "", "ps/", "pub/", "papers/", "tr/")[(code >> 12) % 6]
        if folder == "tr/":
            return f"/ftp/{login}/{slug}.pdf"
        return f"{self._user_root}{login}/{folder}{slug}.pdf"

    def _hint(self, person: int) -> int:
        """Return the topic in the file names of a person, not always the right one."""
        return mix(self._path_key, person + (3 << 40)) % len(TOPICS)


def _ordinal(slug: str) -> int | None:
    """Return the position of a paper among its author's, from its file name."""
    letter = _LETTER.search(slug)
    if letter:
        return ord(letter[1]) - 97
    digits = _DIGITS.search(slug)
    return int(digits[1]) if digits and len(digits[1]) < 9 else None
