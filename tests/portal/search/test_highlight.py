from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from documents.sample_sentences import SENTENCES
from lycosa.documents.language import FUNCTION_WORDS
from lycosa.goals.syntax import Phrase
from lycosa.portal.search.analysis import STEMMERS, Analysis, clean, split_words
from lycosa.portal.search.highlight import ELLIPSIS, SNIPPET_LENGTH, Highlighter
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


def highlighter(text):
    return Highlighter(parse_query(text).tree, ANALYSIS, ("", "de"))


def highlighted(query, text, language=""):
    return [piece for piece, hit in highlighter(query).title(text, language=language) if hit]


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
def test_highlights_matching_words(query, text, words):
    assert highlighted(query, text) == words


def test_words_start_like_their_stems_except_for_the_last_letters():
    pages = Path(__file__).parents[3].glob("docs/**/*.md")
    every = {word for page in pages for word in words(page.read_text())}
    every |= {"dying", "lying", "skies", "happily", "sensibility", "relational", "fully", "ability"}
    assert len(every) > 3000
    for word in every:
        term = ANALYSIS.term(word)
        stem = ANALYSIS.stem(term)
        assert term.startswith(stem[:-2] or stem[:1]), word


@pytest.mark.parametrize(
    ("word", "text", "words"),
    [
        ("c++", "C++, C and C# (c++)", ["C++", "c++"]),
        ("c", "C++, C and C#", ["C"]),
        ("c#", "C++, C and C#, C♯", ["C#", "C♯"]),
        (".net", "Net, .NET and ASP.NET", [".NET"]),
        ("net", "the .NET net", [".NET", "net"]),
        ("dotnet", "the .NET net", [".NET"]),
        ("email", "An e-mail, an email; e mail", ["e-mail", "email"]),
        ("pnorm", "(p-norms) p norm", ["p-norms"]),
        ("kmeans", "the k-means-based method", ["k-means"]),
        ("norm", "the p-norm", ["norm"]),
        ("ghz", "5GHz at 5 GHz, a5GHz", ["5GHz", "GHz"]),
        ("5", "5GHz at 5 GHz", ["5GHz", "5"]),
        ("co2", "CO$_2$, CO_2, CO2, CO 2", ["CO$_2$", "CO_2", "CO2"]),
        ("2", "CO_2 2", ["2"]),
        ("co", "CO_2 co", ["co"]),
        ("alpha", "the α-stable law, α", ["α"]),
        ("email", "É-mail, émail", ["É-mail", "émail"]),
        ("usa", "the U.S.A. and USA", ["U.S.A", "USA"]),
        ("nodejs", "node.js", ["node.js"]),
    ],
)
def test_highlights_names_compounds_and_formulas(word, text, words):
    found = Highlighter(Phrase("text", (word,)), ANALYSIS)
    assert [piece for piece, hit in found.title(text) if hit] == words
    assert [piece for piece, hit in found.snippet(text) if hit] == words
    for before in ("x " * 3000, "é " * 3000):
        assert [piece for piece, hit in found.snippet(before + text) if hit] == words


PIECES = "c c++ C# .net net e mail e-mail 5ghz GHz 5 co_2 CO$_2$ co é u.s.a. α alpha - . _ ( , 学"
TOKENS = st.lists(st.sampled_from(PIECES.split()), max_size=12)


@given(TOKENS.map("".join) | TOKENS.map(" ".join), st.sampled_from(["", "de", "ja"]))
def test_a_word_is_highlighted_if_the_index_has_it(text, language):
    """Where no compound is joined: those are highlighted whole."""
    for word in ("c", "c++", "c#", ".net", "net", "mail", "5", "ghz", "co2", "co", "alpha", "e"):
        stems = {*ANALYSIS.stems(text, language).split()}
        pieces = Highlighter(Phrase("text", (word,)), ANALYSIS).title(text, language=language)
        hit = any(marked for _, marked in pieces)
        assert hit == (not stems.isdisjoint(ANALYSIS.forms(word, ("",))))
        assert "".join(piece for piece, _ in pieces) == text


