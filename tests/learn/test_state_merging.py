"""State merging: labels never mix, and each merging ends at its fixed point."""

from collections import Counter
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lycosa.errors import UsageError
from lycosa.learn.bayesian_merging import log_evidence, merge_bayesian
from lycosa.learn.hmm import step_counts
from lycosa.learn.state_merging import (
    Merge,
    Structure,
    maximally_specific,
    merge_groups,
    merge_manually,
    merge_neighbours,
    merge_v,
    one_state_per_class,
)

SEQUENCES = st.lists(st.lists(st.sampled_from("tan"), min_size=1, max_size=6), max_size=6)
BY_HAND = [Merge("n", after={""}), Merge("n", past="a"), Merge("t"), Merge("a"), Merge("n")]


def neighbours(sequences):
    return merge_neighbours(maximally_specific(sequences))


WAYS = {
    "one": one_state_per_class,
    "specific": maximally_specific,
    "neighbours": neighbours,
    "v": lambda sequences: merge_v(neighbours(sequences)),
    "hand": lambda sequences: merge_manually(neighbours(sequences), BY_HAND),
    "bayes": lambda sequences: merge_bayesian(neighbours(sequences)),
}


@pytest.mark.parametrize("way", WAYS)
@settings(max_examples=40)
@given(sequences=SEQUENCES)
def test_every_word_keeps_its_label(way, sequences):
    structure = WAYS[way](sequences)
    read = [[structure.labels[state] for state in path] for path in structure.paths]
    assert read == sequences
    assert sorted({s for path in structure.paths for s in path}) == list(
        range(len(structure.labels))
    )


@given(SEQUENCES)
def test_neighbour_merging_gives_the_runs_of_each_sequence(sequences):
    runs = sum(1 + sum(one != other for one, other in pairwise(s)) for s in sequences)
    assert len(neighbours(sequences).labels) == runs


@given(SEQUENCES)
def test_v_merging_leaves_no_two_predecessors_with_one_label(sequences):
    structure = merge_v(neighbours(sequences))
    end = len(structure.labels)
    leaders = {
        (one, other)
        for path in structure.paths
        for one, other in zip(path, (*path[1:], end), strict=True)
    }
    counted = Counter((structure.labels[one], other) for one, other in leaders)
    assert all(n == 1 for n in counted.values())


def test_v_merging_is_forward_and_then_backward():
    # Forward merges both titles, backward both authors at the end, but not the notes between.
    structure = merge_v(neighbours([list("tna"), list("ta"), list("na")]))
    assert structure == Structure(("t", "n", "a"), ((0, 1, 2), (0, 2), (1, 2)))
    apart = merge_v(neighbours([list("nt"), list("tn")]))
    assert apart.labels == ("n", "t", "t", "n")


def test_states_and_transitions_are_counted_with_both_ends():
    structure = one_state_per_class([list("tta"), list("ta")])
    assert (structure.states, structure.transitions) == (4, 4)


def test_states_of_a_group_become_one():
    structure = merge_groups(maximally_specific([list("tat")]), [[2, 0]])
    assert structure == Structure(("t", "a"), ((0, 1, 0),))


def test_the_first_merge_that_fits_takes_a_state():
    structure = merge_manually(neighbours([list("ntan"), list("na")]), BY_HAND)
    assert structure.paths == ((0, 1, 2, 3), (0, 2))


def test_refuses_a_label_without_a_merge():
    with pytest.raises(UsageError, match=r"add Merge\('n'\)"):
        merge_manually(neighbours([list("tn")]), [Merge("t"), Merge("n", after={""})])


def probability(structure: Structure) -> float:
    return log_evidence(step_counts(structure.paths, len(structure.labels)), prior=0.01)


@settings(max_examples=40)
@given(st.lists(st.lists(st.sampled_from("ta"), min_size=1, max_size=4), min_size=1, max_size=4))
def test_bayesian_merging_ends_at_a_local_maximum(sequences):
    begin = neighbours(sequences)
    structure = merge_bayesian(begin)
    reached = probability(structure)
    assert reached >= probability(begin) - 1e-9
    labels = structure.labels
    for one in range(len(labels)):
        for other in range(one + 1, len(labels)):
            if labels[one] == labels[other]:
                assert probability(merge_groups(structure, [[one, other]])) <= reached + 1e-9


def test_log_evidence_equals_sequential_draws():
    counts, prior = np.array([[2.0, 0.0, 1.0], [0.0, 0.0, 3.0]]), 0.3
    expected = 0.0
    for row in counts:
        seen = np.zeros(3)
        for column, times in enumerate(row):
            for _ in range(int(times)):
                expected += np.log((prior + seen[column]) / (3 * prior + seen.sum()))
                seen[column] += 1
    assert log_evidence(counts, prior) == pytest.approx(expected)
