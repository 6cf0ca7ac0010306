"""Numbers of words, by whatever version of the scanner is installed."""

from itertools import pairwise

from hypothesis import example, given
from hypothesis import strategies as st
from tests.web.test_words import TEXTS

from lycosa.content import Table
from lycosa.web.numberer import Numberer, UrlNumberer
from lycosa.web.words import MARK, url_words, words


@given(TEXTS)
@example("(" + "x" * 64 + ") " + "x" * 65 + ". paper, --")
@example("a\0b \0c Ü\0 \0")
@example("known words, then ‘quotes’ and 日本 – and an İ")
def test_numberer_agrees_with_words(text):
    table = Table()
    numberer = Numberer(table, capacity=3)
    for _ in range(2):
        assert [table[n] for n in numberer.numbers(text)] == words(text)
    assert list(table) == list(dict.fromkeys(words(text)))


@given(st.lists(TEXTS.map(lambda text: text.replace(MARK, " ")), max_size=6))
def test_marks_are_at_positions_among_the_words(texts):
    table = Table()
    numbers, marks = Numberer(table).marked(f" {MARK} ".join(texts))
    bounds = [0, *marks, len(numbers)]
    found = [numbers[a:b] for a, b in pairwise(bounds)]
    assert [[table[n] for n in some] for some in found[: len(texts)]] == list(map(words, texts))


@given(st.lists(st.sampled_from(["b", "c%20d", "e%00f", "Ü?x=1", "日", ""]), max_size=6))
def test_the_words_of_urls_are_those_of_their_paths(paths):
    urls = Table([f"http://a.example/{path}" for path in dict.fromkeys(paths)] or ["http://a"])
    table = Table()
    numberer = UrlNumberer(Numberer(table), urls, capacity=2)
    for _ in range(2):
        tokens, ends = numberer.numbers(range(len(urls)))
        for k, url in enumerate(urls):
            assert [table[n] for n in tokens[ends[k] : ends[k + 1]]] == url_words(url)
