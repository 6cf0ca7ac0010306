import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lycosa.documents.language import LANGUAGES
from lycosa.portal.search.analysis import (
    STEMMERS,
    Analysis,
    clean,
    plain,
    split_words,
)
from portal.search import sample_works

ANALYSIS = Analysis()
ANY = (
    st.text()
    | st.text("aäßİΣσςéﬁ½学 .-’\u0301\u200d")
    | st.text(st.characters(min_codepoint=192))
    | st.text("c+#.net_$2{}5ghz-é♯/学 ")
)
PIECES = (
    "\\", "{", "}", "emph", "\\emph{", "\\alpha", "\\H ", "\\'", '\\"', "o", "e\u0301", "\\i",
    "\u1fef", "\xad", " ", "$", "\\v{s}", "\\&",
)  # fmt: skip
LATEX = st.lists(st.sampled_from(PIECES)).map("".join)


def test_folds_accents_and_stems():
    assert ANALYSIS.exact("Größe, ŒUVRE & Łódź: 50%") == "grosse oeuvre lodz 50"
    assert ANALYSIS.exact("İstanbul ΟΔΟΣ οδος") == ANALYSIS.exact("istanbul οδος ΟΔΟΣ")
    assert ANALYSIS.exact("机器 learning") == "机 器 learning"
    assert ANALYSIS.exact(" \n ... ") == ""
    assert ANALYSIS.stems("Robots learned networks’ naïveté") == "robot learn network naivet"


@pytest.mark.parametrize(
    ("one", "other", "language"),
    [
        ("Paketverwaltungen", "Paketverwaltung", "de"),
        ("Häuser", "Haus", "de"),
        ("educaciones", "educación", "es"),
        ("classificações", "classificação", "pt"),
        ("appliquées", "appliqué", "fr"),
        ("robots", "robot", ""),
        ("talossa", "talo", "fi"),
        ("книгами", "книги", "ru"),
    ],
)
def test_words_are_stemmed_in_the_language_of_the_work(one, other, language):
    assert not set(ANALYSIS.stems(one, language).split()).isdisjoint(
        ANALYSIS.stems(other, language).split()
    )
    forms = ANALYSIS.forms(split_words(other)[0], {"en", language})
    assert not set(forms).isdisjoint(ANALYSIS.stems(one, language).split())


def test_languages_without_a_stemmer_have_exact_terms():
    for language in ("ja", "zh", "ko", "pl", "cs", "xx", "EN-us"):
        assert ANALYSIS.both("Learning 机器 networks", language)[1] == "learning 机 器 networks"
    assert set(STEMMERS) - {"nb", "nn", "ta"} <= set(LANGUAGES)


@given(ANY, st.sampled_from([*STEMMERS, "", "ja"]))
def test_a_word_of_a_query_finds_itself_in_every_language(text, language):
    stems = set(ANALYSIS.stems(clean(text), language).split())
    for word in split_words(text):
        assert not stems.isdisjoint(ANALYSIS.forms(word, [language]))
        assert ANALYSIS.stem(ANALYSIS.term(word), language) in stems, "typed without accents"


def test_a_word_typed_without_accents_finds_the_word_with_them():
    for word, language in (("école", "fr"), ("appliquée", "fr"), ("Prüfungen", "de")):
        bare = ANALYSIS.exact(word)
        stems = ANALYSIS.stems(word, language).split()
        assert not set(ANALYSIS.forms(bare, [language])).isdisjoint(stems)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("C++ C# F# .NET", "c++ c# f# .net"),
        ("C++11, (C++), C++/CLI and libstdc++.", "c++ 11 c++ c++ cli and libstdc++"),
        ("C; Objective-C", "c objective c"),
        ("C♯ 7 C#7.0 item#5 F#m", "c# 7 c# 7 0 item 5 f m"),
        ("ASP.NET, www.slash.net .nets", "asp net www slash net nets"),
        ("p-norm, well\u2011known", "p norm well known"),
        ("CO2 CO₂ CO$_2$ CO$_{2}$ CO_2 H_2O Fe_2O_3", "co2 co₂ co2 co2 co2 h2o fe2o3"),
        (r"\mathrm{CO}_2", "co2"),
        ("snake_case table_2 x_123", "snake case table 2 x 123"),
        ("1+1 a+b ++ # .net.", "1 1 a b .net"),
        (r"Schr\"odinger Erd{\H o}s $\alpha$-stable \emph{x}", "schrödinger erdős α stable x"),
        ("recogni\xadtion recogni\xad\ntion", "recognition recognition"),
        ("5GHz 10 µm", "5ghz 10 μm"),
        ("学习C++", "学 习 c++"),
    ],
)
def test_splits_words(text, words):
    assert split_words(text) == words.split()


