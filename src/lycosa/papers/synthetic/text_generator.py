"""Made-up works and people, drawn at random but always the same for a seed.

Half of the names and places come from lists and half are invented: a labeller
that only ever saw names from a list would believe in nothing but lists.
"""

from __future__ import annotations

import random
import re
from collections.abc import Sequence

from lycosa.papers.extraction.lexicons import (
    CITIES,
    DEGREES,
    GIVEN,
    INSTITUTIONS,
    JOURNALS,
    MEETINGS,
    NOTES,
    PUBLISHERS,
    REPORTS,
)
from lycosa.papers.synthetic import vocabulary
from lycosa.papers.synthetic.entities import Person
from lycosa.sites.generated.names import spell
from lycosa.sites.generated.words import COMMON

_GIVEN = tuple(name.capitalize() for name in GIVEN.split())
_CITIES = tuple(name.capitalize() for name in CITIES.split())
_PARTICLES = ("van", "von", "de", "van der", "de la", "di", "van den", "Van", "De", "der", "le")
_MONTHS = tuple(
    "January February March April May June July August September October November December".split()
)
_ORDINALS = tuple(
    """First Second Third Fourth Fifth Sixth Seventh Eighth Ninth Tenth Eleventh Twelfth Thirteenth
    Fourteenth Fifteenth Sixteenth Seventeenth Eighteenth Nineteenth Twentieth""".split()
)
_INVENTED = 0.45
_RUDE = re.compile("[dfs][iu]ck|cock|cunt|tit|cum|rape|kike|nazi|fag|pis|nig|dago|wog|gook")
# Words of the lists where they mean nothing, lest a list be believed too much.
_STRAY = tuple(
    word
    for text in (DEGREES, INSTITUTIONS, JOURNALS, MEETINGS, NOTES, NOTES, PUBLISHERS, REPORTS)
    for word in text.split()
    if word.isalpha()
)


