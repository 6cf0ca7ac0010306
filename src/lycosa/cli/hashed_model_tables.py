"""The word weights of a `HashedModel`, for `lycosa train` and `lycosa explain`."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from lycosa.reporting.text import printable

if TYPE_CHECKING:
    from rich.table import Table

    from lycosa.learn.hashed_model import HashedModel

SIDES = ("for", "against")
"""Words count for a link or against it."""


def model_facts(model: HashedModel, count: int | None = None) -> dict[str, Any]:
    """Return the facts of a model for JSON, with the `count` strongest words on each side.

    >>> import numpy as np
    >>> from lycosa.learn.hashed_model import HashedModel, WeightedWord
    >>> words = WeightedWord("pdf", "url", 2.0), WeightedWord("staff", "anchor", -1.0)
    >>> facts = model_facts(HashedModel(np.zeros(2), 0.0, 0.5, 1.0, -1.0, words))
    >>> facts["trust"], facts["against"]
    (0.5, [{'word': 'staff', 'bag': 'anchor', 'weight': -1.0}])
    """
    words = sorted(model.telling, key=lambda word: -abs(word.weight))
    sides = [word for word in words if word.weight > 0], [word for word in words if word.weight < 0]
    return {
        "trust": model.trust,
        "faith": model.faith,
        "base": model.base,
        **{
            side: [word._asdict() for word in side_words[:count]]
            for side, side_words in zip(SIDES, sides, strict=True)
        },
    }


def blend_text(facts: dict[str, Any]) -> str:
    """Return how the trained weights and the goal's keywords are combined.

    >>> blend_text({"trust": 0.512, "faith": 1.0})
    'the trained weights count 0.51 times, the keywords of the goal 1.00 times'
    """
    trust, faith = facts["trust"], facts["faith"]
    return (
        f"the trained weights count {trust:.2f} times, the keywords of the goal {faith:.2f} times"
    )


def model_lines(facts: dict[str, Any], count: int) -> Iterator[str]:
    """Yield a few lines with `count` words on each side."""
    yield blend_text(facts)
    for side in SIDES:
        words = [
            f"{word['word']} ({word['bag']}, {word['weight']:+.2f})" for word in facts[side][:count]
        ]
        yield printable(f"words {side} a link: {', '.join(words) or 'none'}")


def model_tables(facts: dict[str, Any]) -> Iterator[tuple[str, Table]]:
    """Yield a table of the words on each side, with what each adds to the log-odds."""
    from lycosa.cli.console import table

    for side in SIDES:
        words = table(weight="right", part="left", word="left")
        for word in facts[side]:
            words.add_row(f"{word['weight']:+.3f}", printable(word["bag"]), printable(word["word"]))
        yield f"words {side} a link", words
