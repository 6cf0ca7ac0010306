from hypothesis import example, given
from hypothesis import strategies as st

from lycosa.web.words import WORD, url_words, words


def test_words_are_letters_and_digits_in_lower_case():
    assert words("Ünïcode_and CamelCase, 3.14!") == ["ünïcode", "and", "camelcase", "3", "14"]


def test_chinese_and_japanese_characters_are_single_words():
    assert words("研究論文 PDF") == ["研", "究", "論", "文", "pdf"]


def test_a_word_has_at_most_64_characters():
    assert [len(w) for w in words("x" * 150)] == [64, 64, 22]


def test_url_words_exclude_the_host():
    assert url_words("http://papers.example.edu/") == []
    assert url_words("http://example.edu/Info/TR%2d96_1.ps?id=7") == "info tr 96 1 ps id 7".split()


TEXTS = (
    st.text(max_size=200)
    | st.text("aZ9.,;:!?()[]{}\"'-_ é日xΣ", max_size=200)
    | st.text(st.characters(max_codepoint=255), max_size=200)
)


@given(TEXTS)
@example("x" * 64 + "Ü" * 65 + ".")
@example("".join(map(chr, range(256))))
def test_words_are_those_of_the_pattern(text):
    assert words(text) == WORD.findall(text.lower())
