"""Seeded generator of names, titles, venues and sentences.

Half of the names and places come from lists and half are invented: a labeller
trained on listed names only would rely on the lists alone.
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
from lycosa.papers.synthetic.invented_words import spell

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
_INVENTED_SHARE = 0.45  # of family names and cities
_OFFENSIVE = re.compile("[dfs][iu]ck|cock|cunt|tit|cum|rape|kike|nazi|fag|pis|nig|dago|wog|gook")
# Words of the lexicons at random positions, so that a labeller does not rely on lexicons alone.
_LEXICON_WORDS = tuple(
    word
    for text in (DEGREES, INSTITUTIONS, JOURNALS, MEETINGS, NOTES, NOTES, PUBLISHERS, REPORTS)
    for word in text.split()
    if word.isalpha()
)


class TextGenerator:
    """Generates random text of papers about one topic.

    `rng` is the only source of randomness; the topic is drawn from it first.

    >>> TextGenerator(random.Random(1)).title() == TextGenerator(random.Random(1)).title()
    True
    """

    def __init__(self, rng: random.Random) -> None:
        self.rng = rng
        self.topic: Sequence[str] = rng.choice(vocabulary.TOPIC_WORDS)
        self._rare_share = rng.choice((0.05, 0.15, 0.4))

    def maybe(self, probability: float) -> bool:
        """Return True with this probability."""
        return self.rng.random() < probability

    def one(self, choices: Sequence[str]) -> str:
        """Return one of the choices, its placeholders filled in."""
        text = self.rng.choice(choices)
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
        return self.rng.choice(vocabulary.US_STATES).partition("|")[0]

    def _invented_word(self, *syllables: int) -> str:
        """Return an invented, pronounceable and inoffensive word."""
        while True:
            word = spell(self.rng.randrange(1_440_000), self.rng.choice(syllables))
            if not _OFFENSIVE.search(word):
                return word

    def invented(self) -> str:
        """Return an invented name or an acronym."""
        rng = self.rng
        if self.maybe(0.3):
            return "".join(rng.choice("ACDEFILMNOPRST") for _ in range(rng.randint(2, 6)))
        return self._invented_word(1, 2, 2, 3).capitalize()

    def year(self) -> int:
        """Return a year, mostly a recent one."""
        return self.rng.choice((1999, 2005)) - int(self.rng.expovariate(1 / 8)) % 60

    def month(self) -> str:
        """Return a month, sometimes abbreviated."""
        name = self.rng.choice(_MONTHS)
        return name if self.maybe(0.7) or len(name) < 5 else f"{name[:3]}."

    def ordinal(self) -> str:
        """Return an ordinal such as `Third` or `3rd`."""
        n = self.rng.randint(1, 28)
        if n <= len(_ORDINALS) and self.maybe(0.6):
            return _ORDINALS[n - 1]
        last = {1: "st", 2: "nd", 3: "rd"}.get(n % 10 if n // 10 != 1 else 0, "th")
        return f"{n}{last}"

    def person(self) -> Person:
        """Return a person with one to three given names."""
        rng = self.rng
        if self.maybe(_INVENTED_SHARE):
            family = self._invented_word(1, 2, 2, 3).capitalize()
            if self.maybe(0.2):
                family += rng.choice(
                    ("son", "mann", "ski", "ova", "ini", "berg", "stein", "er", "eau")
                )
        else:
            family = rng.choice(vocabulary.FAMILIES)
        if self.maybe(0.06):
            family = f"{rng.choice(_PARTICLES)} {family}"
        if self.maybe(0.05):
            family += f"-{rng.choice(vocabulary.FAMILIES)}"
        given = [self._given()]
        if self.maybe(0.05):
            given[0] += f"-{self._given()}"
        while self.maybe(0.35) and len(given) < 3:
            given.append(self._given())
        if self.maybe(0.02):
            family += rng.choice((" Jr.", ", Jr.", " III", " II"))
        return Person(tuple(given), family)

    def _given(self) -> str:
        rng = self.rng
        if self.maybe(0.35):
            return self._invented_word(1, 2).capitalize()
        return rng.choice(_GIVEN)

    def people(self, max_count: int = 9) -> list[Person]:
        """Return one to `max_count` people."""
        count = 1 + min(int(self.rng.expovariate(0.75)), max_count - 1)
        return [self.person() for _ in range(count)]

    def word(self, choices: Sequence[str]) -> str:
        """Return a word of a list; sometimes a word of a lexicon or an invented one."""
        rng = self.rng
        if self.maybe(0.06):
            return rng.choice(_LEXICON_WORDS)
        if self.maybe(self._rare_share):
            stem = self._invented_word(1, 2)
            return stem + rng.choice(
                "tion ing al ic ity ous ment ed s ive ness able ization ism ally er ors".split()
            )
        return rng.choice(choices)

    def _noun(self) -> str:
        nouns = self.topic if self.maybe(0.5) else vocabulary.NOUNS
        return self.word(nouns)

    def phrase(self) -> str:
        """Return a noun phrase."""
        parts = [self.word(vocabulary.ADJECTIVES)] if self.maybe(0.6) else []
        parts += [self._noun()] if self.maybe(0.45) else []
        parts.append(self._noun())
        text = " ".join(parts)
        if self.maybe(0.05):
            text = text.replace(" ", "-", 1)
        return f"the {text}" if self.maybe(0.12) else text

    def title(self) -> str:
        """Return a title in lower case, except for names."""
        rng = self.rng
        a, b, d = self.phrase(), self.phrase(), self.phrase()
        do = self.word(vocabulary.GERUNDS)
        name = self.invented()
        return rng.choice(
            (
                f"{a} for {b}",
                f"{a} in {b}",
                f"{a} of {b}",
                f"{do} {a}",
                f"{do} {a} {rng.choice(('for', 'in', 'with', 'using', 'by', 'from', 'via'))} {b}",
                f"{do} {a} with {b} for {d}",
                f"on the {self._noun()} of {a}",
                f"on {a}",
                f"an introduction to {a}",
                f"a {self.word(vocabulary.ADJECTIVES)} approach to {a}",
                f"{a} and {b}",
                f"{a}, {b}, and {d}",
                f"{name}: a {a} for {b}",
                f"{name}: {do} {a}",
                f"the {name} {a}",
                f"the {self._noun()} of {a} in {b}",
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
                f"{name} {rng.randint(1, 9)}.{rng.randint(0, 9)} user's guide",
                f"{a} in the presence of {b}",
                f"{a} ({b})",
            )
        )

    def field(self) -> str:
        """Return the subject of a journal or meeting, capitalised."""
        rng = self.rng
        if self.maybe(0.5):
            name = rng.choice(vocabulary.FIELDS)
            return f"{name} and {rng.choice(vocabulary.FIELDS)}" if self.maybe(0.15) else name
        first = capitalise(self._noun())
        second = capitalise(self._noun())
        quality = capitalise(self.word(vocabulary.ADJECTIVES))
        return rng.choice(
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
        """Return a listed or invented city."""
        rng = self.rng
        if self.maybe(_INVENTED_SHARE):
            name = self._invented_word(1).capitalize() + rng.choice(vocabulary.CITY_SUFFIXES)
            return (
                f"{rng.choice(('San', 'St.', 'New', 'Santa', 'Los'))} {name}"
                if self.maybe(0.15)
                else name
            )
        return rng.choice(_CITIES)

    def location(self) -> str:
        """Return a city, mostly with its state or country."""
        rng = self.rng
        kind = rng.random()
        city = self.city()
        if kind < 0.5:
            full, short = rng.choice(vocabulary.US_STATES).split("|")
            return f"{city}, {short if self.maybe(0.75) else full}"
        if kind < 0.8:
            return f"{city}, {rng.choice(vocabulary.COUNTRIES)}"
        return city

    def journal(self) -> str:
        """Return the name of a journal, sometimes abbreviated."""
        name = (
            self.rng.choice(vocabulary.JOURNALS)
            if self.maybe(0.4)
            else capitalise(self.one(vocabulary.JOURNAL_HEADS))
        )
        return self.abbreviate(name) if self.maybe(0.2) else name

    def meeting(self) -> str:
        """Return the name of a meeting, sometimes abbreviated."""
        name = capitalise(self.one(vocabulary.MEETING_HEADS))
        return self.abbreviate(name) if self.maybe(0.2) else name

    def abbreviate(self, name: str) -> str:
        """Replace most words of a name that have an abbreviation by it."""
        return " ".join(
            vocabulary.ABBREVIATIONS[w] if w in vocabulary.ABBREVIATIONS and self.maybe(0.8) else w
            for w in name.split()
        )

    def institution(self) -> str:
        """Return a university or a company, sometimes with a department."""
        if self.maybe(0.25):
            return self.one(vocabulary.COMPANIES)
        name = self.one(vocabulary.UNIVERSITIES)
        if self.maybe(0.55):
            part = self.one(vocabulary.DEPARTMENTS)
            return f"{part}, {name}" if self.maybe(0.85) else f"{name}, {part}"
        return name

    def code(self) -> str:
        """Return the number of a report."""
        rng = self.rng
        letters = "".join(rng.choice("ABCDEFILMNRSTU") for _ in range(rng.randint(2, 5)))
        year = self.year() % 100
        number = rng.randint(1, 400)
        return rng.choice(
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
        """Return a sentence without meaning."""
        rng = self.rng
        parts = [self.one(vocabulary.OPENERS)] if self.maybe(0.5) else [self.phrase()]
        for _ in range(rng.randint(3, 12)):
            kind = rng.random()
            parts.append(
                rng.choice(vocabulary.CONNECTIVES if kind < 0.6 else vocabulary.COMMON_WORDS)
            )
            if kind < 0.5:
                parts.append(self.phrase())
            elif kind < 0.65:
                parts.append(self.word(vocabulary.GERUNDS))
            elif kind < 0.95:
                parts.append(rng.choice(vocabulary.COMMON_WORDS))
            else:
                parts.append(self._aside())
            if kind > 0.6 and self.maybe(self._rare_share):
                parts.append(self.word(vocabulary.NOUNS))
            if self.maybe(0.1):
                parts[-1] += ","
        text = " ".join(parts).replace(",,", ",").rstrip(",")
        return text[0].upper() + text[1:] + rng.choice((".", ".", ".", ".", ".", ";", ":", "?"))

    def _aside(self) -> str:
        """Return a name, number, formula or citation, as found in prose."""
        rng = self.rng
        person = self.person()
        return rng.choice(
            (
                f"[{rng.randint(1, 40)}]",
                f"({self.phrase()})",
                f"{person.family} and {self.person().family}",
                f"{person.initials()} {person.family}",
                f"({person.family}, {self.year()})",
                self.invented(),
                f"the {self.invented()} {rng.choice(vocabulary.NOUNS)}",
                f"O(n log n) {rng.choice(vocabulary.NOUNS)}",
                f"{rng.randint(2, 99)}%",
                f"{rng.randint(1, 9)}.{rng.randint(0, 99)}",
                f"{rng.choice('fgkmnpqx')} = {rng.randint(0, 9)}",
                f"e.g., {self.phrase()}",
                f"{self.field()}",
                f'"{self.phrase()}"',
                "i.e.",
            )
        )


def capitalise(text: str) -> str:
    """Capitalise all words but the small ones.

    >>> capitalise("the use of spiders")
    'The Use of Spiders'
    """
    small = set("a an the of for in on and to with by from at as is via using versus".split())
    parts = text.split()
    return " ".join(w if n and w in small else w[0].upper() + w[1:] for n, w in enumerate(parts))
