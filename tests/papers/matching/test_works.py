"""Matching of references into works: order, batches, repeats, accuracy."""

from __future__ import annotations

from itertools import islice
from random import Random

import numpy as np
import pytest
from bench import references as made
from bench.papers_matching import CORA, cora, measures
from hypothesis import given, settings
from hypothesis import strategies as st

from lycosa.errors import UsageError
from lycosa.papers.matching.canonical_record import canonical_record
from lycosa.papers.matching.feature_vectors import compute_vectors
from lycosa.papers.matching.normal_form import normalise
from lycosa.papers.matching.similarity import score_pairs
from lycosa.papers.matching.works import Works
from recorded_sites import realdata

SOME = list(made.references(made.works(12, seed=21), 60, seed=21))
POOL = [fields for _, fields in SOME]
SETS = st.lists(st.sampled_from(POOL), min_size=1, max_size=25)
FREUND = {"authors": "Y. Freund", "title": "Boosting a weak learner by majority", "year": "1995"}
SCHAPIRE = {"authors": "R. Schapire", "title": "The strength of weak learnability", "year": "1990"}


def groups(works):
    """The works as sets of reference numbers."""
    found = {}
    for number, work in enumerate(works.tolist()):
        found.setdefault(work, set()).add(number)
    return {frozenset(each) for each in found.values()}


@settings(deadline=None, max_examples=25)
@given(SETS, st.integers(1, 7), st.booleans())
def test_works_do_not_depend_on_batches(some, batch, apart):
    whole, parts = (
        Works(separate_versions=apart),
        Works(separate_versions=apart),
    )
    whole.add_many(some)
    waiting = iter(some)
    while few := list(islice(waiting, batch)):
        parts.add_many(few)
    assert whole.works().tolist() == parts.works().tolist()


@settings(deadline=None, max_examples=25)
@given(SETS, st.randoms(use_true_random=False), st.booleans())
def test_works_do_not_depend_on_order_while_no_block_is_full(some, chance, apart):
    order = list(range(len(some)))
    chance.shuffle(order)
    straight, mixed = (
        Works(separate_versions=apart),
        Works(separate_versions=apart),
    )
    straight.add_many(some)
    mixed.add_many([some[k] for k in order])
    back = {frozenset(order[k] for k in each) for each in groups(mixed.works())}
    assert groups(straight.works()) == back


@settings(deadline=None, max_examples=25)
@given(SETS)
def test_equal_references_are_one_work(some):
    works = Works()
    first = works.add_many(some)
    before = len(set(first.tolist()))
    again = works.add_many(some)
    assert again.tolist() == works.works()[: len(some)].tolist()
    assert len(set(works.works().tolist())) == before


@settings(deadline=None, max_examples=25)
@given(SETS, st.booleans())
def test_works_are_a_partition_numbered_by_first_references(some, apart):
    works = Works(separate_versions=apart)
    found = works.add_many(some)
    for number, work in enumerate(found.tolist()):
        members = works.members(number)
        assert number in members
        assert members[0] == work == works.work_of(number)
        assert all(works.members(other) == members for other in members)


def test_why_names_evidence_and_a_path_of_links():
    works = Works()
    works.add_many([SCHAPIRE, FREUND, {**SCHAPIRE, "title": "Strength of weak learnabilty"}])
    why = works.why(0, 2)
    assert why.same
    assert [number for number, _ in why.path] == [0, 2]
    assert why.path[1][1] > 0
    assert "title" in str(why)
    apart = works.why(0, 1)
    assert not apart.same
    assert apart.path == ()
    assert str(apart).startswith("different works")


def test_versions_are_works_unless_joined():
    early = {**SCHAPIRE, "venue": "Proc. 30th FOCS", "year": "1989", "pages": "28-33"}
    late = {**SCHAPIRE, "venue": "Machine Learning", "pages": "197-227", "volume": "5"}
    assert len(set(Works().add_many([early, late]).tolist())) == 2
    assert len(set(Works(separate_versions=False).add_many([early, late]).tolist())) == 1


def test_the_record_is_the_majority_of_references():
    works = Works()
    works.add_many([{**SCHAPIRE, "year": "1991"}, SCHAPIRE, SCHAPIRE])
    assert works.record(2) == SCHAPIRE
    assert dict(works.records()) == {0: SCHAPIRE}


def test_a_record_does_not_mix_versions():
    early = {"title": "Weak learning", "year": "1989", "pages": "28-33"}
    late = {"title": "Weak learning", "year": "1990", "venue": "Machine Learning"}
    assert canonical_record([early, late, late]) == {**late, "pages": "28-33"}
    assert canonical_record([early, late, {**late, "pages": "197-227"}])["pages"] == "197-227"


def test_an_unknown_reference_is_a_usage_error():
    with pytest.raises(UsageError, match="no reference 3"):
        Works().members(3)


def test_no_references_give_no_works():
    works = Works()
    assert works.add_many([]).tolist() == []
    assert list(works.records()) == []


HOSTILE = [
    {},
    {"title": ""},
    {"title": "x" * 100_000, "authors": "a," * 50_000},
    {"title": "\ud800 broken", "authors": "\0\x1e\x1f", "year": "9" * 40},
    {"title": "統計的学習理論", "authors": "山田太郎"},
    {"unknown": "😀"},
]


def test_any_references_are_matched():
    works = Works()
    works.add_many([*HOSTILE, *POOL[:10], *HOSTILE])
    assert len(works.works()) == 2 * len(HOSTILE) + 10
    for number in range(len(works)):
        assert isinstance(works.record(number), dict)
        works.why(0, number)


@pytest.mark.parametrize("apart", [False, True])
def test_accuracy_on_generated_references(apart):
    drawn = list(made.references(made.works(400, seed=33), 2000, seed=33))
    truth = [8 * work + apart * version for (work, version), _ in drawn]
    found = Works(separate_versions=apart).add_many(fields for _, fields in drawn)
    pairs, cubed = (measures(truth, found)[k] for k in (2, 5))
    assert pairs > 0.95
    assert cubed > 0.95


def test_no_work_is_linked_by_a_chain_alone():
    chance = Random(3)
    words = "task hard user gesture fault value mesh camera storage priority join views".split()
    people = "Fofar Mirick Lemu Stames Hitrong Dibrong Begos Cobro".split()
    some = [
        {
            "title": f"An introduction to {chance.choice(words)} {chance.choice(words)}",
            **({"authors": chance.choice(people)} if chance.random() < 0.6 else {}),
            **({"year": str(chance.randint(1990, 1993))} if chance.random() < 0.5 else {}),
        }
        for _ in range(600)
    ]
    found = Works(separate_versions=False)
    for members in groups(found.add_many(some)):
        forms = sorted({normalise(some[number]) for number in members})
        if not 2 < len(forms) <= 32:
            continue
        i, j = np.triu_indices(len(forms), 1)
        weights = np.rint(
            np.clip(score_pairs(compute_vectors(forms), i, j, separate_versions=False), -8, 8) * 16
        )
        triples = zip(i.tolist(), j.tolist(), weights.astype(int).tolist(), strict=True)
        assert sum(w for _, _, w in triples) > 0


@realdata
@pytest.mark.skipif(not CORA.is_file(), reason=f"no references at {CORA}")
def test_accuracy_on_real_references():
    fields, truth = cora()
    numbers = np.unique(truth, return_inverse=True)[1]
    precision, recall, f1, *_ = measures(numbers, Works().add_many(fields))
    assert (precision > 0.94, recall > 0.80, f1 > 0.89) == (True, True, True)
    assert measures(numbers, Works(separate_versions=False).add_many(fields))[2] > 0.82
