"""Unicode maps for PDF fonts without one: glyph names become text that PDFium can read.

PDFium ignores the glyph names of Type 3 fonts, so that a file of an old TeX whose glyphs
were renumbered comes out without a digit, or as control characters. Here such fonts get a
map from codes to characters (a ToUnicode CMap), made from the names in their encoding.
The file itself is not parsed as a whole: fonts are found by scanning for objects, and the
changed ones are appended as an incremental update (ISO 32000-1, 7.5.6), which every
reader of PDF takes into account.

>>> font = b"<< /Type /Font /Subtype /Type3 /Encoding << /Differences [1 /one /period] >> >>"
>>> font_characters(font, {})
{1: '1', 2: '.'}
"""

from __future__ import annotations

import re
import zlib
from collections.abc import Iterator, Mapping
from itertools import islice
from typing import NamedTuple

from lycosa.documents.glyph_names import decode_glyphs

MAX_OBJECTS = 200_000
"""Objects of a file that are searched for fonts."""
MAX_STREAM_BYTES = 20_000_000
"""Of a stream of objects, once it is decompressed."""
MAX_FONTS = 2_000
"""Fonts of a file that get a map."""

_OBJECT = re.compile(rb"(?<![0-9])([0-9]{1,8})[ \t\r\n\0\f]+([0-9]{1,5})[ \t\r\n\0\f]+obj\b")
_TYPE3 = re.compile(rb"/Subtype\s*/Type3\b")
_ENCODING = re.compile(rb"/Encoding\s*(?:(?P<ref>\d{1,8})\s+\d+\s+R|(?P<inline><<))")
_DIFFERENCES = re.compile(rb"/Differences\s*(?:(?P<ref>\d{1,8})\s+\d+\s+R|\[(?P<list>[^\]]*)\])")
_ITEM = re.compile(rb"(\d{1,3})(?![\d.])|/([^\s/\[\]<>(){}%]*)")
_ESCAPED = re.compile(rb"#([0-9A-Fa-f]{2})")
_OBJECT_STREAM = re.compile(rb"/Type\s*/ObjStm\b")
_NUMBER = {name: re.compile(rb"/" + name + rb"\s+(\d{1,9})\b") for name in (b"N", b"First")}
_REFERENCE = {
    name: re.compile(rb"/" + name + rb"\s+\d{1,8}\s+\d{1,5}\s+R") for name in (b"Root", b"Info")
}
_START = re.compile(rb"startxref\s+(\d{1,10})")
_CMAP = """/CIDInit /ProcSet findresource begin 12 dict begin begincmap
/CMapName /Glyphs def /CMapType 2 def
1 begincodespacerange <00> <FF> endcodespacerange
{maps}
endcmap CMapName currentdict /CMap defineresource pop end end"""
_MAPS_PER_BLOCK = 100  # what a CMap may have in one block


class _Object(NamedTuple):
    number: int
    generation: int
    body: bytes


def add_unicode_maps(body: bytes) -> bytes | None:
    """Return a PDF whose Type 3 fonts have Unicode maps; None if none needs one.

    An encrypted file is left as it is: what is appended would have to be encrypted, too.
    """
    start = [*_START.finditer(body)]
    if not start or b"/Encrypt" in body:
        return None
    objects = {one.number: one for one in islice(_objects(body), MAX_OBJECTS)}
    fonts = [one for one in objects.values() if _TYPE3.search(one.body)]
    bodies = {number: one.body for number, one in objects.items()}
    changed: list[_Object] = []
    free = max(objects, default=0) + 1
    for font in fonts[:MAX_FONTS]:
        characters = font_characters(font.body, bodies)
        if any(text != chr(code) for code, text in characters.items()):
            cmap = _cmap(characters)
            opening, brackets, rest = font.body.partition(b"<<")
            changed.append(font._replace(body=b"%b%b /ToUnicode %d 0 R %b" % (
                opening, brackets, free, rest)))  # fmt: skip
            stream = b"<< /Length %d >>\nstream\n%b\nendstream" % (len(cmap), cmap)
            changed.append(_Object(free, 0, stream))
            free += 1
    return _updated(body, changed, free, int(start[-1][1])) if changed else None