@pytest.mark.parametrize(
    ("text", "stems"),
    [
        ("p-norm", "p norm pnorm"),
        ("(E-mails)", "e mail email"),
        ("k-means-based", "k mean base kmean"),
        ("state-of-the-art", "state of the art"),
        ("335-343", "335 343"),
        ("3-D", "3 d"),
        ("5GHz", "5ghz 5 ghz"),
        ("2nd 1990s 3D 2b", "2nd 1990s 3d 2b"),
        ("i.e. U.S.", "i e u s us"),
        ("α + β, α/β", "α β α β αβ"),
        ("U.S.A.", "u s a usa"),
        ("TCP/IP", "tcp ip tcpip"),
        (".NET", ".net net dotnet"),
        ("α-stable", "α stabl αstabl alpha"),
        ("学-e", "学 e"),
        ("C++", "c++"),
        ("www.a.org/b-c", "www a org b c bc"),
    ],
)
def test_compounds_have_further_stems(text, stems):
    assert ANALYSIS.stems(text) == stems


@given(ANY | LATEX)
def test_terms_spans_and_words_agree(text):
    text = clean(text)
    terms = ANALYSIS.exact(text).split()
    assert terms == [ANALYSIS.term(word) for word in split_words(text)]
    spans = list(ANALYSIS.spans(text))
    assert [term for term, _, _ in spans] == terms
    for _, start, end in spans:
        assert text[start:end].split() == [text[start:end]]
    assert ANALYSIS.both(text) == (ANALYSIS.exact(text), ANALYSIS.stems(text))
    assert ANALYSIS.stems(text, "ja").split()[: len(terms)] == terms or len(text.split()) > 1


@given(ANY | LATEX)
def test_cleaning_is_idempotent_and_keeps_the_length(text):
    once = clean(text)
    assert clean(once) == once
    assert once.encode().decode() == once
    assert len(plain(once)) == len(once) == len(plain(once).lower())


def test_lower_case_keeps_the_length_of_every_character():
    every = (chr(code) for code in range(sys.maxunicode + 1))
    assert all(len(plain(letter).lower()) == 1 for letter in every)


@given(st.text("abcäöé ,."))
def test_terms_equal_those_of_a_naive_implementation(text):
    assert ANALYSIS.exact(text).split() == sample_works.terms(text)


@given(st.text("aB'.,;:()[]!?-é5"), st.sampled_from(["", "de", "ja"]))
def test_runs_of_one_word_are_analysed_like_all_others(run, language):
    runs = ANALYSIS._language(language).runs
    run = "".join(run.split())
    assert runs[run] == runs._analyse(run)


def test_caches_are_bounded(monkeypatch):
    monkeypatch.setattr("lycosa.portal.search.analysis.CACHE_SIZE", 10)
    small = Analysis()
    for number in range(100):
        for language in ("", "de", "ja"):
            assert small.stems(f"é{number}", language) == f"e{number}"
    runs = [each.runs for each in small._languages.values()]
    stemmed = [each.stemmed for each in small._languages.values() if each.stemmed is not None]
    assert len(runs) == 3
    for caches in (runs, stemmed, [small._folded]):
        assert sum(map(len, caches)) <= 10


@pytest.mark.parametrize(
    "piece",
    ["a", "a_1", "$_", "a-", "a.", "++", "#", "c#", ".net", "\\'e", "\\emph{", "{", "}", "5g", "é",
     "学", "\\em", "\xad", "a_", "_{1}", "-", "\\alpha", "a/b"],
)  # fmt: skip
def test_long_hostile_runs_take_linear_time(piece):
    """A quadratic step would take minutes."""
    text = piece * 50_000
    exact, _ = ANALYSIS.both(text, "de")
    assert len(exact) <= 2 * len(text)
    split_words(text)
    sum(1 for _ in ANALYSIS.spans(clean(text)))
