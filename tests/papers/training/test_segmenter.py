"""Training of segmentation."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lycosa.papers.extraction.segmentation import FURNITURE, SECTIONS
from lycosa.papers.extraction.segmentation_features import SegmentLine
from lycosa.papers.training import segmenter
from lycosa.papers.training.grobid_segmentation import SegmentedDocument

LINES = (SegmentLine("Webs", 0, 0, True), SegmentLine("1", 0, 0, False), SegmentLine("x", 1, 1))
DOCUMENT = SegmentedDocument("a", LINES, ("front", "page", "body"))


def test_most_documents_are_trained_on_as_they_are():
    same = [segmenter.vary(DOCUMENT, n) == DOCUMENT for n in range(100)]
    assert 40 <= sum(same) < 100


def test_variants_have_no_running_heads_or_no_layout_or_no_pages():
    variants = [segmenter.vary(DOCUMENT, n) for n in range(10)]
    assert any("page" not in variant.labels for variant in variants)
    assert any(variant.lines[0].bold is None for variant in variants)
    assert any({line.page for line in variant.lines} == {0} for variant in variants)
    assert all(len(variant.lines) == len(variant.labels) for variant in variants)


@given(st.lists(st.sampled_from([*SECTIONS, *FURNITURE]), max_size=60), st.integers(0, 500))
def test_only_body_far_from_other_sections_is_left_out(labels, bodies):
    every = [*labels, *["body"] * bodies, *labels]
    rows = [[str(n)] for n in range(len(every))]
    parts = list(segmenter._thin(rows, every))
    kept = {
        int(row[0]): label for part, names in parts for row, label in zip(part, names, strict=True)
    }
    assert sum(len(part) for part, _ in parts) == len(kept)
    assert all(every[n] == label for n, label in kept.items())
    others = [n for n, label in enumerate(every) if label not in ("body", "head", "page")]
    for n in range(len(every)):
        if any(abs(n - other) <= segmenter._NEAR_LINES for other in others):
            assert n in kept


def test_names_of_papers_from_cora_are_known():
    assert segmenter._CORA_NAME.match("439._GoyalVT98")
    assert not segmenter._CORA_NAME.match("1033._whittlebdl")


@pytest.mark.parametrize("number", range(10))
def test_a_variant_is_the_same_for_the_same_number(number):
    assert segmenter.vary(DOCUMENT, number) == segmenter.vary(DOCUMENT, number + 10)