def font_characters(font: bytes, objects: Mapping[int, bytes]) -> dict[int, str]:
    """Return what the codes of a font print, by the glyph names of its encoding.

    `font` is its dictionary as bytes, `objects` the bodies of the objects it may refer to.
    A font that has a Unicode map already needs none.
    """
    if b"/ToUnicode" in font:
        return {}
    encoding = _ENCODING.search(font)
    if encoding is None:
        return {}
    place = font[encoding.start() :]
    if encoding["ref"]:
        place = objects.get(int(encoding["ref"]), b"")
    found = _DIFFERENCES.search(place)
    if found is None:
        return {}
    listed = found["list"]
    if listed is None:
        listed = objects.get(int(found["ref"]), b"").partition(b"[")[2].partition(b"]")[0]
    codes, names, code = [], [], 0
    for number, name in _ITEM.findall(listed):
        if number:
            code = int(number)
        elif code < 256:
            if name != b".notdef":
                codes.append(code)
                names.append(_unescape(name))
            code += 1
    texts = decode_glyphs(names)
    return {code: text for code, text in zip(codes, texts, strict=True) if text}


def _unescape(name: bytes) -> str:
    whole = _ESCAPED.sub(lambda match: bytes([int(match[1], 16)]), name)
    return whole.decode("latin-1")


def _objects(body: bytes) -> Iterator[_Object]:
    """Yield the objects of a file, those in streams of objects after their stream."""
    starts = [*islice(_OBJECT.finditer(body), MAX_OBJECTS)]
    for n, match in enumerate(starts):
        limit = starts[n + 1].start() if n + 1 < len(starts) else len(body)
        end = body.find(b"endobj", match.end(), limit)
        whole = body[match.end() : limit if end < 0 else end]
        head, stream, data = whole.partition(b"stream")
        yield _Object(int(match[1]), int(match[2]), head)
        if stream and _OBJECT_STREAM.search(head):
            yield from _packed(head, data)


def _packed(head: bytes, data: bytes) -> Iterator[_Object]:
    """Yield the objects in a stream of objects; none if it is damaged."""
    count, first = (_NUMBER[name].search(head) for name in (b"N", b"First"))
    if count is None or first is None:
        return
    data = data.lstrip(b"\r\n")
    try:
        if b"/FlateDecode" in head:
            data = zlib.decompressobj().decompress(data, MAX_STREAM_BYTES)
    except zlib.error:
        return
    begin = int(first[1])
    table = data[:begin].split()[: 2 * min(int(count[1]), MAX_OBJECTS)]
    if len(table) % 2 or not all(item.isdigit() for item in table):
        return
    numbers, places = [*map(int, table[::2])], [*map(int, table[1::2])]
    for number, place, end in zip(numbers, places, [*places[1:], len(data)], strict=False):
        yield _Object(number, 0, data[begin + place : begin + end])


def _cmap(characters: Mapping[int, str]) -> bytes:
    lines = [
        f"<{code:02X}> <{text.encode('utf-16-be').hex().upper()}>"
        for code, text in sorted(characters.items())
    ]
    blocks = [
        "\n".join([f"{len(part)} beginbfchar", *part, "endbfchar"])
        for k in range(0, len(lines), _MAPS_PER_BLOCK)
        if (part := lines[k : k + _MAPS_PER_BLOCK])
    ]
    return _CMAP.format(maps="\n".join(blocks)).encode("ascii")


def _updated(body: bytes, changed: list[_Object], size: int, previous: int) -> bytes:
    """Append objects to a file, with a table of where they are."""
    out = bytearray(body)
    if not out.endswith(b"\n"):
        out += b"\n"
    places = {}
    for one in changed:
        places[one.number] = (len(out), one.generation)
        out += b"%d %d obj%b\nendobj\n" % (one.number, one.generation, b"\n" + one.body.strip())
    # The references of the last trailer, which is at the end or in a stream there.
    known = [some[-1] for pattern in _REFERENCE.values() if (some := pattern.findall(body))]
    facts = b" ".join([*known, b"/Prev %d" % previous])
    start = len(out)
    if body[previous : previous + 20].lstrip().startswith(b"xref"):
        out += b"xref\n"
        for number, (place, generation) in sorted(places.items()):
            out += b"%d 1\n%010d %05d n \n" % (number, place, generation)
        out += b"trailer\n<< /Size %d %b >>\n" % (size, facts)
    else:
        places[size] = (start, 0)
        rows = b"".join(
            bytes([1]) + place.to_bytes(4, "big") + generation.to_bytes(2, "big")
            for _, (place, generation) in sorted(places.items())
        )
        index = b" ".join(b"%d 1" % number for number in sorted(places))
        out += (
            b"%d 0 obj\n<< /Type /XRef /Size %d /W [1 4 2] /Index [%b] %b /Length %d >>\n"
            b"stream\n%b\nendstream\nendobj\n"
        ) % (size, size + 1, index, facts, len(rows), rows)
    out += b"startxref\n%d\n%%%%EOF\n" % start
    return bytes(out)
