"""Features of the lines and words of a header."""

from hypothesis import given
from hypothesis import strategies as st

from lycosa.papers.extraction.header_features import (
    header_features,
    line_features,
    line_labels,
    line_spans,
    open_words,
    opened_section,
)
from lycosa.papers.extraction.labeller import HeaderLine, Prediction
from lycosa.papers.extraction.tagged import Token

TOKENS = st.lists(
    st.tuples(st.sampled_from("Web of ann@x.edu 1999 Abstract (".split()), st.integers(0, 2)),
    max_size=30,
)


def tokens_of(pairs):
    line = 0
    found = []
    for text, step in pairs:
        line += step
        found.append(Token(text, "title", line))
    return found


@given(TOKENS)
def test_spans_cover_all_words_once_and_never_mix_lines(pairs):
    tokens = tokens_of(pairs)
    covered = [n for a, b in line_spans(tokens) for n in range(a, b)]
    assert covered == list(range(len(tokens)))
    assert all(len({t.line for t in tokens[a:b]}) == 1 for a, b in line_spans(tokens))


@given(TOKENS)
def test_every_line_and_every_word_has_a_row(pairs):
    tokens = tokens_of(pairs)
    lines = line_features(tokens)
    assert len(lines) == len(line_spans(tokens)) == len(line_labels(tokens))
    guesses = [Prediction("title", 0.5)] * len(lines)
    chosen = open_words(tokens, guesses)
    assert chosen == list(range(len(tokens)))
    assert len(header_features(tokens, guesses, chosen)) == len(tokens)


def test_words_inside_an_abstract_are_not_looked_at():
    tokens = [Token("We", "", n) for n in range(6)]
    certain, other = Prediction("abstract", 0.99), Prediction("abstract", 0.6)
    assert open_words(tokens, [certain] * 6) == [0, 5]
    guesses = [certain, certain, certain, other, certain, certain]
    assert open_words(tokens, guesses) == [0, 2, 3, 4, 5]
    assert len(header_features(tokens, guesses, [0, 2])) == 2


def test_words_of_an_email_address_are_known():
    tokens = [Token("Ann"), Token("Hunter"), Token("Webs", "", 1), Token("hunter@webs.edu", "", 2)]
    guesses = [Prediction("title", 0.5)] * 3
    rows = header_features(tokens, guesses, range(4))
    assert "known=user" in rows[1]
    assert "known=host" in rows[2]
    assert not any(feature.startswith("known=") for feature in rows[0])
    assert "user=2" in line_features(tokens)[0]


def test_a_line_has_the_label_of_most_of_its_words():
    tokens = [Token("MIT,", "affiliation"), Token("Cambridge,", "address"), Token("MA", "address")]
    assert line_labels(tokens) == ["address"]


def test_layout_features_of_lines():
    tokens = [Token("Spiders", "", 0), Token("Lee", "", 2)]
    layout = [
        HeaderLine("Spiders", 2.0, True, True, 3.0, False, 1, True),
        HeaderLine(""),
        HeaderLine("Lee", size=1.0),
    ]
    first, second = line_features(tokens, layout)
    assert {"size=8", "bold=True", "centred=True", "gap=6"} <= set(first)
    assert {"italic=False", "larger=1", "block=True", "1:size=4"} <= set(first)
    assert "size=4" in second
    assert not any(f.startswith(("bold", "centred", "gap")) for f in second)
    assert not any(f.startswith("size=") for f in line_features(tokens)[0])


def test_section_headings_are_recognised():
    said = {
        "Abstract": "abstract",
        "ABSTRACT. We show": "abstract",
        "1 Introduction": "intro",
        "I. INTRODUCTION": "intro",
        "Key words: spiders": "keyword",
        "R\u00e9sum\u00e9. Nous": "abstract",
        "Mots-cl\u00e9s : toile": "keyword",
        "A B S T R A C T": "abstract",
        "A B C": "",
        "An abstract machine": "",
        "": "",
    }
    assert {text: opened_section(text.split()) for text in said} == said
