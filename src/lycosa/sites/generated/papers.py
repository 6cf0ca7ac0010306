"""The papers of a world: their fields and citations.

These are the ground truth for extraction and citation matching: the fields that
the PDFs show, as data.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from lycosa.sites.generated.department import Department
from lycosa.sites.generated.names import first_name, spell
from lycosa.sites.generated.prose import Prose
from lycosa.sites.generated.random_stream import RandomStream, key, mix
from lycosa.sites.generated.words import JOURNALS, METHODS, NOUNS, TOPICS, VENUES

_MAX_ATTEMPTS = 6


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
    """Words of the topic."""


@dataclass(frozen=True, slots=True)
class GeneratedReference:
    """One entry of a list of references."""

    text: str
    """The entry as printed, with its label."""
    cited: tuple[int, int] | None
    """The index of the department and the number of the cited paper; None outside this world."""


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
        self._prose = Prose(seed, "departments")

    def plan(self, site: int) -> Department:
        """Return the plan of a department."""
        return self._plans[site]

    def person(self, site: int, person: int) -> str:
        """Return the full name of a person of a department."""
        surname = self._plans[site].surnames[person].capitalize()
        return f"{first_name(mix(mix(self._people, site), person))} {surname}"

    def email(self, site: int, person: int) -> str:
        """Return the email address of a person of a department."""
        return f"{self._plans[site].surnames[person]}@cs.{self._names[site].lower()}.example"

    def university(self, site: int) -> str:
        """Return the name of the university of a department."""
        name = self._names[site]
        return f"University of {name}" if mix(self._people, site) & 1 else f"{name} University"

    def title(self, site: int, number: int) -> str:
        """Return the title of a paper."""
        plan = self._plans[site]
        topic = plan.paper_topic(number - plan.layout.starts["paper"])
        return self._title(mix(mix(self._titles, site), number), topic)

    def work(self, site: int, number: int) -> CitedWork:
        """Return the fields of a paper that a list of publications shows."""
        plan = self._plans[site]
        paper = number - plan.layout.starts["paper"]
        code = mix(mix(self._titles, site), number)
        topic = plan.paper_topic(paper)
        authors = tuple(self.person(s, p) for s, p in self._authors(site, paper, code))
        first = 1 + (code >> 30) % 800
        report = plan.reports.owner(paper)
        year = plan.year(paper)
        if code & 3 == 0 and plan.reports.start(report) == paper:
            venue = f"Technical Report {year % 100:02d}-{report + 1}, {self.university(site)}"
        else:
            venue = _venue(code, TOPICS[topic].name)
        pages = (first, first + 4 + (code >> 44) % 20)
        return CitedWork(self._title(code, topic), authors, year, venue, pages)

    def paper(self, site: int, number: int) -> GeneratedPaper:
        """Return all fields of a paper."""
        plan = self._plans[site]
        work = self.work(site, number)
        paper = number - plan.layout.starts["paper"]
        code = mix(mix(self._titles, site), number)
        people = self._authors(site, paper, code)
        topic = plan.paper_topic(paper)
        stream = RandomStream(mix(code, 7))
        abstract = self._prose.text(stream, topic, "paper", 60 + stream.below(70))
        return GeneratedPaper(
            title=work.title,
            authors=work.authors,
            year=work.year,
            venue=work.venue,
            pages=work.pages,
            topic=TOPICS[topic].name,
            affiliations=tuple(
                f"Department of Computer Science, {self.university(s)}"
                for s in dict.fromkeys(s for s, _ in people)
            ),
            emails=tuple(self.email(s, p) for s, p in people),
            abstract=abstract,
            keywords=tuple(stream.sample(TOPICS[topic].words, 3 + stream.below(3))),
        )

    def cites(self, site: int, number: int) -> list[tuple[int, int]]:
        """Return the papers of this world that a paper cites, in the order of its references."""
        return [r for r in self._cited(site, number) if r is not None]

    def references(self, site: int, number: int) -> list[GeneratedReference]:
        """Return the references of a paper as they are printed, labels included."""
        code = mix(mix(self._cites, site), number)
        style = (code >> 40) % 4
        references = []
        for position, cited in enumerate(self._cited(site, number)):
            work = self.work(*cited) if cited else self.external_work(mix(code, position + 1000))
            references.append(GeneratedReference(_print(work, position + 1, style), cited))
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
        return chosen

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
        topic = code % len(TOPICS)
        authors = tuple(
            f"{first_name(mix(code, n))} {spell(mix(code, n + 9) % 144_000, 2).capitalize()}"
            for n in range(1 + (code >> 8) % 3)
        )
        first = 1 + (code >> 20) % 500
        return CitedWork(
            self._title(mix(code, 3), topic),
            authors,
            1970 + (code >> 30) % 25,
            _venue(code, TOPICS[topic].name),
            (first, first + 9),
        )

    def _title(self, code: int, topic: int) -> str:
        stream = RandomStream(code)
        a, b, c = (word.capitalize() for word in stream.sample(TOPICS[topic].words, 3))
        other = stream.choice(TOPICS[(topic + stream.below(3)) % len(TOPICS)].words).capitalize()
        method, noun = stream.choice(METHODS), stream.choice(NOUNS)
        article = "An" if method[0] in "AEIOU" else "A"
        return (
            f"{method} {a} {b} for {c} {other}",
            f"{article} {method} {noun} for {a} {b}",
            f"{a} and {b}: {article} {method} {noun}",
            f"On the {a} of {b} {other}",
            f"{method} {a} with {b} and {other}",
            f"{spell(code % 144_000, 2).capitalize()}: {article} {method} {noun} for {a} {other}",
            f"{a} {b} in {method} {c}",
            f"Towards {method} {a} {noun}s",
        )[code >> 61]


def _venue(code: int, topic: str) -> str:
    if (code >> 12) % 4 == 0:
        return f"{JOURNALS[(code >> 16) % len(JOURNALS)]} {topic}"
    return f"Proceedings of the {VENUES[(code >> 16) % len(VENUES)]} {topic}"


def _print(work: CitedWork, number: int, style: int) -> str:
    """Return a reference in one of four styles."""
    first, last = work.pages
    names = [name.rsplit(" ", 1) for name in work.authors]
    inside = "In " if work.venue.startswith("Proceedings") else ""
    match style:
        case 0:
            people = _join([f"{given[0]}. {family}" for given, family in names])
            return (
                f"[{number}] {people}. {work.title}. {inside}{work.venue}, "
                f"pages {first}-{last}, {work.year}."
            )
        case 1:
            people = _join([f"{family}, {given[0]}." for given, family in names])
            label = f"{names[0][1][:3]}{work.year % 100:02d}"
            return (
                f"[{label}] {people} ({work.year}). {work.title}. {inside}{work.venue}, "
                f"{first}-{last}."
            )
        case 2:
            people = _join([f"{given[0]}. {family}" for given, family in names])
            venue = work.venue.replace("Proceedings of the", "Proc.")
            return (
                f'{number}. {people}, "{work.title}," {inside.lower()}{venue}, {work.year}, '
                f"pp. {first}-{last}."
            )
    people = _join([f"{family}, {given}" for given, family in names]).replace(" and ", " & ")
    return f"{people} ({work.year}). {work.title}. {work.venue}, {first}-{last}."


def _join(names: Sequence[str]) -> str:
    if len(names) < 3:
        return " and ".join(names)
    return f"{', '.join(names[:-1])}, and {names[-1]}"
