import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.documents.type3_pdf import CODES, NAMES, dvips_name, type3_font, type3_pdf

from lycosa.documents.conversion import Converter
from lycosa.documents.glyph_names import decode_glyphs, tex_character
from lycosa.documents.unicode_maps import add_unicode_maps, font_characters

LINES = ["Spiders that learn, 1999", "Ann Lee (MIT)", "[1] B. Roe. Webs 12:3-45."]
PAGE = [(72, 700 - 20 * n, 10, text) for n, text in enumerate(LINES)]
DVIPS = {character: dvips_name(ord(character)) for character in NAMES}
NUMBERED = {character: f"a{ord(character)}" for character in NAMES}


@pytest.fixture(scope="module")
def converter():
    with Converter() as converter:
        yield converter


@pytest.mark.parametrize("packed", [False, True])
@pytest.mark.parametrize("names", [NAMES, DVIPS, NUMBERED])
def test_text_in_renumbered_fonts_is_read_by_its_glyph_names(converter, names, packed):
    body = type3_pdf(PAGE, PAGE[1:2], names=names, packed=packed)
    found = converter.convert(body)
    assert [line.text for line in found.lines if line.page == 0] == LINES
    assert found.pages == 2


def test_without_names_pdfium_loses_digits(converter):
    unknown = {character: f"{name}?" for character, name in NAMES.items()}
    found = converter.convert(type3_pdf(PAGE, names=unknown))
    assert not any("1999" in line.text for line in found.lines)


def test_a_file_is_only_changed_where_it_must_be():
    same = {character: ord(character) for character in NAMES}
    assert add_unicode_maps(type3_pdf(PAGE, codes=same)) is None
    body = type3_pdf(PAGE)
    changed = add_unicode_maps(body)
    assert changed is not None
    assert changed.startswith(body)
    assert add_unicode_maps(changed) is None, "the scan sees the last version of an object"


def test_fonts_with_a_map_and_encrypted_files_are_left_alone():
    assert font_characters(type3_font(more=b"/ToUnicode 9 0 R"), {}) == {}
    assert add_unicode_maps(type3_pdf(PAGE) + b"/Encrypt 9 0 R") is None


def test_an_encoding_may_be_another_object():
    font = b"<< /Subtype /Type3 /Encoding 7 0 R >>"
    listed = {7: b"<< /Differences 8 0 R >>", 8: b"[ 5 /one /t#77o 9 /A /.notdef /B ]"}
    assert font_characters(font, listed) == {5: "1", 6: "2", 9: "A", 11: "B"}
    assert font_characters(font, {}) == {}


@given(st.binary(max_size=300))
def test_any_bytes_are_read(body):
    add_unicode_maps(body)
    add_unicode_maps(
        b"1 0 obj << /Subtype /Type3 /Encoding << /Differences [" + body + b"startxref 3"
    )


@given(st.integers(0, len(type3_pdf(PAGE, packed=True))), st.binary(min_size=1, max_size=4))
def test_damaged_files_do_no_harm(place, noise):
    body = type3_pdf(PAGE, packed=True)
    add_unicode_maps(body[:place] + noise + body[place + len(noise) :])


@given(st.lists(st.text(max_size=8), max_size=8))
def test_any_names_are_decoded_one_by_one(names):
    found = decode_glyphs(names)
    assert len(found) == len(names)
    assert all(text is None or text for text in found)


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("A", "A"), ("eight", "8"), ("eacute", "\xe9"), ("Scaron", "\u0160"), ("ffl", "ffl"),
        ("uni00E9", "\xe9"), ("u1D49C", "\U0001d49c"), ("one.oldstyle", "1"), ("uniD800", None),
        ("bogus", None), ("", None), ("space", " "),
    ],
)  # fmt: skip
def test_names_of_the_glyph_list(name, text):
    assert decode_glyphs([name, "no such glyph"])[0] == text


def test_codes_of_tex_fonts_are_those_of_ascii_but_for_some():
    assert "".join(tex_character(ord(c)) or "" for c in "Webs 1999.") == "Webs 1999."
    assert [tex_character(code) for code in (11, 15, 123, 200)] == ["ff", "ffl", "\u2013", None]


def test_dvips_names_are_those_of_its_prologue():
    assert [dvips_name(ord(c)) for c in "0Aa"] == ["BC", "BT", "CP"]
    assert len(CODES) == len(NAMES)
