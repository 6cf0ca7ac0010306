"""The papers of a world: their fields and citations.

These are the ground truth for extraction and citation matching: the fields that
the PDFs show, as data.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from lycosa.sites.generated.department import Department
from lycosa.sites.generated.grammar import listed
from lycosa.sites.generated.paper_body import Citation
from lycosa.sites.generated.people_names import any_name, full_name
from lycosa.sites.generated.random_stream import key, mix
from lycosa.sites.generated.story import Story
from lycosa.sites.generated.words import JOURNALS, TOPICS, VENUES

_MAX_ATTEMPTS = 6
_MIN_REFERENCES = 4
_FIRST_YEAR_ELSEWHERE = 1970
_LAST_YEAR_ELSEWHERE = 1994


@dataclass(frozen=True, slots=True)
class GeneratedPaper:
    """The fields of one paper, from title, year and venue to abstract and keywords."""

    title: str
    authors: tuple[str, ...]
    """Full names, the owner of the paper first."""
    year: int
    venue: str
    """A journal, a conference, or the number and university of a technical report."""
    pages: tuple[int, int]
    """The first and the last page in the venue."""
    topic: str
    """The name of its topic."""
    affiliations: tuple[str, ...]
    """The different departments of the authors."""
    emails: tuple[str, ...]
    """One address for each author, in their order."""
    abstract: str
    keywords: tuple[str, ...]
    """The topic, and what the paper does with what."""


@dataclass(frozen=True, slots=True)
class GeneratedReference:
    """One entry of a list of references."""

    text: str
    """The entry as printed, with its label."""
    cited: tuple[int, int] | None
    """The index of the department and the number of the cited paper; None outside this world."""
    citation: Citation
    """The reference as the running text cites it."""


@dataclass(frozen=True, slots=True)
class CitedWork:
    """The fields that a reference shows: title, authors, year, venue, first and last page."""

    title: str
    authors: tuple[str, ...]
    year: int
    venue: str
    pages: tuple[int, int]


class PaperLibrary:
    """All papers of a world.

    `seed` is the world's; `plans` and `names` are those of its departments, in their order.
    """

    def __init__(self, seed: int, plans: Sequence[Department], names: Sequence[str]) -> None:
        self._plans = plans
        self._names = names
        self._cites = key(seed, "cites")
        self._titles = key(seed, "titles")
        self._people = key(seed, "first names")

    def plan(self, site: int) -> Department:
        """Return the plan of a department."""
        return self._plans[site]

    def person(self, site: int, person: int) -> str:
        """Return the full name of a person of a department."""
        surname = self._plans[site].logins.word(person)
        return full_name(surname, mix(mix(self._people, site), person))

    def email(self, site: int, person: int) -> str:
        """Return the email address of a person of a department."""
        return f"{self._plans[site].logins[person]}@cs.{self._names[site].lower()}.example"

    def university(self, site: int, *, article: bool = False) -> str:
        """Return the name of the university of a department, for a sentence with its article."""
        name = self._names[site]
        if mix(self._people, site) & 1:
            return f"{'the ' if article else ''}University of {name}"
        return f"{name} University"

    def title(self, site: int, number: int) -> str:
        """Return the title of a paper."""
        return self.story(site, number).title

    def story(self, site: int, number: int) -> Story:
        """Return what a paper is about."""
        plan = self._plans[site]
        topic = plan.paper_topic(number - plan.layout.starts["paper"])
        return Story(mix(mix(self._titles, site), number), topic)

    def work(self, site: int, number: int) -> CitedWork:
        """Return the fields of a paper that a list of publications shows."""
        return self._work(site, number, self.story(site, number))

    def _work(self, site: int, number: int, story: Story) -> CitedWork:
        plan = self._plans[site]
        paper = number - plan.layout.starts["paper"]
        code = mix(mix(self._titles, site), number)
        authors = tuple(self.person(s, p) for s, p in self._authors(site, paper, code))
        first = 1 + (code >> 30) % 800
        report = plan.reports.owner(paper)
        year = plan.year(paper)
        if code & 3 == 0 and plan.reports.start(report) == paper:
            venue = f"Technical Report {year % 100:02d}-{report + 1}, {self.university(site)}"
        else:
            venue = _venue(code, story.subject.name)
        pages = (first, first + 4 + (code >> 44) % 20)
        return CitedWork(story.title, authors, year, venue, pages)

    def paper(self, site: int, number: int) -> GeneratedPaper:
        """Return all fields of a paper."""
        plan = self._plans[site]
        story = self.story(site, number)
        work = self._work(site, number, story)
        paper = number - plan.layout.starts["paper"]
        code = mix(mix(self._titles, site), number)
        people = self._authors(site, paper, code)
        return GeneratedPaper(
            title=work.title,
            authors=work.authors,
            year=work.year,
            venue=work.venue,
            pages=work.pages,
            topic=story.subject.name,
            affiliations=tuple(
                f"Department of Computer Science, {self.university(s)}"
                for s in dict.fromkeys(s for s, _ in people)
            ),
            emails=tuple(self.email(s, p) for s, p in people),
            abstract=story.abstract,
            keywords=story.keywords,
        )

    def cites(self, site: int, number: int) -> list[tuple[int, int]]:
        """Return the papers of this world that a paper cites, in the order of its references."""
        return [r for r in self._cited(site, number) if r is not None]

    def references(self, site: int, number: int) -> list[GeneratedReference]:
        """Return the references of a paper as they are printed, labels included."""
        code = mix(mix(self._cites, site), number)
        style = (code >> 40) % 4
        plan = self._plans[site]
        year = plan.year(number - plan.layout.starts["paper"])
        references = []
        for position, cited in enumerate(self._cited(site, number), 1):
            if cited:
                story = self.story(*cited)
                work = self._work(*cited, story)
            else:
                draw = mix(code, position + 1000)
                story = _external_story(draw)
                work = _external_work(draw, story, year)
            citation = Citation(_cite(work, position, style), story)
            text = _print(work, position, style)
            references.append(GeneratedReference(text, cited, citation))
        return references

    def _cited(self, site: int, number: int) -> list[tuple[int, int] | None]:
        plan = self._plans[site]
        paper = number - plan.layout.starts["paper"]
        topic, year = plan.paper_topic(paper), plan.year(paper)
        code = mix(mix(self._cites, site), number)
        chosen: list[tuple[int, int] | None] = []
        seen = {(site, number)}
        for position in range(6 + code % 14):
            draw = mix(code, position)
            if draw % 7 == 0:
                chosen.append(None)
                continue
            other = site if draw & 8 else (draw >> 8) % len(self._plans)
            found = self._find(other, topic, year, mix(draw, 1))
            if found is not None and (other, found) not in seen:
                seen.add((other, found))
                chosen.append((other, found))
        # The oldest papers of this world find nothing older in it to cite.
        return chosen + [None] * (_MIN_REFERENCES - len(chosen))

    def _find(self, site: int, topic: int, year: int, code: int) -> int | None:
        """Return an older paper, preferably on the same topic; None if none is drawn."""
        plan = self._plans[site]
        start, size = plan.layout.starts["paper"], plan.layout.sizes["paper"]
        older = None
        for attempt in range(_MAX_ATTEMPTS):
            # The square makes a few papers highly cited, as in real citation counts.
            part = (mix(code, attempt) >> 32) / (1 << 32)
            paper = int(size * part * part)
            if plan.year(paper) >= year:
                continue
            older = start + paper
            if plan.paper_topic(paper) == topic:
                break
        return older

    def _authors(self, site: int, paper: int, code: int) -> list[tuple[int, int]]:
        plan = self._plans[site]
        owner = plan.papers.owner(paper)
        people = [(site, owner)]
        faculty, students = plan.layout.sizes["faculty"], plan.layout.sizes["student"]
        for n in range((code >> 50) % 4):
            draw = mix(code, n + 50)
            if draw % 6 == 0:
                other = (draw >> 8) % len(self._plans)
                people.append((other, (draw >> 20) % self._plans[other].layout.sizes["faculty"]))
            elif draw % 3:
                members = plan.members.of(plan.group_of(owner))
                people.append((site, members[(draw >> 20) % len(members)]))
            else:
                people.append((site, faculty + (draw >> 20) % students))
        return list(dict.fromkeys(people))

    def external_work(self, code: int) -> CitedWork:
        """Return a work that is not in this world, for references and misleading links."""
        return _external_work(code, _external_story(code), _LAST_YEAR_ELSEWHERE + 1)


def _external_story(code: int) -> Story:
    return Story(mix(code, 3), code % len(TOPICS))


def _external_work(code: int, story: Story, before: int) -> CitedWork:
    """Return a work from elsewhere that appeared before a year."""
    authors = tuple(any_name(mix(code, n)) for n in range(1 + (code >> 8) % 3))
    first = 1 + (code >> 20) % 500
    years = min(before, _LAST_YEAR_ELSEWHERE + 1) - _FIRST_YEAR_ELSEWHERE
    year = _FIRST_YEAR_ELSEWHERE + (code >> 30) % years
    return CitedWork(
        story.title, authors, year, _venue(code, story.subject.name), (first, first + 9)
    )


def _venue(code: int, topic: str) -> str:
    if (code >> 12) % 4 == 0:
        return f"{JOURNALS[(code >> 16) % len(JOURNALS)]} {topic}"
    return f"Proceedings of the {VENUES[(code >> 16) % len(VENUES)]} {topic}"


def _print(work: CitedWork, number: int, style: int) -> str:
    """Return a reference in one of four styles."""
    first, last = work.pages
    names = [name.rsplit(" ", 1) for name in work.authors]
    question = work.title.endswith("?")
    title, comma = (work.title, "") if question else (f"{work.title}.", ",")
    inside = "In " if work.venue.startswith("Proceedings") else ""
    match style:
        case 0:
            people = listed([f"{given[0]}. {family}" for given, family in names])
            return (
                f"[{number}] {people}. {title} {inside}{work.venue}, "
                f"pages {first}-{last}, {work.year}."
            )
        case 1:
            people = listed([f"{family}, {given[0]}." for given, family in names])
            return (
                f"[{_label(work)}] {people} ({work.year}). {title} {inside}{work.venue}, "
                f"{first}-{last}."
            )
        case 2:
            people = listed([f"{given[0]}. {family}" for given, family in names])
            venue = work.venue.replace("Proceedings of the", "Proc.")
            return (
                f'{number}. {people}, "{work.title}{comma}" {inside.lower()}{venue}, {work.year}, '
                f"pp. {first}-{last}."
            )
    people = listed([f"{family}, {given}" for given, family in names]).replace(" and ", " & ")
    return f"{people} ({work.year}). {title} {work.venue}, {first}-{last}."


def _label(work: CitedWork) -> str:
    return f"{work.authors[0].rsplit(' ', 1)[1][:3]}{work.year % 100:02d}"


def _cite(work: CitedWork, number: int, style: int) -> str:
    """Return a citation in running text, in the style of the list of references."""
    families = [name.rsplit(" ", 1)[1] for name in work.authors]
    people = f"{families[0]} et al." if len(families) > 2 else listed(families)
    if style == 3:
        return f"{people} ({work.year})"
    return f"{people} [{_label(work) if style == 1 else number}]"
