"""Coverage of a corpus by keywords."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lycosa.topics.corpus import Corpus, terms
from lycosa.topics.coverage import Coverage, KeywordUse, shared_keywords
from lycosa.topics.hierarchy import Hierarchy

TREE = Hierarchy.parse("""
Animals: wild animal
  Birds: owl, barn owl, eagle
  Fish: trout, fish owls
Night: moon, Owls, star
""")


def test_counts_documents_with_a_keyword_and_labelled_by_it() -> None:
    texts = ["barn owl", "an owl, an owl", "moon and owls", "a trout", "trout", "rain"]
    coverage = Coverage.of(TREE, Corpus.of(texts))
    assert set(coverage.uses) == {
        KeywordUse("wild animal", 1, 0, 0),
        KeywordUse("owl", 2, 3, 2),
        KeywordUse("barn owl", 2, 1, 1),
        KeywordUse("eagle", 2, 0, 0),
        KeywordUse("trout", 3, 2, 2),
        KeywordUse("fish owls", 3, 0, 0),
        KeywordUse("moon", 4, 1, 0),
        KeywordUse("Owls", 4, 3, 0),
        KeywordUse("star", 4, 0, 0),
    }
    assert coverage.topics.tolist() == [0, 0, 3, 2, 0]
    assert coverage.share == pytest.approx(5 / 6)
    assert sorted(coverage.idle) == [
        "Animals: wild animal",
        "Birds: eagle",
        "Fish: fish owls",
        "Night: star",
    ]
    assert sorted(coverage.overruled) == ["Night: Owls", "Night: moon"]
    assert coverage.thin() == [2, 3, 4]
    assert coverage.thin(3) == [3, 4]
    assert coverage.thin(0) == []


def test_an_empty_corpus_is_not_covered() -> None:
    coverage = Coverage.of(TREE, Corpus.of([]))
    assert coverage.share == 0
    assert coverage.thin(1) == [2, 3, 4]


def test_keywords_under_several_topics_are_found_in_the_plural_too() -> None:
    assert shared_keywords(TREE) == {"owl": [2, 4]}


@given(
    st.lists(st.sampled_from("owl moon star trout barn rain fish".split()), max_size=6), st.data()
)
def test_every_matched_document_is_labelled_once(some: list[str], data: st.DataObject) -> None:
    text = st.lists(st.sampled_from([*some, "owl", "moon", "rain"]), max_size=5).map(" ".join)
    texts = data.draw(st.lists(text, max_size=8))
    coverage = Coverage.of(TREE, Corpus.of(texts, ordered=False))
    keywords = [set(terms(keyword)) for topic in TREE for keyword in topic.keywords]
    reached = sum(any(k <= set(terms(text)) for k in keywords) for text in texts)
    assert coverage.topics.sum() == reached == sum(use.decides for use in coverage.uses)
    assert all(use.decides <= use.documents <= len(texts) for use in coverage.uses)
