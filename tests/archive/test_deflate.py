"""Members are ordinary gzip, whichever library compresses them."""

import sys
import zlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lycosa.archive import deflate
from lycosa.archive.deflate import MAX_FAST_LEVEL, compress_member


@given(st.binary(max_size=3000), st.integers(0, 9))
def test_members_are_ordinary_gzip(data, level):
    assert zlib.decompress(compress_member(data, level), wbits=31) == data


def test_zlib_takes_the_place_of_a_missing_package(monkeypatch):
    monkeypatch.setitem(sys.modules, "isal", None)
    monkeypatch.setitem(sys.modules, "isal.isal_zlib", None)
    monkeypatch.setattr(deflate, "_ISAL", deflate._find_isal())
    assert compress_member(b"Hello" * 9, 4) == zlib.compress(b"Hello" * 9, 4, wbits=31)


def test_a_recording_has_the_same_bytes_with_and_without_the_package():
    data = b"Hello" * 99
    assert compress_member(data, MAX_FAST_LEVEL + 2) == zlib.compress(data, 6, wbits=31)


def test_the_same_bytes_give_the_same_member():
    assert compress_member(b"x" * 99, 4) == compress_member(b"x" * 99, 4)


def test_installed_package_is_used_for_fast_levels():
    isal_zlib = pytest.importorskip("isal.isal_zlib")
    data = b"a page of words " * 99
    assert compress_member(data, 4) == isal_zlib.compress(data, 2, wbits=31)
