"""Packing of members."""

import json

from hypothesis import given
from hypothesis import strategies as st

from lycosa.papers.matching.canonical_record import FIELDS
from lycosa.portal.build.members import (
    StoredDocument,
    extract_members,
    is_untitled,
    matched_fields,
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


def test_members_have_the_fields_that_evidence_and_references_print():
    fields = {
        "title": [["Webs", 0.9, 1, 1]], "date": [["Received 1997", 0.9, 1, 3]],
        "year": [["1999", 0.95, 1, 9]], "venue": [["Web Letters", 0.9, 1, 9]],
        "doi": [["10.1234/webs", 0.95, 1, 9]],
    }  # fmt: skip
    cited = ("[1] B. Roe. Flies. arXiv:1905.12345", json.dumps({"title": [["Flies", 0.9, 2, 1]]}))
    stored = StoredDocument("d1", "paper", "x", json.dumps(fields), "", [cited])
    (found,), _ = extract_members([stored])
    header, reference = (unpack_fields(member) for member in found.packed)
    assert header == {
        "title": "Webs", "year": "1999", "venue": "Web Letters", "doi": "10.1234/webs",
    }  # fmt: skip
    assert reference == {"title": "Flies", "arxiv": "1905.12345"}


def test_references_of_a_document_stand_in_one_list():
    cited = [("[1] Flies.", json.dumps({"title": [["Flies", 0.9, 2, 1]]}))] * 2
    stored = [
        StoredDocument(name, "paper", name, json.dumps({"title": [["Webs", 0.9, 1, 1]]}), "", cited)
        for name in ("d1", "d2")
    ]
    _, batch = extract_members(stored)
    header, one, two, other, three, four = batch.sources.tolist()
    assert header == other == -1
    assert one == two != three == four
    assert extract_members(stored[1:])[1].sources.tolist() == [-1, three, four]


def test_members_without_a_title_are_matched_by_identifiers_only():
    member = pack({"authors": "Lee, Ann", "doi": "10.1234/1", "licence": "CC0"}, {})
    assert matched_fields(member) == {"doi": "10.1234/1"}
    assert matched_fields(pack({"title": "Webs", "licence": "CC0"}, {})) == {"title": "Webs"}
