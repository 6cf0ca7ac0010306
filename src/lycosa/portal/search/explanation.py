"""Explanation of a search result: what matched, what did not, and what its score is made of.

>>> explanation = Explanation(
...     "w1",
...     matches=True,
...     words=(WordMatch("robots", ("title", "text")), WordMatch("spiders", ())),
...     signals=Signals(0.6, 0.15, 0.0, 0.0, complete=False),
... )
>>> for sentence in explanation.sentences:
...     print(sentence)
It has 1 of 2 words; works with all of them come first.
“robots” is in its title and its text.
It does not have “spiders”.
Of its score, 80 % comes from the words and 20 % from its closeness in meaning to the query and \
the best matches.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

from lycosa.portal.search.ranker import Signals

TITLE, ABSTRACT, TEXT, AUTHORS = "title", "abstract", "text", "authors"
YEAR, VENUE, CITING, REFERENCES = "year", "venue", "citing", "references"
MATCHED_FIELDS: Final[Mapping[str, str]] = MappingProxyType(
    {
        TITLE: "its title",
        ABSTRACT: "its abstract",
        TEXT: "its text",
        AUTHORS: "the names of its authors",
        YEAR: "its year",
        VENUE: "where it was published",
        CITING: "sentences that cite it",
        REFERENCES: "its bibliography",
    }
)
"""The fields in which a word may match, as sentences name them."""
MIN_SHARE = 0.005
"""Of a score; parts that are smaller are not mentioned."""


@dataclass(frozen=True, slots=True)
class WordMatch:
    """A word of a query and the fields of a work that have it."""

    word: str
    fields: tuple[str, ...]
    """Names in `MATCHED_FIELDS`, in their order. `citing` is only looked for if no other field but
    the bibliography has the word."""
    is_part: bool = False
    """Whether it is a part of a compound that the work does not have: norm of p-norm."""

    @property
    def counts(self) -> bool:
        """Whether the work has the word; a bibliography alone is not enough."""
        return any(name != REFERENCES for name in self.fields)


@dataclass(frozen=True, slots=True)
class Explanation:
    """Why a work is, or is not, among the results of a query."""

    work: str
    """The id of the work."""
    matches: bool
    """Whether it is among the results."""
    words: tuple[WordMatch, ...] = ()
    """The words that rank works, in the order of the query."""
    ignored: tuple[str, ...] = ()
    """Words that were not searched beside the others."""
    pairs: tuple[tuple[str, str], ...] = ()
    """Neighbouring words of the query that are neighbours in the work."""
    title_phrase: bool = False
    """Whether its title has all words one after the other."""
    conditions: str = ""
    """What results must meet: phrases, fields and words with an operator."""
    meets_all: bool = True
    """Whether results meet all of them; if no work does, they meet as many as some work does."""
    exact: str = ""
    """`title` or `identifier` if that is what was typed."""
    signals: Signals | None = None
    """What its score is made of; None if it was not ranked by words, or far behind."""
    cited_by: int = 0
    """How many works cite it."""
    depth: int = 0
    """How many works are compared by more than words; 0 if none are."""

    @property
    def missing(self) -> tuple[str, ...]:
        """The words that the work does not have."""
        return tuple(each.word for each in self._whole_words if not each.counts)

    @property
    def complete(self) -> bool:
        """Whether the work has all words."""
        return bool(self.words) and not self.missing

    @property
    def by_meaning(self) -> bool:
        """Whether it was found although it has none of the words."""
        return self.signals is not None and self.signals.by_meaning

    @property
    def sentences(self) -> list[str]:
        """The explanation in plain sentences."""
        return [*self._place(), *self._matched_words(), *self._score()]

    @property
    def _whole_words(self) -> list[WordMatch]:
        return [each for each in self.words if not each.is_part]

    def _place(self) -> Iterator[str]:
        """Yield why it comes before or after others."""
        total, missing = len(self._whole_words), len(self.missing)
        if not self.matches:
            yield "It is not among the results of this query."
        elif self.exact:
            name = "title" if self.exact == TITLE else "identifier"
            yield f"The query is its {name}, so it comes first."
        elif self.by_meaning:
            yield (
                "It has none of the words; it was found because it is close in meaning to the "
                "query and the best matches."
            )
        elif total > 1:
            yield (
                f"It has {total - missing} of {total} words; works with all of them come first."
                if missing
                else f"It has all {total} words, so it comes before works that have only some."
            )
        if self.conditions and self.matches:
            what = "what" if self.meets_all else "a part of what"
            yield f"It meets {what} the query requires: {self.conditions}."

    def _matched_words(self) -> Iterator[str]:
        by_fields: dict[tuple[str, ...], list[str]] = {}
        for each in self.words:
            if each.fields:
                by_fields.setdefault(each.fields, []).append(each.word)
        for fields, words in by_fields.items():
            where = _join([MATCHED_FIELDS[name] for name in fields])
            if fields == (REFERENCES,):
                where = f"only in {where}, which counts little"
            else:
                where = f"in {where}"
            yield f"{_quote(words)} {_are(words)} {where}."
        absent = [each.word for each in self._whole_words if not each.fields]
        if absent:
            yield f"It does not have {_quote(absent, 'or')}."
        if self.ignored:
            yield f"{_quote(self.ignored)} {_were(self.ignored)} ignored beside the other words."
        if self.pairs:
            pairs = [" ".join(pair) for pair in self.pairs]
            yield f"It has words of the query side by side: {_quote(pairs)}."
        if self.title_phrase:
            yield "Its title has all words in the order of the query."

    def _score(self) -> Iterator[str]:
        found = self.signals
        if found is None:
            if self.matches and self.depth:
                yield (
                    f"It is not among the {self.depth} best works by words, for which meaning, "
                    "citations and age count as well."
                )
            return
        cited = "1 citation" if self.cited_by == 1 else f"{self.cited_by:,} citations"
        parts = {
            "the words": found.text,
            "its closeness in meaning to the query and the best matches": found.meaning,
            cited: found.citations,
            "its year": found.age,
        }
        total = sum(max(value, 0.0) for value in parts.values())
        shares = [
            f"{100 * value / total:.0f} % from {name}"
            for name, value in parts.items()
            if total and value / total >= MIN_SHARE
        ]
        if shares:
            first = shares[0].replace(" % from", " % comes from", 1)
            yield f"Of its score, {_join([first, *shares[1:]])}."


def _join(parts: Sequence[str], last: str = "and") -> str:
    """Return parts as a list in a sentence.

    >>> _join(["a", "b", "c"])
    'a, b and c'
    """
    *before, end = parts
    return f"{', '.join(before)} {last} {end}" if before else end


def _quote(words: Sequence[str], last: str = "and") -> str:
    return _join([f"“{word}”" for word in words], last)


def _are(words: Sequence[str]) -> str:
    return "are" if len(words) > 1 else "is"


def _were(words: Sequence[str]) -> str:
    return "were" if len(words) > 1 else "was"
