"""PDFs whose text is in a Type 3 font without a Unicode map, as old TeX systems made them."""

import zlib

NAMES = {
    **{letter: letter for letter in "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"},
    **dict(zip("0123456789", "zero one two three four five six seven eight nine".split(),
               strict=True)),
    **dict(zip(" ,.-()[]:;/&'@*", "space comma period hyphen parenleft parenright bracketleft "
               "bracketright colon semicolon slash ampersand quotesingle at asterisk".split(),
               strict=True)),
}  # fmt: skip
"""The glyph names of the characters that texts may have."""
CODES = {character: code for code, character in enumerate(sorted(NAMES), 1)}
"""The codes by which glyphs are renumbered: digits and punctuation become control characters."""


def dvips_name(code: int) -> str:
    """Return the name that dvips gives to the glyph of a code."""
    digits = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"
    return digits[(code + 360) // 36] + digits[(code + 360) % 36]


def type3_font(names=NAMES, codes=CODES, procedure=6, more=b"") -> bytes:
    """Return the dictionary of a font; `procedure` is the object that draws its glyphs."""
    used = sorted(codes.items(), key=lambda item: item[1])
    differences = b" ".join(b"%d /%b" % (code, names[c].encode()) for c, code in used)
    drawn = b" ".join(b"/%b %d 0 R" % (names[c].encode(), procedure) for c, _ in used)
    last = used[-1][1]
    return (
        b"<< /Type /Font /Subtype /Type3 /FontBBox [0 0 50 70] /FontMatrix [0.01 0 0 0.01 0 0] "
        b"/FirstChar 1 /LastChar %d /Widths [%b] /CharProcs << %b >> /Resources << >> %b "
        b"/Encoding << /Type /Encoding /Differences [%b] >> >>"
    ) % (last, b" ".join([b"50"] * last), drawn, more, differences)


def content(lines, codes=CODES) -> bytes:
    """Return the commands that print lines: (x, y, size, text) each."""
    return b"\n".join(
        b"BT /F1 %g Tf %g %g Td <%b> Tj ET"
        % (size, x, y, bytes(codes[c] for c in text).hex().encode())
        for x, y, size, text in lines
    )


def type3_pdf(*pages, names=NAMES, codes=CODES, more=b"", packed=False) -> bytes:
    """Return a PDF of pages of lines.

    With `packed` its font and catalogue are in a stream of objects, and the table of
    objects is a stream as well, as programs write them since PDF 1.5.
    """
    kids = b" ".join(b"%d 0 R" % (7 + 2 * n) for n in range(len(pages)))
    glyph = b"50 0 0 0 50 70 d1 0 0 40 60 re f"
    objects = {
        1: b"<< /Type /Catalog /Pages 2 0 R >>",
        2: b"<< /Type /Pages /Kids [%b] /Count %d >>" % (kids, len(pages)),
        5: type3_font(names, codes, more=more),
        6: stream(b"", glyph),
    }
    for n, lines in enumerate(pages):
        objects[7 + 2 * n] = (
            b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] "
            b"/Resources << /Font << /F1 5 0 R >> >> /Contents %d 0 R >>" % (8 + 2 * n)
        )
        objects[8 + 2 * n] = stream(b"", content(lines, codes))
    return packed_file(objects) if packed else plain_file(objects)


def stream(head: bytes, data: bytes) -> bytes:
    return b"<< %b /Length %d >>\nstream\n%b\nendstream" % (head, len(data), data)


def plain_file(objects: dict[int, bytes]) -> bytes:
    out, table = bytearray(b"%PDF-1.4\n"), {}
    for number, body in objects.items():
        table[number] = len(out)
        out += b"%d 0 obj\n%b\nendobj\n" % (number, body)
    start, size = len(out), max(objects) + 1
    out += b"xref\n0 1\n0000000000 65535 f \n"
    for number, place in table.items():
        out += b"%d 1\n%010d 00000 n \n" % (number, place)
    out += b"trailer\n<< /Size %d /Root 1 0 R >>\nstartxref\n%d\n%%%%EOF\n" % (size, start)
    return bytes(out)


def packed_file(objects: dict[int, bytes]) -> bytes:
    inside = {n: body for n, body in objects.items() if b"stream" not in body}
    out, rows = bytearray(b"%PDF-1.5\n"), {0: (0, 0, 65535)}
    holder = max(objects) + 1
    bodies, heads, place = [], [], 0
    for k, (number, body) in enumerate(inside.items()):
        heads.append(b"%d %d" % (number, place))
        bodies.append(body)
        place += len(body) + 1
        rows[number] = (2, holder, k)
    head = b" ".join(heads) + b" "
    data = zlib.compress(head + b" ".join(bodies))
    facts = b"/Type /ObjStm /N %d /First %d /Filter /FlateDecode" % (len(inside), len(head))
    outside = {n: body for n, body in objects.items() if n not in inside}
    for number, body in {**outside, holder: stream(facts, data)}.items():
        rows[number] = (1, len(out), 0)
        out += b"%d 0 obj\n%b\nendobj\n" % (number, body)
    start, size = len(out), holder + 2
    rows[holder + 1] = (1, start, 0)
    table = b"".join(
        bytes([kind]) + place.to_bytes(4, "big") + more.to_bytes(2, "big")
        for _, (kind, place, more) in sorted(rows.items())
    )
    index = b" ".join(b"%d 1" % n for n in sorted(rows))
    facts = b"/Type /XRef /Size %d /W [1 4 2] /Index [%b] /Root 1 0 R" % (size, index)
    out += b"%d 0 obj\n%b\nendobj\nstartxref\n%d\n%%%%EOF\n" % (
        holder + 1, stream(facts, table), start,
    )  # fmt: skip
    return bytes(out)
