"""Character decoding: byte-order mark, HTTP header, meta element, then detection."""

from __future__ import annotations

import codecs
import re
from functools import lru_cache

import chardetng_py
import webencodings

_BOMS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_HEADER = re.compile(r"charset\s*+=\s*+[\"']?+\s*+([^\s\"';,]++)", re.IGNORECASE)
# Of bytes in lower case: a search that ignores case takes ten times as long.
_META = re.compile(rb"<meta[^>]{0,400}?charset\s*+=\s*+[\"']?+\s*+([a-z0-9_.:+-]++)")
_XML = re.compile(rb"^\s{0,16}<\?xml[^>]{0,100}?encoding\s*=\s*[\"']([A-Za-z0-9_.:+-]+)")
# The standard has browsers look for a meta element in the first 1,024 bytes; old
# pages have it below comments and scripts.
_PRESCAN_BYTES = 4096
_DETECTION_BYTES = 65_536
_MAX_CACHED_TYPES = 256


def media_type(content_type: str) -> str:
    """Return the MIME type of a Content-Type header in lower case, without its parameters.

    >>> media_type("Text/HTML; charset=utf-8")
    'text/html'
    """
    return content_type.partition(";")[0].strip().lower()


def decode(body: bytes, content_type: str = "") -> str:
    r"""Return the text of a body; no input raises, undecodable bytes are replaced.

    >>> decode(b"caf\xc3\xa9"), decode(b"caf\xe9"), decode(b"caf\xe9", "text/html; charset=latin1")
    ('café', 'café', 'café')
    """
    for bom, codec in _BOMS:
        if body.startswith(bom):
            return body[len(bom) :].decode(codec, "replace")
    encoding = _declared(body, content_type)
    if encoding is None:
        try:
            return body.decode()
        except UnicodeDecodeError:
            encoding = _detected(body)
    text: str = encoding.codec_info.decode(body, "replace")[0]
    return text


def _declared(body: bytes, content_type: str) -> webencodings.Encoding | None:
    """Return the encoding that the header or the document names, if it is known."""
    if named := _named(content_type):
        return named
    start = body[:_PRESCAN_BYTES].lower()
    declared = (_META.search(start) if b"charset" in start else None) or _XML.match(body)
    if declared and (encoding := webencodings.lookup(declared[1].decode("ascii"))):
        # A meta element that is readable as ASCII is not in UTF-16, whatever it declares.
        return webencodings.UTF8 if encoding.name.startswith("utf-16") else encoding
    return None


@lru_cache(_MAX_CACHED_TYPES)
def _named(content_type: str) -> webencodings.Encoding | None:
    """Return the encoding that a Content-Type header names, if it is known."""
    found = _HEADER.search(content_type)
    return webencodings.lookup(found[1]) if found else None


def _detected(body: bytes) -> webencodings.Encoding:
    """Return the most likely encoding of the bytes."""
    name = chardetng_py.detect(body[:_DETECTION_BYTES], allow_utf8=True)
    return webencodings.lookup(name) or webencodings.lookup("windows-1252")
