import gzip
import hashlib
import zlib
from concurrent.futures import ThreadPoolExecutor

import pytest

from lycosa.documents.characters import repair_characters
from lycosa.documents.conversion import Conversion, Converter, conversion_key
from lycosa.documents.worker import OUTCOMES
from lycosa.errors import UsageError
from lycosa.sites.generated.pdf import PdfWriter
from realdata import PAPERS


def pdf(*pages):
    writer = PdfWriter("A title")
    for lines in pages:
        writer.page()
        for n, line in enumerate(lines):
            writer.line(72, 720 - 14 * n, line, "roman", 12)
    return bytes(writer)


def one_page(content, more=b"", trailer=b""):
    resources = b"/Font << /F1 << /Type /Font /Subtype /Type1 /BaseFont /Helvetica >> >>"
    objects = [
        b"<< /Type /Catalog /Pages 2 0 R >>",
        b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
        b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 600 800] /Resources << %b >> "
        b"/Contents 4 0 R >>" % resources,
        b"<< /Length %d %b >>\nstream\n%b\nendstream" % (len(content), more, content),
    ]
    if trailer:
        check = hashlib.sha256(b"").hexdigest().encode()
        objects.append(b"<< /Filter /Standard /V 1 /R 2 /P -4 /O <%b> /U <%b> >>" % (check, check))
    body = b"".join(b"%d 0 obj\n%b\nendobj\n" % (n, o) for n, o in enumerate(objects, 1))
    end = b"trailer\n<< /Size %d /Root 1 0 R %b >>\n%%%%EOF\n" % (len(objects) + 1, trailer)
    return b"%PDF-1.4\n" + body + end


HELLO = pdf(["Hello spider"])
HTML = b"<html><h1>Web spiders</h1><p>Ann <b>Lee</b></p><script>x()</script>tail</html>"


@pytest.fixture(scope="module")
def converter():
    with Converter(seconds=20) as converter:
        yield converter


@pytest.mark.parametrize(
    ("body", "type", "texts"),
    [
        (HELLO, "application/pdf", ["Hello spider"]),
        (gzip.compress(HELLO, mtime=0), "application/gzip", ["Hello spider"]),
        (HTML, "text/html", ["Web spiders", "Ann Lee", "tail"]),
        (HTML, "", ["Web spiders", "Ann Lee", "tail"]),
        (gzip.compress(HTML, mtime=0), "application/gzip", ["Web spiders", "Ann Lee", "tail"]),
        (b"Web spiders\n  Ann Lee\n\n", "text/plain", ["Web spiders", "Ann Lee"]),
        (gzip.compress(b"caf\xc3\xa9", mtime=0), "", ["café"]),
        (b"e\xef\xac\x83cient", "text/plain", ["efficient"]),
        (HTML, "text/plain", [HTML.decode()]),
    ],
)
def test_converts_every_format(converter, body, type, texts):
    found = converter.convert(body, type)
    assert found.outcome == "text"
    assert [line.text for line in found.lines] == texts


@pytest.mark.parametrize(
    ("body", "type", "outcome"),
    [
        (b"", "application/pdf", "damaged"),
        (HELLO[:60], "application/pdf", "damaged"),
        (b"<html>404</html>", "application/pdf", "damaged"),
        (pdf([]), "application/pdf", "no-text"),
        (one_page(b"0 0 m 99 99 l S"), "application/pdf", "no-text"),
        (one_page(b"q", trailer=b"/Encrypt 5 0 R /ID [<00> <00>]"), "", "encrypted"),
        (gzip.compress(HELLO, mtime=0)[:5] + b"x" * 99, "", "damaged"),
        (gzip.compress(gzip.compress(HELLO), mtime=0), "", "no-text"),
        (b"\0\1\2" * 99, "application/octet-stream", "no-text"),
        (b"", "text/plain", "no-text"),
        (b"<html></html>", "text/html", "no-text"),
    ],
)
def test_a_document_without_lines_has_a_named_outcome(converter, body, type, outcome):
    assert outcome in OUTCOMES
    assert converter.convert(body, type) == Conversion((), outcome)


def test_refuses_documents_that_are_too_large():
    with Converter(size=100_000, memory=400_000_000) as converter:
        assert converter.convert(bytes(100_001)).outcome == "too-large"
        assert converter.convert(gzip.compress(bytes(5_000_000))).outcome == "too-large"
        assert converter.convert(HELLO).outcome == "text"


def test_ends_a_page_at_the_memory_limit():
    swollen = zlib.compress(b"BT /F1 9 Tf (a) Tj ET " * 6_000_000, 1)
    with Converter(seconds=10, memory=400_000_000, size=2_000_000) as converter:
        found = converter.convert(one_page(swollen, b"/Filter /FlateDecode"))
        assert found.outcome in ("damaged", "too-large", "too-long")
        assert converter.convert(HELLO).outcome == "text"


def test_lines_have_page_position_size_and_style(converter):
    writer = PdfWriter("A title")
    writer.page()
    writer.line(100, 700, "A bold title", "bold", 16)
    writer.line(72, 650, "An italic line", "italic", 10)
    writer.page()
    writer.line(72, 700, "Plain words", "roman", 10)
    title, italic, plain = converter.convert(bytes(writer)).lines
    assert (title.page, title.size, title.bold, title.italic) == (0, 16, True, False)
    assert (round(title.x), round(title.y)) == (100, 700)
    assert 70 < title.width < 110
    assert (italic.bold, italic.italic) == (False, True)
    assert (plain.page, plain.size, plain.bold, plain.italic) == (1, 10, False, False)


