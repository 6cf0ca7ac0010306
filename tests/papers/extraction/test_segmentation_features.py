"""Features of the lines of a document."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lycosa.papers.extraction import segmentation_features as module
from lycosa.papers.extraction.segmentation_features import SegmentLine, segmentation_features

REFERENCE = "[7] A. Lee, B. Roe, and C. Fox. Spiders. J. Webs, 12(3):101-120, 1997."
PROSE = "we teach spiders to hunt in the dark, and others watch them"


def features_of(texts, **layout):
    return segmentation_features([SegmentLine(text, **layout) for text in texts])


@pytest.mark.parametrize("heading", ["References", "7. REFERENCES", "R E F E R E N C E S",
                                     "Literaturverzeichnis", "IV. References"])  # fmt: skip
def test_a_heading_is_known_to_all_lines_around_it(heading):
    before, head, after = features_of([PROSE, heading, PROSE])
    assert "head=references" in head
    assert "next=references" in before
    assert "section=references" in after
    assert "section=none" in before
    assert "next=none" in after


def test_a_caption_after_the_references_is_no_heading_of_an_appendix():
    texts = ["References", *[REFERENCE] * 30, "Figure 1. Spiders.", PROSE, "Appendix A", PROSE]
    rows = features_of([*texts, *[PROSE] * 20])
    assert "recent=caption,references" in rows[32]
    assert "recent=annex,annex" in rows[-1]
    assert "listed=after" in rows[-1]
    assert "listed=before" in rows[0]


def test_lines_with_names_years_and_pages_have_signs_of_references():
    reference, prose = features_of([REFERENCE, PROSE])
    assert {"ref=5", "label=1"} <= set(reference)
    assert {"ref=0", "label=0"} <= set(prose)


def test_a_line_on_every_page_is_repeated_and_a_page_number_counts():
    lines = [
        SegmentLine(text, page)
        for page in range(4)
        for text in (f"Journal of Webs {page + 31}", f"{PROSE} {'wxyz'[page] * 3}", f"{page + 31}")
    ]
    rows = segmentation_features(lines)
    assert "repeat=4,True" in rows[3]
    assert "number=True" in rows[5]
    assert not any(feature.startswith(("repeat=", "number=")) for feature in rows[4])


def test_a_document_without_pages_and_layout_has_no_features_of_them():
    (row, *_) = features_of([PROSE] * 5)
    assert not any(feature.startswith(("edge", "page", "size", "bold")) for feature in row)


def test_the_numbering_of_pages_does_not_matter():
    lines = [SegmentLine(f"{PROSE} {n}", n // 5, 0, False, False) for n in range(20)]
    moved = [line._replace(page=line.page + 7) for line in lines]
    assert segmentation_features(lines) == segmentation_features(moved)


any_line = st.builds(
    SegmentLine,
    st.one_of(st.text(max_size=30), st.sampled_from([REFERENCE, PROSE, "References", "12", ""])),
    st.integers(0, 3),
    st.sampled_from([None, -1, 0, 1]),
    st.booleans(),
    st.booleans(),
)


@settings(max_examples=150, deadline=None)
@given(st.lists(any_line, max_size=30))
def test_any_lines_have_a_row_each(lines):
    rows = segmentation_features(lines)
    assert len(rows) == len(lines)
    assert all(row and all(isinstance(feature, str) for feature in row) for row in rows)


@settings(max_examples=60, deadline=None)
@given(st.lists(st.integers(0, 1), min_size=1, max_size=40))
def test_the_signs_around_a_line_are_those_that_counting_finds(choice):
    texts = [(PROSE, REFERENCE)[k] for k in choice]
    small = module._WINDOWS[0]
    for n, row in enumerate(features_of(texts)):
        around = choice[max(n - small, 0) : n + small + 1]
        assert f"ref{small}={min(4 * 5 * sum(around) // len(around), 12)}" in row


class CountedText(str):
    """A text that counts how often a part of it is taken."""

    __slots__ = ()
    reads = 0

    def __getitem__(self, key):
        type(self).reads += 1
        return super().__getitem__(key)


@pytest.mark.parametrize("text", ["x", "References", REFERENCE, "12"])
def test_the_number_of_features_of_many_lines_grows_with_their_number(text):
    def work(count):
        CountedText.reads = 0
        lines = [SegmentLine(CountedText(text), n // 40) for n in range(count)]
        rows = segmentation_features(lines)
        return CountedText.reads, sum(map(len, rows))

    (reads, size), (more_reads, more_size) = work(500), work(5000)
    assert more_reads <= 10 * reads
    assert more_size <= 11 * size
