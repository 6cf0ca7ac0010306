"""Greedy correlation clustering."""

from fractions import Fraction
from random import Random

from hypothesis import given, settings
from hypothesis import strategies as st

from lycosa.papers.matching.correlation_clustering import cluster_greedily


@settings(deadline=None, max_examples=60)
@given(st.integers(1, 8), st.data())
def test_clustering_equals_a_naive_implementation(size, data):
    pairs = [(i, j) for i in range(size) for j in range(i + 1, size)]
    # Large numbers by chance, with signs: no two averages are equal, so no ties to break.
    chance = Random(data.draw(st.integers(0, 1 << 32)))
    signs = data.draw(st.lists(st.sampled_from((-1, 0, 1)), min_size=len(pairs)))
    weights = [
        (i, j, s * chance.randrange(1, 1 << 57))
        for (i, j), s in zip(pairs, signs, strict=False)
        if s
    ]
    clusters = [{k} for k in range(size)]

    def between(one, two):
        some = [w for i, j, w in weights if (i in one and j in two) or (j in one and i in two)]
        return Fraction(sum(some), max(len(some), 1))

    while True:
        best = max(
            (
                (between(a, b), x, y)
                for y, b in enumerate(clusters)
                for x, a in enumerate(clusters[:y])
            ),
            default=(0, 0, 0),
        )
        if best[0] <= 0:
            break
        clusters[best[1]] |= clusters.pop(best[2])
    expected = [min(next(c for c in clusters if k in c)) for k in range(size)]
    assert cluster_greedily(size, weights) == expected


def test_a_node_joins_the_cluster_that_fits_better_not_the_larger():
    # 0, 1, 2 and 3, 4 are two clusters, and 5 fits both.
    together = [(0, 1, 9), (0, 2, 9), (1, 2, 9), (3, 4, 9)]
    apart = [(i, j, -9) for i in (0, 1, 2) for j in (3, 4)]
    between = [(0, 5, 3), (1, 5, 3), (2, 5, 3), (3, 5, 4), (4, 5, 4)]
    assert cluster_greedily(6, [*together, *apart, *between]) == [0, 0, 0, 3, 3, 3]
