"""The canonical record of a work: the best fields, voted by its references."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from statistics import median

from lycosa.papers.matching.normal_form import fold_text

FIELDS = ("authors", "title", "venue", "year", "pages", "volume")
_MARKS = re.compile(r"[\W_]+")
_KEPT = 5000  # members of a work say the same again and again


def canonical_record(references: Iterable[Mapping[str, str]]) -> dict[str, str]:
    """Each field as most references have it.

    Spellings that differ in case and punctuation canonical_record together, and the most
    frequent of them is printed. Where votes are equal, the spelling wins whose
    length is nearest the median: neither cut off nor run on. Versions of a work
    are not mixed: venue, pages and volume are those of references with the year
    that won, if any of these has them.

    >>> canonical_record([{"title": "Weak learnability", "year": "(1990)"},
    ...                   {"title": "weak learnability."},
    ...                   {"title": "Weak learn", "year": "1990"}])
    {'title': 'weak learnability.', 'year': '1990'}
    """
    some = list(references)
    record: dict[str, str] = {}
    for name in ("authors", "title", "year"):
        _elect(record, name, some)
    year = comparison_key(record.get("year", ""))
    same = [fields for fields in some if comparison_key(fields.get("year", "")) == year]
    for name in ("venue", "pages", "volume"):
        _elect(record, name, same)
        if name not in record:
            _elect(record, name, some)
    return {name: record[name] for name in FIELDS if name in record}


def _elect(record: dict[str, str], name: str, some: Sequence[Mapping[str, str]]) -> None:
    texts = Counter([fields[name].strip(" ,;") for fields in some if name in fields])
    spellings: dict[str, list[tuple[int, str]]] = {}
    for text, count in texts.items():
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


@lru_cache(maxsize=_KEPT)
def comparison_key(text: str) -> str:
    """A text without case, accents and anything but letters and digits.

    >>> comparison_key("Naïve Bayes-Nets, 2nd ed.")
    'naivebayesnets2nded'
    """
    return _MARKS.sub("", fold_text(text))
