"""Packing of members."""

from hypothesis import given
from hypothesis import strategies as st

from lycosa.papers.matching.canonical_record import FIELDS
from lycosa.portal.build.members import (
    is_untitled,
    matching_batch,
    pack,
    unpack,
    unpack_fields,
)

RECORDS = st.dictionaries(st.sampled_from(FIELDS), st.text(st.characters(codec="utf-8")))


@given(RECORDS)
def test_unpacking_inverts_packing(fields):
    confidence = dict.fromkeys(fields, 0.6)
    record = unpack(pack(fields, confidence), is_header=True)
    kept = {name: text.replace("\x1f", " ") for name, text in fields.items() if text}
    assert record.fields == kept
    assert record.confidence == dict.fromkeys(kept, 0.6)


@given(RECORDS)
def test_untitled_members_are_matched_as_empty(fields):
    member = pack(fields, {})
    assert is_untitled(member) == ("title" not in unpack_fields(member))
    if is_untitled(member):
        assert matching_batch([member]).digests == matching_batch([pack({}, {})]).digests


def test_a_confidence_whose_byte_is_the_separator_hides_no_title():
    confidence = dict.fromkeys(FIELDS, 0x1F / 255)
    assert not is_untitled(pack({"title": "Flies"}, confidence))
    assert is_untitled(pack({"authors": "Lee, Ann", "year": "1999"}, confidence))
