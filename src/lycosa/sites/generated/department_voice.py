"""What the pages of a department say."""

from __future__ import annotations

from collections.abc import Callable

from lycosa.sites.generated.chance import Stream, mix
from lycosa.sites.generated.department import Department
from lycosa.sites.generated.department_facts import FIXED
from lycosa.sites.generated.department_paths import FIRST_MONTH
from lycosa.sites.generated.documents import article, form, handout
from lycosa.sites.generated.papers import Library
from lycosa.sites.generated.prose import Prose
from lycosa.sites.generated.voice import Item, plain
from lycosa.sites.generated.words import HOBBIES, TOPICS

_OWN = {
    ("cv", 0): ("Research", "Research interests", "My work", "Current research", "What I do"),
    ("cv", 1): (
        "Publications", "Papers", "Selected publications", "My papers", "Recent work",
        "Writings", "List of publications", "Papers online", "Research", "more", "bibliography",
    ),
    ("cv", 2): ("Vita", "Curriculum vitae", "Resume", "About me", "CV", "Short bio"),
    ("cv", 3): ("Teaching", "Courses", "Classes", "My courses"),
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

_PAPER_ANCHORS = ("title", "PDF", "postscript", "here", "[{n}]", "full text", "report", "title",
                  "paper", "ps", "download", "draft")  # fmt: skip

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


class DepartmentVoice:
    """The words of one department."""

    def __init__(
        self,
        plan: Department,
        library: Library,
        site: int,
        prose: Prose,
        address: Callable[[int, int], str],
        departments: int,
    ) -> None:
        self._plan = plan
        self._library = library
        self._site = site
        self._prose = prose
        self._address = address
        self._departments = departments

    def topic(self, number: int) -> int:
        """The index of the topic of a page."""
        return self._plan.topic(number)

    def title(self, number: int, stream: Stream) -> str:
        """The title of a page."""
        plan = self._plan
        section, index = plan.layout.where(number)
        university = self._library.university(self._site)
        match section:
            case "fixed":
                if index == 0:
                    return f"Department of Computer Science, {university}"
                return f"{FIXED[index].capitalize()}, Computer Science, {university}"
            case "faculty" | "student" | "staff" | "frame":
                name = self._person(plan.person_of(section, index))
                return stream.one((name, f"{name}'s home page", f"Home page of {name}"))
            case "cv" | "desk":
                name = self._person(plan.person_of(section, index))
                return f"{name}: {self._own(number, stream)}"
            case "course" | "handout":
                course = index if section == "course" else index // 3
                title = self._course(course)
                if section == "course":
                    return title
                return f"{title}: {stream.one(_HANDOUTS[index % 3])}"
            case "group" | "lab":
                name = TOPICS[self.topic(number)].name
                return (
                    f"{name} Group"
                    if section == "group"
                    else f"{name}: {stream.one(_OWN['lab', index & 1])}"
                )
            case "project" | "result":
                return f"The {plan.acronyms[index].upper()} project"
            case "report":
                return f"Technical report {self._report(index)}"
            case "news":
                return " ".join(self._prose.words(Stream(number), 0, "news", 5)).capitalize()
            case "month":
                return f"Calendar of {self._month(index)}"
            case "manual" | "mirror":
                return f"Node {index}"
            case "misc":
                return stream.one(HOBBIES).capitalize()
        return stream.one(_LISTS[section])

    def item(self, role: str, source: int, number: int, stream: Stream) -> Item:
        """The words around a link in a part of a page."""
        plan = self._plan
        section, index = plan.layout.where(number)
        if section == "paper":
            return self._paper(role, source, number, stream)
        match role:
            case "near" | "more":
                return plain(self._step(section, source, number, index, stream))
            case "gone" if stream.below(3) == 0:
                return self._stranger(stream)
            case "gone":
                return plain(stream.one(("old version", "my old page", "draft", "paper", "archive",
                                         "old notes")))  # fmt: skip
        match section:
            case "fixed":
                return plain(_FIXED_NAMES[index][stream.below(2)])
            case "faculty" | "student" | "staff":
                name = self._person(plan.person_of(section, index))
                prefix = "Prof. " if section == "faculty" and stream.below(3) == 0 else ""
                if stream.below(6) == 0:
                    return Item(f"{prefix}{name}, ", "home page", "")
                return Item("", prefix + name, "" if stream.below(2) else f", room {index % 500}")
            case "cv" | "desk" | "lab" | "result" | "project" if role == "own":
                return plain(self._own(number, stream))
            case "course":
                title = self._course(index)
                return plain(title if stream.below(3) else title.partition(":")[0])
            case "handout":
                return plain(stream.one(_HANDOUTS[index % 3]))
            case "document":
                return self._document(index, stream)
            case "group":
                name = TOPICS[plan.group_topic(index)].name
                return plain(stream.one((f"{name} Group", name, f"{name} Laboratory")))
            case "project":
                name = plan.acronyms[index].upper()
                words = self._prose.words(stream, self.topic(number), "project", 5)
                return Item("", stream.one((name, f"The {name} project")), ": " + " ".join(words))
            case "report":
                return self._report_item(number, index, stream)
            case "news":
                return plain(self.title(number, stream))
            case "month":
                return plain(self._month(index) if stream.below(2) else
                             "next month" if number > source else "previous month")  # fmt: skip
            case "manual" | "mirror":
                words = self._prose.words(Stream(index), index % len(TOPICS), "manual", 3)
                return Item(f"{index} ", " ".join(words).capitalize(), "")
            case "misc":
                return plain(stream.one(("my ", "", "more ", "old ")) + stream.one(HOBBIES))
            case "form":
                return plain(stream.one(("Travel form", "Request form", "PDF", "form", "download")))
        return plain(stream.one(_LISTS.get(section, ("here", "page", "link"))))

    def heading(self, role: str, stream: Stream) -> str:
        """The heading of a part of a page; it may be empty."""
        return stream.one(_HEADINGS.get(role, ("",)))

    def passage(self, role: str, number: int, stream: Stream) -> str:
        """The abstract of a report; all other texts are plain prose."""
        if role != "abstract":
            return ""
        index = number - self._plan.layout.starts["report"]
        paper = self._plan.layout.starts["paper"] + self._plan.reports.start(index)
        facts = self._library.paper(self._site, paper)
        return f"{facts.title}. {', '.join(facts.authors)}. Abstract: {facts.abstract}"

    def outside(self, number: int, stream: Stream) -> list[tuple[str, str]]:
        """Papers of other departments, and sites that are nowhere in this world."""
        links = []
        for _ in range(2 + stream.below(5)):
            other = stream.below(self._departments)
            if other != self._site and stream.below(2):
                link = self._address(other, stream.next() >> 8)
                links.append(
                    (link, stream.one(("PDF", "paper", "interesting paper", "postscript")))
                )
            else:
                words = self._prose.words(stream, self.topic(number), "hub", 3)
                host = f"www.{stream.one(HOBBIES)}{stream.below(90)}.example"
                links.append((f"http://{host}/{words[0]}.html", " ".join(words)))
        return links

    def document(self, number: int) -> bytes:
        """The PDF of a page that is a document."""
        section, index = self._plan.layout.where(number)
        code = mix(self._plan.seed, number)
        if section == "paper":
            paper = self._library.paper(self._site, number)
            references = self._library.references(self._site, number)
            return article(paper, references, self._prose, self._plan.topic(number), code)
        if section == "form":
            return form(f"Form {index + 1}", self._prose, "form", code)
        course = self._plan.documents.owner(index)
        place = index - self._plan.documents.start(course)
        title = f"{self._course(course)}: {'Lecture' if place % 2 else 'Homework'} {place // 2 + 1}"
        return handout(title, self._prose, self._plan.course_topic(course), code)

    def _person(self, person: int) -> str:
        return self._library.person(self._site, person)

    def _course(self, course: int) -> str:
        code = mix(self._plan.seed, course)
        kind = ("Introduction to", "Advanced", "Topics in", "Seminar on", "Foundations of")[
            code % 5
        ]
        return f"CS {101 + course}: {kind} {TOPICS[self._plan.course_topic(course)].name}"

    def _report(self, report: int) -> str:
        year = self._plan.year(self._plan.reports.start(report))
        return f"{year % 100:02d}-{report + 1}"

    def _month(self, index: int) -> str:
        return f"{_MONTHS[index % 12]} {FIRST_MONTH + index // 12}"

    def _own(self, number: int, stream: Stream) -> str:
        section, index = self._plan.layout.where(number)
        slot = index % {"cv": 4, "desk": 2, "lab": 2}.get(section, 1)
        return stream.one(_OWN[section, slot])

    def _step(self, section: str, source: int, number: int, index: int, stream: Stream) -> str:
        if section.endswith("-list"):
            return stream.one((f"page {index + 1}", str(index + 1), "more", "continue"))
        if number == source + 1:
            return stream.one(("next", "Next", ">>", "next one"))
        if number == source - 1:
            return stream.one(("previous", "Previous", "<<"))
        return stream.one(("up", "Up", "contents"))

    def _document(self, index: int, stream: Stream) -> Item:
        course = self._plan.documents.owner(index)
        place, odd = divmod(index - self._plan.documents.start(course), 2)
        name = stream.one(("Lecture", "Notes", "Slides", "Reading", "Handout") if odd
                          else ("Homework", "Assignment", "Problem set", "HW"))  # fmt: skip
        if odd and stream.below(4) == 0:
            return self._stranger(stream)  # slides named like the paper they are about
        name = f"{name} {place + 1}"
        match stream.below(5):
            case 0:
                return Item(f"{name} ", stream.one(("PDF", "ps", "here", "postscript")), "")
            case 1:
                return Item("", f"{name} (pdf)", "")
            case 2:
                words = self._prose.words(stream, self._plan.course_topic(course), "course", 4)
                return Item(f"{name}: ", " ".join(words).capitalize(), "")
        return plain(name)

    def _stranger(self, stream: Stream) -> Item:
        """A link dressed as one to a paper."""
        work = self._library.stranger(stream.next())
        people = ", ".join(work.authors)
        if stream.below(2):
            return Item(f"{people}. ", work.title, f". {work.venue}, {work.year}.")
        end = stream.one(("PDF", "paper", "ps", "here", "slides"))
        return Item(f"{people}. {work.title}. {work.venue}, {work.year}. ", end, "")

    def _report_item(self, number: int, index: int, stream: Stream) -> Item:
        start = self._plan.layout.starts["paper"]
        title = self._library.title(self._site, start + self._plan.reports.start(index))
        label = f"{('TR', 'Technical report', 'CS-TR')[number % 3]} {self._report(index)}"
        if stream.below(2):
            return Item("", label, f" {title}")
        return Item(f"{label}: ", title, "")

    def _paper(self, role: str, source: int, number: int, stream: Stream) -> Item:
        if role == "reports":
            return plain(stream.one(("PDF", "postscript", "ps", "full text")))
        work = self._library.work(self._site, number)
        # A page has a habit: its own way to name most of its papers.
        habit = mix(self._plan.seed, source) % len(_PAPER_ANCHORS)
        anchor = _PAPER_ANCHORS[habit] if stream.below(10) < 6 else stream.one(_PAPER_ANCHORS)
        people = ", ".join(work.authors)
        where = f"{work.venue}, {work.year}."
        match anchor:
            case "title":
                return Item(f"{people}. ", work.title, f". {where}")
            case "[{n}]":
                return Item("", f"[{1 + number % 40}]", f" {people}. {work.title}. {where}")
            case "report":
                label = f"tech report {work.year % 100:02d}-{1 + number % 60}"
                return Item(f"{people}. {work.title}. ", label, f", {work.year}.")
        return Item(f"{people}. {work.title}. {where} ", anchor, "")


_FIXED_NAMES = (
    ("Home", "Department home"), ("About us", "The department"), ("People", "Who we are"),
    ("Research", "Research areas"), ("Teaching", "Academics"),
    ("Publications", "Technical reports"), ("News", "What is new"), ("Contact", "How to reach us"),
    ("Forms", "Forms and papers"), ("Resources", "Papers on the web"),
    ("Software", "Downloads"), ("Seminars", "Colloquia"), ("Mirrors", "FTP archive"),
)  # fmt: skip
