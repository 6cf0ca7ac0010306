"""The wording of a department's pages: titles, headings, anchors and documents."""

from __future__ import annotations

from collections.abc import Callable

from lycosa.sites.generated.department import Department
from lycosa.sites.generated.department_facts import FIXED
from lycosa.sites.generated.department_paths import FIRST_MONTH
from lycosa.sites.generated.department_text import DepartmentText
from lycosa.sites.generated.documents import article, form, handout
from lycosa.sites.generated.grammar import capitalized
from lycosa.sites.generated.papers import PaperLibrary
from lycosa.sites.generated.pastimes import PASTIMES
from lycosa.sites.generated.prose import Prose
from lycosa.sites.generated.random_stream import RandomStream, mix
from lycosa.sites.generated.wording import LinkText, anchor_only
from lycosa.sites.generated.words import TOPICS

_OWN = {
    ("cv", 0): ("Research", "Research interests", "My work", "Current research", "What I do"),
    ("cv", 1): (
        "Publications", "Papers", "Selected publications", "My papers", "Recent work",
        "Writings", "List of publications", "Papers online", "Research", "more", "bibliography",
    ),
    ("cv", 2): ("Vita", "Curriculum vitae", "Resume", "About me", "CV", "Short bio"),
    ("cv", 3): ("Teaching", "Courses", "Classes", "My courses"),
    ("continued", 0): (
        "More papers", "More publications", "more", "Further work", "Continued", "Archive",
    ),
    ("desk", 0): (
        "My work", "Research", "Papers", "Thesis", "What I am working on", "Publications",
    ),
    ("desk", 1): ("Fun stuff", "Links", "Personal", "Hobbies", "Other things", "more"),
    ("lab", 0): ("Members", "People", "Who we are"),
    ("lab", 1): ("Publications", "Papers", "Our work", "Results", "Technical reports"),
    ("result", 0): ("Results", "Publications", "Software", "Documentation", "More", "Papers"),
    ("project", 0): ("Back to the project", "Project home", "Overview"),
}  # fmt: skip

_HANDOUTS = (
    ("Syllabus", "Course information", "Outline"),
    ("Homework", "Assignments", "Problem sets"),
    ("Lecture notes", "Handouts", "Slides and papers", "Readings"),
)

_HEADINGS = {
    "papers": ("Publications", "Papers", "Recent papers", "Selected publications", "Reading",
               "References", "", "Technical reports"),
    "documents": ("Handouts", "Papers and handouts", "Downloads", "Materials", ""),
    "people": ("People", "Members", "Staff", "Who", "", "Participants"),
    "courses": ("Courses", "Teaching", "Classes this term", ""),
    "groups": ("Research groups", "Laboratories", "Group", ""),
    "projects": ("Projects", "Current projects", "Research projects", ""),
    "news": ("News", "Headlines", "What is new"),
    "reports": ("Technical reports", "Reports", ""),
    "outside": ("Links", "Other sites", "Papers elsewhere", "Publications on the web",
                "Related work"),
    "misc": ("Miscellaneous", "Personal", "Other stuff", "", "More"),
    "forms": ("Forms", "Downloads"),
    "months": ("Calendar", "Other months", ""),
    "manual": ("Contents", "Subsections", "Manuals"),
    "own": ("", "", "Contents", "More"),
}  # fmt: skip

_PAPER_ANCHORS = ("title", "title", "title", "title", "title", "title", "title", "title", "title",
                  "PDF", "postscript", "here", "[{n}]", "full text", "report",
                  "paper", "ps", "download", "draft")  # fmt: skip

_DEAD_ANCHORS = ("old version", "my old page", "draft", "paper", "archive", "old notes")

_CHAPTERS = (
    "Installing the package", "Commands", "Options", "Configuration files", "Error messages",
    "Syntax of expressions", "Examples", "Functions", "Reading files", "Writing files",
    "Default values", "Environment variables", "Known problems", "Changes", "Index of commands",
    "Regular expressions", "Printing", "Arrays", "Strings", "Numbers", "Lists", "Modules",
)  # fmt: skip

