"""What a heading says is an abstract is one, if the labeller found none."""

import pytest

from lycosa.papers.extraction.headed_abstract import label_headed_abstract
from lycosa.papers.extraction.labeller import Prediction
from lycosa.papers.extraction.tagged import Token


def labels(lines):
    """Return the labels after the rule: lines are pairs of a text and the label of its words."""
    tokens = [Token(word, "", n) for n, (text, _) in enumerate(lines) for word in text.split()]
    given = [Prediction(label, 0.9) for text, label in lines for _ in text.split()]
    return [(token.line, each.label) for token, each in zip(
        tokens, label_headed_abstract(tokens, given), strict=True
    )]  # fmt: skip


@pytest.mark.parametrize("heading", ["Abstract", "ABSTRACT.", "A B S T R A C T", "Summary"])
def test_the_note_below_a_heading_is_an_abstract_until_the_next_section(heading):
    found = labels(
        [("A title", "title"), (heading, "note"), ("They hunt.", "note"), ("Well.", "note"),
         ("Keywords: spiders", "note"), ("Received 1999", "note")]
    )  # fmt: skip
    assert {line for line, label in found if label == "abstract"} == {1, 2, 3}


@pytest.mark.parametrize(
    "lines",
    [
        [("Abstract", "note"), ("They hunt.", "intro")],
        [("Abstract", "note")],
        [("Abstract spiders of the south", "note"), ("They hunt.", "note")],
        [("Abstract", "note"), ("They hunt.", "note"), ("They do.", "abstract")],
    ],
    ids=["other text below", "nothing below", "no heading", "an abstract elsewhere"],
)
def test_otherwise_nothing_changes(lines):
    assert [label for _, label in labels(lines)] == [
        label for text, label in lines for _ in text.split()
    ]
