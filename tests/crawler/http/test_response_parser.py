"""The parser of responses: any division into pieces, lengths of every kind, hostile headers."""

import gzip
import tracemalloc

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lycosa.archive.content_encoding import BrokenCoding
from lycosa.crawler.http.body import AbortedResponse
from lycosa.crawler.http.fetcher import Limits
from lycosa.crawler.http.response_parser import ResponseParser

LIMITS = Limits(transferred=5_000, decoded=5_000, head=500)


def parsed(pieces, limits=LIMITS, accept=None, eof=False):
    """What comes of some pieces: all facts of the response, or its fault."""
    parser = ResponseParser(limits, accept)
    try:
        done = False
        for piece in pieces:
            assert not done
            done = parser.feed(piece)
        if eof and not done:
            parser.feed_eof()
            done = True
    except AbortedResponse as abort:
        return abort.fault
    except BrokenCoding:
        return "broken coding"
    if not done:
        return "more"
    return parser.status, parser.line, parser.headers, parser.content, parser.keep_alive


def cut(data, places):
    """The data in pieces that end at these places."""
    ends = sorted({place % (len(data) + 1) for place in places} | {len(data)})
    return [data[a:b] for a, b in zip([0, *ends], ends, strict=False) if a < b]


NAMES = st.sampled_from([b"Server", b"X-A", b"content-type", b"Connection", b"Content-Length"])
VALUES = st.sampled_from(
    [b"", b"a b", b"close", b"keep-alive", b"\xe9", b"7", b"x\0", b" 3 ", b"-1"]
)
CODINGS = st.sampled_from(["length", "chunked", "close", "both", "none"])


@st.composite
def responses(draw):
    """A response that may be right or wrong, as bytes."""
    newline = draw(st.sampled_from([b"\r\n", b"\r\n", b"\n"]))
    interim = draw(st.sampled_from([b"", b"HTTP/1.1 103 Early\r\nLink: a\r\n\r\n", b"\r\n"]))
    status = draw(st.sampled_from([b"200 OK", b"404", b"204 None", b"101 Up", b"99 X", b"x"]))
    version = draw(st.sampled_from([b"HTTP/1.1", b"HTTP/1.0", b"ICY"]))
    headers = draw(st.lists(st.tuples(NAMES, VALUES), max_size=3))
    lines = [version + b" " + status, *(name + b": " + value for name, value in headers)]
    body = draw(st.binary(max_size=40))
    sent, coding = body, draw(CODINGS)
    if draw(st.booleans()):
        lines.append(b"Content-Encoding: gzip")
        sent = gzip.compress(body, mtime=0)
    if coding in ("length", "both"):
        lines.append(b"Content-Length: %d" % len(sent))
    if coding in ("chunked", "both"):
        lines.append(b"Transfer-Encoding: chunked")
        at = draw(st.integers(1, 50))
        chunks = [sent[i : i + at] for i in range(0, len(sent), at)]
        trailer = draw(st.sampled_from([b"", b"Expires: 0\r\n"]))
        sent = b"".join(b"%x;x=1\r\n%s\r\n" % (len(c), c) for c in chunks)
        sent += b"0\r\n" + trailer + b"\r\n"
    if draw(st.booleans()):
        sent += draw(st.binary(max_size=3))
    return interim + newline.join([*lines, b"", b""]) + sent


@given(responses(), st.lists(st.integers(0, 1000), max_size=8), st.booleans())
def test_the_outcome_does_not_depend_on_the_pieces(data, places, eof):
    whole = parsed([data], eof=eof)
    found = []
    parser_input = cut(data, places)
    # What follows a response is judged only if it comes with its end.
    for end in range(len(parser_input) + 1):
        found.append(parsed(parser_input[:end], eof=eof and end == len(parser_input)))
        if found[-1] != "more":
            break
    if whole == "bad-answer" and found[-1] != whole:
        assert end < len(parser_input)
    else:
        assert found[-1] == whole


