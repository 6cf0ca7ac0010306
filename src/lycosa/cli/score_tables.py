"""Tables of the contributions to a link's score, for `lycosa why` and `lycosa explain`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import inf
from typing import TYPE_CHECKING

from lycosa.reporting.text import printable

if TYPE_CHECKING:
    from rich.table import Table

    from lycosa.core import ScoreContribution

_LAST_SCORE = -1e300  # policies use a lower score for links to follow last


def score_text(score: float | None) -> str:
    """Return a score as text.

    >>> score_text(0.12345), score_text(None), score_text(-1e304)
    ('0.123', 'seed', 'last')
    """
    if score is None or score == inf:
        return "seed"
    return "last" if score < _LAST_SCORE else f"{score:.3g}"


def contribution_tables(
    contributions: Sequence[ScoreContribution], count: int
) -> Iterator[tuple[str, Table | None]]:
    """Yield each contribution as a sentence, with a table of its `count` strongest words."""
    for one in contributions:
        base = f", {one.base:.4g} without words" if one.base else ""
        about = f"; {one.about}" if one.about else ""
        sentence = f"{one.part}: {one.value:.4g}, weight {one.weight:.3g}{base}{about}"
        yield printable(sentence), _word_table(one, count) if one.effects else None


def _word_table(one: ScoreContribution, count: int) -> Table:
    from lycosa.cli.console import table

    words = table(effect="right", times="right", part="left", word="left")
    for word in one.effects[:count]:
        words.add_row(f"{word.effect:+.4f}", str(word.times), word.bag, printable(word.word))
    if rest := one.effects[count:]:
        total = sum(word.effect for word in rest)
        words.add_row(f"{total:+.4f}", "", "", f"({len(rest):,} others together)")
    return words
