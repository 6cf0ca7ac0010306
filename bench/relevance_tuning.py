"""Cross-validation of the weights of the ranking.

`python -m bench.relevance_tuning COLLECTION…` tries each weight of `Ranking` at
half and twice its default, and without it, and prints the mean nDCG@10 of the
collections. Two figures then say what choosing the best of these settings is
worth on questions that took no part in the choice: by ten folds of the questions,
and by leaving out one collection after the other. The defaults are changed only if
both are above the default's.
"""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bench import page
from bench.relevance import COLLECTIONS
from bench.relevance_collection import Collection, read_collections
from bench.relevance_measures import measure
from bench.relevance_systems import index, portal
from lycosa.portal.search import Engine
from lycosa.portal.search.ranking import DEFAULT_RANKING, Ranking

FOLDS = 10
WEIGHTS = ("gist", "form", "pairs", "meaning", "title_phrase", "feedback")
"""The weights that questions without names and years can tell."""
DEFAULT = "default"

Scores = Sequence[NDArray[np.float64]]
"""The nDCG@10 of every question, by collection."""


def settings() -> dict[str, Ranking]:
    """Return the default and its neighbours, each with one weight changed."""
    found = {DEFAULT: DEFAULT_RANKING}
    for name in WEIGHTS:
        value = getattr(DEFAULT_RANKING, name)
        for factor in (0, 0.5, 2):
            changed: dict[str, Any] = {name: type(value)(factor * value)}
            found[f"{name} {changed[name]:g}"] = replace(DEFAULT_RANKING, **changed)
    return found


def scores(collections: Sequence[Collection], folder: Path, ranking: Ranking) -> Scores:
    """Return the nDCG@10 of every question; the collections are indexed in the folder."""
    found = []
    for collection in collections:
        rank = portal(Engine.open(folder / collection.name, ranking))
        found.append(
            np.array(
                [
                    measure(rank(collection.questions[question]), grades)[0]
                    for question, grades in collection.grades.items()
                ]
            )
        )
    return found


def by_folds(found: Mapping[str, Scores]) -> float:
    """Return the mean of questions by the setting that was best on the other folds."""
    sizes = [len(rows) for rows in found[DEFAULT]]
    held = [np.zeros(size) for size in sizes]
    for fold in range(FOLDS):
        inside = [np.arange(size) % FOLDS == fold for size in sizes]

        def mean(name: str, inside: Sequence[NDArray[np.bool_]] = inside) -> float:
            pairs = zip(found[name], inside, strict=True)
            return float(np.mean([rows[~mask].mean() for rows, mask in pairs]))

        best = max(found, key=mean)
        for rows, mask, kept in zip(found[best], inside, held, strict=True):
            kept[mask] = rows[mask]
    return float(np.mean([rows.mean() for rows in held]))


def by_collections(found: Mapping[str, Scores]) -> float:
    """Return the mean of each collection by the setting that was best on the others."""
    means = {name: [rows.mean() for rows in of] for name, of in found.items()}
    held = []
    for at in range(len(found[DEFAULT])):
        best = max(means, key=lambda name: sum(means[name][:at] + means[name][at + 1 :]))
        held.append(means[best][at])
    return float(np.mean(held))


def main(arguments: Sequence[str]) -> None:
    """Print a row for every setting, and what choosing among them is worth."""
    folders = [Path(each) for each in arguments] or [COLLECTIONS]
    read = [each for folder in folders for each in read_collections(folder)]
    with tempfile.TemporaryDirectory(prefix="lycosa-bench-") as name:
        for each in read:
            index(each.documents, Path(name) / each.name)
        found = {}
        for label, ranking in settings().items():
            found[label] = scores(read, Path(name), ranking)
            means = [float(rows.mean()) for rows in found[label]]
            print(f"{label:20} {np.mean(means):.4f}  {' '.join(f'{m:.3f}' for m in means)}")
    rows = [
        ("default", f"{np.mean([rows.mean() for rows in found[DEFAULT]]):.4f}"),
        ("chosen by ten folds", f"{by_folds(found):.4f}"),
        ("chosen by the other collections", f"{by_collections(found):.4f}"),
    ]
    print(page.table(("setting", "nDCG@10"), rows))


if __name__ == "__main__":
    main(sys.argv[1:])
