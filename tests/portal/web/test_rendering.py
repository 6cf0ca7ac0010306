from itertools import product

from lycosa.portal.web.rendering import excerpt

SENTENCES = (
    "Spiders hunt alone. They learn fast from few examples [3], as others have shown before. "
    "Webs are not needed for it."
)
CITATION = SENTENCES.index("[3]")


def test_citing_sentences_have_no_parts_of_words():
    lasts = range(CITATION + 8, len(SENTENCES) + 1)
    for first, last in product(range(CITATION - 8), lasts):
        shown = excerpt(" ".join(SENTENCES[first:last].split()))
        words = shown.removeprefix("… ").removesuffix(" …")
        assert f" {words} " in f" {SENTENCES} ", (first, last)
        assert "[3]" in words


def test_whole_sentences_are_preferred():
    found = excerpt("ers hunt alone. They learn fast from few examples [3], as we show. Webs are n")
    assert found == "They learn fast from few examples [3], as we show."


def test_a_single_word_remains():
    assert excerpt("word") == "… word …"
