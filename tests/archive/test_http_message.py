import gzip
import zlib

import brotli
import pytest
import zstandard

from lycosa.archive import http_message
from lycosa.archive.http_message import response_of
from lycosa.archive.record import Record

BODY = b"a body that is worth compressing " * 50


def response(head, body, kind="response"):
    return response_of(Record({"warc-type": kind}, head.encode() + b"\r\n\r\n" + body, 0))


def bare(body):
    engine = zlib.compressobj(wbits=-15)
    return engine.compress(body) + engine.flush()


@pytest.mark.parametrize(
    ("encoding", "packed"),
    [
        ("gzip", gzip.compress(BODY)),
        ("deflate", zlib.compress(BODY)),
        ("deflate", bare(BODY)),
        ("br", brotli.compress(BODY)),
        ("zstd", zstandard.compress(BODY)),
        ("identity", BODY),
        ("gzip", BODY),  # declared as gzip, stored decoded
        ("gzip, br", brotli.compress(gzip.compress(BODY))),
    ],
    ids=["gzip", "zlib", "bare", "br", "zstd", "identity", "not packed", "twice"],
)
def test_content_encodings(encoding, packed):
    assert response(f"HTTP/1.1 200 OK\r\nContent-Encoding: {encoding}", packed).body == BODY


@pytest.mark.parametrize("encoding", ["gzip", "br", "zstd"])
def test_decompression_bomb_is_cut_off(monkeypatch, encoding):
    monkeypatch.setattr(http_message, "MAX_BODY_BYTES", 10_000)
    pack = {"gzip": gzip.compress, "br": brotli.compress, "zstd": zstandard.compress}[encoding]
    bomb = pack(b"\0" * 5_000_000)
    assert len(response(f"HTTP/1.1 200 OK\r\nContent-Encoding: {encoding}", bomb).body) <= 10_000


@pytest.mark.parametrize(
    ("raw", "body"),
    [
        (b"5\r\nhello\r\n1;x=y\r\n!\r\n0\r\n\r\n", b"hello!"),
        (b"5\r\nhello\r\n5\r\nwor", b"hellowor"),
        (b"hello, stored whole", b"hello, stored whole"),
        (b"hello\r\nstored whole", b"hello\r\nstored whole"),
        (b"0\r\n\r\n", b""),
    ],
)
def test_chunks(raw, body):
    assert response("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked", raw).body == body


def test_status_and_headers():
    found = response("HTTP/1.0 404\r\nX: a\r\nx: b\r\nbroken", b"gone")
    assert (found.status, dict(found.headers), found.body) == (404, {"x": "a"}, b"gone")
    assert response("HTTP/1.1 bad", b"").status == 0
    assert response("HTTP/1.1 200 OK", b"", kind="request") is None
    assert response_of(Record({"warc-type": "response"}, b"not http", 0)) is None