class TextGenerator:
    """Where made-up things come from.

    >>> TextGenerator(random.Random(1)).title() == TextGenerator(random.Random(1)).title()
    True
    """

    def __init__(self, chance: random.Random) -> None:
        self.chance = chance
        self.topic: Sequence[str] = chance.choice(vocabulary.TOPIC_WORDS)
        self._strange = chance.choice((0.05, 0.15, 0.4))

    def maybe(self, probability: float) -> bool:
        """True with this probability."""
        return self.chance.random() < probability

    def one(self, choices: Sequence[str]) -> str:
        """One of the choices, its blanks filled in."""
        text = self.chance.choice(choices)
        if "{" not in text:
            return text
        year = self.year()
        return text.format(
            f=self.field(),
            x=self.invented(),
            c=self.city(),
            s=self._state_or_year(text, year),
            y=year,
            o=self.ordinal(),
        )

    def _state_or_year(self, text: str, year: int) -> str:
        if "'{s}" in text or "-{s}" in text:
            return f"{year % 100:02d}"
        return self.chance.choice(vocabulary.US_STATES).partition("|")[0]

    def _coined(self, *syllables: int) -> str:
        """A word that can be spoken, in any company."""
        while True:
            word = spell(self.chance.randrange(1_440_000), self.chance.choice(syllables))
            if not _RUDE.search(word):
                return word

    def invented(self) -> str:
        """A name nobody has heard of, or an acronym."""
        c = self.chance
        if self.maybe(0.3):
            return "".join(c.choice("ACDEFILMNOPRST") for _ in range(c.randint(2, 6)))
        return self._coined(1, 2, 2, 3).capitalize()

    def year(self) -> int:
        """A year of which papers speak, mostly a recent one."""
        return self.chance.choice((1999, 2005)) - int(self.chance.expovariate(1 / 8)) % 60

    def month(self) -> str:
        """A month, at times shortened."""
        name = self.chance.choice(_MONTHS)
        return name if self.maybe(0.7) or len(name) < 5 else f"{name[:3]}."

    def ordinal(self) -> str:
        """`Third` or `3rd`."""
        n = self.chance.randint(1, 28)
        if n <= len(_ORDINALS) and self.maybe(0.6):
            return _ORDINALS[n - 1]
        last = {1: "st", 2: "nd", 3: "rd"}.get(n % 10 if n // 10 != 1 else 0, "th")
        return f"{n}{last}"

    def person(self) -> Person:
        """A person with one or more given names."""
        c = self.chance
        if self.maybe(_INVENTED):
            family = self._coined(1, 2, 2, 3).capitalize()
            if self.maybe(0.2):
                family += c.choice(
                    ("son", "mann", "ski", "ova", "ini", "berg", "stein", "er", "eau")
                )
        else:
            family = c.choice(vocabulary.FAMILIES)
        if self.maybe(0.06):
            family = f"{c.choice(_PARTICLES)} {family}"
        if self.maybe(0.05):
            family += f"-{c.choice(vocabulary.FAMILIES)}"
        given = [self._given()]
        if self.maybe(0.05):
            given[0] += f"-{self._given()}"
        while self.maybe(0.35) and len(given) < 3:
            given.append(self._given())
        if self.maybe(0.02):
            family += c.choice((" Jr.", ", Jr.", " III", " II"))
        return Person(tuple(given), family)

    def _given(self) -> str:
        c = self.chance
        if self.maybe(0.35):
            return self._coined(1, 2).capitalize()
        return c.choice(_GIVEN)

    def people(self, most: int = 9) -> list[Person]:
        """One to a few people."""
        count = 1 + min(int(self.chance.expovariate(0.75)), most - 1)
        return [self.person() for _ in range(count)]

    def word(self, urn: Sequence[str]) -> str:
        """A word of an urn; now and then a rare one that no urn has."""
        c = self.chance
        if self.maybe(0.06):
            return c.choice(_STRAY)
        if self.maybe(self._strange):
            stem = self._coined(1, 2)
            return stem + c.choice(
                "tion ing al ic ity ous ment ed s ive ness able ization ism ally er ors".split()
            )
        return c.choice(urn)

    def _thing(self) -> str:
        urn = self.topic if self.maybe(0.5) else vocabulary.NOUNS
        return self.word(urn)

    def phrase(self) -> str:
        """A noun with what goes before it."""
        parts = [self.word(vocabulary.ADJECTIVES)] if self.maybe(0.6) else []
        parts += [self._thing()] if self.maybe(0.45) else []
        parts.append(self._thing())
        text = " ".join(parts)
        if self.maybe(0.05):
            text = text.replace(" ", "-", 1)
        return f"the {text}" if self.maybe(0.12) else text

    def title(self) -> str:
        """A title in lower case, but for names."""
        c = self.chance
        a, b, d = self.phrase(), self.phrase(), self.phrase()
        do = self.word(vocabulary.GERUNDS)
        name = self.invented()
        return c.choice(
            (
                f"{a} for {b}",
                f"{a} in {b}",
                f"{a} of {b}",
                f"{do} {a}",
                f"{do} {a} {c.choice(('for', 'in', 'with', 'using', 'by', 'from', 'via'))} {b}",
                f"{do} {a} with {b} for {d}",
                f"on the {self._thing()} of {a}",
                f"on {a}",
                f"an introduction to {a}",
                f"a {self.word(vocabulary.ADJECTIVES)} approach to {a}",
                f"{a} and {b}",
                f"{a}, {b}, and {d}",
                f"{name}: a {a} for {b}",
                f"{name}: {do} {a}",
                f"the {name} {a}",
                f"the {self._thing()} of {a} in {b}",
                f"{a}: {b} and {d}",
                f"{a}: a survey",
                f"a {a} for {do} {b}",
                f"towards {a}",
                f"{do} {a}: {b} of {d}",
                f"the design and implementation of the {name} {a}",
                f"{a}",
                f"{a} versus {b}",
                f"how {a} can guide {b}",
                f"is {a} {self.word(vocabulary.ADJECTIVES)}?",
                f"what is {a}?",
                f"a note on {a}",
                f"a comparison of {a} and {b}",
                f"{name} {c.randint(1, 9)}.{c.randint(0, 9)} user's guide",
                f"{a} in the presence of {b}",
                f"{a} ({b})",
            )
        )

    def field(self) -> str:
        """What a journal or meeting is about, in capitals."""
        c = self.chance
        if self.maybe(0.5):
            name = c.choice(vocabulary.FIELDS)
            return f"{name} and {c.choice(vocabulary.FIELDS)}" if self.maybe(0.15) else name
        first = capitals(self._thing())
        second = capitals(self._thing())
        quality = capitals(self.word(vocabulary.ADJECTIVES))
        return c.choice(
            (
                f"{quality} {first}",
                f"{first} and {second}",
                f"{first}",
                f"{quality} {first} and {second}",
                f"Principles of {quality} {first}",
                f"the Theory of {first}",
                f"{first} in {second}",
                f"{first} Engineering",
            )
        )

    def city(self) -> str:
        """A city, from the list or invented."""
        c = self.chance
        if self.maybe(_INVENTED):
            name = self._coined(1).capitalize() + c.choice(vocabulary.CITY_SUFFIXES)
            return (
                f"{c.choice(('San', 'St.', 'New', 'Santa', 'Los'))} {name}"
                if self.maybe(0.15)
                else name
            )
        return c.choice(_CITIES)

    def location(self) -> str:
        """A city with its state or country, or without."""
        c = self.chance
        kind = c.random()
        city = self.city()
        if kind < 0.5:
            full, short = c.choice(vocabulary.US_STATES).split("|")
            return f"{city}, {short if self.maybe(0.75) else full}"
        if kind < 0.8:
            return f"{city}, {c.choice(vocabulary.COUNTRIES)}"
        return city

    def journal(self) -> str:
        """The name of a journal, at times abbreviated."""
        name = (
            self.chance.choice(vocabulary.JOURNALS)
            if self.maybe(0.4)
            else capitals(self.one(vocabulary.JOURNAL_HEADS))
        )
        return self.shortened(name) if self.maybe(0.2) else name

    def meeting(self) -> str:
        """The name of a meeting, at times abbreviated."""
        name = capitals(self.one(vocabulary.MEETING_HEADS))
        return self.shortened(name) if self.maybe(0.2) else name

    def shortened(self, name: str) -> str:
        """The same with the usual abbreviations, none of them for sure."""
        return " ".join(
            vocabulary.ABBREVIATIONS[w] if w in vocabulary.ABBREVIATIONS and self.maybe(0.8) else w
            for w in name.split()
        )

    def institution(self) -> str:
        """A university or a company, with its department or without."""
        if self.maybe(0.25):
            return self.one(vocabulary.COMPANIES)
        name = self.one(vocabulary.UNIVERSITIES)
        if self.maybe(0.55):
            part = self.one(vocabulary.DEPARTMENTS)
            return f"{part}, {name}" if self.maybe(0.85) else f"{name}, {part}"
        return name

    def code(self) -> str:
        """The number of a report."""
        c = self.chance
        letters = "".join(c.choice("ABCDEFILMNRSTU") for _ in range(c.randint(2, 5)))
        year = self.year() % 100
        number = c.randint(1, 400)
        return c.choice(
            (
                f"{letters}-{year:02d}-{number}",
                f"{letters}-TR-{number}",
                f"TR-{year:02d}-{number:03d}",
                f"{letters}-{number}",
                f"{letters}-CS-{year:02d}-{number}",
                f"{year:02d}-{number}",
                f"{number}",
                f"CS-{year:02d}-{number}",
                f"{letters}/{year:02d}/{number}",
                f"{letters}-TR-{year:02d}-{number}",
                f"{letters}-R-{number}",
                f"No. {number}",
                f"TR {number}",
                f"#{number}",
                f"UCB/{letters} {year:02d}/{number}",
                f"{letters} {letters}-{year:02d}-{number}",
            )
        )

    def sentence(self) -> str:
        """A sentence of no meaning."""
        c = self.chance
        parts = [self.one(vocabulary.OPENERS)] if self.maybe(0.5) else [self.phrase()]
        for _ in range(c.randint(3, 12)):
            kind = c.random()
            parts.append(c.choice(vocabulary.CONNECTIVES if kind < 0.6 else COMMON))
            if kind < 0.5:
                parts.append(self.phrase())
            elif kind < 0.65:
                parts.append(self.word(vocabulary.GERUNDS))
            elif kind < 0.95:
                parts.append(c.choice(COMMON))
            else:
                parts.append(self._aside())
            if kind > 0.6 and self.maybe(self._strange):
                parts.append(self.word(vocabulary.NOUNS))
            if self.maybe(0.1):
                parts[-1] += ","
        text = " ".join(parts).replace(",,", ",").rstrip(",")
        return text[0].upper() + text[1:] + c.choice((".", ".", ".", ".", ".", ";", ":", "?"))

    def _aside(self) -> str:
        """What else stands in prose: names, numbers, formulas, citations."""
        c = self.chance
        person = self.person()
        return c.choice(
            (
                f"[{c.randint(1, 40)}]",
                f"({self.phrase()})",
                f"{person.family} and {self.person().family}",
                f"{person.initials()} {person.family}",
                f"({person.family}, {self.year()})",
                self.invented(),
                f"the {self.invented()} {c.choice(vocabulary.NOUNS)}",
                f"O(n log n) {c.choice(vocabulary.NOUNS)}",
                f"{c.randint(2, 99)}%",
                f"{c.randint(1, 9)}.{c.randint(0, 99)}",
                f"{c.choice('fgkmnpqx')} = {c.randint(0, 9)}",
                f"e.g., {self.phrase()}",
                f"{self.field()}",
                f'"{self.phrase()}"',
                "i.e.",
            )
        )


def capitals(text: str) -> str:
    """Capitals for all words but the small ones.

    >>> capitals("the use of spiders")
    'The Use of Spiders'
    """
    small = set("a an the of for in on and to with by from at as is via using versus".split())
    parts = text.split()
    return " ".join(w if n and w in small else w[0].upper() + w[1:] for n, w in enumerate(parts))
