"""Labels of the lines of whole documents."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lycosa.documents.layout import TextLine
from lycosa.documents.plain_text import plain_lines
from lycosa.errors import UsageError
from lycosa.papers.extraction import crf
from lycosa.papers.extraction.crf import MODELS
from lycosa.papers.extraction.segmentation import (
    FURNITURE,
    KIND,
    PART,
    SECTIONS,
    Segmenter,
    segment_lines,
)

MAX_MODEL_BYTES = 6_000_000
WORDS = ("spiders hunt flies in the dark and wait for what comes while others weave large webs "
         "between two trees which nobody sees before it is too late for them").split()  # fmt: skip


def prose(n, width=12):
    return " ".join(WORDS[(n * 7 + k * (1 + n % 5)) % len(WORDS)] for k in range(width))


def reference(n):
    return f"[{n}] A. Lee and B. Roe. {prose(n, 5).capitalize()}. J. Webs, {n}(2):{n}1-{n}9, 1997."


def article(pages=6, heads=True, tail=()):
    """Return the text of a paper in pages, with running heads and page numbers."""
    front = ["Spiders that hunt in the dark", "Ann Lee and Bob Roe", "University of Texas",
             "Abstract", *(prose(n) for n in range(8)), "1 Introduction"]  # fmt: skip
    body = [prose(n) for n in range(40 * pages)]
    lines = [*front, *body, "References", *map(reference, range(1, 41)), *tail]
    found = []
    for page, start in enumerate(range(0, len(lines), 45)):
        part = lines[start : start + 45]
        if heads:
            part = ["Journal of Webs 12 (1997)", *part, str(page + 101)]
        found.append("\n".join(part))
    return plain_lines("\f".join(found))


def labels_of(lines):
    return Segmenter.shipped().label(lines)


@pytest.mark.parametrize("heads", [True, False])
def test_sections_and_furniture_of_a_paper_are_labelled(heads):
    lines = article(heads=heads)
    by_text = {line.text: label for line, label in zip(lines, labels_of(lines), strict=True)}
    assert by_text["Spiders that hunt in the dark"] == "front"
    assert by_text[prose(60)] == "body"
    assert [by_text[reference(n)] for n in (1, 20, 40)] == ["references"] * 3
    if heads:
        labels = labels_of(lines)
        found = [labels[n] for n, line in enumerate(lines) if line.text.startswith("Journal of W")]
        assert sum(label in FURNITURE for label in found) >= len(found) - 1


def test_an_appendix_after_the_references_is_no_reference():
    tail = ["Appendix A. Proofs", *(prose(n) for n in range(60))]
    lines = article(tail=tail)
    labels = labels_of(lines)
    assert "references" not in labels[-50:]


def test_changes_of_size_are_relative_to_the_line_above():
    lines = [TextLine("a", size=size) for size in (10.0, 10.1, 14.0, 9.0)]
    assert [line.size_change for line in segment_lines(lines)] == [1, 0, 1, -1]


def test_plain_text_has_no_layout():
    assert all(line.size_change is None for line in segment_lines(plain_lines("a\nb")))


heads = st.sampled_from(["Abstract", "References", "1 Introduction", "[1] A. 1997.", "12", ""])
any_line = st.builds(
    TextLine, st.one_of(heads, st.text(max_size=20)), st.integers(0, 3), st.floats(0, 500),
    st.floats(0, 700), st.floats(0, 400), st.floats(1, 20), st.booleans(), st.booleans(),
)  # fmt: skip


@settings(max_examples=100, deadline=None)
@given(st.lists(any_line, max_size=30))
def test_every_line_has_exactly_one_label(lines):
    labels = labels_of(lines)
    assert len(labels) == len(lines)
    assert set(labels) <= {*SECTIONS, *FURNITURE}


@pytest.mark.parametrize("text", ["x", "References"])
def test_a_document_of_very_many_lines_is_labelled(text):
    assert len(labels_of([TextLine(text, n // 50) for n in range(30_000)])) == 30_000


def test_the_shipped_model_is_small_and_says_what_it_was_trained_on():
    assert (MODELS / f"{KIND}.crf").stat().st_size < MAX_MODEL_BYTES
    assert "documents of GROBID" in Segmenter.shipped().metadata["data"]


@pytest.mark.parametrize(
    ("metadata", "message"),
    [({"kind": "headers"}, "not a model for segmentation"),
     ({"kind": KIND, "features": 0}, "another version")],
)  # fmt: skip
def test_other_models_are_refused(metadata, message):
    model = crf.pack({PART: Segmenter.shipped().model}, metadata)
    with pytest.raises(UsageError, match=message):
        Segmenter.from_bytes(model)
