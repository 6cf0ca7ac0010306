"""Bayesian model merging of HMM states (Stolcke & Omohundro 1994).

Merge, of all pairs of states with the same label, the pair that increases the posterior
probability of the model most, until no pair does. The likelihood is that of the transitions
of the training sequences under a Dirichlet prior. All models have the same prior probability:
the marginal likelihood prefers the smaller of two models that explain the data equally well.
States of one label have the same emissions, so emissions play no part.
"""

from __future__ import annotations

from itertools import combinations

import numpy as np
from scipy.special import gammaln

from lycosa.learn.hmm import Floats, step_counts
from lycosa.learn.state_merging import Structure, merge_groups


def merge_bayesian(structure: Structure, prior: float = 0.01) -> Structure:
    """Merge states while that makes the model more probable.

    `prior` is the pseudo-count of every transition; it is small, because most transitions
    never happen.

    >>> from lycosa.learn.state_merging import maximally_specific, merge_neighbours
    >>> same = [["title", "author"]] * 5
    >>> merge_bayesian(merge_neighbours(maximally_specific(same))).labels
    ('title', 'author')
    """
    steps = step_counts(structure.paths, len(structure.labels))
    groups = [[state] for state in range(len(structure.labels))]
    while found := _best_pair(steps, [structure.labels[group[0]] for group in groups], prior):
        one, other = found
        steps = _join_states(steps, one, other)
        groups[one] += groups.pop(other)
    return merge_groups(structure, groups)


def log_evidence(steps: Floats, prior: float) -> float:
    """Return the log of the marginal likelihood of transition counts.

    Each row is drawn from a multinomial distribution with a Dirichlet prior.

    >>> round(float(np.exp(log_evidence(np.array([[1.0, 1.0]]), prior=1.0))), 6)  # 1/2 * 1/3
    0.166667
    """
    width = prior * steps.shape[1]
    rows = (gammaln(prior + steps) - gammaln(prior)).sum(axis=1)
    return float((rows + gammaln(width) - gammaln(width + steps.sum(axis=1))).sum())


def _join_states(steps: Floats, one: int, other: int) -> Floats:
    """Return the counts with two states merged into one."""
    joined = steps.copy()
    joined[one] += joined[other]
    joined[:, one] += joined[:, other]
    return np.delete(np.delete(joined, other, 0), other, 1)


def _best_pair(steps: Floats, labels: list[str], prior: float) -> tuple[int, int] | None:
    """Return the pair whose merge adds most to the evidence, None if no merge adds any."""
    if not labels:
        return None
    size = len(steps)
    cells = gammaln(prior + steps) - gammaln(prior)
    rows = cells.sum(axis=1)

    def width(columns: int, totals: Floats) -> Floats:
        return np.asarray(gammaln(prior * columns) - gammaln(prior * columns + totals))

    totals = steps.sum(axis=1)
    slim = width(size - 1, totals)
    # A merge removes one column from every row, whichever pair it joins.
    narrower = float((slim - width(size, totals)).sum())
    best, pair = 0.0, None
    for one, other in combinations(range(len(labels)), 2):
        if labels[one] != labels[other]:
            continue
        both = steps[:, one] + steps[:, other]
        gain = gammaln(prior + both) - gammaln(prior) - cells[:, one] - cells[:, other]
        row = steps[one] + steps[other]
        row[one] += row[other]
        row = np.delete(row, other)
        total = narrower + float(gain.sum() - gain[one] - gain[other])
        total += float((gammaln(prior + row) - gammaln(prior)).sum())
        total += float(width(size - 1, row.sum()) - slim[one] - slim[other])
        total -= float(rows[one] + rows[other])
        if total > best:
            best, pair = total, (one, other)
    return pair
