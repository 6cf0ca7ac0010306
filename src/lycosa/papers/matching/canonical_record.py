"""Canonical record of a work: each field by the vote of its references."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from statistics import median

from lycosa.papers.matching.normal_form import fold_text

FIELDS = ("authors", "title", "venue", "year", "pages", "volume")
_MARKS = re.compile(r"[\W_]+")
_CACHED_TEXTS = 5000  # the references of a work repeat the same texts


def canonical_record(
    references: Iterable[Mapping[str, str]], more: Sequence[str] = ()
) -> dict[str, str]:
    """Return the canonical record: each field as most references have it.

    Spellings that differ in case and punctuation vote together, and the most frequent of
    them is used. Between equal votes, the spelling whose length is nearest the median wins:
    neither truncated nor run on. Versions of a work are not mixed: venue, pages and volume
    come from references with the winning year, if any of these has them, as do the
    further fields `more`.

    >>> canonical_record([{"title": "Weak learnability", "year": "(1990)"},
    ...                   {"title": "weak learnability."},
    ...                   {"title": "Weak learn", "year": "1990"}])
    {'title': 'weak learnability.', 'year': '1990'}
    """
    members = list(references)
    record: dict[str, str] = {}
    for name in ("authors", "title", "year"):
        _vote(record, name, members)
    year = comparison_key(record.get("year", ""))
    same = [fields for fields in members if comparison_key(fields.get("year", "")) == year]
    for name in ("venue", "pages", "volume", *more):
        _vote(record, name, same)
        if name not in record:
            _vote(record, name, members)
    return {name: record[name] for name in (*FIELDS, *more) if name in record}


def _vote(record: dict[str, str], name: str, members: Sequence[Mapping[str, str]]) -> None:
    found = [fields[name].strip(" ,;") for fields in members if name in fields]
    if not found:
        return
    if found.count(found[0]) == len(found):  # of most fields there is one spelling
        if comparison_key(found[0]):
            record[name] = found[0]
        return
    spellings: dict[str, list[tuple[int, str]]] = {}
    for text, count in Counter(found).items():
        if same := comparison_key(text):
            spellings.setdefault(same, []).append((count, text))
    if not spellings:
        return
    best = next(iter(spellings))
    if len(spellings) > 1:
        votes = {same: sum(count for count, _ in each) for same, each in spellings.items()}
        middle = median([len(same) for same, count in votes.items() for _ in range(count)])
        best = max(votes, key=lambda same: (votes[same], -abs(len(same) - middle), same))
    record[name] = max(spellings[best])[1]


@lru_cache(maxsize=_CACHED_TEXTS)
def comparison_key(text: str) -> str:
    """Return the letters and digits of a text, without case and accents.

    >>> comparison_key("Naïve Bayes-Nets, 2nd ed.")
    'naivebayesnets2nded'
    """
    return _MARKS.sub("", fold_text(text))
