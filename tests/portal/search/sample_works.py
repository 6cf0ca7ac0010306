"""A small collection of works, its index, and a naive implementation of queries."""

from __future__ import annotations

import random
import re
import unicodedata
from collections.abc import Sequence
from pathlib import Path

from tantivy import Filter, TextAnalyzerBuilder, Tokenizer

from lycosa.goals.syntax import And, Not, Or, Phrase, Tree
from lycosa.portal.search import Engine, Index, IndexEntry
from lycosa.portal.search.free_words import STOP_WORDS

WORDS = "robot robots robotics learn learning learned web webs the of café cafe naïve e mail 学 习"
NAMES = ("Ann Lee", "Bo Müller", "Chen Li", "Robot Smith")
IDS = ("lee-a", "muller-b", "li-c", "smith-r")
VENUES = ("Journal of Robots", "Web Conference", "Learning Letters")
SITES = ("www.cs.a.edu", "b.org", "cs.b.org")
TOPICS = ("ai", "ai/machine-learning", "systems", "systems/web")

_stemmers = {
    code: TextAnalyzerBuilder(Tokenizer.raw()).filter(Filter.stemmer(name)).build()
    for code, name in (("", "english"), ("en", "english"), ("de", "german"))
}


def index_of(folder: Path, entries: Sequence[IndexEntry]) -> Engine:
    index = Index.open(folder)
    index.update(entries)
    index.commit()
    return Engine.open(folder)


def entries(count: int = 60, seed: int = 0) -> list[IndexEntry]:
    chance = random.Random(seed)
    words = WORDS.split()

    def text(limit: int) -> str:
        return ", ".join(chance.choice(words) for _ in range(chance.randrange(limit + 1)))

    found = []
    for number in range(count):
        people = sorted(chance.sample(range(len(NAMES)), chance.randrange(3)))
        topic = chance.randrange(len(TOPICS) + 1)
        topics = TOPICS[topic - topic % 2 : topic + 1] if topic < len(TOPICS) else ()
        year = chance.choice([None, 1989, 1996, 1997, 1999, 2004])
        found.append(
            IndexEntry(
                f"w{number}",
                chance.choice(["paper", "page"]),
                text(4).title(),
                tuple(NAMES[k] for k in people),
                tuple(IDS[k] for k in people),
                year,
                "" if year is None else f"{year}-05",
                chance.choice(["", *VENUES]),
                text(6),
                text(12),
                chance.choice(SITES),
                chance.choice(["pdf", "html"]),
                chance.choice(["", "en", "de"]),
                topics,
                tuple(f"w{chance.randrange(count)}" for _ in range(chance.randrange(4))),
                chance.choice([0, 0, 1, 5, 40]),
            )
        )
    return found


def terms(text: str) -> list[str]:
    """Split a text into words without accents."""
    bare = unicodedata.normalize("NFD", text.lower())
    bare = "".join(letter for letter in bare if not unicodedata.combining(letter))
    return re.findall(r"[学习]|[a-z0-9]+", bare)


def stem(term: str, language: str = "") -> str:
    return _stemmers[language].analyze(term)[0]


def forms(term: str) -> set[str]:
    """Return a word of a query as it may be among the stems."""
    return {term, *(stem(term, language) for language in _stemmers)}


def holds(tree: Tree, entry: IndexEntry) -> bool:
    """Return whether an entry matches a query."""
    match tree:
        case Not():
            return not holds(tree.part, entry)
        case Or():
            return any(holds(part, entry) for part in tree.parts)
        case And():
            return all(holds(part, entry) for part in required_parts(tree))
        case Phrase(field="year"):
            return entry.year is not None and _in_range(tree.words[0], entry.year)
    return any(_matches(tree, value, entry.language) for value in _values(tree.field, entry))


def required_parts(tree: And) -> list[Tree]:
    """Return the parts of a conjunction without stop words, unless there is nothing else."""
    others = [
        part
        for part in tree.parts
        if not (
            isinstance(part, Phrase)
            and part.field == "text"
            and not part.quoted
            and not part.required
            and part.words[0] in STOP_WORDS
            and len(part.words) == 1
        )
    ]
    return others if any(not isinstance(part, Not) for part in others) else list(tree.parts)


def _values(field: str, entry: IndexEntry) -> list[tuple[str, bool | str | None]]:
    """Return the texts of a field, and whether a stem finds them; None: stems find exact words."""
    match field:
        case "text":
            texts = [(text, True) for text in (entry.title, entry.abstract, entry.text)]
            # Year and venue are found by words, but not by phrases and in quotes.
            loose = [(f"{entry.year or ''}", "loose"), (entry.venue, "loose")]
            return [*texts, *((name, None) for name in entry.authors), *loose]
        case "title":
            return [(entry.title, True)]
        case "author":
            return [(name, False) for name in (*entry.authors, *entry.author_ids)]
        case "topic":
            return [(topic, False) for topic in entry.topics]
        case "cites":
            return [(cited, False) for cited in entry.cites]
        case "type":
            return [(entry.type, False), (entry.kind, False)]
    return [(getattr(entry, field), False)]


def _matches(phrase: Phrase, value: tuple[str, bool | str | None], language: str) -> bool:
    text, stemmed = value
    found = terms(text)
    expected = ["".join(terms(word)) + "*" * word.endswith("*") for word in phrase.words]

    def fits(term: str, word: str) -> bool:
        return term.startswith(word[:-1]) if word.endswith("*") else term == word

    if stemmed != "loose" and any(
        all(fits(*pair) for pair in zip(found[at : at + len(expected)], expected, strict=True))
        for at in range(len(found) - len(expected) + 1)
    ):
        return True
    loose = len(expected) == 1 and not phrase.quoted and not expected[0].endswith("*")
    if not loose or stemmed is False:
        return False
    return not forms(expected[0]).isdisjoint(
        stem(term, language) if stemmed else term for term in found
    )


def _in_range(years: str, year: int) -> bool:
    if ".." in years:
        low, high = years.split("..")
        return (not low or int(low) <= year) and (not high or year <= int(high))
    return str(year).startswith(years[:-1]) if years.endswith("*") else year == int(years)
