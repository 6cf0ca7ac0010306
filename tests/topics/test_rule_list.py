"""Rule lists: the first matching keyword counts, words of phrases are adjacent."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from lycosa.topics.corpus import Corpus, terms
from lycosa.topics.hierarchy import Hierarchy
from lycosa.topics.rule_list import RuleList

WORDS = ["red", "green", "blue"]
TEXTS = st.lists(st.lists(st.sampled_from(WORDS), max_size=6).map(" ".join), max_size=6)
KEYWORDS = st.lists(
    st.lists(st.sampled_from(WORDS), min_size=1, max_size=3).map(" ".join),
    min_size=1,
    max_size=5,
    unique=True,
)


def tree(keywords):
    return Hierarchy.parse("\n".join(f"t{n}: {keyword}" for n, keyword in enumerate(keywords)))


def together(text, keyword):
    """Return whether the words of a keyword are adjacent, by a slow search."""
    said, wanted = terms(text), terms(keyword)
    return any(said[k : k + len(wanted)] == wanted for k in range(len(said)))


@given(TEXTS, KEYWORDS, st.booleans())
def test_matches_are_those_of_a_search_one_by_one(texts, keywords, ordered):
    rules = RuleList.of(tree(keywords))
    corpus = Corpus.of(texts, ordered=ordered)
    found = rules.matches(corpus).toarray().astype(bool)
    for d, text in enumerate(texts):
        for r, rule in enumerate(rules.rules):
            bag = set(terms(rule.keyword)) <= set(terms(text))
            assert found[d, r] == (together(text, rule.keyword) if ordered else bag)


@given(TEXTS, KEYWORDS)
def test_the_label_is_that_of_the_first_rule_that_matches(texts, keywords):
    rules = RuleList.of(tree(keywords))
    expected = [
        next((rule.topic for rule in rules.rules if together(text, rule.keyword)), -1)
        for text in texts
    ]
    assert rules.labels(Corpus.of(texts)).tolist() == expected


def test_longer_keywords_come_first_then_the_order_of_the_file():
    rules = RuleList.of(tree(["red", "blue", "red green"]))
    assert [rule.keyword for rule in rules.rules] == ["red green", "red", "blue"]


def test_phrase_does_not_match_across_documents():
    rules = RuleList.of(tree(["red green"]))
    assert rules.labels(Corpus.of(["blue red", "green blue"])).tolist() == [-1, -1]


def test_the_words_of_rules_are_numbered_as_in_the_corpus():
    rules = RuleList.of(tree(["red green", "mauve"]))
    corpus = Corpus.of(["green blue red"])
    assert np.asarray(rules.words(corpus).todense()).tolist() == [[1, 0, 1], [0, 0, 0]]
