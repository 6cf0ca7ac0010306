"""Formatter of noisy references: a random style, with errors and misplaced fields.

The errors are typos, broken words, truncated titles, lost authors and fields, wrong
years and pages, the year or the pages of another version, stray page numbers, and
fields misplaced by an extractor.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random

_ABBREVIATED = {
    "Proceedings": "Proc.", "International": "Int.", "Conference": "Conf.", "Journal": "J.",
    "Symposium": "Symp.", "Transactions": "Trans.", "Computer": "Comput.", "Annual": "Ann.",
    "Science": "Sci.", "Systems": "Sys.", "Artificial": "Artif.", "Intelligence": "Intell.",
    "Machine": "Mach.", "Learning": "Learn.", "Information": "Inf.", "Theory": "Th.",
    "Processing": "Process.", "Research": "Res.", "Software": "Softw.", "Engineering": "Eng.",
    "Communications": "Commun.", "Foundations": "Found.", "Computing": "Comput.",
    "Programming": "Program.", "Languages": "Lang.", "Networks": "Netw.", "Letters": "Lett.",
}  # fmt: skip
_ACRONYMS = {
    "Journal of the ACM": "JACM", "Communications of the ACM": "CACM",
    "Theoretical Computer Science": "TCS", "Journal of Computer and System Sciences": "JCSS",
    "Journal of Artificial Intelligence Research": "JAIR",
}  # fmt: skip
_TENS = {20: "Twent", 30: "Thirt", 40: "Fort"}
_UNITS = (
    "First Second Third Fourth Fifth Sixth Seventh Eighth Ninth Tenth Eleventh Twelfth Thirteenth "
    "Fourteenth Fifteenth Sixteenth Seventeenth Eighteenth Nineteenth"
).split()
_PUBLISHERS = ("ACM Press", "IEEE", "Morgan Kaufmann", "Springer", "MIT Press", "ACM", "IEEE Press")
_TOWNS = ("San Francisco, CA", "New York", "Cambridge, MA", "Berlin", "Chicago, Illinois")
_LOSS_RATES = {"venue": 0.06, "year": 0.03, "pages": 0.18, "volume": 0.12, "authors": 0.01}
_RANGES = ("{}-{}", "pages {}-{},", "pp. {}--{}.", "{} - {}")
_RUNNING_HEAD_WORDS = (
    "references bibliography combining estimates technical section theory results acknowledgments "
    "notes on some related work appendix proceedings author index chapter"
).split()
_FORTHCOMING = ("to appear", "to appear.", "(to appear)", "submitted for publication", "in press")
_UNPUBLISHED = ("Unpublished manuscript", "Manuscript,", "Preprint.")


@dataclass(frozen=True, slots=True)
class Version:
    """One publication of a work."""

    kind: str
    venue: str
    year: int
    pages: tuple[int, int] = (0, 0)
    volume: int = 0
    acronym: str = ""
    printed: int = 0
    """The year of its volume, if it differs."""
    maker: str = ""
    """The publisher of a book, or the institution of a report or thesis."""
    edition: int = 0


@dataclass(frozen=True, slots=True)
class Work:
    """A work without errors."""

    authors: tuple[tuple[str, str], ...]
    title: str
    versions: tuple[Version, ...]


def reference(chance: Random, work: Work, number: int = 0) -> dict[str, str]:
    """Return the fields of a noisy reference to a version of a work."""
    version = work.versions[number]
    other = work.versions[chance.randrange(len(work.versions))]
    fields = {
        "authors": _authors(chance, work.authors),
        "title": _printed_title(chance, work.title),
        "year": chance.choice(("{}", "({})", "{}.", "{},")).format(_year(chance, version, other)),
    }
    first, last = _pages(chance, version, other)
    if last:
        fields["pages"] = chance.choice(_RANGES).format(first, last)
    volume = version.volume
    if volume:
        if chance.random() < 0.01:
            volume += chance.choice((-1, 1, 10))
        fields["volume"] = chance.choice(("{}", "vol. {},", "{}(2)", "{},")).format(volume)
    _place(chance, version, fields)
    for name, loss in _LOSS_RATES.items():
        if chance.random() < loss:
            fields.pop(name, None)
    if version.kind in ("meeting", "journal"):
        _unpublish(chance, version, fields)
    if other.venue and other is not version and chance.random() < 0.06:
        phrase = chance.choice(("an extended abstract appeared in", "a preliminary version is in"))
        fields["note"] = f"{phrase} {_venue(chance, other)}"
    _displace(chance, fields)
    for name, rate in (("title", 0.25), ("authors", 0.12), ("venue", 0.1)):
        while name in fields and chance.random() < rate:
            fields[name] = _typo(chance, fields[name])
    if chance.random() < 0.5:
        fields = {name: text.lower() for name, text in fields.items()}
    return fields


def _year(chance: Random, version: Version, other: Version) -> int:
    if chance.random() < 0.01:
        return other.year
    if chance.random() < 0.015:
        return version.year + chance.choice((-10, -2, -1, -1, 1, 1, 1, 2, 10))
    return version.printed if version.printed and chance.random() < 0.5 else version.year


def _pages(chance: Random, version: Version, other: Version) -> tuple[int, int]:
    first, last = version.pages
    draw = chance.random()
    if not last:
        return first, last
    if draw < 0.01:
        return other.pages
    if draw < 0.02:
        return first + chance.randint(-40, 40), last + chance.randint(50, 80)
    if draw < 0.04:
        first += chance.choice((-1, 1, 10))
    elif draw < 0.08:
        last += chance.choice((-10, -1, 1, 2, 10))
    return first, last


def _place(chance: Random, version: Version, fields: dict[str, str]) -> None:
    """Add the venue and the publisher."""
    if version.kind == "book":
        fields["publisher"] = version.maker
        return
    fields["venue"] = _venue(chance, version)
    if version.maker:
        if version.kind == "report" and chance.random() < 0.2:
            fields["venue"] = chance.choice(("Technical report,", "Tech. Rep."))
            fields["institution"] = f"{version.venue}, {version.maker}"
        elif chance.random() < 0.7:
            fields["institution"] = version.maker
    elif version.kind == "meeting" and chance.random() < 0.35:
        fields["publisher"] = chance.choice(_PUBLISHERS)
        fields["address"] = chance.choice(_TOWNS)


def _unpublish(chance: Random, version: Version, fields: dict[str, str]) -> None:
    """Cite a version as unpublished or forthcoming."""
    draw = chance.random()
    if draw < 0.04:
        fields["note"] = chance.choice(_FORTHCOMING)
        fields["year"] = str(version.year - chance.choice((0, 0, 1, 1, 2, 3)))
    elif draw < 0.055:
        fields["venue"] = chance.choice(_UNPUBLISHED)
        fields["year"] = str(version.year - chance.choice((0, 0, 1)))
    if draw < 0.055:
        for name in ("pages", "volume"):
            fields.pop(name, None)


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
    if chance.random() < 0.01:  # the number of the page that ended there
        words = title.split()
        words.insert(chance.randrange(len(words)) + 1, str(chance.randint(2, 300)))
        title = " ".join(words)
    return title + chance.choice((".", ",", "", ".'"))


def _ordinal(chance: Random, number: int) -> str:
    if chance.random() < 0.03:
        number += chance.choice((-1, 1))
    if number < 20 and chance.random() < 0.5:
        return _UNITS[max(number, 1) - 1]
    if number >= 20 and chance.random() < 0.5:
        tens, unit = _TENS[min(number // 10 * 10, 40)], number % 10
        return f"{tens}y{chance.choice('- ')}{_UNITS[unit - 1].lower()}" if unit else f"{tens}ieth"
    ends = {1: "st", 2: "nd", 3: "rd"}
    return f"{number}{'th' if number in (11, 12, 13) else ends.get(number % 10, 'th')}"


def _venue(chance: Random, version: Version) -> str:
    venue = version.venue
    if version.kind == "report":
        return f"{chance.choice(('Technical report', 'Tech. Rep.', 'Report'))} {venue},"
    if version.kind == "meeting":
        if chance.random() < 0.2:
            ends = ("", f"-{version.year % 100:02d}", f" '{version.year % 100:02d}", ",")
            short = version.acronym + chance.choice(ends)
            return chance.choice(("", "In ", "Proc. ", "Proceedings of ")) + short
        edition = f"{_ordinal(chance, version.edition)} " if chance.random() < 0.6 else ""
        if chance.random() < 0.3:
            venue = venue.removeprefix("Annual ").removeprefix("International ")
        if chance.random() < 0.25:
            venue = f"{'Annual ' * (chance.random() < 0.5)}{chance.choice(('ACM', 'IEEE'))} {venue}"
        if chance.random() < 0.1:
            venue = venue.replace("Conference", "Workshop")
        if chance.random() < 0.8:
            venue = f"Proceedings of the {edition}{venue}"
    elif venue in _ACRONYMS and chance.random() < 0.12:
        return _ACRONYMS[venue]
    if chance.random() < 0.4:
        venue = " ".join(_ABBREVIATED.get(word, word) for word in venue.split())
    if chance.random() < 0.08:
        words = venue.split()
        k = chance.randrange(len(words))
        words[k] = f"{words[k][:4]}-{chance.choice(('', ' '))}{words[k][4:]}"
        venue = " ".join(words)
    return (f"In {venue}" if version.kind == "meeting" and chance.random() < 0.5 else venue) + ","


def _displace(chance: Random, fields: dict[str, str]) -> None:
    """Move a value to the wrong field, as an extractor may do."""
    draw = chance.random()
    pages, volume = fields.get("pages", ""), fields.get("volume", "")
    if draw < 0.02 and "year" in fields:
        fields["title"] = f"({fields.pop('year').strip('().,')}). {fields['title']}"
    elif draw < 0.04 and "venue" in fields:
        fields["title"] = f"{fields['title'].rstrip('.,')}. {fields.pop('venue')}"
        if volume and pages:
            del fields["volume"], fields["pages"]
            fields["address"] = f"{volume.strip(',')}:{pages}"
    elif draw < 0.055 and "authors" in fields:
        words = fields["authors"].split()
        # A family name, or a whole one in some styles.
        kept = len(words) - chance.choice((1, 1, 2))
        if kept > 2:
            fields["authors"] = " ".join(words[:kept])
            fields["title"] = f"{' '.join(words[kept:])} {fields['title']}"
    elif draw < 0.07 and pages:
        fields["note"] = f"{fields.pop('venue', '')} {fields.pop('volume', '')} {pages}"
        del fields["pages"]
    elif draw < 0.11 and volume and "venue" in fields:
        fields["venue"] = f"{fields['venue'].rstrip(',')} {fields.pop('volume')}"
    elif draw < 0.12 and "venue" in fields:
        fields["note"] = fields.pop("venue")
    elif draw < 0.13 and pages:
        fields["pages"] = pages.replace("-", "").replace(" ", "")
    elif 0.13 <= draw < 0.135:  # a running head, or the line above
        fields["title"] = " ".join(chance.sample(_RUNNING_HEAD_WORDS, 3))
    elif 0.135 <= draw < 0.145:
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
