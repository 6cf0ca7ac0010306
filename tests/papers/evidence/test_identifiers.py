"""Identifiers of works in texts and queries."""

import time

import pytest

from lycosa.papers.evidence.identifiers import (
    find_identifiers,
    find_issns,
    find_licence,
    find_orcids,
)


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


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("[0000\u22120002\u22121825\u22120097]", ["0000-0002-1825-0097"]),
        ("https://orcid.org/0000-0002-1694-233X", ["0000-0002-1694-233X"]),
        ("0000-0002-1825-0098 has a wrong check digit", []),
    ],
)
def test_finds_orcids(text, expected):
    assert find_orcids(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("ISSN 0378\u20135955", ["0378-5955"]),
        ("2049-3630/10 $26.00", ["2049-3630"]),
        ("ISSN 0378-5954, pages 1999-2008", []),
    ],
)
def test_finds_issns(text, expected):
    assert find_issns(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("http://creativecommons.org/licenses/by-nc-nd/3.0/", "CC-BY-NC-ND-3.0"),
        ("https://creativecommons.org/publicdomain/zero/1.0/", "CC0-1.0"),
        ("Creative Commons Attribution (CC BY) license", "CC-BY"),
        ("CC BY-SA 4.0", "CC-BY-SA-4.0"),
        ("Carbon copy: CC Bob", ""),
    ],
)
def test_finds_licences(text, expected):
    assert find_licence(text) == expected
