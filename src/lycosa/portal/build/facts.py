"""The facts about a work: the fields that its members agree on, with confidence and source.

Fields are voted on (`lycosa.papers.matching.canonical_record`). Where the header
of the paper itself has the value that won, its spelling is used. The confidence
of a fact is the sum over the members that have this value, divided by the number
of members that have any.

>>> def reference(title, confidence):
...     return MemberRecord({"title": title}, {"title": confidence})
>>> records = [reference("web spiders", 0.9), reference("Web Spiders.", 0.6),
...     reference("Flies", 0.3)]
>>> agree(records).facts
{'title': ('web spiders', 0.5, 'references')}
>>> header = MemberRecord({"title": "Web spiders"}, {"title": 0.8}, is_header=True)
>>> agree([*records, header]).facts
{'title': ('Web spiders', 0.57, 'header')}
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple, TypeAlias

from lycosa.papers.extraction.names import PersonName
from lycosa.papers.matching.canonical_record import canonical_record, comparison_key
from lycosa.portal.build.identity import author_id
from lycosa.portal.build.members import FURTHER_FIELDS, MemberRecord, unpack
from lycosa.web.words import words

FactRow: TypeAlias = tuple[str, float, str]
"""A value, its confidence, and its source."""

MAX_VOTING_MEMBERS = 2000
"""Members of a work that vote; more would hardly change the result."""
MAX_CACHED_AUTHOR_LISTS = 5000
"""The members of a work often have the same list of authors."""


class AgreedFields(NamedTuple):
    """The result of a vote of the members of a work."""

    facts: dict[str, FactRow]
    """The value that won the vote, by field name; a field that no member has is missing."""
    authors: list[PersonName]
    """The names of the fact `authors`, initials expanded where a member has the full name."""
    confidence: list[float]
    """For each member, the confidence that it belongs to the work."""


def agree_all(works: list[list[tuple[bytes, bool]]]) -> list[AgreedFields]:
    """Return the fields of several works, given as packed members that are headers or not."""
    return [
        agree([unpack(member, is_header=is_header) for member, is_header in members])
        for members in works
    ]


def agree(members: Sequence[MemberRecord]) -> AgreedFields:
    """Return the fields of a work by a vote of its members, the first ones if there are many."""
    if len(members) == 1:
        (only,) = members
        source = "header" if only.is_header else "references"
        facts = {
            name: (text, round(only.confidence[name], 2), source)
            for name, text in only.fields.items()
        }
        authors = parse_author_list(facts["authors"][0]) if "authors" in facts else []
        return AgreedFields(facts, authors, [1.0])
    records = [member.fields for member in members]
    chosen = canonical_record(records[:MAX_VOTING_MEMBERS], FURTHER_FIELDS)
    voters = members[:MAX_VOTING_MEMBERS]
    facts = {name: _fact(name, text, voters) for name, text in chosen.items()}
    authors = expand_initials(
        parse_author_list(chosen.get("authors", "")), records[:MAX_VOTING_MEMBERS]
    )
    confidence = _membership_confidence(members, records, chosen.get("title", ""))
    return AgreedFields(facts, authors, confidence)


def _fact(name: str, text: str, members: Sequence[MemberRecord]) -> FactRow:
    key = _author_key if name == "authors" else comparison_key
    wanted = key(text)
    votes = total = 0.0
    headers = []
    for fields, confidence, is_header in members:
        if name in fields:
            votes += 1
            value = fields[name]
            if value == text or key(value) == wanted:
                total += confidence[name]
                if is_header:
                    headers.append(value)
    # Many a title is printed in capitals, which is a style and not its spelling.
    spelled = next((each for each in headers if not each.isupper()), text)
    return (spelled, round(total / max(votes, 1), 2), "header" if headers else "references")


def _membership_confidence(
    members: Sequence[MemberRecord], records: Sequence[Mapping[str, str]], title: str
) -> list[float]:
    """Return the confidence of each member's title times its overlap (Jaccard) with the work's."""
    title_words = set(words(title))
    overlap = {title: 1.0}
    found = []
    for member, fields in zip(members, records, strict=True):
        text = fields.get("title", "")
        if text not in overlap:
            own = set(words(text))
            overlap[text] = len(title_words & own) / max(len(title_words | own), 1)
        found.append(round(member.confidence.get("title", 0.0) * overlap[text], 2))
    return found


def parse_author_list(text: str) -> list[PersonName]:
    """Return the names in a list of authors as records have it.

    >>> parse_author_list("Lee, Ann and Roe")
    [PersonName(family='Lee', given='Ann'), PersonName(family='Roe', given='')]
    """
    parts = (part.partition(", ") for part in text.split(" and ") if part.strip())
    return [PersonName(family.strip(), given.strip()) for family, _, given in parts]


def expand_initials(
    names: Iterable[PersonName], records: Iterable[Mapping[str, str]]
) -> list[PersonName]:
    """Return names with their given names in full where any member has them in full.

    >>> records = [{"authors": "Lee, Ann and Roe, B."}]
    >>> [str(name) for name in expand_initials([PersonName("Lee", "A.")], records)]
    ['Lee, Ann']
    """
    best: dict[str, PersonName] = {}
    for text in dict.fromkeys(fields.get("authors", "") for fields in records):
        for name in parse_author_list(text):
            key = author_id(name)
            if key not in best or _given_length(name) > _given_length(best[key]):
                best[key] = name
    found = []
    for name in names:
        other = best.get(author_id(name), name)
        found.append(other if _given_length(other) > _given_length(name) else name)
    return found


def _given_length(name: PersonName) -> int:
    """Return the length of the first given name; further names make it no fuller."""
    first = name.given.split()[:1]
    return len(first[0].strip(".")) if first else 0


@lru_cache(maxsize=MAX_CACHED_AUTHOR_LISTS)
def _author_key(text: str) -> str:
    """Return a key of the people in a list, the same for full names and initials."""
    return " ".join(map(author_id, parse_author_list(text)))