def test_a_rotated_page_is_read_in_its_main_direction(converter):
    # The first line is written upwards on the left, the second to its right.
    content = (
        b"BT /F1 10 Tf 0 1 -1 0 100 100 Tm (First line) Tj ET "
        b"BT /F1 10 Tf 0 1 -1 0 120 100 Tm (Second line) Tj ET "
        b"BT /F1 10 Tf 1 0 0 1 300 300 Tm (odd) Tj ET"
    )
    lines = converter.convert(one_page(content)).lines
    assert [line.text for line in lines] == ["First line", "Second line"]


def test_hyphenated_words_are_joined_in_the_text(converter):
    found = converter.convert(pdf(["We speak of hyphen-", "ation and of net-", "works, networks."]))
    assert found.text == "We speak of hyphenation and of networks, networks."


def test_only_the_first_and_the_last_pages_are_read():
    whole = pdf(*[[f"page{'abcdefghi'[n]}"] for n in range(9)])
    with Converter(first=2, last=1) as converter:
        found = converter.convert(whole)
    assert [(line.text, line.page) for line in found.lines] == [
        ("pagea", 0), ("pageb", 1), ("pagei", 8),
    ]  # fmt: skip
    assert found.pages == 9


@pytest.mark.parametrize(
    ("printed", "expected"),
    [
        ("ﬁrst ﬂight oﬀ", "first flight off"),
        ("Poincar´e", "Poincaré"),
        ("inegalit ´ es", "inegalités"),
        ("Scholkopf and Smola, ¨ Learning", "Scholkopf and Smola, Learning"),
        ("na¨ıve", "naïve"),
        ("Franc¸ois", "François"),
        ("`quoted' here", "`quoted' here"),
        ("tab\tand\x07bell", "tab and bell"),
        ("  plain  ", "plain"),
    ],
)
def test_repairs_characters(printed, expected):
    assert repair_characters(printed) == expected


def test_a_missing_file_is_a_usage_error(converter, tmp_path):
    with pytest.raises(UsageError, match="cannot be read"):
        converter.convert_file(tmp_path / "none.pdf")
    (tmp_path / "a.txt").write_text("hello")
    assert converter.convert_file(tmp_path / "a.txt").lines[0].text == "hello"


def test_threads_may_share_a_converter(converter):
    bodies = [pdf([f"number {n}"]) for n in range(12)]
    with ThreadPoolExecutor(4) as pool:
        texts = [found.text for found in pool.map(converter.convert, bodies)]
    assert texts == [f"number {n}" for n in range(12)]


def test_a_conversion_can_be_stored(converter):
    for body in (HELLO, HTML, b""):
        found = converter.convert(body)
        assert Conversion.from_bytes(found.to_bytes()) == found
    assert Conversion.from_bytes(b"damage") is None
    assert Conversion.from_bytes(zlib.compress(b"[1, 2]")) is None


def test_the_key_of_a_conversion_depends_on_the_body_and_its_type():
    assert conversion_key(HELLO, "application/pdf; x=y") == conversion_key(HELLO, "Application/PDF")
    assert conversion_key(HELLO, "application/pdf") != conversion_key(HELLO, "")
    assert conversion_key(HELLO, "") != conversion_key(HTML, "")


@pytest.mark.realdata
@pytest.mark.skipif(not PAPERS.is_dir(), reason=f"the papers are not at {PAPERS}")
def test_real_papers_give_text(converter):
    for path in sorted(PAPERS.glob("*.pdf"))[:6]:
        found = converter.convert_file(path)
        assert found.outcome == "text"
        assert len(found.text) > 1000


def test_lines_outside_the_text_are_kept_apart(converter):
    stamp = b"BT /F1 12 Tf 0 1 -1 0 30 200 Tm (arXiv:1905.12345v2 [cs.IT] 30 May 2019) Tj ET"
    text = b" ".join(
        b"BT /F1 10 Tf 72 %d Td (Spiders hunt) Tj ET" % (700 - 14 * n) for n in range(9)
    )
    found = converter.convert(one_page(text + b" " + stamp))
    assert {line.text for line in found.lines} == {"Spiders hunt"}
    assert [line.text for line in found.margin] == ["arXiv:1905.12345v2 [cs.IT] 30 May 2019"]


def test_running_heads_are_kept_apart(converter):
    pages = [["Spiders 12 (1999)", *(f"{letter} {n}" for n in "abcdefgh")] for letter in "xyz"]
    found = converter.convert(pdf(*pages))
    assert all("1999" not in line.text for line in found.lines)
    assert [line.text for line in found.margin] == ["Spiders 12 (1999)"] * 3


def test_what_a_pdf_says_about_itself_is_read(converter):
    found = converter.convert(HELLO)
    assert found.information["Title"] == "A title"
    assert Conversion.from_bytes(found.to_bytes()) == found


@pytest.mark.parametrize(
    ("content", "text"),
    [
        # Raised letters behind names are marks; a comma on the baseline may follow.
        (
            b"BT /F1 12 Tf 72 700 Td (Ann Liu) Tj /F1 7 Tf 5 Ts (a,b) Tj "
            b"0 Ts /F1 12 Tf (, Bob) Tj ET",
            "Ann Liu a,b, Bob",
        ),
        # Small capitals and large initials are letters of their words.
        (b"BT /F1 12 Tf 72 700 Td (Lee) Tj /F1 8 Tf (roe) Tj ET", "Leeroe"),
        (b"BT /F1 24 Tf 72 700 Td (W) Tj /F1 10 Tf 9 Ts (ebs hunt) Tj ET", "Webs hunt"),
    ],
)
def test_raised_letters_behind_a_name_are_words_of_their_own(converter, content, text):
    assert converter.convert(one_page(content)).text == text
