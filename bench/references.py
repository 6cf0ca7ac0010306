"""Generated references whose works are known: to learn weights from, and to measure with.

Groups of authors write several works on one topic, with titles that share
words, some of them in parts; a work has a report, conference or journal
version, or several. A reference prints one version in one of several styles
and then suffers: typos, broken words, cut titles, lost authors, lost fields,
wrong years (2 %) and pages, and fields put in the wrong place.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from random import Random

from lycosa.sites.generated.names import FIRST_NAMES, spell
from lycosa.sites.generated.words import TOPICS

_PREFIXES = "hyper multi auto quasi semi meta inter micro bi super poly para iso co".split()
_ROOTS = (
    "graph metric spectral nomial linear modal convex causal variate plex gradient phase section "
    "lattice kernel vector genic static tonic form partite scale objective resolution"
).split()
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
    "an introduction to {t} {t}",
    "{t} {c} in the presence of {t} {t}",
    "{t}",
    "how to {m}ly use {t} {t}",
    "{r}-based {t} {t} {c}: a {c} of {t} {c} in {t}",
)
_ABBREVIATED = {
    "Proceedings": "Proc.", "International": "Int.", "Conference": "Conf.", "Journal": "J.",
    "Symposium": "Symp.", "Transactions": "Trans.", "Computer": "Comput.", "Annual": "Ann.",
    "Science": "Sci.", "Systems": "Sys.", "Artificial": "Artif.", "Intelligence": "Intell.",
    "Machine": "Mach.", "Learning": "Learn.", "Information": "Inf.", "Theory": "Th.",
    "Processing": "Process.", "Research": "Res.", "Software": "Softw.", "Engineering": "Eng.",
    "Communications": "Commun.", "Foundations": "Found.", "Computing": "Comput.",
    "Programming": "Program.", "Languages": "Lang.", "Networks": "Netw.", "Letters": "Lett.",
}  # fmt: skip
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
_ORDINALS = "First Second Third Fourth Fifth Sixth Seventh Eighth Ninth Tenth 11th 12th".split()
_SERIES = ((", part I", ", part II"), ("", " II"), ("", ", part 2"), (" 1", " 2"))
_LOST = {"venue": 0.1, "year": 0.1, "pages": 0.3, "volume": 0.2, "authors": 0.01}
_RANGES = ("{}-{}", "pages {}-{},", "pp. {}--{}.", "{} - {}")


@dataclass(frozen=True, slots=True)
class Version:
    """One printing of a work."""

    venue: str
    acronym: str
    year: int
    pages: tuple[int, int]
    volume: int


@dataclass(frozen=True, slots=True)
class Work:
    """A work as it truly is."""

    authors: tuple[tuple[str, str], ...]
    title: str
    versions: tuple[Version, ...]


def works(size: int, seed: int) -> list[Work]:
    """So many works by groups of authors."""
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
    """So many references to some works, few of which have most: what it is to, and its fields."""
    chance = Random(seed)
    ranks = list(range(len(some)))
    chance.shuffle(ranks)
    for _ in range(count):
        # A density that falls as the power 1/2 of the rank: the first hundredth has a tenth.
        work = ranks[int(len(some) * chance.random() ** 2)]
        version = chance.randrange(len(some[work].versions))
        printed = some[work].versions[version]
        # A report goes with what it became.
        publication = 0 if printed.venue.startswith("Technical") else version
        yield (work, publication), reference(chance, some[work], version)


def reference(chance: Random, work: Work, number: int = 0) -> dict[str, str]:
    """One reference to a version of a work."""
    version = work.versions[number]
    first, last = version.pages
    if chance.random() < 0.03:
        first += chance.choice((-1, 1, 10))
    if chance.random() < 0.02:
        last += chance.choice((-1, 1, 2, 10))
    year = version.year
    if chance.random() < 0.02:
        year += chance.choice((-10, -2, -1, 1, 1, 2))
    volume = version.volume
    if volume and chance.random() < 0.02:
        volume += chance.choice((-1, 1, 10))
    fields = {
        "authors": _authors(chance, work.authors),
        "title": _printed_title(chance, work.title),
        "venue": _venue(chance, version),
        "year": chance.choice(("{}", "({})", "{}.", "{},")).format(year),
        "pages": chance.choice(_RANGES).format(first, last),
        "volume": chance.choice(("{}", "vol. {},", "{}(2)")).format(volume),
    }
    if not version.volume:
        del fields["volume"]
    if not last:
        del fields["pages"]
    for name, loss in _LOST.items():
        if chance.random() < loss:
            fields.pop(name, None)
    _displace(chance, fields)
    for name, rate in (("title", 0.25), ("authors", 0.12), ("venue", 0.1)):
        while name in fields and chance.random() < rate:
            fields[name] = _typo(chance, fields[name])
    if chance.random() < 0.5:
        fields = {name: text.lower() for name, text in fields.items()}
    return fields


def _person(chance: Random) -> tuple[str, str]:
    given = chance.choice(FIRST_NAMES)
    if chance.random() < 0.4:
        given += f" {chance.choice('ABCDEFGHJKLMPRSTW')}."
    # Squared, so that some family names are common.
    code = int(400_000 * chance.random() ** 3)
    family = spell(code * 7919 % 144_000, 2)
    return given, family.capitalize()


def _rare(chance: Random) -> str:
    return chance.choice(_PREFIXES) + chance.choice(_ROOTS)


def _title(chance: Random, topic: Sequence[str], rare: Sequence[str]) -> str:
    words = {"t": topic, "c": _COMMON, "m": _MANNERS, "r": rare}
    pattern = chance.choice(_PATTERNS)
    for key, choices in words.items():
        while f"{{{key}}}" in pattern:
            pattern = pattern.replace(f"{{{key}}}", chance.choice(choices), 1)
    return pattern[0].upper() + pattern[1:]


def _follow_up(chance: Random, title: str, topic: Sequence[str]) -> str:
    """A title much like that of the work before: others of its words, or more of them."""
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
    made = []
    first = chance.randint(1, 900)
    span = (first, first + chance.randint(5, 30))
    if chance.random() < 0.65:
        venue, acronym = chance.choice(_MEETINGS)
        made.append(Version(venue, acronym, year, span, 0))
    if not made or chance.random() < 0.25:
        start = chance.randint(1, 1500)
        pages = (start, start + chance.randint(8, 45))
        later = year + chance.randint(0, 4)
        made.append(Version(chance.choice(_JOURNALS), "", later, pages, chance.randint(1, 120)))
    if chance.random() < 0.06:
        again = made[-1]
        start = chance.randint(1, 900)
        other = chance.choice(_JOURNALS) if again.volume else chance.choice(_MEETINGS)[0]
        volume = chance.randint(1, 120) if again.volume else 0
        acronym = "" if volume else dict(_MEETINGS)[other]
        pages = (start, start + chance.randint(5, 30))
        made.append(Version(other, acronym, again.year + chance.randint(0, 2), pages, volume))
    if chance.random() < 0.12:
        made.append(Version(f"Technical report {chance.randint(1, 300)}", "", year, (0, 0), 0))
    if chance.random() < 0.05:
        made = [Version(chance.choice(_PRESSES), "", year, (0, 0), 0)]
    return tuple(made)


def _beside(chance: Random, version: Version) -> Version:
    """Another paper in the same volume."""
    if not version.pages[1]:
        return version
    first = version.pages[1] + chance.randint(1, 200)
    return replace(version, pages=(first, first + chance.randint(5, 30)))


def _authors(chance: Random, authors: Sequence[tuple[str, str]]) -> str:
    people = list(authors)
    style = chance.randrange(5)
    cut = len(people) > 2 and chance.random() < 0.12
    if cut:
        people = people[:1]
    elif len(people) > 1 and chance.random() < 0.03:
        people.pop(chance.randrange(len(people)))
    elif len(people) > 1 and chance.random() < 0.02:
        chance.shuffle(people)
    printed = []
    for given, family in people:
        initials = ". ".join(part[0] for part in given.split()) + "."
        if chance.random() < 0.15:
            initials = initials[:2]
        if style in (1, 3):
            initials = initials.replace(" ", "")
        printed.append(
            (f"{given} {family}", f"{initials} {family}", f"{family}, {initials}",
             f"{family} {initials}", f"{family}, {given}")[style]
        )  # fmt: skip
    if cut:
        return f"{printed[0]} et al."
    joint = "; " if style == 4 else ", "
    last = chance.choice((" and ", " & ", ", and ")) if style != 4 else " and "
    if len(printed) == 1:
        return printed[0] + chance.choice(("", ",", "."))
    return joint.join(printed[:-1]) + last + printed[-1] + chance.choice(("", ".", ","))


def _printed_title(chance: Random, title: str) -> str:
    if ":" in title and chance.random() < 0.25:
        title = title.split(":", maxsplit=1)[0]
    elif chance.random() < 0.02:
        words = title.split()
        title = " ".join(words[: max(3, len(words) * 2 // 3)])
    if chance.random() < 0.06:
        words = title.split()
        k = chance.randrange(len(words))
        if len(words[k]) > 5:
            cut = chance.randint(2, len(words[k]) - 2)
            words[k] = words[k][:cut] + chance.choice(("-", " ", "- ", "--")) + words[k][cut:]
        title = " ".join(words)
    if chance.random() < 0.03:
        words = title.split()
        words.pop(chance.randrange(len(words)))
        title = " ".join(words) or title
    return title + chance.choice((".", ",", "", ".'"))


def _venue(chance: Random, version: Version) -> str:
    venue = version.venue
    if version.acronym and chance.random() < 0.25:
        return chance.choice((version.acronym, f"{version.acronym}-{version.year % 100:02d}"))
    if version.acronym and chance.random() < 0.8:
        edition = f"{chance.choice(_ORDINALS)} " if chance.random() < 0.4 else ""
        venue = f"Proceedings of the {edition}{venue}"
    if chance.random() < 0.4:
        venue = " ".join(_ABBREVIATED.get(word, word) for word in venue.split())
    return (f"In {venue}" if version.acronym and chance.random() < 0.5 else venue) + ","


def _displace(chance: Random, fields: dict[str, str]) -> None:
    """Put something where an extractor that erred would have put it."""
    draw = chance.random()
    if draw < 0.02 and "year" in fields:
        fields["title"] = f"({fields.pop('year').strip('().,')}). {fields['title']}"
    elif draw < 0.04 and "venue" in fields:
        fields["title"] += f" {fields.pop('venue')}"
    elif draw < 0.055 and "authors" in fields:
        words = fields["authors"].split()
        if len(words) > 3:
            fields["authors"] = " ".join(words[:-1])
            fields["title"] = f"{words[-1]} {fields['title']}"
    elif draw < 0.08 and "pages" in fields:
        fields["note"] = f"{fields.get('venue', '')} {fields.pop('pages')}"
        fields.pop("venue", None)
    elif draw < 0.11 and "volume" in fields and "venue" in fields:
        fields["venue"] += f" {fields.pop('volume')}"
    elif draw < 0.09:
        words = fields["title"].split()
        fields["authors"] = f"{fields.get('authors', '')} {words[0]}"
        fields["title"] = " ".join(words[1:]) or words[0]


def _typo(chance: Random, text: str) -> str:
    if len(text) < 4:
        return text
    k = chance.randrange(1, len(text) - 1)
    letter = chance.choice("etaoinshrdlu")
    return (
        text[:k] + letter + text[k + 1 :],
        text[:k] + text[k + 1 :],
        text[:k] + letter + text[k:],
        text[:k] + text[k + 1] + text[k] + text[k + 2 :],
    )[chance.randrange(4)]
