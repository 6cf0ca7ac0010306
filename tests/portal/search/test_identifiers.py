"""Identifiers of works in texts and queries."""

import time

import pytest

from lycosa.portal.search import IndexEntry
from lycosa.portal.search.identifiers import find_identifiers
from portal.search.sample_works import index_of


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("doi:10.1145/3190580", ["doi:10.1145/3190580"]),
        ("(https://doi.org/10.1002/(SICI)1097-4571(199806)49:8<693::AID>).",
         ["doi:10.1002/(sici)1097-4571(199806)49:8"]),
        ("arXiv:2101.00001v3", ["arxiv:2101.00001"]),
        ("https://arxiv.org/pdf/cs/9901007", ["arxiv:cs/9901007"]),
        ("version 10.4 of 10.3", []),
        ("", []),
    ],
)  # fmt: skip
def test_finds_identifiers_in_one_spelling(text, expected):
    assert find_identifiers(text) == expected


def test_takes_linear_time():
    began = time.process_time()
    for text in ("10." * 40_000, "10.1234/" * 20_000, "arxiv:" * 20_000, "arxiv " * 20_000):
        find_identifiers(text)
    assert time.process_time() - began < 5


def test_a_typed_identifier_or_title_comes_first(tmp_path):
    works = [
        IndexEntry(f"x{k}", "paper", "The learning of spiders and learning", abstract="spiders")
        for k in range(5)
    ]
    works.append(IndexEntry("doi", "paper", "Other", text="doi 10.1145/3190580. Nothing else."))
    works.append(IndexEntry("title", "paper", "Spiders of learning"))
    engine = index_of(tmp_path, works)
    for query in ("10.1145/3190580", "https://doi.org/10.1145/3190580"):
        assert engine.search(query).hits[0].id == "doi"
    assert engine.search("spiders of LEARNING").hits[0].id == "title"
