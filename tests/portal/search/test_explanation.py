"""Explanations of results."""

import doctest

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lycosa.errors import UnknownName
from lycosa.portal.search import IndexEntry, explanation
from lycosa.portal.search.deadline import Deadline, SearchTimeout
from portal.search.sample_works import WORDS, entries, index_of

WORKS = [
    IndexEntry(
        "w1",
        "paper",
        "Spiders that learn",
        ("Ann Lee",),
        ("lee-a",),
        1997,
        "1997",
        "Journal of Letters",
        "Reinforcement of spiders",
        "They learn from the p-norm. See doi 10.1145/3190580 for more.",
        cited_by=12,
        references="B. Roe. Webs of insects. 1983.",
        citing="Lee shows how arachnids hunt",
    ),
    IndexEntry("w2", "paper", "Spiders spin", abstract="Learned webs", year=1998, site="b.org"),
    IndexEntry("w3", "paper", "The norm of a spider", abstract="Nothing else"),
    IndexEntry("w4", "paper", "学習するクモ", language="ja"),
    IndexEntry("w5", "paper", "Die Paketverwaltungen", language="de"),
]


@pytest.fixture(scope="module")
def engine(tmp_path_factory):
    return index_of(tmp_path_factory.mktemp("index"), WORKS)


@pytest.fixture(scope="module")
def sample(tmp_path_factory):
    return index_of(tmp_path_factory.mktemp("sample"), entries())


def fields(engine, text, work="w1"):
    return {each.word: each.fields for each in engine.explain(text, work).words}


def test_words_are_told_by_the_fields_that_have_them(engine):
    found = fields(engine, "spider learning lee 1997 letter arachnid insects")
    assert found == {
        "spider": ("title", "abstract"),
        "learning": ("title", "text"),
        "lee": ("authors",),
        "1997": ("year",),
        "letter": ("venue",),
        "arachnid": ("citing",),
        "insects": ("references",),
    }


def test_a_word_of_the_bibliography_alone_is_missing(engine):
    found = engine.explain("spiders insects webs", "w1")
    assert found.missing == ("insects", "webs")
    assert not found.complete
    assert "“insects” and “webs” are only in its bibliography, which counts little." in (
        found.sentences
    )
    assert "It has 1 of 3 words; works with all of them come first." in found.sentences


def test_a_compound_is_told_by_its_parts_if_the_work_does_not_have_it(engine):
    assert fields(engine, "p-norm") == {"p-norm": ("text",)}
    assert fields(engine, "p-norm", "w3") == {"p-norm": (), "norm": ("title",)}
    assert engine.explain("p-norm", "w3").missing == ("p-norm",)


def test_words_of_other_languages(engine):
    assert fields(engine, "Paketverwaltung", "w5") == {"paketverwaltung": ("title",)}
    assert fields(engine, "学習", "w4") == {"学習": ("title",)}


def test_a_work_with_all_words_says_so(engine):
    found = engine.explain("how do spiders learn", "w1")
    assert found.complete
    assert found.ignored == ("how", "do")
    assert found.sentences[0] == "It has all 2 words, so it comes before works that have only some."
    assert "“how” and “do” were ignored beside the other words." in found.sentences


def test_neighbouring_words(engine):
    found = engine.explain("spiders spin webs", "w2")
    assert found.pairs == (("spiders", "spin"),)
    assert not found.title_phrase
    assert engine.explain("spiders spin", "w2").title_phrase
    assert engine.explain("webs spiders", "w2").pairs == ()


def test_a_title_and_an_identifier_come_first(engine):
    assert engine.explain("spiders that learn", "w1").sentences[0] == (
        "The query is its title, so it comes first."
    )
    assert engine.explain("10.1145/3190580", "w1").sentences[0] == (
        "The query is its identifier, so it comes first."
    )
    assert engine.explain("spiders that learn", "w2").exact == ""


def test_shares_of_the_score_add_up(engine):
    found = engine.explain("spiders", "w1")
    signals = found.signals
    whole = signals.text + max(signals.meaning, 0) + signals.citations + signals.age
    assert f"{100 * signals.citations / whole:.0f} % from 12 citations" in found.sentences[-1]
    assert signals in [hit.signals for hit in engine.search("spiders").hits if hit.id == "w1"]


def test_conditions_are_named(engine):
    found = engine.explain("learn author:lee -insects", "w1")
    assert found.matches
    assert "It meets what the query requires: author:lee AND NOT insects." in found.sentences
    other = engine.explain("learn author:lee", "w2")
    assert not other.matches
    assert other.sentences[0] == "It is not among the results of this query."


def test_a_query_of_conditions_alone(engine):
    assert engine.explain("title:spiders", "w1").matches
    assert not engine.explain("title:arachnids", "w1").matches
    everything = engine.explain("", "w1")
    assert everything.matches
    assert everything.sentences == []


def test_loosened_conditions_are_words(engine):
    found = engine.explain("learn +spiders +nowhere", "w1")
    assert found.matches
    assert found.missing == ("nowhere",)
    assert found.conditions == ""


def test_conditions_that_no_work_meets_are_met_in_part(engine):
    found = engine.explain("+spiders +nowhere", "w1")
    assert found.sentences == ["It meets a part of what the query requires: spiders AND nowhere."]
    assert not engine.explain("+spiders +nowhere", "w4").matches


def test_filters_exclude(engine):
    assert not engine.explain("spiders", "w1", filters={"site": ["b.org"]}).matches
    assert engine.explain("spiders", "w2", filters={"site": ["b.org"]}).matches
    with pytest.raises(UnknownName):
        engine.explain("spiders", "w1", filters={"colour": ["red"]})


def test_works_that_are_not_indexed_have_none(engine):
    assert engine.explain("spiders", "unknown") is None
    assert engine.explain("spiders", "\ud800") is None


def test_an_explanation_ends_at_its_deadline(engine):
    with pytest.raises(SearchTimeout):
        engine.explain("spiders", "w1", deadline=Deadline(0))


def test_a_work_found_by_meaning_says_so():
    signals = explanation.Signals(0, 0.4, 0, 0, complete=False, by_meaning=True)
    found = explanation.Explanation("w1", matches=True, signals=signals)
    assert found.sentences[0].startswith("It has none of the words; it was found because")
    assert found.sentences[1].startswith("Of its score, 100 % comes from its closeness in meaning")


@settings(max_examples=40, deadline=None)
@given(
    st.lists(st.sampled_from(WORDS.split()), min_size=1, max_size=3, unique=True),
    st.integers(0, 59),
)
def test_all_words_are_found_where_a_strict_search_finds_the_work(sample, words, number):
    found = sample.explain(" ".join(words), f"w{number}")
    searched = [each for each in words if each not in found.ignored]
    strict = sample.search(" ".join(f"+{word}" for word in searched), size=100)
    assert found.complete == (f"w{number}" in [hit.id for hit in strict.hits] and strict.total > 0)
    some = sample.search(" ".join(words), size=100)
    assert found.matches == (f"w{number}" in [hit.id for hit in some.hits])


@settings(max_examples=60, deadline=None)
@given(st.text(max_size=40))
def test_any_text_can_be_explained(sample, text):
    assert isinstance(sample.explain(text, "w3").sentences, list)


def test_examples_in_docstrings_are_true():
    assert doctest.testmod(explanation).failed == 0
