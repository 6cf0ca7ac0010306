"""The text of WARC records: headers as lines, digests, ids.

A live crawl writes two records for each page, so this is in C where Lycosa is compiled:
`record_text.pyx` has the same functions.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterable

_HEADER_END = b"\r\n\r\n"

_DIGITS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567"
_BASE_32 = [one + two for one in _DIGITS for two in _DIGITS]

# Bytes that would end a header line, or a C string, become spaces.
_LINE_BREAKS = bytes.maketrans(b"\r\n\0", b"   ")


def serialise_header(
    first_line: str, fields: Iterable[tuple[str, str]], block: bytes = b"", end: bytes = b""
) -> bytes:
    r"""Return a WARC or HTTP header with its empty line, then a block and what ends it.

    Line breaks in the header become spaces.

    >>> serialise_header("HTTP/1.1 200 OK", [("A", "b\r\nc")], b"Hello")
    b'HTTP/1.1 200 OK\r\nA: b  c\r\n\r\nHello'
    """
    lines = [first_line, *[f"{name}: {value}" for name, value in fields]]
    data = "\r\n".join(lines).encode("utf-8", "replace")
    breaks = len(lines) - 1
    if data.count(b"\n") > breaks or data.count(b"\r") > breaks or b"\0" in data:
        encoded = [line.encode("utf-8", "replace").translate(_LINE_BREAKS) for line in lines]
        data = b"\r\n".join(encoded)
    return b"".join((data, _HEADER_END, block, end))


def serialise_lines(fields: Iterable[tuple[str, str]]) -> bytes:
    r"""Return lines of `name: value`; line breaks in values become spaces.

    >>> serialise_lines([("software", "lycosa"), ("robots", "obey")])
    b'software: lycosa\r\nrobots: obey\r\n'
    """
    lines = (f"{name}: {value}".encode("utf-8", "replace") for name, value in fields)
    return b"".join(line.translate(_LINE_BREAKS) + b"\r\n" for line in lines)


def digest_of(data: bytes) -> str:
    """Return the digest of some bytes as WARC writes it.

    >>> digest_of(b"Hello")
    'sha1:677Z5C33WLQJW4ETLJOXQXQMYXM5BK7Q'
    """
    sha1 = hashlib.sha1(data, usedforsecurity=False).digest()
    digits = ["sha1:"]
    # Two digits of base 32 at once, of numbers that fit into a machine word: `base64.b32encode`
    # takes three times as long.
    for start in (0, 5, 10, 15):
        bits = int.from_bytes(sha1[start : start + 5], "big")
        digits += (
            _BASE_32[bits >> 30],
            _BASE_32[bits >> 20 & 1023],
            _BASE_32[bits >> 10 & 1023],
            _BASE_32[bits & 1023],
        )
    return "".join(digits)


def random_id() -> str:
    """Return a random UUID (RFC 9562, version 4) as text, in a third of the time of `uuid4`."""
    digits = os.urandom(16).hex()
    variant = "89ab"[int(digits[16], 16) & 3]
    start = f"{digits[:8]}-{digits[8:12]}-4{digits[13:16]}"
    return f"{start}-{variant}{digits[17:20]}-{digits[20:]}"
