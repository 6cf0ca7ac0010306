"""Works by matching and by what people say."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from lycosa.portal.build.applied_corrections import AppliedCorrections
from lycosa.portal.build.grouping import Groups, group_members
from lycosa.portal.build.identity import document_id, header_name
from lycosa.portal.build.members import DocumentMembers, Members, matching_batch, pack
from lycosa.portal.corrections import Correction

WEAK = {"title": "The strength of weak learnability", "authors": "Schapire, Robert", "year": "1990"}
ALIKE = {**WEAK, "authors": "Schapire, R."}
OTHER = {"title": "Boosting a weak learner by majority", "authors": "Freund, Y.", "year": "1995"}


def said(fields):
    return pack(fields, dict.fromkeys(fields, 0.9))


def library(*records, alike=None):
    """Documents without references; the same body for those with an equal mark."""
    members = Members()
    for n, fields in enumerate(records):
        document = document_id(str(n))
        same = f"{n}" if alike is None else alike[n]
        members.add(
            DocumentMembers(document, "paper", same, [header_name(document)], [said(fields)])
        )
    return members


def works(members, *corrections):
    made = [
        Correction(n, kind, document_id(str(one)), document_id(str(two)), "")
        for n, (kind, one, two) in enumerate(corrections)
    ]
    applied = AppliedCorrections(made)
    batches = [matching_batch(members.packed)]
    return group_members(members, batches, applied, separate_versions=False).of.tolist()


def test_versions_of_a_paper_are_one_work_and_others_are_not():
    assert works(library(WEAK, OTHER, ALIKE)) == [0, 1, 0]


def test_what_has_no_title_is_like_nothing_else_but_an_equal_copy():
    assert works(library({}, {}, {"year": "1990"})) == [0, 1, 2]
    assert works(library({}, {}, {}, alike="xyx")) == [0, 1, 0]


def test_people_join_what_is_the_same():
    assert works(library(WEAK, OTHER, ALIKE), ("same", 1, 2)) == [0, 0, 0]


def test_of_two_that_are_different_each_takes_what_is_more_like_it():
    joined = (("same", 0, 1), ("same", 2, 3))
    members = library(WEAK, OTHER, ALIKE, {**OTHER, "authors": "Freund, Yoav"})
    assert works(members, *joined) == [0, 0, 0, 0]
    assert works(members, *joined, ("different", 0, 1)) == [0, 1, 0, 1]
    assert works(members, *joined, ("different", 1, 0)) == [0, 1, 0, 1]


def test_the_last_word_counts():
    members = library(WEAK, ALIKE)
    assert works(members, ("different", 0, 1)) == [0, 1]
    assert works(members, ("different", 0, 1), ("same", 0, 1)) == [0, 0]
    assert works(members, ("same", 0, 1), ("different", 0, 1)) == [0, 1]


def test_what_is_different_anyway_stays_so():
    assert works(library(WEAK, OTHER), ("different", 0, 1)) == [0, 1]
    assert works(library(WEAK, OTHER), ("different", 0, 0)) == [0, 1]


@given(
    st.integers(1, 12).flatmap(
        lambda size: st.lists(
            st.tuples(st.integers(0, size - 1), st.integers(0, size - 1)), max_size=20
        ).map(lambda pairs: (size, pairs))
    )
)
def test_joining_pairs_makes_connected_components(given_):
    size, pairs = given_
    groups = Groups(np.arange(size))
    groups.merge(pairs)
    of = list(range(size))
    for _ in range(size):
        for one, two in pairs:
            of[one] = of[two] = min(of[one], of[two])
    assert groups.of.tolist() == of


@given(st.lists(st.booleans(), min_size=1, max_size=12))
def test_parting_keeps_all_and_calls_each_by_its_first(gone):
    groups = Groups(np.zeros(len(gone), np.int64))
    groups.split(0, np.array(gone))
    for part in (True, False):
        mine = [n for n, each in enumerate(gone) if each == part]
        assert {groups.of[n] for n in mine} <= {mine[0] if mine else None}
