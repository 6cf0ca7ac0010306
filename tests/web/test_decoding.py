import codecs

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lycosa.web.decoding import decode

RUSSIAN = "Научная статья о пауках, которые охотятся, а не плетут сети"


@pytest.mark.parametrize(
    ("body", "header"),
    [
        (codecs.BOM_UTF8 + RUSSIAN.encode(), "text/html; charset=latin-1"),
        (codecs.BOM_UTF16_LE + RUSSIAN.encode("utf-16-le"), ""),
        (codecs.BOM_UTF16_BE + RUSSIAN.encode("utf-16-be"), ""),
        (RUSSIAN.encode("koi8-r"), "text/html; charset=KOI8-R"),
        (RUSSIAN.encode("cp1251"), 'text/html;charset="windows-1251"'),
        (RUSSIAN.encode("cp1251"), ""),
        (RUSSIAN.encode(), ""),
        (RUSSIAN.encode(), "text/html; charset=no-such-thing"),
    ],
)
def test_byte_order_mark_header_and_detection(body, header):
    assert decode(body, header) == RUSSIAN


@pytest.mark.parametrize(
    "head",
    [
        '<meta charset="koi8-r">',
        "<META HTTP-EQUIV=Content-Type CONTENT='text/html; charset=koi8-r'>",
        "<!-- " + "x" * 2000 + " --><meta charset=koi8-r>",
        '<?xml version="1.0" encoding="koi8-r"?>',
    ],
)
def test_encoding_declared_in_the_page(head):
    assert decode((head + RUSSIAN).encode("koi8-r")).endswith(RUSSIAN)


def test_the_header_beats_the_meta_element():
    body = b"<meta charset=utf-8>" + RUSSIAN.encode("koi8-r")
    assert decode(body, "text/html; charset=koi8-r").endswith(RUSSIAN)


def test_a_meta_element_cannot_claim_utf_16():
    assert decode(b"<meta charset=utf-16>caf\xc3\xa9").endswith("café")


@given(st.binary(max_size=300), st.text(max_size=40))
def test_no_bytes_raise(body, header):
    assert isinstance(decode(body, header), str)
