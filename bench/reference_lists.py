"""Generator of lists of references with known works: entries of one paper, DOIs and columns.

A list cites each publication at most once, and sometimes two versions of a work. Part
of the references print a DOI, a few of them a wrong one. Columns are works with one title
in one journal, by another author in each issue.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from random import Random
from typing import NamedTuple

from bench.printed import Version, Work, reference
from bench.references import Truth, works

_LIST_SIZES = (8, 40)
_BOTH_VERSIONS = 0.1  # of works with several, those that a list cites in two
_PRINTED_DOI, _WRONG_DOI = 0.3, 0.005
_COLUMNS = (
    "Reminiscences on {}", "Editorial", "Letter from the editor", "Book review", "{} column",
    "Problems and solutions", "Guest editorial: {}", "{} in memoriam",
)  # fmt: skip
_SUBJECTS = ("influential papers", "distributed computing", "spiders", "complexity theory", "logic")
_INSTALMENTS = (4, 30)


class Listed(NamedTuple):
    """An entry of a list of references."""

    truth: Truth
    source: int
    """The number of its list."""
    fields: dict[str, str]


def columns(size: int, seed: int) -> list[Work]:
    """Generate `size` instalments of columns; authors write one or a few of a column."""
    chance = Random(seed)
    people = [work.authors for work in works(max(size, 1), seed)]
    made: list[Work] = []
    while len(made) < size:
        title = chance.choice(_COLUMNS).format(chance.choice(_SUBJECTS))
        journal = chance.choice(("SIGMOD Record", "SIGACT News", "Spider Letters", "Web Bulletin"))
        year = chance.randint(1980, 2000)
        for number in range(chance.randint(*_INSTALMENTS)):
            first = chance.randint(1, 120)
            issue = Version(
                "journal", journal, year + number // 4, (first, first + chance.randint(1, 6)),
                20 + number // 4,
            )  # fmt: skip
            made.append(Work(chance.choice(people)[:1], title, (issue,)))
    return made[:size]


def reference_lists(some: Sequence[Work], count: int, seed: int) -> Iterator[Listed]:
    """Yield `count` entries of lists; few works have most of them."""
    chance = Random(seed)
    ranks = list(range(len(some)))
    chance.shuffle(ranks)
    source = given = 0
    while given < count:
        cited: dict[Truth, None] = {}
        for _ in range(chance.randint(*_LIST_SIZES)):
            work = ranks[int(len(some) * chance.random() ** 2)]
            if any((work, k) in cited for k in range(len(some[work].versions))):
                continue
            versions = list(range(len(some[work].versions)))
            chance.shuffle(versions)
            taken = 2 if chance.random() < _BOTH_VERSIONS else 1
            cited.update(dict.fromkeys((work, k) for k in versions[:taken]))
        for truth in [*cited][: count - given]:
            work, version = truth
            fields = reference(chance, some[work], version)
            if chance.random() < _PRINTED_DOI and some[work].versions[version].kind != "report":
                wrong = chance.random() < _WRONG_DOI
                other = chance.randrange(len(some)) if wrong else work
                fields["note"] = f"{fields.get('note', '')} doi:10.5555/{other}.{version}".strip()
            yield Listed(truth, source, fields)
        given += len(cited)
        source += 1


def without_identifiers(entries: Sequence[Listed]) -> list[Listed]:
    """Return the same entries as if no DOI were printed."""
    return [
        entry._replace(
            fields={**entry.fields, "note": entry.fields["note"].partition("doi:")[0].strip()}
            if "note" in entry.fields
            else entry.fields
        )
        for entry in entries
    ]
