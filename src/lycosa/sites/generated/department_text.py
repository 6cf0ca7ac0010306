"""The running text of a department's pages, and the names that it mentions."""

from __future__ import annotations

from lycosa.sites.generated.department import Department
from lycosa.sites.generated.department_facts import FIXED
from lycosa.sites.generated.grammar import Template
from lycosa.sites.generated.page_sentences import NEWS, NEWS_BODY, PAGES
from lycosa.sites.generated.papers import PaperLibrary
from lycosa.sites.generated.pastimes import ASIDES
from lycosa.sites.generated.prose import Prose
from lycosa.sites.generated.random_stream import RandomStream, mix
from lycosa.sites.generated.words import TOPICS

_SENTENCES = {
    "desk": "work", "continued": "publications", "handout": "syllabus", "lab": "publications",
    "result": "project", "mirror": "manual",
}  # fmt: skip
"""The sentences of sections that have none of their own name."""


class DepartmentText:
    """The text of one department.

    `plan` is its structure, `library` has the papers of the world, `site` is the index of
    the department in it, and `prose` makes paragraphs.
    """

    def __init__(self, plan: Department, library: PaperLibrary, site: int, prose: Prose) -> None:
        self._plan = plan
        self._library = library
        self._site = site
        self._prose = prose

    def person(self, person: int) -> str:
        """Return the name of a person."""
        return self._library.person(self._site, person)

    def course(self, course: int) -> str:
        """Return the number and the title of a course."""
        code = mix(self._plan.seed, course)
        kind = ("Introduction to", "Advanced", "Topics in", "Seminar on", "Foundations of")[
            code % 5
        ]
        return f"CS {101 + course}: {kind} {TOPICS[self._plan.course_topic(course)].name}"

    def report(self, report: int) -> str:
        """Return the number of a technical report."""
        year = self._plan.year(self._plan.reports.start(report))
        return f"{year % 100:02d}-{report + 1}"

    def passage(self, role: str, number: int, stream: RandomStream) -> str:
        """Return the running text of a part of a page."""
        plan = self._plan
        section, index = plan.layout.where(number)
        if role == "abstract":
            paper = plan.layout.starts["paper"] + plan.reports.start(index)
            facts = self._library.paper(self._site, paper)
            return f"{facts.title}. {', '.join(facts.authors)}. Abstract: {facts.abstract}"
        words = 25 + stream.below(120)
        if section == "news":
            _, first, values = self.news(number)
            return f"{first} {self._prose.paragraph(NEWS_BODY, values, stream, words)}"
        values = self._prose.research(stream, plan.topic(number))
        if section == "misc":
            told = stream.sample(plan.pastime(index).sentences, 1 + words // 50)
            asides = self._prose.paragraph(ASIDES, values, stream, words // 2)
            return f"{' '.join(told)} {asides}"
        return self._prose.paragraph(self._sentences(section, index), values, stream, words)

    def _sentences(self, section: str, index: int) -> tuple[Template, ...]:
        """Return the sentences of the running text of a page."""
        if section == "fixed":
            return PAGES[FIXED[index]]
        if section == "frame":
            person = self._plan.person_of(section, index)
            section = "faculty" if person < self._plan.layout.sizes["faculty"] else "student"
        if section == "cv":
            return PAGES[("interests", "publications", "vita", "course")[index % 4]]
        return PAGES[_SENTENCES.get(section, section)]

    def news(self, number: int) -> tuple[str, str, dict[str, str]]:
        """Return the headline of an item of news, its first sentence, and its facts."""
        plan = self._plan
        section, index = plan.news_subject(number - plan.layout.starts["news"])
        about = plan.layout.starts[section] + index
        match section:
            case "faculty" | "student":
                who = self.person(plan.person_of(section, index))
            case "project":
                who = self.project(index)
            case "group":
                who = TOPICS[plan.group_topic(index)].name
            case "report":
                who = self.report(index)
            case _:
                who = self.course(index)
        stream = RandomStream(mix(plan.seed, number))
        values = self._prose.research(stream, plan.topic(about)) | {"who": who}
        headline, sentence = stream.choice(NEWS[section])
        return headline.fill(values), sentence.fill(values), values

    def project(self, project: int) -> str:
        """Return the name of a project."""
        return self._plan.project_names[project].upper()
