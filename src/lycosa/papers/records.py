"""The canonical record of a work: the best fields, voted by its references."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from statistics import median

from lycosa.papers.forms import folded

FIELDS = ("authors", "title", "venue", "year", "pages", "volume")


def vote(references: Iterable[Mapping[str, str]]) -> dict[str, str]:
    """Each field as most references have it.

    Spellings that differ in case and punctuation vote together, and the most
    frequent of them is printed. Where votes are equal, the spelling wins whose
    length is nearest the median: neither cut off nor run on. Versions of a work
    are not mixed: venue, pages and volume are those of references with the year
    that won, if any of these has them.

    >>> vote([{"title": "Weak learnability", "year": "(1990)"}, {"title": "weak learnability."},
    ...       {"title": "Weak learn", "year": "1990"}])
    {'title': 'weak learnability.', 'year': '1990'}
    """
    some = list(references)
    record: dict[str, str] = {}
    for name in ("authors", "title", "year"):
        _elect(record, name, some)
    year = _plain(record.get("year", ""))
    same = [fields for fields in some if _plain(fields.get("year", "")) == year]
    for name in ("venue", "pages", "volume"):
        _elect(record, name, same)
        if name not in record:
            _elect(record, name, some)
    return {name: record[name] for name in FIELDS if name in record}


def _elect(record: dict[str, str], name: str, some: Sequence[Mapping[str, str]]) -> None:
    spellings: dict[str, Counter[str]] = {}
    for fields in some:
        text = fields.get(name, "").strip(" ,;")
        if plain := _plain(text):
            spellings.setdefault(plain, Counter())[text] += 1
    if spellings:
        middle = median([len(plain) for plain, each in spellings.items() for _ in each.elements()])
        best = max(spellings, key=lambda p: (spellings[p].total(), -abs(len(p) - middle), p))
        record[name] = max(spellings[best], key=lambda text: (spellings[best][text], text))


def _plain(text: str) -> str:
    return "".join([c for c in folded(text) if c.isalnum()])
