"""Identifiers of references that decide in matching."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lycosa.papers.matching.identifiers import (
    DecisiveIdentifiers,
    find_decisive,
    strip_identifiers,
)
from lycosa.papers.matching.normal_form import normalise


@pytest.mark.parametrize(
    ("reference", "doi", "preprint"),
    [
        ({"doi": "10.5555/WEBS.1"}, "10.5555/webs.1", ""),
        ({"doi": "https://doi.org/10.5555/webs"}, "10.5555/webs", ""),
        ({"note": "doi:10.5555/webs.1, 2001"}, "10.5555/webs.1", ""),
        ({"arxiv": "1905.12345v2"}, "", "arxiv:1905.12345"),
        ({"arxiv": "arXiv:cs/9901007"}, "", "arxiv:cs/9901007"),
        ({"venue": "arXiv preprint arXiv:1905.12345"}, "", "arxiv:1905.12345"),
        ({"venue": "CoRR", "volume": "abs/1905.12345"}, "", "arxiv:1905.12345"),
        ({"doi": "10.48550/arXiv.1905.12345"}, "", "arxiv:1905.12345"),
        ({"doi": "10.1101/2020.01.02.123456"}, "", "10.1101/2020.01.02.123456"),
        ({"doi": "10.1101/gr.1234"}, "10.1101/gr.1234", ""),
        ({"identifiers": "10.2139/ssrn.7 10.5555/1"}, "10.5555/1", "10.2139/ssrn.7"),
        ({"isbn": "978-3-540-12345-6", "url": "https://example.org/10.html"}, "", ""),
    ],
)
def test_finds_identifiers_in_any_field(reference, doi, preprint):
    assert find_decisive(reference) == DecisiveIdentifiers(doi, preprint)


@pytest.mark.parametrize(
    "text",
    [
        "doi:10.5555/j. webs.2001.04",
        "doi:10.5555/webs.2001. 04.001",
        "doi:10.5555/webs- 12",
        "doi:10.5555/319 0580.",
    ],
)
def test_a_doi_that_a_line_cut_off_is_none(text):
    assert find_decisive({"printed": text}) == DecisiveIdentifiers()


def test_the_digits_of_identifiers_are_neither_pages_nor_years():
    plain = {"title": "Garden webs", "venue": "Spider Letters"}
    noted = {**plain, "note": "doi:10.5555/978-3-540-1999-6_12", "isbn": "0-262-03141-8"}
    assert normalise(noted)._replace(doi="") == normalise(plain)
    assert normalise(noted).doi == "10.5555/978-3-540-1999-6_12"


@pytest.mark.parametrize(
    "found",
    [
        DecisiveIdentifiers("10.5555/1", "arxiv:1905.12345"),
        DecisiveIdentifiers("", "10.2139/ssrn.7"),
        DecisiveIdentifiers("10.5555/1", ""),
        DecisiveIdentifiers(),
    ],
)
def test_fields_of_identifiers_are_read_back(found):
    assert find_decisive(found.fields()) == found


def test_shared_identifiers_are_named_with_their_kind():
    one = DecisiveIdentifiers("10.5555/1", "arxiv:1905.12345")
    assert one.shared(DecisiveIdentifiers("10.5555/1")) == "doi:10.5555/1"
    assert one.shared(DecisiveIdentifiers("10.5555/2", "arxiv:1905.12345")) == "arxiv:1905.12345"
    assert one.shared(DecisiveIdentifiers()) == DecisiveIdentifiers().shared(one) == ""


@given(st.dictionaries(st.sampled_from(["doi", "arxiv", "note", "url"]), st.text()))
def test_any_text_is_searched(reference):
    found = find_decisive(reference)
    assert find_decisive(found.fields()).doi in (found.doi, "", *[found.preprint])
    for text in reference.values():
        assert len(strip_identifiers(text)) <= len(text)
