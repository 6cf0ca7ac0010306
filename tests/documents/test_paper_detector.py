import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lycosa.documents.conversion import Converter
from lycosa.documents.paper_detector import (
    WEIGHTS,
    detect_paper,
    paper_features,
    word_kind,
    word_kinds,
)
from lycosa.sites.generated import World
from realdata import PAPERS

BODY = "We study spiders [1] that hunt in webs, and find them fast. " * 120
CITED = " ".join(f"[{n}] A. Lee. Spiders that hunt. Machine Learning, 1997." for n in range(1, 30))
PAPER = f"Spiders Ann Lee Abstract We teach spiders. 1 Introduction {BODY} References {CITED}"


def verdict(text):
    return detect_paper(word_kinds(text))


def test_tells_generated_papers_from_handouts_and_forms():
    site = World(seed=21, departments=1, pages=150).department(0)
    wanted = set(site.wanted("papers").tolist())
    documents = [n for n in range(len(site)) if site.page(n).type == "application/pdf"]
    assert 5 < len(wanted) < len(documents)
    with Converter() as converter:
        wrong = [
            number
            for number in documents
            if verdict(converter.convert(site.response(number).body).text).is_paper
            != (number in wanted)
        ]
    assert len(wrong) <= 1, wrong


def test_a_verdict_has_the_contribution_of_each_feature():
    found = verdict(PAPER)
    assert found.is_paper
    assert found.contributions["references"] > 0.5
    assert set(found.contributions) == set(WEIGHTS)
    bare = verdict(f"Spiders Ann Lee {BODY}")
    assert not bare.is_paper
    assert bare.contributions["references"] == 0


@pytest.mark.parametrize(
    "text",
    [
        f"Publications {CITED * 9}",
        f"Call for papers. Important dates: the deadline. Invited speakers. {BODY[:900]}",
        f"Dear colleague, {BODY[:900]} Sincerely, Ann Lee",
        f"A thesis submitted in partial fulfillment. Abstract {BODY * 60} References {CITED}",
        "",
    ],
)
def test_other_documents_are_no_papers(text):
    assert not verdict(text).is_paper


def test_headings_in_small_capitals_are_known():
    assert word_kind("eferences") == word_kind("references")
    assert word_kind("bstract") == word_kind("abstract")


def test_a_paper_without_the_heading_of_its_references_is_recognised():
    assert verdict(PAPER.replace("References", "")).is_paper


@settings(max_examples=200, deadline=None)
@given(st.lists(st.integers(0, 8), max_size=2000))
def test_features_are_numbers_from_0_to_1(kinds):
    values = paper_features(np.array(kinds, np.uint8))
    assert list(values) == list(WEIGHTS)
    assert all(0 <= value <= 1 for value in values.values())
    assert 0 <= detect_paper(np.array(kinds, np.uint8)).probability <= 1


@pytest.mark.realdata
@pytest.mark.skipif(not PAPERS.is_dir(), reason=f"the papers are not at {PAPERS}")
def test_classifies_real_documents_with_one_error_at_most():
    # All that are none, and a few of those that are: the benchmark reads the rest.
    table = [row.split("\t") for row in (PAPERS / "labels.tsv").read_text().splitlines()]
    table = [row for row in table if row[1] == "other"] + table[::6]
    with Converter() as converter:
        wrong = [
            name
            for name, label in table
            if verdict(converter.convert_file(PAPERS / name).text).is_paper != (label == "paper")
        ]
    assert len(wrong) <= 1, wrong
