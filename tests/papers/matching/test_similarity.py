"""Pairwise similarity of references."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest
from bench import references as made
from hypothesis import given, settings
from hypothesis import strategies as st

from lycosa.papers.matching.feature_vectors import compute_vectors
from lycosa.papers.matching.normal_form import normalise
from lycosa.papers.matching.recurring_titles import Recurrence
from lycosa.papers.matching.similarity import (
    LEVELS,
    agreement_levels,
    explain_pair,
    score_pairs,
    similarity,
)
from lycosa.papers.matching.weights import VERSION_WEIGHTS, WORK_WEIGHTS

FIELDS = ("authors", "title", "venue", "year", "pages", "volume", "note")
ANYTHING = st.dictionaries(st.sampled_from(FIELDS), st.text(max_size=40), max_size=7)
GENERATED = made.works(40, seed=5)
STRENGTH = {
    "authors": "Robert E. Schapire",
    "title": "The strength of weak learnability",
    "venue": "Machine Learning",
    "year": "1990",
    "pages": "197-227",
    "volume": "5",
}


@st.composite
def references(draw):
    """A generated reference, or any fields at all."""
    if draw(st.booleans()):
        return draw(ANYTHING)
    chance = Random(draw(st.integers(0, 2**32)))
    return made.reference(chance, chance.choice(GENERATED))


def test_a_manuscript_does_not_match_an_earlier_publication():
    written = {**STRENGTH, "venue": "unpublished manuscript", "pages": "", "volume": ""}
    before, after = ({**written, "year": year} for year in ("1989", "1991"))
    assert similarity(STRENGTH, before, separate_versions=True).score > 0
    assert similarity(STRENGTH, after, separate_versions=True).score < 0


def test_a_single_page_does_not_contradict_a_range():
    two = compute_vectors([normalise(STRENGTH), normalise({**STRENGTH, "pages": "p. 204"})])
    found = agreement_levels(two, np.array([0]), np.array([1]))
    assert LEVELS["pages"][found["pages"][0]] == "missing"


@pytest.mark.parametrize(
    ("pages", "volume", "level"),
    [
        ("197-227", "5", "the same"),
        ("197-226", "5", "one end is the same"),
        ("179-227", "5", "one end is the same"),
        ("198-228", "5", "overlap"),
        ("228-240", "5", "differ within one volume"),
        ("28-33", "6", "differ"),
        ("28-33", "", "differ"),
        ("", "5", "missing"),
    ],
)
def test_pages_are_compared_as_ranges(pages, volume, level):
    two = compute_vectors(
        [normalise(STRENGTH), normalise({**STRENGTH, "pages": pages, "volume": volume})]
    )
    for i, j in ((0, 1), (1, 0)):
        found = agreement_levels(two, np.array([i]), np.array([j]))
        assert LEVELS["pages"][found["pages"][0]] == level


def test_two_papers_of_one_volume_are_two_works():
    other = {"title": "The power of weak learnability", "pages": "301-333"}
    assert similarity(STRENGTH, {**STRENGTH, **other}).score < 0


@pytest.mark.parametrize(
    "other",
    [
        {"title": "The strenght of weak learnability"},
        {"title": "Strength of weak learnability", "authors": "Schapire, R."},
        {"authors": "R. Shapire", "year": "1989", "pages": ""},
        {"title": "The strength of weak learnability. Machine Learning", "venue": ""},
        {"venue": "30th FOCS", "year": "1989", "pages": "28-33", "volume": ""},
    ],
)
def test_references_to_one_work_score_above_zero(other):
    assert similarity(STRENGTH, {**STRENGTH, **other}, separate_versions=False).score > 0


@pytest.mark.parametrize(
    "other",
    [
        {"title": "Pattern languages are not learnable", "pages": "122-129"},
        {"authors": "Leslie Valiant", "title": "A theory of the learnable", "year": "1984"},
        {"title": STRENGTH["title"] + ", part 2", "year": "1992", "pages": "1-30", "volume": "9"},
    ],
)
def test_references_to_other_works_score_below_zero(other):
    assert similarity(STRENGTH, {**STRENGTH, **other}).score < 0


def test_joins_versions_on_request():
    early = {**STRENGTH, "venue": "Proc. 30th FOCS", "year": "1989", "pages": "28-33", "volume": ""}
    assert (
        similarity(STRENGTH, early, separate_versions=False).score
        > 0
        > similarity(STRENGTH, early).score
    )


TORN = {"title": "Hyperlinks. In: Proc.", "authors": "X. Nobody", "doi": "10.5555/1"}


def test_the_same_identifier_is_the_same_work():
    assert similarity({**STRENGTH, "doi": "10.5555/1"}, {**TORN, "title": "Weak"}).score > 100
    translated = {**STRENGTH, "title": "Die Kraft schwacher Lernbarkeit", "doi": "10.5555/1"}
    found = similarity({**STRENGTH, "doi": "10.5555/1"}, translated)
    assert found.evidence[0].level == "the same"
    assert found.score > 100


def test_the_same_identifier_with_another_title_and_other_authors_decides_nothing():
    chapter = {"title": "Garden flies of Europe", "authors": "A. Ito", "doi": "10.5555/1"}
    without = {"title": "Garden flies of Europe", "authors": "A. Ito"}
    plain = similarity(STRENGTH, without).score
    assert similarity({**STRENGTH, "doi": "10.5555/1"}, chapter).score == plain < 0


def test_different_identifiers_are_different_works_unless_one_is_of_a_preprint():
    one = {**STRENGTH, "doi": "10.5555/1"}
    assert similarity(one, {**STRENGTH, "doi": "10.5555/2"}).score < -100
    assert (
        similarity(one, {**STRENGTH, "arxiv": "1905.12345"}).score
        == similarity(STRENGTH, STRENGTH).score
    )
    assert similarity(one, {**STRENGTH, "doi": "10.2139/ssrn.7"}).score > 0
    both = {**STRENGTH, "arxiv": "1905.12345", "doi": "10.5555/1"}
    assert similarity(both, {**STRENGTH, "arxiv": "1905.12345"}).score > 100
    assert similarity(both, {**STRENGTH, "arxiv": "1905.54321"}).score < -100


def test_a_recurring_title_is_weaker_evidence():
    two = compute_vectors([normalise(STRENGTH), normalise({**STRENGTH, "year": "1994"})])
    rare = Recurrence(np.zeros(2, np.float32), np.zeros(2, np.float32))
    often = Recurrence(np.full(2, 2, np.float32), np.full(2, 3, np.float32))
    scores = [
        explain_pair(two, 0, 1, separate_versions=apart, recurrence=recurrence)
        for apart in (False, True)
        for recurrence in (rare, often)
    ]
    assert scores[0].score - scores[1].score == pytest.approx(2, abs=1e-4)
    assert scores[3].score < scores[2].score
    assert "title (version): recurs in other years" in str(scores[3])


def test_evidence_adds_up_to_the_score():
    found = similarity(
        STRENGTH,
        {"title": "Strength of weak learnability", "year": "1990"},
        separate_versions=False,
    )
    assert found.score == pytest.approx(
        WORK_WEIGHTS.bias + sum(e.weight for e in found.evidence), abs=1e-5
    )
    assert str(found).startswith("score +")
    assert "year: the same" in str(found)


@pytest.mark.parametrize("table", [WORK_WEIGHTS, VERSION_WEIGHTS])
def test_every_level_has_a_weight_and_missing_fields_have_none(table):
    for name, weights in table.fields.items():
        assert len(weights) == len(LEVELS[name])
        assert weights[0] == 0


@settings(deadline=None, max_examples=100)
@given(st.lists(references(), min_size=2, max_size=6), st.booleans())
def test_scores_are_symmetric_finite_and_independent_of_batches(some, apart):
    sketches = compute_vectors([normalise(each) for each in some])
    i, j = (x.ravel() for x in np.indices((len(some), len(some))))
    there, back = (
        score_pairs(sketches, a, b, separate_versions=apart) for a, b in ((i, j), (j, i))
    )
    assert (there == back).all()
    assert np.isfinite(there).all()
    for a, b, score in zip(i.tolist(), j.tolist(), there.tolist(), strict=True):
        assert explain_pair(sketches, a, b, separate_versions=apart).score == score
    for name, found in agreement_levels(sketches, i, j).items():
        assert found.max() < len(LEVELS[name])


@pytest.mark.parametrize(
    "hostile",
    [
        {},
        {"title": ""},
        {"unknown": "x"},
        {"title": "x" * 1_000_000, "authors": "a," * 500_000, "venue": "(" * 100_000},
        {"title": "\ud800 broken", "authors": "\0\1\2", "year": "99999999999999999999"},
        {"title": "統計的学習理論", "authors": "山田太郎", "pages": "一"},
        {"title": "😀" * 100, "pages": "9" * 5000, "volume": "-1"},
        {"year": "²⁰¹⁰", "pages": "١٢-٣٤", "volume": "Ⅻ"},
    ],
)
def test_any_fields_are_scored(hostile):
    for other in (hostile, STRENGTH):
        for apart in (False, True):
            assert np.isfinite(similarity(hostile, other, separate_versions=apart).score)


@settings(deadline=None, max_examples=60)
@given(references())
def test_case_and_final_punctuation_do_not_change_the_normal_form(reference):
    shouted = {name: text.upper() for name, text in reference.items() if text.isascii()}
    plain = {name: text for name, text in reference.items() if text.isascii()}
    assert normalise(shouted) == normalise(plain)