@pytest.mark.parametrize("language", sorted(SENTENCES.keys() & STEMMERS.keys()))
def test_words_in_ascii_start_like_their_stems_in_every_language(language):
    every = {word for sentence in SENTENCES[language] for word in split_words(sentence)}
    every |= set(FUNCTION_WORDS[language].split())
    for word in every:
        stem = ANALYSIS.stem(word, language)
        if word.isascii():
            starts = (stem[:2], f"ge{stem[:2]}") if language == "nl" else (stem[:-2] or stem[:1],)
            assert word.startswith(starts), (word, stem)


def test_words_are_stemmed_in_the_language_of_the_text():
    assert highlighted("Paketverwaltungen", "Paketverwaltung", "de") == ["Paketverwaltung"]
    assert highlighted("Paketverwaltungen", "Paketverwaltung", "en") == []
    assert highlighted("robots", "Robota robots", "pl") == ["robots"]


@given(QUERY, TEXT | st.text().map(clean))
def test_pieces_join_to_the_text(query, text):
    pieces = highlighter(query).title(text)
    assert "".join(piece for piece, _ in pieces) == text
    assert all(piece for piece, _ in pieces)


@given(QUERY, TEXT, st.sampled_from(["", "en", "de"]))
def test_highlights_what_a_naive_implementation_does(query, text, language):
    """The naive one compares word by word with every position of every leaf."""
    tree = parse_query(query).tree
    found = sample_works.terms(text)
    expected = [False] * len(found)
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
                expected[at : at + len(words)] = [True] * len(words)
            loose = len(words) == 1 and not leaf.quoted and "*" not in words[0]
            if loose and sample_works.stem(there[0], language) in sample_works.forms(words[0]):
                expected[at] = True
    got = []
    for piece, hit in highlighter(query).title(text, language=language):
        terms = sample_works.terms(piece)
        assert len(terms) == 1 or not hit
        got += [hit] * len(terms)
    assert got == expected


@given(QUERY, st.lists(TEXT, min_size=1, max_size=40).map(" ".join), TEXT)
def test_a_snippet_is_a_highlighted_part_of_one_text(query, text, abstract):
    pieces = highlighter(query.replace("title:", "")).snippet(abstract, text)
    shown = [(piece, hit) for piece, hit in pieces if piece != ELLIPSIS]
    body = "".join(piece for piece, _ in shown)
    assert body in abstract or body in text
    assert len(body) <= SNIPPET_LENGTH + 64
    whole = [highlighter(query.replace("title:", "")).title(source) for source in (abstract, text)]
    if any(hit for source in whole for _, hit in source):
        assert any(hit for _, hit in shown)
    else:
        assert not any(hit for _, hit in shown)


def test_snippet_is_where_most_of_the_query_matches():
    filler = "nothing of note here . " * 200
    text = f"{filler} spiders {filler} spiders that learn and robots {filler} robots {filler}"
    shown = highlighter("spiders learning robots").snippet("An abstract about robots.", text)
    assert [piece for piece, hit in shown if hit] == ["spiders", "learn", "robots"]
    assert shown[0] == shown[-1] == (ELLIPSIS, False)


def test_snippet_prefers_the_abstract_to_the_text():
    shown = highlighter("robots").snippet("The robot.", "Robots robots robots.")
    assert "".join(piece for piece, _ in shown) == "The robot."


def test_snippet_without_a_match_is_the_start_of_the_text():
    assert highlighter("x").snippet("", "  All of it") == (("All of it", False),)
    long = highlighter("x").snippet("word " * 100)
    assert long[-1] == (ELLIPSIS, False)
    assert long[0][0].startswith("word word")
    assert highlighter("x").snippet("", " ") == ()
    assert highlighter("x").snippet() == ()


@pytest.mark.parametrize("long", [0, 5, 63, 64, 65, 128, 130])
@pytest.mark.parametrize("letter", ["b", "é", "学"])
def test_splits_words_longer_than_64_letters(long, letter):
    """The letters after the 64th are another word."""
    for text in (letter * long + "a x", "x " + letter * long + "a"):
        cut = ["a"] if letter == "学" or long % 64 == 0 else []
        assert highlighted("a", text) == cut
    assert highlighted("x", letter * long + "a x") == ["x"]


@pytest.mark.parametrize("piece", ["a", "学", " ", "a ", "a-", "a.a ", "5a", "a_1", ".net"])
def test_snippets_of_degenerate_texts_are_short(piece):
    pieces = highlighter("a 学").snippet(piece * 50_000)
    assert len("".join(piece for piece, _ in pieces)) <= SNIPPET_LENGTH + 64 + 2
