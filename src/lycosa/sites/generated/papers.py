"""The papers of a world: what is printed on each, and whom it cites.

This is the truth that later work is measured by: the same fields that the PDF
shows, as data.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from lycosa.sites.generated.chance import Stream, key, mix
from lycosa.sites.generated.department import Department
from lycosa.sites.generated.names import first_name, spell
from lycosa.sites.generated.prose import Prose
from lycosa.sites.generated.words import JOURNALS, METHODS, NOUNS, TOPICS, VENUES

_TRIES = 6


@dataclass(frozen=True, slots=True)
class Paper:
    """The fields of one paper."""

    title: str
    authors: tuple[str, ...]
    year: int
    venue: str
    pages: tuple[int, int]
    topic: str
    affiliations: tuple[str, ...]
    emails: tuple[str, ...]
    abstract: str
    keywords: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Reference:
    """One entry of a list of references: its text and, if it is in this world, its paper."""

    text: str
    cited: tuple[int, int] | None
    """The index of the department and the number of the paper there."""


@dataclass(frozen=True, slots=True)
class Work:
    """What a reference shows of a paper: all but the long fields."""

    title: str
    authors: tuple[str, ...]
    year: int
    venue: str
    pages: tuple[int, int]


class Library:
    """All papers of the departments of a world."""

    def __init__(self, seed: int, plans: Sequence[Department], names: Sequence[str]) -> None:
        self._plans = plans
        self._names = names
        self._cites = key(seed, "cites")
        self._titles = key(seed, "titles")
        self._people = key(seed, "first names")
        self._prose = Prose(seed, "departments")

    def plan(self, site: int) -> Department:
        """The plan of a department."""
        return self._plans[site]

    def person(self, site: int, person: int) -> str:
        """The full name of a person of a department."""
        surname = self._plans[site].surnames[person].capitalize()
        return f"{first_name(mix(mix(self._people, site), person))} {surname}"

    def email(self, site: int, person: int) -> str:
        """The address of a person of a department."""
        return f"{self._plans[site].surnames[person]}@cs.{self._names[site].lower()}.example"

    def university(self, site: int) -> str:
        """The name of the university of a department."""
        name = self._names[site]
        return f"University of {name}" if mix(self._people, site) & 1 else f"{name} University"

    def title(self, site: int, number: int) -> str:
        """The title of a paper."""
        plan = self._plans[site]
        topic = plan.paper_topic(number - plan.layout.starts["paper"])
        return self._title(mix(mix(self._titles, site), number), topic)

    def work(self, site: int, number: int) -> Work:
        """The short fields of a paper, as a list of publications shows them."""
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
        return Work(self._title(code, topic), authors, year, venue, pages)

    def paper(self, site: int, number: int) -> Paper:
        """All fields of a paper."""
        plan = self._plans[site]
        work = self.work(site, number)
        paper = number - plan.layout.starts["paper"]
        code = mix(mix(self._titles, site), number)
        people = self._authors(site, paper, code)
        topic = plan.paper_topic(paper)
        stream = Stream(mix(code, 7))
        abstract = self._prose.text(stream, topic, "paper", 60 + stream.below(70))
        return Paper(
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
            keywords=tuple(stream.some(TOPICS[topic].words, 3 + stream.below(3))),
        )

    def cites(self, site: int, number: int) -> list[tuple[int, int]]:
        """The papers of this world that a paper cites, in the order of its references."""
        return [r for r in self._cited(site, number) if r is not None]

    def references(self, site: int, number: int) -> list[Reference]:
        """The references of a paper as they are printed, labels included."""
        code = mix(mix(self._cites, site), number)
        style = (code >> 40) % 4
        references = []
        for place, cited in enumerate(self._cited(site, number)):
            work = self.work(*cited) if cited else self.stranger(mix(code, place + 1000))
            references.append(Reference(_print(work, place + 1, style), cited))
        return references

    def _cited(self, site: int, number: int) -> list[tuple[int, int] | None]:
        plan = self._plans[site]
        paper = number - plan.layout.starts["paper"]
        topic, year = plan.paper_topic(paper), plan.year(paper)
        code = mix(mix(self._cites, site), number)
        chosen: list[tuple[int, int] | None] = []
        seen = {(site, number)}
        for place in range(6 + code % 14):
            draw = mix(code, place)
            if draw % 7 == 0:
                chosen.append(None)
                continue
            there = site if draw & 8 else (draw >> 8) % len(self._plans)
            found = self._find(there, topic, year, mix(draw, 1))
            if found is not None and (there, found) not in seen:
                seen.add((there, found))
                chosen.append((there, found))
        return chosen

    def _find(self, site: int, topic: int, year: int, code: int) -> int | None:
        """An older paper, if one comes up on the same topic."""
        plan = self._plans[site]
        start, size = plan.layout.starts["paper"], plan.layout.sizes["paper"]
        older = None
        for attempt in range(_TRIES):
            # The square makes some papers famous and most of them not.
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

    def stranger(self, code: int) -> Work:
        """A paper that is nowhere in this world, though it may be spoken of."""
        topic = code % len(TOPICS)
        authors = tuple(
            f"{first_name(mix(code, n))} {spell(mix(code, n + 9) % 144_000, 2).capitalize()}"
            for n in range(1 + (code >> 8) % 3)
        )
        first = 1 + (code >> 20) % 500
        return Work(
            self._title(mix(code, 3), topic),
            authors,
            1970 + (code >> 30) % 25,
            _venue(code, TOPICS[topic].name),
            (first, first + 9),
        )

    def _title(self, code: int, topic: int) -> str:
        stream = Stream(code)
        a, b, c = (word.capitalize() for word in stream.some(TOPICS[topic].words, 3))
        other = stream.one(TOPICS[(topic + stream.below(3)) % len(TOPICS)].words).capitalize()
        method, noun = stream.one(METHODS), stream.one(NOUNS)
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


def _print(work: Work, place: int, style: int) -> str:
    first, last = work.pages
    names = [name.rsplit(" ", 1) for name in work.authors]
    inside = "In " if work.venue.startswith("Proceedings") else ""
    match style:
        case 0:
            people = _join([f"{given[0]}. {family}" for given, family in names])
            return (
                f"[{place}] {people}. {work.title}. {inside}{work.venue}, "
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
                f'{place}. {people}, "{work.title}," {inside.lower()}{venue}, {work.year}, '
                f"pp. {first}-{last}."
            )
    people = _join([f"{family}, {given}" for given, family in names]).replace(" and ", " & ")
    return f"{people} ({work.year}). {work.title}. {work.venue}, {first}-{last}."


def _join(names: Sequence[str]) -> str:
    if len(names) < 3:
        return " and ".join(names)
    return f"{', '.join(names[:-1])}, and {names[-1]}"
