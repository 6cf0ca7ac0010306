"""A word that no work has is searched as the words most similar to it."""

import pytest

from lycosa.portal.search import Engine, Index, IndexEntry

TITLES = {
    "w1": "Reinforcement learning for spiders",
    "w2": "Reinforcement of concrete bridges",
    "w3": "Leaning towers of Italy",
    "w4": "Spiders on the web",
    "w5": "Robots that walk",
}


@pytest.fixture(scope="module")
def engine(tmp_path_factory):
    folder = tmp_path_factory.mktemp("index")
    index = Index.open(folder)
    index.update([IndexEntry(work, "paper", title) for work, title in TITLES.items()])
    index.commit()
    return Engine.open(folder)


def ids(results):
    return [hit.id for hit in results.hits]


def test_a_misspelt_title_finds_its_work_first(engine):
    for typed in ("reinforcment learning for spiders", "Reinforcement laerning for spiders"):
        assert ids(engine.search(typed))[0] == "w1"


def test_a_single_misspelt_word_is_searched_as_the_nearest_one_and_said(engine):
    results = engine.search("robtos")
    assert ids(results) == ["w5"]
    assert results.notice == "No work has “robtos”, so “robots” was searched."
    assert results.suggestion == "robots"
    assert results.hits[0].title[0] == ("Robots", True)


def test_only_the_nearest_words_are_searched(engine):
    # "laerning" is one edit from "learning" and two from "leaning".
    assert ids(engine.search("laerning")) == ["w1"]


def test_a_similar_word_counts_less_than_one_that_was_typed(engine):
    assert ids(engine.search("robtos spiders web"))[0] == "w4"


@pytest.mark.parametrize("typed", ["quetzalcoatl", "1998", "+robtos", '"robtos"', "title:robtos"])
def test_what_is_like_nothing_or_was_typed_strictly_stays_as_it_is(engine, typed):
    assert "was searched." not in engine.search(typed).notice


def test_the_explanation_names_the_word_that_was_searched(engine):
    explanation = engine.explain("robtos", "w5")
    assert explanation is not None
    assert explanation.matches
    assert [word.word for word in explanation.words] == ["robots"]


def test_many_unknown_words_are_answered(engine):
    typed = " ".join(f"{'abcdefghijklmnopqrstuvwxyz'[k]}obots" for k in range(26))
    assert ids(engine.search(typed)) == ["w5"]
