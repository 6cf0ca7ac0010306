"""Segmentation of lists of references."""

from hypothesis import given, settings
from hypothesis import strategies as st

from lycosa.documents.layout import TextLine
from lycosa.documents.plain_text import plain_lines
from lycosa.papers.extraction.reference_list import label_lines, split_references
from lycosa.papers.extraction.reference_list_features import list_features


def printed(rows, indent=12.0):
    """Return lines on a page; a row that begins with a space is indented."""
    return [
        TextLine(row.strip(), 0, indent if row[0] == " " else 0.0, -12.0 * n, 5.0 * len(row), 10.0)
        for n, row in enumerate(rows)
    ]


HANGING = [
    "Lee, A. and Roe, B. (1997). Spiders that learn to hunt for",
    " papers on the web. Journal of Webs 12(3), 101-120.",
    "Poe, C. (1998). Webs that catch flies and other",
    " animals. In Proceedings of the Tenth Conference on Webs,",
    " pp. 10-19.",
    "Roe, B. (1999). Flies. Webs 7, 1-9.",
]


def test_hanging_indents_separate_entries():
    entries = split_references(printed(HANGING))
    assert [entry.text[:3] for entry in entries] == ["Lee", "Poe", "Roe"]
    assert [(entry.line, entry.stop) for entry in entries] == [(0, 2), (2, 5), (5, 6)]


def test_lists_without_labels_and_layout_are_split_by_their_words():
    text = "\n".join(row.strip() for row in HANGING)
    assert [entry.text[:3] for entry in split_references(plain_lines(text))] == [
        "Lee",
        "Poe",
        "Roe",
    ]


def test_labels_are_taken_off_the_entries():
    rows = [
        "[1] A. Lee. Spiders that learn to hunt. Journal of Webs 12(3), 101-120, 1997.",
        "[2] C. Poe. Webs that catch flies and other animals. Webs 7, pp. 10-19, 1998.",
        "[3] B. Roe. Flies. Webs 7, 1-9, 1999.",
    ]
    entries = split_references(plain_lines("\n".join(rows)))
    assert [entry.label for entry in entries] == ["[1]", "[2]", "[3]"]
    assert entries[-1].stop == 3


def test_an_empty_list_has_no_entries():
    assert split_references([]) == []
    assert list_features([]) == []


@settings(max_examples=60, deadline=None)
@given(st.lists(st.text(max_size=60), max_size=20))
def test_entries_are_in_order_and_each_line_has_one_label(texts):
    lines = [TextLine(text, 0, 0.0, -12.0 * n, 100.0, 10.0) for n, text in enumerate(texts)]
    assert len(label_lines(lines)) == len(lines)
    spans = [(entry.line, entry.stop) for entry in split_references(lines, offset=5)]
    flat = [place for span in spans for place in span]
    assert flat == sorted(flat)
    assert all(5 <= place <= 5 + len(lines) for place in flat)
