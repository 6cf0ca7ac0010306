"""What is known of a work: the fields its members agree on, how sure they are, and who says so.

Fields are voted (`lycosa.papers.matching.canonical_record`), and where the header of the paper
itself has what won, it is printed as there. A fact is as sure as those are who
say so, out of all who say anything.

>>> def reference(title, sure):
...     return Said({"title": title}, {"title": sure})
>>> said = [reference("web spiders", 0.9), reference("Web Spiders.", 0.6), reference("Flies", 0.3)]
>>> agreed(said).facts
{'title': ('web spiders', 0.5, 'references')}
>>> agreed([*said, Said({"title": "Web spiders"}, {"title": 0.8}, is_header=True)]).facts
{'title': ('Web spiders', 0.57, 'header')}
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple, TypeAlias

from lycosa.papers.extraction.names import PersonName
from lycosa.papers.matching.canonical_record import canonical_record, comparison_key
from lycosa.portal.build.identity import author_id
from lycosa.portal.build.members import Said, unpacked
from lycosa.web.words import words

Fact: TypeAlias = tuple[str, float, str]
"""A value, how sure it is, and its source."""

_MOST = 2000  # members of a work that are asked; more would say the same
_KEPT = 5000  # lists of authors, of which those of a work are often the same


class Agreed(NamedTuple):
    """What the members of a work agree on."""

    facts: dict[str, Fact]
    authors: list[PersonName]
    sure: list[float]
    """For each member, how sure it is that it belongs to the work."""


def agreements(works: list[list[tuple[bytes, bool]]]) -> list[Agreed]:
    """What is known of several works, given as packed members that are headers or not."""
    return [
        agreed([unpacked(member, is_header=is_header) for member, is_header in members])
        for members in works
    ]


def agreed(members: Sequence[Said]) -> Agreed:
    """The fields of a work by its members, the first of which count if there are many."""
    if len(members) == 1:
        (only,) = members
        source = "header" if only.is_header else "references"
        facts = {
            name: (text, round(only.sure[name], 2), source) for name, text in only.fields.items()
        }
        return Agreed(facts, people(facts["authors"][0]) if "authors" in facts else [], [1.0])
    said = [each.fields for each in members]
    chosen = canonical_record(said[:_MOST])
    facts = {name: _fact(name, text, members[:_MOST]) for name, text in chosen.items()}
    names = fullest(people(chosen.get("authors", "")), said[:_MOST])
    return Agreed(facts, names, _sureness(members, said, chosen.get("title", "")))


def _fact(name: str, text: str, members: Sequence[Said]) -> Fact:
    key = _who if name == "authors" else comparison_key
    wanted = key(text)
    votes = total = 0.0
    headers = []
    for fields, sure, is_header in members:
        if name in fields:
            votes += 1
            mine = fields[name]
            if mine == text or key(mine) == wanted:
                total += sure[name]
                if is_header:
                    headers.append(mine)
    # Many a title is printed in capitals, which is a style and not its spelling.
    spelled = next((each for each in headers if not each.isupper()), text)
    return (spelled, round(total / max(votes, 1), 2), "header" if headers else "references")


def _sureness(
    members: Sequence[Said], said: Sequence[Mapping[str, str]], title: str
) -> list[float]:
    """How sure each member belongs to the work: by how it was read, and by words of the title."""
    right = set(words(title))
    shared = {title: 1.0}
    found = []
    for member, fields in zip(members, said, strict=True):
        text = fields.get("title", "")
        if text not in shared:
            has = set(words(text))
            shared[text] = len(right & has) / max(len(right | has), 1)
        found.append(round(member.sure.get("title", 0.0) * shared[text], 2))
    return found


def people(text: str) -> list[PersonName]:
    """The names in a list of authors as records have it.

    >>> people("Lee, Ann and Roe")
    [PersonName(family='Lee', given='Ann'), PersonName(family='Roe', given='')]
    """
    parts = (part.partition(", ") for part in text.split(" and ") if part.strip())
    return [PersonName(family.strip(), given.strip()) for family, _, given in parts]


def fullest(names: Iterable[PersonName], said: Iterable[Mapping[str, str]]) -> list[PersonName]:
    """The same people, with their given names in full if any of the members has them so.

    >>> said = [{"authors": "Lee, Ann and Roe, B."}]
    >>> [str(name) for name in fullest([PersonName("Lee", "A.")], said)]
    ['Lee, Ann']
    """
    best: dict[str, PersonName] = {}
    for text in dict.fromkeys(fields.get("authors", "") for fields in said):
        for name in people(text):
            key = author_id(name)
            if key not in best or _letters(name) > _letters(best[key]):
                best[key] = name
    found = []
    for name in names:
        other = best.get(author_id(name), name)
        found.append(other if _letters(other) > _letters(name) else name)
    return found


def _letters(name: PersonName) -> int:
    """How much of the first given name is there; more names make it no fuller."""
    first = name.given.split()[:1]
    return len(first[0].strip(".")) if first else 0


@lru_cache(maxsize=_KEPT)
def _who(text: str) -> str:
    """Who is named, whether in full or by initials."""
    return " ".join(map(author_id, people(text)))
