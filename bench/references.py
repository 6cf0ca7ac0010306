"""Generator of references with known works, for fitting the match weights and for benchmarks.

Groups of authors write several works on one topic, with titles that share
words, some of them in parts; a work has a report, conference or journal
version, or several, or is a thesis or a book. Each of these is a separate
publication. A reference cites one of them (`bench.printed`).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from random import Random

from bench.printed import Version, Work, reference
from lycosa.papers.synthetic.invented_words import spell
from lycosa.sites.generated.words import TOPICS

__all__ = ["Version", "Work", "reference", "references", "works"]

_FIRST_NAMES = tuple(
    """Ada Alan Alice Amit Andrea Anna Barbara Ben Brian Carla Carlos Chen Clara Daniel David Diana
    Edgar Elena Emil Erik Eva Fatima Felix Frank Grace Hana Henry Hiro Ines Ivan Jack Jane Jin
    John José Julia Jürgen Karen Karl Kim Lars Laura Lee Leo Lin Lucia Maria Mark Martha Mehmet
    Mei Michael Mina Nadia Nils Olga Omar Oscar Paul Paula Peter Priya Rachel Raj René Rita Robert
    Rosa Ruth Sam Sara Simon Sofia Stefan Susan Tara Thomas Tim Tom Uma Vera Victor Wei Yuki Zoë
    """.split()
)
_PREFIXES = "hyper multi auto quasi semi meta inter micro bi super poly para iso co".split()
_ROOTS = (
    "graph metric spectral nomial linear modal convex causal variate plex gradient phase section "
    "lattice kernel vector genic static tonic form partite scale objective resolution"
).split()
_ENDINGS = ("", "ity", "s", "ization", "ism", "ing")
_COMMON = (
    "analysis approach method methods algorithm algorithms system systems model models theory "
    "design evaluation application applications study performance results problem problems "
    "complexity framework techniques environment construction estimation representation"
).split()
_MANNERS = (
    "efficient fast simple optimal adaptive robust incremental general hierarchical dynamic "
    "practical distributed statistical probabilistic automatic interactive improved"
).split()
_PATTERNS = (
    "{m} {t} {c} for {t} {t}",
    "on the {c} of {t} {t}",
    "{t} {t} with {m} {t}",
    "a {m} {c} for {t} {r} {t}",
    "{r} {t} and {t}: {m} {c} of {t} {t}",
    "towards {m} {t}",
    "the {t} of {r} {t} {c}",
    "learning {t} from {t} {t}",
    "{m} {c} using {r} {t}",
    "an introduction to {r} {t} {t}",
    "introduction to the {c} of {t} {t}",
    "{n}: a {m} {t} {t} {c}",
    "the {n} {t} system",
    "{t} {t}: the {n} {c}",
    "{r} {t} {t} and the {c} of {r} {t}",
    "bounds for {r} {t} in {m} {t} {t}",
    "is {r} {t} {m}?",
    "{t} {c} in the presence of {t} {t}",
    "{t}",
    "how to {m}ly use {t} {t}",
    "{r}-based {t} {t} {c}: a {c} of {t} {c} in {t}",
)
_MEETINGS = (
    ("International Conference on Machine Learning", "ICML"),
    ("Annual Symposium on Theory of Computing", "STOC"),
    ("Symposium on Foundations of Computer Science", "FOCS"),
    ("National Conference on Artificial Intelligence", "AAAI"),
    ("International Joint Conference on Artificial Intelligence", "IJCAI"),
    ("International Conference on Very Large Data Bases", "VLDB"),
    ("Symposium on Operating Systems Principles", "SOSP"),
    ("Symposium on Principles of Programming Languages", "POPL"),
    ("International Conference on Robotics and Automation", "ICRA"),
    ("Conference on Computer Vision and Pattern Recognition", "CVPR"),
    ("Annual International Conference on Research and Development in Information Retrieval",
     "SIGIR"),
    ("Neural Information Processing Systems", "NIPS"),
    ("International Symposium on Computer Architecture", "ISCA"),
    ("Workshop on Hot Topics in Networks", "HotNets"),
    ("International Conference on Software Engineering", "ICSE"),
    ("European Symposium on Algorithms", "ESA"),
)  # fmt: skip
_JOURNALS = (
    "Machine Learning", "Journal of the ACM", "Artificial Intelligence", "Parallel Computing",
    "Information and Computation", "Computational Linguistics",
    "Journal of Computer and System Sciences", "Communications of the ACM", "Neural Computation",
    "Transactions on Pattern Analysis and Machine Intelligence", "Theoretical Computer Science",
    "Transactions on Software Engineering", "Information Processing Letters", "Computer Networks",
    "SIAM Journal on Computing", "Journal of Artificial Intelligence Research", "Algorithmica",
    "Transactions on Programming Languages and Systems",
)  # fmt: skip
_PRESSES = ("MIT Press", "Springer", "Morgan Kaufmann", "ACM Press", "Elsevier", "Academic Press")
_SCHOOLS = (
    "University of California at Santa Cruz", "Stanford University", "Carnegie Mellon University",
    "MIT", "AT&T Bell Laboratories", "IBM Research Division", "University of Toronto", "INRIA",
)  # fmt: skip
_REPORTS = (
    "CS-{y:02d}-{n}",
    "TR {n}",
    "UCSC-CRL-{y:02d}-{n:02d}",
    "RC {n}",
    "LCS/TR-{n}",
    "{y}-{n}",
)
_SERIES = ((", part I", ", part II"), ("", " II"), ("", ", part 2"), (" 1", " 2"))


def works(size: int, seed: int) -> list[Work]:
    """Generate `size` works by groups of authors."""
    chance = Random(seed)
    made: list[Work] = []
    while len(made) < size:
        topic = chance.choice(TOPICS)
        people = [_person(chance) for _ in range(chance.randint(2, 8))]
        rare = [_rare(chance) for _ in range(3)]
        year, title = chance.randint(1975, 2008), ""
        versions: tuple[Version, ...] = ()
        for _ in range(chance.randint(2, 14)):
            count = chance.choice((1, 2, 2, 2, 3, 3, 4, 6))
            authors = chance.sample(people, min(len(people), count))
            if title and chance.random() < 0.35:
                title = _follow_up(chance, title, topic.words)
            else:
                title = _title(chance, topic.words, rare)
            for number in chance.choice(_SERIES) if chance.random() < 0.06 else ("",):
                if versions and chance.random() < 0.3:
                    versions = tuple(_beside(chance, version) for version in versions)
                else:
                    versions = _versions(chance, year + chance.randint(0, 6))
                made.append(Work(tuple(authors), title + number, versions))
    return made[:size]


Truth = tuple[int, int]
"""The number of a work, and of a publication of it."""


def references(
    some: Sequence[Work], count: int, seed: int
) -> Iterator[tuple[Truth, dict[str, str]]]:
    """Yield the truth and the fields of `count` references; few works have most of them."""
    chance = Random(seed)
    ranks = list(range(len(some)))
    chance.shuffle(ranks)
    for _ in range(count):
        # A density that falls as the power 1/2 of the rank: the first hundredth has a tenth.
        work = ranks[int(len(some) * chance.random() ** 2)]
        version = chance.randrange(len(some[work].versions))
        yield (work, version), reference(chance, some[work], version)


def _person(chance: Random) -> tuple[str, str]:
    given = chance.choice(_FIRST_NAMES)
    if chance.random() < 0.4:
        given += f" {chance.choice('ABCDEFGHJKLMPRSTW')}."
    # Squared, so that some family names are common.
    code = int(400_000 * chance.random() ** 3)
    family = spell(code * 7919 % 144_000, 2)
    return given, family.capitalize()


def _rare(chance: Random) -> str:
    return chance.choice(_PREFIXES) + chance.choice(_ROOTS) + chance.choice(_ENDINGS)


def _title(chance: Random, topic: Sequence[str], rare: Sequence[str]) -> str:
    words = {"t": topic, "c": _COMMON, "m": _MANNERS, "r": rare}
    pattern = chance.choice(_PATTERNS)
    for key, choices in words.items():
        while f"{{{key}}}" in pattern:
            pattern = pattern.replace(f"{{{key}}}", chance.choice(choices), 1)
    # The names of systems are unique.
    pattern = pattern.replace("{n}", spell(chance.randrange(144_000), 1))
    return pattern[0].upper() + pattern[1:]


def _follow_up(chance: Random, title: str, topic: Sequence[str]) -> str:
    """Return a title similar to the previous one, with words replaced or added."""
    words = title.split(": ", maxsplit=1)[0].split()
    for _ in range(chance.randint(1, 3)):
        word = chance.choice((*topic, chance.choice(_COMMON), chance.choice(_MANNERS)))
        place = chance.randrange(len(words))
        if chance.random() < 0.7:
            words[place] = word
        else:
            words.insert(place, word)
    if chance.random() < 0.3:
        words = [*words, "for", *chance.choices(topic, k=2)]
    return " ".join(words).capitalize()


def _versions(chance: Random, year: int) -> tuple[Version, ...]:
    draw = chance.random()
    if draw < 0.05:
        return (_book(chance, year),)
    school = chance.choice(_SCHOOLS)
    if draw < 0.08:
        degree = chance.choice(("PhD thesis", "PhD thesis", "Master's thesis"))
        made = [Version("thesis", degree, year, maker=school)]
        return (*made, _book(chance, year + 1)) if chance.random() < 0.3 else tuple(made)
    made = []
    if chance.random() < 0.65:
        made.append(_meeting(chance, year))
    if not made or chance.random() < 0.3:
        made.append(_journal(chance, year + chance.randint(0, 4)))
    if chance.random() < 0.06:
        another = _journal if made[-1].volume else _meeting
        made.append(another(chance, made[-1].year + chance.randint(0, 2)))
    if chance.random() < 0.12:
        number = chance.choice(_REPORTS).format(y=year % 100, n=chance.randint(1, 300))
        made.append(Version("report", number, year - chance.randint(0, 1), maker=school))
    return tuple(made)


def _book(chance: Random, year: int) -> Version:
    return Version("book", "", year, maker=chance.choice(_PRESSES))


def _meeting(chance: Random, year: int) -> Version:
    venue, acronym = chance.choice(_MEETINGS)
    first = chance.randint(1, 900)
    pages = (first, first + chance.randint(5, 30))
    # Some proceedings are printed in the following year.
    printed = year + (chance.random() < 0.06)
    edition = max(1, year - 1965 - len(venue) % 20)
    return Version("meeting", venue, year, pages, 0, acronym, printed, edition=edition)


def _journal(chance: Random, year: int) -> Version:
    first = chance.randint(1, 1500)
    pages = (first, first + chance.randint(8, 45))
    return Version("journal", chance.choice(_JOURNALS), year, pages, chance.randint(1, 120))


def _beside(chance: Random, version: Version) -> Version:
    """Return the publication of another paper in the same volume."""
    if not version.pages[1]:
        return version
    first = version.pages[1] + chance.randint(1, 200)
    return replace(version, pages=(first, first + chance.randint(5, 30)))
