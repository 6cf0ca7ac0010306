"""Grouping of members into works by matching and by corrections."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from lycosa.portal.build.applied_corrections import AppliedCorrections
from lycosa.portal.build.grouping import Groups, group_members, match_members
from lycosa.portal.build.identity import document_id, header_name
from lycosa.portal.build.member_table import Members
from lycosa.portal.build.members import DocumentMembers, matching_batch, pack
from lycosa.portal.corrections import Correction

WEAK = {"title": "The strength of weak learnability", "authors": "Schapire, Robert", "year": "1990"}
SIMILAR = {**WEAK, "authors": "Schapire, R."}
OTHER = {"title": "Boosting a weak learner by majority", "authors": "Freund, Y.", "year": "1995"}


def packed(fields):
    return pack(fields, dict.fromkeys(fields, 0.9))


def library(*records, marks=None):
    """Return documents without references; those with equal marks have the same content."""
    members = Members()
    for n, fields in enumerate(records):
        document = document_id(str(n))
        same = f"{n}" if marks is None else marks[n]
        members.add(
            DocumentMembers(document, "paper", same, [header_name(document)], [packed(fields)])
        )
    return members


def works(members, *corrections):
    made = [
        Correction(n, kind, document_id(str(one)), document_id(str(two)), "")
        for n, (kind, one, two) in enumerate(corrections)
    ]
    applied = AppliedCorrections(made)
    batches = [matching_batch(members.packed)]
    matcher = match_members(members, batches, applied, separate_versions=False)
    return group_members(members, matcher.works(), applied).of.tolist()


def test_versions_of_a_paper_are_one_work():
    assert works(library(WEAK, OTHER, SIMILAR)) == [0, 1, 0]


def test_identifiers_decide():
    other = {**SIMILAR, "doi": "10.1234/b1"}
    assert works(library({**WEAK, "doi": "10.1234/a1"}, OTHER, other)) == [0, 1, 2]
    torn = {"title": "Learnability, strength of", "doi": "10.1234/a1"}
    assert works(library({**WEAK, "doi": "10.1234/a1"}, OTHER, torn)) == [0, 1, 0]


def test_untitled_documents_are_grouped_only_with_equal_ones():
    assert works(library({}, {}, {"year": "1990"})) == [0, 1, 2]
    assert works(library({}, {}, {}, marks="xyx")) == [0, 1, 0]


def test_corrections_merge_works():
    assert works(library(WEAK, OTHER, SIMILAR), ("same", 1, 2)) == [0, 0, 0]


def test_a_split_assigns_members_by_similarity():
    joined = (("same", 0, 1), ("same", 2, 3))
    members = library(WEAK, OTHER, SIMILAR, {**OTHER, "authors": "Freund, Yoav"})
    assert works(members, *joined) == [0, 0, 0, 0]
    assert works(members, *joined, ("different", 0, 1)) == [0, 1, 0, 1]
    assert works(members, *joined, ("different", 1, 0)) == [0, 1, 0, 1]


def test_the_latest_correction_wins():
    members = library(WEAK, SIMILAR)
    assert works(members, ("different", 0, 1)) == [0, 1]
    assert works(members, ("different", 0, 1), ("same", 0, 1)) == [0, 0]
    assert works(members, ("same", 0, 1), ("different", 0, 1)) == [0, 1]


def test_splitting_different_works_changes_nothing():
    assert works(library(WEAK, OTHER), ("different", 0, 1)) == [0, 1]
    assert works(library(WEAK, OTHER), ("different", 0, 0)) == [0, 1]


@given(
    st.integers(1, 12).flatmap(
        lambda size: st.lists(
            st.tuples(st.integers(0, size - 1), st.integers(0, size - 1)), max_size=20
        ).map(lambda pairs: (size, pairs))
    )
)
def test_merging_pairs_yields_connected_components(given_):
    size, pairs = given_
    groups = Groups(np.arange(size))
    groups.merge(pairs)
    of = list(range(size))
    for _ in range(size):
        for one, two in pairs:
            of[one] = of[two] = min(of[one], of[two])
    assert groups.of.tolist() == of


@given(st.lists(st.booleans(), min_size=1, max_size=12))
def test_a_split_keeps_all_members_and_names_parts_by_their_first(second):
    groups = Groups(np.zeros(len(second), np.int64))
    groups.split(0, np.array(second))
    for part in (True, False):
        members = [n for n, each in enumerate(second) if each == part]
        assert {groups.of[n] for n in members} <= {members[0] if members else None}
