"""Labelling of author lists by the shipped model and by a small one."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lycosa.errors import UsageError
from lycosa.papers.extraction import crf
from lycosa.papers.extraction.name_labeller import (
    LabelledPiece,
    NameLabeller,
    join_names,
    name_features,
    split_pieces,
    train_name_labeller,
)


@pytest.fixture(scope="module")
def labeller():
    return NameLabeller.shipped()


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("Ann Lee", ["Lee, Ann"]),
        ("Ann Lee1, Zora Roe2,\u2217 and C. van Poe1", ["Lee, Ann", "Roe, Zora", "van Poe, C."]),
        ("Ann Lee\nZora Roe\nCarl Poe", ["Lee, Ann", "Roe, Zora", "Poe, Carl"]),
        ("Ann Lee, PhD, and Zora Roe, M.D.", ["Lee, Ann", "Roe, Zora"]),
        ("ANN LEE AND ZORA ROE", ["LEE, ANN", "ROE, ZORA"]),
        ("Lee, Ann and Roe, Zora", ["Lee, Ann", "Roe, Zora"]),
        ("A. B. Lee a, b, Z. Roe c", ["Lee, A. B.", "Roe, Z."]),
        ("Ann Lee, Member, IEEE, and Zora Roe, Senior Member, IEEE", ["Lee, Ann", "Roe, Zora"]),
    ],
)  # fmt: skip
def test_reads_usual_author_lists(labeller, text, names):
    assert [str(name) for name in labeller.names(text)] == names


@settings(deadline=None)
@given(st.text(alphabet="AnnLee. ,;1\u2217\u2020()\n@-&'\u00e9\u4e2d", max_size=60))
def test_names_have_no_digits_and_marks_and_keep_their_order(labeller, text):
    names = labeller.names(text)
    for name in names:
        whole = f"{name.given} {name.family}"
        assert any(c.isalpha() for c in name.family)
        assert all(c.isalpha() or c in " .'-\u2010\u2019\u00b4`" for c in whole)
    pieces = [p.text.strip(".") for p in split_pieces(text)]
    firsts = [(name.given or name.family).split()[0].strip(".") for name in names]
    assert all(first in pieces for first in firsts)


@given(st.text(max_size=50))
def test_every_piece_has_a_row_and_no_letter_is_lost(text):
    pieces = list(split_pieces(text))
    assert len(name_features(pieces)) == len(pieces)
    joined = "".join(piece.text for piece in pieces)
    assert [c for c in joined if c.isalpha()] == [c for c in text if c.isalpha()]


def test_a_family_name_on_the_next_line_belongs_to_the_given_name():
    pieces = [LabelledPiece("Ann", "first-given"), LabelledPiece("Lee", "first-family", 1)]
    assert [str(name) for name in join_names(pieces)] == ["Lee, Ann"]
    assert [str(name) for name in join_names(pieces[::-1])] == ["Lee", "Ann"]


def test_a_model_of_another_kind_is_refused():
    lists = [[LabelledPiece("Lee", "first-family"), LabelledPiece(",", "other")]]
    data = train_name_labeller(lists, data="mine")
    assert NameLabeller.from_bytes(data).metadata["data"] == "mine"
    models, metadata = crf.unpack(data)
    with pytest.raises(UsageError, match="not a model for names"):
        NameLabeller.from_bytes(crf.pack(models, {**metadata, "kind": "headers"}))
    with pytest.raises(UsageError, match="another version"):
        NameLabeller.from_bytes(crf.pack(models, {**metadata, "features": -1}))
