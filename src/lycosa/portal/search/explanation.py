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

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

from lycosa.portal.message import Message, join, quote
from lycosa.portal.search.ranker import Signals

TITLE, ABSTRACT, TEXT, AUTHORS = "title", "abstract", "text", "authors"
YEAR, VENUE, CITING, REFERENCES = "year", "venue", "citing", "references"
MATCHED_FIELDS: Final[Mapping[str, str]] = MappingProxyType(
    {
        TITLE: Message("its title"),
        ABSTRACT: Message("its abstract"),
        TEXT: Message("its text"),
        AUTHORS: Message("the names of its authors"),
        YEAR: Message("its year"),
        VENUE: Message("where it was published"),
        CITING: Message("sentences that cite it"),
        REFERENCES: Message("its bibliography"),
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
            yield Message("It is not among the results of this query.")
        elif self.exact:
            yield (
                Message("The query is its title, so it comes first.")
                if self.exact == TITLE
                else Message("The query is its identifier, so it comes first.")
            )
        elif self.by_meaning:
            yield Message(
                "It has none of the words; it was found because it is close in meaning to the "
                "query and the best matches."
            )
        elif total > 1:
            yield (
                Message(
                    "It has %(found)s of %(words)s words; works with all of them come first.",
                    found=total - missing,
                    words=total,
                )
                if missing
                else Message(
                    "It has all %(words)s words, so it comes before works that have only some.",
                    words=total,
                )
            )
        if self.conditions and self.matches:
            yield (
                Message("It meets what the query requires: %(query)s.", query=self.conditions)
                if self.meets_all
                else Message(
                    "It meets a part of what the query requires: %(query)s.", query=self.conditions
                )
            )

    def _matched_words(self) -> Iterator[str]:
        by_fields: dict[tuple[str, ...], list[str]] = {}
        for each in self.words:
            if each.fields:
                by_fields.setdefault(each.fields, []).append(each.word)
        for fields, words in by_fields.items():
            if fields == (REFERENCES,):
                yield Message(
                    "%(words)s is only in its bibliography, which counts little.",
                    "%(words)s are only in its bibliography, which counts little.",
                    words=quote(words),
                    count=len(words),
                )
            else:
                yield Message(
                    "%(words)s is in %(fields)s.",
                    "%(words)s are in %(fields)s.",
                    words=quote(words),
                    count=len(words),
                    fields=join([MATCHED_FIELDS[name] for name in fields]),
                )
        absent = [each.word for each in self._whole_words if not each.fields]
        if absent:
            yield Message("It does not have %(words)s.", words=quote(absent, either=True))
        if self.ignored:
            yield Message(
                "%(words)s was ignored beside the other words.",
                "%(words)s were ignored beside the other words.",
                words=quote(self.ignored),
                count=len(self.ignored),
            )
        if self.pairs:
            pairs = quote([" ".join(pair) for pair in self.pairs])
            yield Message("It has words of the query side by side: %(words)s.", words=pairs)
        if self.title_phrase:
            yield Message("Its title has all words in the order of the query.")

    def _score(self) -> Iterator[str]:
        found = self.signals
        if found is None:
            if self.matches and self.depth:
                yield Message(
                    "It is not among the %(works)s best works by words, for which meaning, "
                    "citations and age count as well.",
                    works=self.depth,
                )
            return
        cited = Message("%(count)s citation", "%(count)s citations", count=self.cited_by)
        parts: dict[str, float] = {
            Message("the words"): found.text,
            Message("its closeness in meaning to the query and the best matches"): found.meaning,
            cited: found.citations,
            Message("its year"): found.age,
        }
        total = sum(max(value, 0.0) for value in parts.values())
        shares = [
            (f"{100 * value / total:.0f}", name)
            for name, value in parts.items()
            if total and value / total >= MIN_SHARE
        ]
        if shares:
            (share, part), *others = shares
            first = Message("%(share)s %% comes from %(part)s", share=share, part=part)
            rest = [Message("%(share)s %% from %(part)s", share=a, part=b) for a, b in others]
            yield Message("Of its score, %(shares)s.", shares=join([first, *rest]))
