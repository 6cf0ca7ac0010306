"""Damaged and hostile files: each has a named outcome. The benchmark tries thousands more."""

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lycosa.documents.conversion import Converter
from lycosa.documents.paper_detector import detect_paper, word_kinds
from lycosa.documents.worker import OUTCOMES
from lycosa.papers.extraction.sections import find_sections
from lycosa.sites.generated import World

SITE = World(seed=4, departments=1, pages=120).department(0)
PDFS = [SITE.response(n).body for n in range(len(SITE)) if SITE.page(n).type == "application/pdf"][
    -8:
]
OBJECT = re.compile(rb"\d+ 0 obj.*?endobj", re.DOTALL)

bodies = st.sampled_from(PDFS)
places = st.floats(0, 1, exclude_max=True)
kinds = st.sampled_from(["application/pdf", "text/html", "text/plain", "", "application/x-gzip"])


@pytest.fixture(scope="module")
def converter():
    with Converter(seconds=20) as converter:
        yield converter


def check(converter, body, kind="application/pdf"):
    found = converter.convert(body, kind)
    assert found.outcome in OUTCOMES
    assert (found.outcome == "text") == bool(found.lines)
    assert 0 <= detect_paper(word_kinds(found.text)).probability <= 1
    assert len(find_sections(found.lines).header) <= len(found.lines)


@settings(max_examples=40, deadline=None)
@given(bodies, st.lists(st.tuples(places, st.integers(0, 7)), min_size=1, max_size=60))
def test_flipped_bits(converter, body, flips):
    out = bytearray(body)
    for place, bit in flips:
        out[int(place * len(out))] ^= 1 << bit
    check(converter, bytes(out))


@settings(max_examples=25, deadline=None)
@given(bodies, places)
def test_truncated_files(converter, body, place):
    check(converter, body[: int(place * len(body))])


@settings(max_examples=25, deadline=None)
@given(bodies, bodies, places, places, places)
def test_spliced_files(converter, body, other, at, start, size):
    place, begin = int(at * len(body)), int(start * len(other))
    piece = other[begin : begin + int(size * 5000)]
    check(converter, body[:place] + piece + body[place:])


@settings(max_examples=25, deadline=None)
@given(bodies, places, places)
def test_swapped_objects(converter, body, one, two):
    found = [match.span() for match in OBJECT.finditer(body)]
    (a, b), (c, d) = sorted((found[int(one * len(found))], found[int(two * len(found))]))
    if a != c:
        body = body[:a] + body[c:d] + body[b:c] + body[a:b] + body[d:]
    check(converter, body)


@settings(max_examples=25, deadline=None)
@given(bodies, st.binary(min_size=1, max_size=4), st.sampled_from([b"0", b"-1", b"99999999999"]))
def test_impossible_numbers(converter, body, digits, number):
    wrong = bytes(48 + n % 10 for n in digits)
    check(converter, body.replace(wrong, number, 50))


@settings(max_examples=60, deadline=None)
@given(st.binary(max_size=400), kinds)
def test_any_bytes_of_any_type(converter, body, kind):
    check(converter, body, kind)


@settings(max_examples=40, deadline=None)
@given(st.lists(st.sampled_from(["<p>", "</p>", "<b>", "<table>", "<br>", "x", "<!--", "<h1>", "&",
                                 "<script>", "</div>", "<title>"]), max_size=40))  # fmt: skip
def test_any_tags(converter, parts):
    check(converter, "".join(parts).encode(), "text/html")