@given(st.binary(max_size=300), st.integers(1, 40), st.booleans(), st.booleans())
def test_a_body_comes_out_as_it_went_in(body, size, chunked, compressed):
    sent = gzip.compress(body) if compressed else body
    coding = b"Content-Encoding: gzip\r\n" if compressed else b""
    if chunked:
        length = b"Transfer-Encoding: chunked\r\n"
        chunks = [sent[i : i + size] for i in range(0, len(sent), size)]
        sent = b"".join(b"%X\r\n%s\r\n" % (len(c), c) for c in chunks) + b"0\r\n\r\n"
    else:
        length = b"Content-Length: %d\r\n" % len(sent)
    data = b"HTTP/1.1 200 OK\r\n" + coding + length + b"\r\n" + sent
    status, line, _, content, keep_alive = parsed(cut(data, range(0, 400, size)))
    assert (status, line, content, keep_alive) == (200, "HTTP/1.1 200 OK", body, True)


@pytest.mark.parametrize(
    ("head", "keep_alive"),
    [
        (b"HTTP/1.1 200 OK\r\nContent-Length: 0", True),
        (b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\nConnection: Close, x", False),
        (b"HTTP/1.0 200 OK\r\nContent-Length: 0", False),
        (b"HTTP/1.0 200 OK\r\nContent-Length: 0\r\nConnection: keep-alive", True),
        (b"HTTP/1.1 304 Not Modified\r\nContent-Length: 700", True),
        (b"HTTP/1.1 204 No Content", True),
        (b"HTTP/1.1 200\nContent-Length: 0", True),
    ],
)
def test_whether_the_connection_is_kept(head, keep_alive):
    ending = b"\n\n" if b"\r" not in head else b"\r\n\r\n"
    assert parsed([head + ending])[-1] is keep_alive


@pytest.mark.parametrize(
    ("head", "outcome"),
    [
        (b"Content-Length: 5\r\nContent-Length: 6", "bad-answer"),
        (b"Content-Length: +5", "bad-answer"),
        (b"Content-Length: " + b"9" * 400, "bad-answer"),
        (b"Content-Length: 5001", "too-large"),
        (b"No colon", "bad-answer"),
        (b"A space : x", "bad-answer"),
        (b"X: " + b"a" * 500, "bad-answer"),
        (b" continued: nothing", "bad-answer"),
        (b"X: a\0b", "bad-answer"),
        (b"X: a\rb", "bad-answer"),
    ],
)
def test_hostile_headers_have_named_faults(head, outcome):
    assert parsed([b"HTTP/1.1 200 OK\r\n" + head + b"\r\n\r\n"]) == outcome


def test_two_lengths_are_read_by_the_chunks_and_end_the_connection():
    head = b"HTTP/1.1 200 OK\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n"
    assert parsed([head + b"2\r\nab\r\n0\r\n\r\n"])[3:] == (b"ab", False)


def test_continued_lines_are_one_header():
    head = b"HTTP/1.1 200 OK\r\nX: a\r\n\t b\r\nContent-Length: 0\r\n\r\n"
    assert parsed([head])[2][0] == (b"X", b"a b")


def test_endless_lines_are_not_kept():
    for begin in (b"HTTP/1.1 200 OK\r\nX: ", b"x" * 9):
        assert parsed([begin, *[b"y" * 100] * 5]) == "bad-answer"
    chunked = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
    assert parsed([chunked, b"1;", *[b"x" * 1000] * 5]) == "broken-body"
    assert parsed([chunked, b"0\r\n", *[b"A: b\r\n"] * 200]) == "broken-body"
    assert parsed([b"HTTP/1.1 103 Hints\r\n\r\n"] * 101) == "bad-answer"
    assert parsed([b"\r\n" * 100] * 20) == "more"


def test_a_body_of_tiny_chunks_takes_little_more_memory_than_the_body():
    chunks = b"2\r\nab\r\n" * 100_000
    parser = ResponseParser(Limits())
    parser.feed(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n")
    tracemalloc.start()
    try:
        parser.feed(chunks)
        held, _ = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert held < 2 * 200_000
    assert parser.feed(b"0\r\n\r\n")
    assert parser.content == b"ab" * 100_000
