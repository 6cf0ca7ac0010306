import shutil

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.documents.scanned_pdf import scan

from lycosa.documents.conversion import Converter
from lycosa.documents.scans import outer_first, parse_words
from lycosa.sites.generated.pdf import PdfWriter

needs_tesseract = pytest.mark.skipif(
    shutil.which("tesseract") is None, reason="Tesseract is not installed"
)
TEXT = [
    "Spiders that learn to hunt in gardens",
    "They build their webs at night and wait for flies.",
    "Many of them are small; the largest hunt birds.",
]


def printed(lines=TEXT, size=14):
    writer = PdfWriter("Scan")
    writer.page()
    for n, line in enumerate(lines):
        writer.line(72, 700 - 24 * n, line, "roman", size)
    return bytes(writer)


@needs_tesseract
def test_the_text_of_scanned_pages_is_recognised():
    with Converter() as converter:
        found = converter.convert(scan(printed()))
    assert (found.outcome, found.pages) == ("text", 1)
    assert [line.text for line in found.lines] == TEXT
    first = found.lines[0]
    assert first.x == pytest.approx(72, abs=3)
    assert first.y == pytest.approx(700, abs=4)
    assert first.size == pytest.approx(14, abs=4)


def test_without_tesseract_the_outcome_says_what_is_missing(monkeypatch):
    monkeypatch.setenv("PATH", "/nowhere")
    with Converter() as converter:
        assert converter.convert(scan(printed())).outcome == "scanned"
        assert converter.convert(printed()).outcome == "text"
        assert not converter.convert(scan(printed())).is_final


def test_a_page_without_words_or_images_is_not_scanned():
    with Converter() as converter:
        assert converter.convert(printed([])).outcome == "no-text"


@given(st.lists(st.integers(0, 500), unique=True).map(sorted))
def test_every_page_is_recognised_once(numbers):
    assert sorted(outer_first(numbers)) == numbers


@given(st.text(max_size=300))
def test_any_table_is_parsed(table):
    head = "level\tleft\ttop\twidth\theight\tconf\ttext\n"
    for word in parse_words(head + table, 2.0, 800.0):
        assert word.text.strip()
