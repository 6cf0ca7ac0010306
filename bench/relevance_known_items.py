"""Known items: works that somebody remembers and types, and the rank at which they are found.

Queries are made from works drawn at random, of four kinds: the whole title; a
run of half its words, at least three; the title with one misspelling (a letter
changed, dropped, doubled or swapped with the next, in a word of five letters or
more); the family name of an author, the year and the rarest word of the title.
A query is left out if it does not tell its work from the others: if another work
has the same title, the run in its title, or the same name, year and word. The
measure is the mean reciprocal rank among the first hundred.
"""

from __future__ import annotations

import string
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from functools import cached_property
from pathlib import Path
from random import Random

from bench.relevance_collection import Document
from bench.relevance_measures import reciprocal_rank
from bench.relevance_systems import System, words
from lycosa.portal.catalogue import Catalogue

COUNT = 500
"""Queries of each kind."""
MIN_TITLE_WORDS = 3
MIN_MISSPELT_LETTERS = 5
SEED = 23


class KnownItems:
    """Makes queries for works; the same ones whenever the works are the same.

    >>> works = [Document("1", "Learning robots in a maze", "", ("Ann Lee",), 1997),
    ...          Document("2", "Learning to grow roses", "", ("Bo Lee",), 1997)]
    >>> sorted(KnownItems(works).queries("author, year, word"))
    [('lee 1997 robots', '1'), ('lee 1997 roses', '2')]
    """

    def __init__(self, works: Sequence[Document], *, count: int = COUNT, seed: int = SEED) -> None:
        self._works = works
        self._count = count
        self._seed = seed
        self._titles = [words(work.title) for work in works]

    @cached_property
    def _same_titles(self) -> Counter[tuple[str, ...]]:
        return Counter(map(tuple, self._titles))

    @cached_property
    def _bodies(self) -> list[set[str]]:
        return [set(words(f"{work.title} {work.text}")) for work in self._works]

    @cached_property
    def _frequencies(self) -> Counter[str]:
        return Counter(word for body in self._bodies for word in body)

    @cached_property
    def _works_of(self) -> dict[tuple[str, int | None], list[int]]:
        """The works of each family name and year."""
        found: dict[tuple[str, int | None], list[int]] = defaultdict(list)
        for place, work in enumerate(self._works):
            for name in {_family(author) for author in work.authors}:
                found[name, work.year].append(place)
        return found

    @cached_property
    def _places(self) -> dict[str, list[int]]:
        """The works that have a word in their title."""
        found: dict[str, list[int]] = defaultdict(list)
        for place, title in enumerate(self._titles):
            for word in set(title):
                found[word].append(place)
        return found

    def queries(self, kind: str) -> list[tuple[str, str]]:
        """Return queries of a kind, each with the id of its work."""
        make = _KINDS[kind]
        chance = Random(f"{self._seed} {kind}")
        order = list(range(len(self._works)))
        chance.shuffle(order)
        found: list[tuple[str, str]] = []
        for place in order:
            title = self._titles[place]
            if len(title) < MIN_TITLE_WORDS or self._same_titles[tuple(title)] > 1:
                continue
            if len(found) == self._count:
                break
            if query := make(self, place, chance):
                found.append((query, self._works[place].id))
        return found

    def whole(self, place: int, _: Random) -> str:
        """Return the title as it is."""
        return " ".join(self._works[place].title.split())

    def part(self, place: int, chance: Random) -> str:
        """Return a run of half the words of the title that no other title has."""
        title = self._titles[place]
        size = max(MIN_TITLE_WORDS, (len(title) + 1) // 2)
        starts = list(range(len(title) - size + 1))
        chance.shuffle(starts)
        for start in starts:
            run = title[start : start + size]
            others = min((self._places[word] for word in run), key=len)
            if not any(other != place and _has_run(self._titles[other], run) for other in others):
                return " ".join(run)
        return ""

    def misspelt(self, place: int, chance: Random) -> str:
        """Return the title with one misspelling; empty if it has no long word."""
        typed = self.whole(place, chance).split()
        long = [at for at, word in enumerate(typed) if _is_long(word)]
        if not long:
            return ""
        at = chance.choice(long)
        typed[at] = misspell(typed[at], chance)
        return " ".join(typed)

    def author_year_word(self, place: int, chance: Random) -> str:
        """Return the family name of an author, the year and the rarest word of the title."""
        work = self._works[place]
        if not work.authors or work.year is None:
            return ""
        name = _family(chance.choice(work.authors))
        rarest = min(
            self._titles[place], key=lambda word: (self._frequencies[word], -len(word), word)
        )
        others = (other for other in self._works_of[name, work.year] if other != place)
        if not name or any(rarest in self._bodies[other] for other in others):
            return ""
        return f"{name} {work.year} {rarest}"


_KINDS: dict[str, Callable[[KnownItems, int, Random], str]] = {
    "whole title": KnownItems.whole,
    "part of the title": KnownItems.part,
    "title with a misspelling": KnownItems.misspelt,
    "author, year, word": KnownItems.author_year_word,
}
KINDS = tuple(_KINDS)


def mean_reciprocal_rank(queries: Sequence[tuple[str, str]], rank: System) -> float:
    """Return the mean reciprocal rank of works by the queries made for them."""
    return sum(reciprocal_rank(rank(query), work) for query, work in queries) / len(queries)


def read_portal(folder: Path) -> Iterator[Document]:
    """Yield the papers of a portal."""
    for work in Catalogue.open(folder).iter_works("paper"):
        names = tuple(author.name for author in work.authors)
        yield Document(work.id, work.title, work.abstract, names, work.year)


def misspell(word: str, chance: Random) -> str:
    """Return a word with one letter changed, dropped, doubled or swapped with the next.

    >>> misspell("robots", Random(3))
    'rbots'
    """
    while True:
        at = chance.randrange(len(word) - 1)
        letter = word[at]
        found = {
            "change": word[:at] + chance.choice(string.ascii_lowercase) + word[at + 1 :],
            "drop": word[:at] + word[at + 1 :],
            "double": word[:at] + letter + word[at:],
            "swap": word[:at] + word[at + 1] + letter + word[at + 2 :],
        }[chance.choice(("change", "drop", "double", "swap"))]
        if found.lower() != word.lower():
            return found


def _is_long(word: str) -> bool:
    return len(word) >= MIN_MISSPELT_LETTERS and word.isalpha()


def _family(name: str) -> str:
    """Return the family name of a name with the given names first."""
    return " ".join(words(name.rsplit(maxsplit=1)[-1])) if name.split() else ""


def _has_run(title: Sequence[str], run: Sequence[str]) -> bool:
    return any(list(title[at : at + len(run)]) == list(run) for at in range(len(title)))