_LISTS = {
    "faculty-list": ("Faculty", "Professors"), "student-list": ("Graduate students", "Students"),
    "staff-list": ("Staff", "Administration"), "course-list": ("All courses", "Course list"),
    "group-list": ("Research groups", "All groups"),
    "report-list": ("Technical reports", "Report archive", "Browse the reports"),
    "news-list": ("News archive", "Older news"),
}  # fmt: skip

_MONTHS = (
    "January February March April May June July August September October November December"
).split()


class DepartmentWording:
    """The wording of one department.

    Parameters
    ----------
    plan
        The structure of the department.
    library
        The papers of the world.
    site
        The index of the department in its world.
    prose
        Makes the running text.
    address
        Returns the URL of a paper, given the index of a department and a random
        number that chooses the paper.
    departments
        The number of departments in the world.
    """

    def __init__(
        self,
        plan: Department,
        library: PaperLibrary,
        site: int,
        prose: Prose,
        address: Callable[[int, int], str],
        departments: int,
    ) -> None:
        self._plan = plan
        self._library = library
        self._site = site
        self._prose = prose
        self._text = DepartmentText(plan, library, site, prose)
        self._address = address
        self._departments = departments

    def topic(self, number: int) -> int:
        """Return the index of the topic of a page."""
        return self._plan.topic(number)

    def title(self, number: int, stream: RandomStream) -> str:
        """Return the title of a page."""
        plan = self._plan
        section, index = plan.layout.where(number)
        university = self._library.university(self._site)
        match section:
            case "fixed":
                if index == 0:
                    return f"Department of Computer Science, {university}"
                return f"{FIXED[index].capitalize()}, Computer Science, {university}"
            case "faculty" | "student" | "staff" | "frame":
                name = self._text.person(plan.person_of(section, index))
                return stream.choice((name, f"{name}'s home page", f"Home page of {name}"))
            case "cv" | "continued" | "desk":
                name = self._text.person(plan.person_of(section, index))
                return f"{name}: {self._own(number, stream)}"
            case "course" | "handout":
                course = index if section == "course" else index // 3
                title = self._text.course(course)
                if section == "course":
                    return title
                return f"{title}: {stream.choice(_HANDOUTS[index % 3])}"
            case "group" | "lab":
                name = TOPICS[self.topic(number)].name
                return (
                    f"{name} Group"
                    if section == "group"
                    else f"{name}: {stream.choice(_OWN['lab', index & 1])}"
                )
            case "project" | "result":
                return f"The {self._text.project(index)} project"
            case "report":
                return f"Technical report {self._text.report(index)}"
            case "news":
                return self._text.news(number)[0]
            case "month":
                return f"Calendar of {self._month(index)}"
            case "manual" | "mirror":
                return f"Node {index}: {_chapter(index)}"
            case "misc":
                return plan.pastime(index).title
        return stream.choice(_LISTS[section])

    def link_text(self, role: str, source: int, number: int, stream: RandomStream) -> LinkText:
        """Return the anchor of a link and the words around it."""
        plan = self._plan
        section, index = plan.layout.where(number)
        if section == "paper":
            return self._paper(role, source, number, stream)
        match role:
            case "near" | "more":
                return anchor_only(self._step(section, source, number, index, stream))
            case "gone" if stream.below(3) == 0:
                return self._external_item(stream)
            case "gone":
                return anchor_only(stream.choice(_DEAD_ANCHORS))
        match section:
            case "fixed":
                return anchor_only(_FIXED_NAMES[index][stream.below(2)])
            case "faculty" | "student" | "staff":
                name = self._text.person(plan.person_of(section, index))
                prefix = "Prof. " if section == "faculty" and stream.below(3) == 0 else ""
                if stream.below(6) == 0:
                    return LinkText(f"{prefix}{name}, ", "home page", "")
                return LinkText(
                    "", prefix + name, "" if stream.below(2) else f", room {100 + index % 500}"
                )
            case "cv" | "continued" | "desk" | "lab" | "result" | "project" if role == "own":
                return anchor_only(self._own(number, stream))
            case "course":
                title = self._text.course(index)
                return anchor_only(title if stream.below(3) else title.partition(":")[0])
            case "handout":
                return anchor_only(stream.choice(_HANDOUTS[index % 3]))
            case "document":
                return self._document(index, stream)
            case "group":
                name = TOPICS[plan.group_topic(index)].name
                return anchor_only(stream.choice((f"{name} Group", name, f"{name} Laboratory")))
            case "project":
                name = self._text.project(index)
                values = self._prose.research(stream, self.topic(number))
                return LinkText(
                    "",
                    stream.choice((name, f"The {name} project")),
                    f": {values['methods']} for {values['task']}",
                )
            case "report":
                return self._report_item(number, index, stream)
            case "news":
                return anchor_only(self.title(number, stream))
            case "month":
                if stream.below(2):
                    return anchor_only(self._month(index))
                return anchor_only("next month" if number > source else "previous month")
            case "manual" | "mirror":
                return LinkText(f"{index} ", _chapter(index), "")
            case "misc":
                pastime = plan.pastime(index)
                return anchor_only(
                    stream.choice(
                        (
                            pastime.title,
                            f"more {pastime.word}",
                            f"old {pastime.word}",
                            f"a page about {pastime.activity}",
                        )
                    )
                )
            case "form":
                return anchor_only(
                    stream.choice(("Travel form", "Request form", "PDF", "form", "download"))
                )
        return anchor_only(stream.choice(_LISTS.get(section, ("here", "page", "link"))))

    def heading(self, role: str, stream: RandomStream) -> str:
        """Return the heading of a part of a page; it may be empty."""
        return stream.choice(_HEADINGS.get(role, ("",)))

    def passage(self, role: str, number: int, stream: RandomStream) -> str:
        """Return the running text of a part of a page."""
        return self._text.passage(role, number, stream)

    def external_links(self, number: int, stream: RandomStream) -> list[tuple[str, str]]:
        """Return links to papers of other departments and to sites outside this world."""
        links = []
        for _ in range(2 + stream.below(5)):
            other = stream.below(self._departments)
            if other != self._site and stream.below(2):
                link = self._address(other, stream.next() >> 8)
                links.append(
                    (link, stream.choice(("PDF", "paper", "interesting paper", "postscript")))
                )
            else:
                task = self._prose.research(stream, self.topic(number))["task"]
                host = f"www.{stream.choice(PASTIMES).word}{stream.below(90)}.example"
                anchor = stream.choice(
                    ("papers on {}", "a bibliography of {}", "{}", "all about {}")
                )
                links.append((f"http://{host}/{task.split()[0]}.html", anchor.format(task)))
        return links

    def document(self, number: int) -> bytes:
        """Return the PDF of a page that is a document."""
        section, index = self._plan.layout.where(number)
        code = mix(self._plan.seed, number)
        if section == "paper":
            paper = self._library.paper(self._site, number)
            references = self._library.references(self._site, number)
            story = self._library.story(self._site, number)
            return article(paper, references, story, code)
        if section == "form":
            return form(f"Form {index + 1}", code)
        course = self._plan.documents.owner(index)
        position = index - self._plan.documents.start(course)
        name = "Lecture" if position % 2 else "Homework"
        title = f"{self._text.course(course)}: {name} {position // 2 + 1}"
        return handout(title, self._prose, self._plan.course_topic(course), code)

    def _month(self, index: int) -> str:
        return f"{_MONTHS[index % 12]} {FIRST_MONTH + index // 12}"

    def _own(self, number: int, stream: RandomStream) -> str:
        section, index = self._plan.layout.where(number)
        slot = index % {"cv": 4, "desk": 2, "lab": 2}.get(section, 1)
        return stream.choice(_OWN[section, slot])

    def _step(
        self, section: str, source: int, number: int, index: int, stream: RandomStream
    ) -> str:
        if section.endswith("-list"):
            return stream.choice((f"page {index + 1}", str(index + 1), "more", "continue"))
        if number == source + 1:
            return stream.choice(("next", "Next", ">>", "next one"))
        if number == source - 1:
            return stream.choice(("previous", "Previous", "<<"))
        return stream.choice(("up", "Up", "contents"))

    def _document(self, index: int, stream: RandomStream) -> LinkText:
        course = self._plan.documents.owner(index)
        position, odd = divmod(index - self._plan.documents.start(course), 2)
        name = stream.choice(("Lecture", "Notes", "Slides", "Reading", "Handout") if odd
                          else ("Homework", "Assignment", "Problem set", "HW"))  # fmt: skip
        if odd and stream.below(4) == 0:
            return self._external_item(stream)  # slides named like the paper they are about
        name = f"{name} {position + 1}"
        match stream.below(5):
            case 0:
                return LinkText(f"{name} ", stream.choice(("PDF", "ps", "here", "postscript")), "")
            case 1:
                return LinkText("", f"{name} (pdf)", "")
            case 2:
                values = self._prose.research(stream, self._plan.course_topic(course))
                return LinkText(f"{name}: ", capitalized(values["task"]), "")
        return anchor_only(name)

    def _external_item(self, stream: RandomStream) -> LinkText:
        """Return a link that looks like one to a paper."""
        work = self._library.external_work(stream.next())
        people = ", ".join(work.authors)
        if stream.below(2):
            return LinkText(f"{people}. ", work.title, f". {work.venue}, {work.year}.")
        end = stream.choice(("PDF", "paper", "ps", "here", "slides"))
        return LinkText(f"{people}. {work.title}. {work.venue}, {work.year}. ", end, "")

    def _report_item(self, number: int, index: int, stream: RandomStream) -> LinkText:
        start = self._plan.layout.starts["paper"]
        title = self._library.title(self._site, start + self._plan.reports.start(index))
        label = f"{('TR', 'Technical report', 'CS-TR')[number % 3]} {self._text.report(index)}"
        if stream.below(2):
            return LinkText("", label, f" {title}")
        return LinkText(f"{label}: ", title, "")

    def _paper(self, role: str, source: int, number: int, stream: RandomStream) -> LinkText:
        if role == "reports":
            return anchor_only(stream.choice(("PDF", "postscript", "ps", "full text")))
        work = self._library.work(self._site, number)
        # Most links to papers on one page have the same form of anchor.
        usual = mix(self._plan.seed, source) % len(_PAPER_ANCHORS)
        anchor = _PAPER_ANCHORS[usual] if stream.below(10) < 6 else stream.choice(_PAPER_ANCHORS)
        people = ", ".join(work.authors)
        where = f"{work.venue}, {work.year}."
        match anchor:
            case "title":
                return LinkText(f"{people}. ", work.title, f". {where}")
            case "[{n}]":
                return LinkText("", f"[{1 + number % 40}]", f" {people}. {work.title}. {where}")
            case "report":
                label = f"tech report {work.year % 100:02d}-{1 + number % 60}"
                return LinkText(f"{people}. {work.title}. ", label, f", {work.year}.")
        return LinkText(f"{people}. {work.title}. {where} ", anchor, "")


_FIXED_NAMES = (
    ("Home", "Department home"), ("About us", "The department"), ("People", "Who we are"),
    ("Research", "Research areas"), ("Teaching", "Academics"),
    ("Publications", "Technical reports"), ("News", "What is new"), ("Contact", "How to reach us"),
    ("Forms", "Forms and papers"), ("Resources", "Papers on the web"),
    ("Software", "Downloads"), ("Seminars", "Colloquia"), ("Mirrors", "FTP archive"),
)  # fmt: skip


def _chapter(index: int) -> str:
    return _CHAPTERS[index * 7 % len(_CHAPTERS)]
