"""Fits the match weights of `lycosa.papers.matching.weights` to generated references.

A logistic regression with one indicator for each agreement level of each field, on the
pairs that `BlockingIndex` selects; pairs with the same levels are one row with a
weight. Two bibliographies are small; of a large one, where pages and years agree by
chance more often, a sample of the pairs is used. `python -m bench.papers_weights` writes
the tables to their file.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from sklearn.linear_model import LogisticRegression

from bench.references import references, works
from lycosa.papers.matching import similarity, weights
from lycosa.papers.matching.blocking import BlockingIndex
from lycosa.papers.matching.feature_vectors import compute_vectors
from lycosa.papers.matching.normal_form import NormalForm, normalise

WORLDS = [(6_000, 30_000, 101, 1.0), (6_000, 30_000, 102, 1.0), (50_000, 250_000, 103, 0.15)]
"""Works, references and seed of each generated bibliography, and the share of pairs taken."""
SMOOTHING = 1.0
VERSION_FIELDS = ("year", "pages", "volume", "venue", "kind of venue")


Truth = tuple[NDArray[np.bool_], NDArray[np.bool_]]


def pairs(
    count: int, size: int, seed: int, share: float
) -> tuple[dict[str, similarity.Levels], Truth]:
    """Return the levels of pairs of a bibliography, and whether they are one work, one version."""
    made = works(count, seed)
    forms: dict[NormalForm, tuple[int, int]] = {}
    for truth, fields in references(made, size, seed):
        forms.setdefault(normalise(fields), truth)
    work, version = np.array(list(forms.values())).T
    vectors = compute_vectors(list(forms))
    one, two = BlockingIndex().add(0, vectors.keys)
    taken = np.random.default_rng(seed).random(len(one)) < share
    one, two = one[taken], two[taken]
    same = work[one] == work[two]
    return similarity.agreement_levels(vectors, one, two), (
        same,
        same & (version[one] == version[two]),
    )


Found = Sequence[tuple[dict[str, similarity.Levels], Truth]]


def fit(found: Found, fields: Sequence[str], version: bool) -> tuple[float, dict[str, list[float]]]:
    """Return the bias and the weights of fields: for one work, or for one version of a work."""
    used = [same[0] if version else np.ones_like(same[0]) for _, same in found]
    truth = np.concatenate([same[version][use] for (_, same), use in zip(found, used, strict=True)])
    level = {
        name: np.concatenate(
            [levels[name][use] for (levels, _), use in zip(found, used, strict=True)]
        )
        for name in fields
    }
    code = truth.astype(np.int64)
    for name, values in level.items():
        code = code * len(similarity.LEVELS[name]) + values
    _, firsts, counts = np.unique(code, return_index=True, return_counts=True)
    columns, rows = [], {}
    for name, values in level.items():
        rows[name] = range(len(columns), len(columns) + len(similarity.LEVELS[name]))
        columns += [values[firsts] == k for k in range(len(similarity.LEVELS[name]))]
    matrix, truth = np.column_stack(columns).astype(np.float64), truth[firsts]
    # Newton's method, because gradient methods stop before the weights of rare levels converge.
    model = LogisticRegression(C=SMOOTHING, solver="newton-cholesky", tol=1e-9)
    model.fit(matrix, truth, sample_weight=counts)
    right = np.average(model.predict(matrix) == truth, weights=counts)
    together = np.average(truth, weights=counts)
    print(f"{counts.sum():,} pairs, {together:.1%} of them together, {right:.2%} right")
    bias, table = float(model.intercept_[0]), {}
    for name, places in rows.items():
        coefficients = model.coef_[0, list(places)]
        # A missing field has weight 0: the other levels are relative to it.
        bias += coefficients[0]
        table[name] = (coefficients - coefficients[0]).tolist()
    return bias, table


def main() -> None:
    """Fit the weights and write the tables to their file."""
    found = [pairs(*world) for world in WORLDS]
    lines = []
    for name, fields in (
        # Identifiers decide alone, and the generated references have none.
        ("WORK_WEIGHTS", tuple(name for name in similarity.LEVELS if name != "identifier")),
        ("VERSION_WEIGHTS", VERSION_FIELDS),
    ):
        bias, table = fit(found, fields, name == "VERSION_WEIGHTS")
        lines.append(f"{name} = MatchWeights({bias:.2f}, {{")
        for field, values in table.items():
            lines.append(f'    "{field}": (')
            for start in range(0, len(values), 11):
                row = ", ".join(f"{v:.2f}" for v in values[start : start + 11])
                lines.append(f"        {row},")
            lines.append("    ),")
        lines += ["})", ""]
    path = Path(weights.__file__)
    head = path.read_text().split("WORK_WEIGHTS =")[0]
    path.write_text(head + "\n".join(lines[:-1]) + "\n")


if __name__ == "__main__":
    main()
