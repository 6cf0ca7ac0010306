"""Streaming decoders of content codings, for pieces of any size."""

import gzip
import random
import zlib

import brotli
import pytest
import zstandard
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from lycosa.archive.content_encoding import BrokenCoding, codings, decoder_for


class Sink(list):
    write = list.append


def bare(data):
    engine = zlib.compressobj(wbits=-15)
    return engine.compress(data) + engine.flush()


ENCODE = {
    "gzip": [gzip.compress, lambda b: gzip.compress(b[:7]) + gzip.compress(b[7:])],
    "deflate": [zlib.compress, bare],
    "br": [lambda b: brotli.compress(b, quality=5)],
    "zstd": [zstandard.compress, lambda b: zstandard.compress(b[:7]) + zstandard.compress(b[7:])],
}
CODED = [(name, encode) for name, encodes in ENCODE.items() for encode in encodes]
# A piece, and how often it comes.
BODIES = st.tuples(st.binary(max_size=9), st.integers(0, 20_000)) | st.tuples(
    st.binary(max_size=200), st.just(1)
)


def decoded(header, data, step):
    sink = Sink()
    decoder = decoder_for(header, sink)
    for at in range(0, len(data), step):
        decoder.write(data[at : at + step])
    decoder.close()
    assert all(len(piece) <= 5 * 2**20 for piece in sink)
    return b"".join(sink)


@settings(deadline=None, max_examples=80)
@given(BODIES, st.lists(st.sampled_from(CODED), min_size=1, max_size=3), st.integers(1, 4096))
def test_round_trip(body, chain, step):
    body = body[0] * body[1]
    data = body
    for _, encode in chain:
        data = encode(data)
    assert decoded(", ".join(name for name, _ in chain), data, step) == body


@pytest.mark.parametrize("size", [1, 65_535, 65_536, 65_537, 98_272, 131_072, 1_000_003])
@pytest.mark.parametrize("name", sorted(ENCODE))
def test_bodies_of_any_size(name, size):
    noise = random.Random(size)
    for body in (bytes(size), b"spider" * (size // 6), noise.randbytes(1000) * (size // 1000)):
        for encode in ENCODE[name]:
            data = encode(body)
            for step in (97, 65_536):
                assert decoded(name, data, step) == body


@settings(deadline=None, max_examples=80)
@given(BODIES, st.sampled_from(CODED), st.integers(1, 4096), st.data())
def test_truncated_body_is_broken(body, coded, step, data):
    name, encode = coded
    whole = encode(body[0] * body[1])
    assume(len(whole) > 1)
    size = data.draw(st.integers(1, len(whole) - 1))
    if decoded_or_none(name, whole[:size], step) is not None:
        # Cut between two members: what is left is whole.
        assert encode in (ENCODE["gzip"][1], ENCODE["zstd"][1])


def decoded_or_none(name, data, step):
    try:
        return decoded(name, data, step)
    except BrokenCoding:
        return None


@settings(deadline=None)
@given(st.binary(min_size=1, max_size=300), st.sampled_from(sorted(ENCODE)), st.integers(1, 50))
def test_random_bytes_decode_or_are_broken(noise, name, step):
    decoded_or_none(name, noise, step)


@settings(deadline=None)
@given(st.sampled_from(CODED), st.integers(1, 4096), st.integers(0, 2**16), st.integers(1, 255))
def test_changed_byte_raises_no_other_error(coded, step, at, change):
    name, encode = coded
    data = bytearray(encode(b"some words of a page, " * 50))
    data[at % len(data)] ^= change
    decoded_or_none(name, bytes(data), step)


@pytest.mark.parametrize("name", ["gzip", "deflate"])
def test_bytes_after_the_end_are_ignored(name):
    whole = ENCODE[name][0](b"words")
    for step in (1, 5, 1000):
        assert decoded(name, whole + b"\0\0 and something else", step) == b"words"


@pytest.mark.parametrize("name", ["gzip", "zstd"])
def test_number_of_members_is_limited(name):
    member = ENCODE[name][0](b"x")
    assert decoded(name, member * 100, 4096) == b"x" * 100
    with pytest.raises(BrokenCoding, match="too many parts"):
        decoded(name, member * 101, 4096)


@pytest.mark.parametrize("name", sorted(ENCODE))
def test_empty_body_is_complete(name):
    assert decoded(name, b"", 1) == b""


@pytest.mark.parametrize("name", sorted(ENCODE))
def test_sink_can_stop_the_decoders(name):
    class Full(Exception):
        pass

    class Small:
        size = 0

        def write(self, data):
            self.size += len(data)
            if self.size > 100_000:
                raise Full

    sink = Small()
    decoder = decoder_for(name, sink)
    with pytest.raises(Full):
        decoder.write(ENCODE[name][0](bytes(8_000_000)))
    assert sink.size < 5 * 2**20


def test_names_of_codings():
    assert codings("x-gzip") == ["gzip"]
    assert codings("") == codings("identity") == codings("gzip, utf-8") == []
    assert codings(", ".join(["gzip"] * 4)) == []
    assert decoder_for("binary", Sink()) is None
