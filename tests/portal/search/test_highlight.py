from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lycosa.portal.search.analysis import Analysis, clean
from lycosa.portal.search.highlight import CUT, LENGTH, Highlighter
from lycosa.portal.search.query_repair import parse_query
from lycosa.web.words import words
from portal.search import sample_works

ANALYSIS = Analysis()
WORDS = st.sampled_from([*sample_works.WORDS.split(), "Robotik", "ROBOTS", "cafés", "x"])
TEXT = st.lists(st.tuples(WORDS, st.sampled_from([" ", ", ", "-", "\n"])), max_size=30).map(
    lambda pairs: "".join(word + mark for word, mark in pairs)
)
LEAF = st.sampled_from(
    ["robots", "learned", "café", "rob*", '"the robot"', '"robots"', '"le* web*"', "e-mail", "学习",
     "NOT web", "title:web", "author:robot", '"the the"']
)  # fmt: skip
QUERY = st.lists(LEAF, min_size=1, max_size=3).map(" ".join)


def marker(text):
    return Highlighter(parse_query(text).tree, ANALYSIS)


def marked(query, text, english=True):
    return [piece for piece, hit in marker(query).title(text, english=english) if hit]


@pytest.mark.parametrize(
    ("query", "text", "words"),
    [
        ("robots", "A Robot, ROBOTS and robbery", ["Robot", "ROBOTS"]),
        ('"robots"', "A Robot, ROBOTS", ["ROBOTS"]),
        ("naive", "The naïve Naiveté", ["naïve"]),
        ("naïve", "Naive", ["Naive"]),
        ("rob*", "robot crob ROBERT ro", ["robot", "ROBERT"]),
        ('"neural net"', "neural net; net neural; neural-net neural", ["neural", "net"] * 2),
        ('"a b a"', "a b a b a b", ["a", "b", "a", "b", "a"]),
        ('"neural net*"', "neural networks net", ["neural", "networks"]),
        ("a NOT b", "a b", ["a"]),
        ("a NOT (b NOT c)", "a b c", ["a", "c"]),
        ("title:a b", "a b", ["a", "b"]),
        ("author:a b", "a b", ["b"]),
        ("机器", "机器学习 器机", ["机", "器"]),
        ("strasse", "Straße", ["Straße"]),
        ("", "anything", []),
    ],
)
def test_what_is_marked(query, text, words):
    assert marked(query, text) == words


def test_words_begin_as_their_stems_do_but_for_the_last_letters():
    pages = Path(__file__).parents[3].glob("docs/**/*.md")
    every = {word for page in pages for word in words(page.read_text())}
    every |= {"dying", "lying", "skies", "happily", "sensibility", "relational", "fully", "ability"}
    assert len(every) > 3000
    for word in every:
        term = ANALYSIS.term(word)
        stem = ANALYSIS.stem(term)
        assert term.startswith(stem[:-2] or stem[:1]), word


def test_other_languages_have_no_stems():
    assert marked("robots", "Robot robots", english=False) == ["robots"]


@given(QUERY, TEXT | st.text().map(clean))
def test_the_pieces_are_the_text(query, text):
    pieces = marker(query).title(text)
    assert "".join(piece for piece, _ in pieces) == text
    assert all(piece for piece, _ in pieces)


@given(QUERY, TEXT, st.booleans())
def test_marked_is_exactly_what_a_naive_reading_finds(query, text, english):
    """Word by word: in some leaf of the query, at some place of it."""
    tree = parse_query(query).tree
    found = sample_works.terms(text)
    wanted = [False] * len(found)
    for leaf, positive in tree.phrases():
        if not positive or leaf.field not in ("text", "title"):
            continue
        words = [
            "".join(sample_works.terms(word)) + "*" * word.endswith("*") for word in leaf.words
        ]
        for at in range(len(found) - len(words) + 1):
            there = found[at : at + len(words)]
            if all(
                term.startswith(word[:-1]) if word.endswith("*") else term == word
                for term, word in zip(there, words, strict=True)
            ):
                wanted[at : at + len(words)] = [True] * len(words)
            loose = len(words) == 1 and not leaf.quoted and "*" not in words[0]
            if loose and english and sample_works.stem(there[0]) == sample_works.stem(words[0]):
                wanted[at] = True
    got = []
    for piece, hit in marker(query).title(text, english=english):
        terms = sample_works.terms(piece)
        assert len(terms) == 1 or not hit
        got += [hit] * len(terms)
    assert got == wanted


@given(QUERY, st.lists(TEXT, min_size=1, max_size=40).map(" ".join), TEXT)
def test_a_snippet_is_a_part_of_one_text_and_marked_as_the_whole(query, text, abstract):
    pieces = marker(query.replace("title:", "")).snippet(abstract, text)
    shown = [(piece, hit) for piece, hit in pieces if piece != CUT]
    body = "".join(piece for piece, _ in shown)
    assert body in abstract or body in text
    assert len(body) <= LENGTH + 64
    whole = [marker(query.replace("title:", "")).title(source) for source in (abstract, text)]
    if any(hit for source in whole for _, hit in source):
        assert any(hit for _, hit in shown)
    else:
        assert not any(hit for _, hit in shown)


def test_the_snippet_has_most_of_the_query():
    filler = "nothing of note here . " * 200
    text = f"{filler} spiders {filler} spiders that learn and robots {filler} robots {filler}"
    shown = marker("spiders learning robots").snippet("An abstract about robots.", text)
    assert [piece for piece, hit in shown if hit] == ["spiders", "learn", "robots"]
    assert shown[0] == shown[-1] == (CUT, False)


def test_the_abstract_comes_first_where_it_has_as_much():
    shown = marker("robots").snippet("The robot.", "Robots robots robots.")
    assert "".join(piece for piece, _ in shown) == "The robot."


def test_without_a_match_the_snippet_is_the_beginning():
    assert marker("x").snippet("", "  All of it") == (("All of it", False),)
    long = marker("x").snippet("word " * 100)
    assert long[-1] == (CUT, False)
    assert long[0][0].startswith("word word")
    assert marker("x").snippet("", " ") == ()
    assert marker("x").snippet() == ()


@pytest.mark.parametrize("long", [0, 5, 63, 64, 65, 128, 130])
@pytest.mark.parametrize("letter", ["b", "é", "学"])
def test_words_that_are_cut_for_their_length(long, letter):
    """What follows the 64th letter is a word of its own."""
    for text in (letter * long + "a x", "x " + letter * long + "a"):
        cut = ["a"] if letter == "学" or long % 64 == 0 else []
        assert marked("a", text) == cut
    assert marked("x", letter * long + "a x") == ["x"]


@pytest.mark.parametrize("text", ["a" * 50_000, "学" * 50_000, " " * 50_000, "a " * 50_000])
def test_texts_without_sense(text):
    pieces = marker("a 学").snippet(text)
    assert len("".join(piece for piece, _ in pieces)) <= LENGTH + 64 + 2
