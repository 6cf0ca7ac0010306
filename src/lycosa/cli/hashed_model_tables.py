"""What a house spider was taught, as `lycosa train` and `lycosa explain` tell it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from lycosa.reporting.text import printable

if TYPE_CHECKING:
    from rich.table import Table

    from lycosa.learn.hashed_model import HashedModel

SIDES = ("for", "against")
"""On which side of a link its words can be."""


def model_facts(model: HashedModel, count: int | None = None) -> dict[str, Any]:
    """What it goes by, for JSON; of the words on each side so many, the strongest first.

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
            side: [word._asdict() for word in mine[:count]]
            for side, mine in zip(SIDES, sides, strict=True)
        },
    }


def blend_text(facts: dict[str, Any]) -> str:
    """How far it goes by what.

    >>> blend_text({"trust": 0.512, "faith": 1.0})
    'what sites taught it counts 0.51 times, the keywords of the goal 1.00 times'
    """
    trust, faith = facts["trust"], facts["faith"]
    return (
        f"what sites taught it counts {trust:.2f} times, the keywords of the goal {faith:.2f} times"
    )


def model_lines(facts: dict[str, Any], count: int) -> Iterator[str]:
    """The same in a few lines, with so many words on each side."""
    yield blend_text(facts)
    for side in SIDES:
        words = [
            f"{word['word']} ({word['bag']}, {word['weight']:+.2f})" for word in facts[side][:count]
        ]
        yield printable(f"words {side} a link: {', '.join(words) or 'none'}")


def model_tables(facts: dict[str, Any]) -> Iterator[tuple[str, Table]]:
    """The words on each side, with what each adds to the log-odds."""
    from lycosa.cli.console import table

    for side in SIDES:
        words = table(weight="right", part="left", word="left")
        for word in facts[side]:
            words.add_row(f"{word['weight']:+.3f}", printable(word["bag"]), printable(word["word"]))
        yield f"words {side} a link", words
