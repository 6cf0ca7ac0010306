"""Cannot-links between clusters, beside all pairs."""

from itertools import combinations

from hypothesis import given
from hypothesis import strategies as st

from lycosa.papers.matching.constraints import Constraints
from lycosa.papers.matching.correlation_clustering import CERTAIN, cluster_greedily

LABELS = st.lists(st.frozensets(st.integers(0, 4), max_size=2), min_size=2, max_size=7)
WEIGHTS = st.integers(-40, 40)


def rules(lists, identifiers):
    return Constraints([set(x) for x in lists], [[set(x) for x in identifiers]])


@given(LABELS, st.data())
def test_no_cluster_has_two_entries_of_a_list(lists, data):
    n = len(lists)
    triples = [(a, b, data.draw(WEIGHTS)) for a, b in combinations(range(n), 2)]
    clusters = cluster_greedily(n, triples, rules(lists, [frozenset()] * n))
    for a, b in combinations(range(n), 2):
        if clusters[a] == clusters[b]:
            assert not lists[a] & lists[b]


@given(st.lists(st.integers(0, 3), min_size=2, max_size=7), st.data())
def test_no_cluster_has_two_identifiers_of_a_kind(values, data):
    n = len(values)
    triples = [(a, b, data.draw(WEIGHTS)) for a, b in combinations(range(n), 2)]
    identifiers = [{v} if v else set() for v in values]
    clusters = cluster_greedily(n, triples, rules([frozenset()] * n, identifiers))
    for cluster in set(clusters):
        assert len({v for v, c in zip(values, clusters, strict=True) if c == cluster} - {0}) <= 1


@given(LABELS, st.data())
def test_certain_pairs_are_together_whatever_forbids_it(lists, data):
    n = len(lists)
    pairs = list(combinations(range(n), 2))
    certain = data.draw(st.sets(st.sampled_from(pairs)))
    triples = [(a, b, CERTAIN if (a, b) in certain else data.draw(WEIGHTS)) for a, b in pairs]
    clusters = cluster_greedily(n, triples, rules(lists, lists))
    for a, b in certain:
        assert clusters[a] == clusters[b]


@given(st.integers(2, 7), st.data())
def test_constraints_that_forbid_nothing_change_nothing(n, data):
    triples = [(a, b, data.draw(WEIGHTS)) for a, b in combinations(range(n), 2)]
    free = Constraints([set() for _ in range(n)], [[set() for _ in range(n)]])
    assert cluster_greedily(n, triples, free) == cluster_greedily(n, triples)


def greedy_by_hand(n, weights, lists):
    """Merge the two clusters with the best average that share no list, by looking at all."""
    clusters = [frozenset([k]) for k in range(n)]
    while True:
        best = None
        for one, two in combinations(sorted(clusters, key=min), 2):
            if any(lists[a] & lists[b] for a in one for b in two):
                continue
            total = sum(weights[min(a, b), max(a, b)] for a in one for b in two)
            average = total / (len(one) * len(two))
            if average > 0 and (best is None or average > best[0]):
                best = (average, one, two)
        if best is None:
            return {k: min(c) for c in clusters for k in c}
        clusters = [c for c in clusters if c not in best[1:]] + [best[1] | best[2]]


@given(LABELS, st.data())
def test_clusters_are_those_of_a_search_through_all_pairs(lists, data):
    n = len(lists)
    pairs = list(combinations(range(n), 2))
    # Powers of three, so that no two averages are equal and the order is certain.
    order = data.draw(st.permutations(range(len(pairs))))
    signs = data.draw(st.lists(st.sampled_from((-1, 1)), min_size=len(pairs), max_size=len(pairs)))
    weights = {p: s * 3**k for p, k, s in zip(pairs, order, signs, strict=True)}
    found = cluster_greedily(
        n, [(a, b, w) for (a, b), w in weights.items()], rules(lists, [frozenset()] * n)
    )
    assert dict(enumerate(found)) == greedy_by_hand(n, weights, lists)
