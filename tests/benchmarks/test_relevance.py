"""Floors of the relevance of search, on a small collection and on real ones.

`python -m bench.relevance` measures more, and plain BM25 beside it.
"""

import doctest
import json
from dataclasses import replace
from pathlib import Path

import pytest
from bench import (
    relevance,
    relevance_collection,
    relevance_known_items,
    relevance_measures,
    relevance_records,
    relevance_systems,
)
from bench.relevance_collection import read_collection, read_collections

from lycosa.portal.search.ranking import DEFAULT_RANKING
from realdata import CORPORA
from recorded_sites import realdata

SMALL = Path(__file__).parent / "collection"
SMALL_FLOORS = {"nDCG@10": 0.86, "recall@100": 0.85}
SMALL_RATIO_FLOORS = {"nDCG@10": 0.93, "recall@100": 0.88}
"""To plain BM25, which returns nearly all of 64 documents: it does not ignore stop words."""
KNOWN_FLOORS = dict.fromkeys(relevance_known_items.KINDS, 0.985)
REAL_QUESTIONS = 40
"""Questions of each real collection, to save time."""
REAL_RATIO_FLOORS = {"nDCG@10": 1.05, "recall@100": 0.98}
"""To plain BM25, of each real collection."""


@pytest.fixture(scope="module")
def small():
    return read_collection(SMALL)


@pytest.fixture(scope="module")
def known(small):
    """The figures of the known items of each kind."""
    return relevance.known_of_collection(small)


def test_the_portal_finds_what_answers_questions(small):
    found = relevance.figures([relevance.evaluate(small, ())])["portal"]
    for name, floor in SMALL_FLOORS.items():
        assert found[name]["mean"] >= floor
    for name, floor in SMALL_RATIO_FLOORS.items():
        assert found[name]["ratio"][0] >= floor


def test_the_portal_finds_known_items(known):
    for kind, floor in KNOWN_FLOORS.items():
        assert known[kind]["portal"] >= floor


@realdata
def test_the_portal_finds_what_answers_real_questions():
    for collection in read_collections(CORPORA / "retrieval"):
        few = dict(list(collection.grades.items())[:REAL_QUESTIONS])
        found = relevance.figures([relevance.evaluate(replace(collection, grades=few), ())])
        for name, floor in REAL_RATIO_FLOORS.items():
            assert found["portal"][name]["ratio"][0] >= floor


def test_an_ablation_is_a_row_of_its_own(small):
    from lycosa.portal.search import Engine

    found = relevance.evaluate(small, [("the same again", Engine.open)])
    assert found["the same again"] == found["portal"]


def test_every_ablation_changes_the_ranking_of_the_portal():
    rankings = [opened.keywords["ranking"] for _, opened in relevance.VARIANTS]
    assert len({DEFAULT_RANKING, *rankings}) == len(relevance.VARIANTS) + 1


def test_known_items_depend_on_parts_of_the_ranking(known):
    found = known["part of the title"]
    assert found["without title phrase"] < found["portal"]


def test_figures_are_printed_as_a_table_and_as_json(small, capsys):
    relevance.main([str(SMALL), "--part", "ranking"])
    printed = capsys.readouterr().out
    assert "**collection**, 64 documents, 20 questions with answers:" in printed
    assert "| plain BM25 | 0.926 | 1.00 | 1.00 to 1.00 |" in printed
    relevance.main([str(SMALL), "--part", "ranking", "--json"])
    found = json.loads(capsys.readouterr().out)["ranking"]["collection"]["plain BM25"]
    assert found["nDCG@10"]["mean"] == pytest.approx(0.926, abs=0.001)
    assert found["nDCG@10"]["ratio"] == [1, 1, 1]


def test_several_collections_have_a_mean(small):
    small = replace(small, grades=dict(list(small.grades.items())[:4]))
    found = relevance.measure_all([small, replace(small, name="again")])
    assert list(found) == ["collection", "again", "Mean"]
    assert found["Mean"]["portal"]["MAP"]["mean"] == pytest.approx(
        found["again"]["portal"]["MAP"]["mean"]
    )


def test_a_missing_folder_ends_in_one_sentence(tmp_path):
    with pytest.raises(SystemExit, match=r"bench\.relevance: There is no folder"):
        relevance.main([str(tmp_path / "missing")])


@pytest.mark.parametrize(
    "module",
    [
        relevance_collection,
        relevance_known_items,
        relevance_measures,
        relevance_records,
        relevance_systems,
    ],
    ids=lambda module: module.__name__,
)
def test_examples_in_docstrings_are_true(module):
    assert doctest.testmod(module).failed == 0
