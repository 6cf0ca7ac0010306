"""What members say, packed."""

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

FIELDS_SAID = st.dictionaries(st.sampled_from(FIELDS), st.text(st.characters(codec="utf-8")))


@given(FIELDS_SAID)
def test_what_was_packed_is_unpacked(fields):
    sure = dict.fromkeys(fields, 0.6)
    said = unpack(pack(fields, sure), is_header=True)
    kept = {name: text.replace("\x1f", " ") for name, text in fields.items() if text}
    assert said.fields == kept
    assert said.confidence == dict.fromkeys(kept, 0.6)


@given(FIELDS_SAID)
def test_without_a_title_a_member_says_nothing_when_it_is_matched(fields):
    member = pack(fields, {})
    assert is_untitled(member) == ("title" not in unpack_fields(member))
    if is_untitled(member):
        assert matching_batch([member]).digests == matching_batch([pack({}, {})]).digests
