"""Candidate keywords: they match as in the rule list."""

from collections import Counter, defaultdict
from itertools import pairwise

from hypothesis import given, settings
from hypothesis import strategies as st

from lycosa.topics.corpus import Corpus, terms
from lycosa.topics.hierarchy import Hierarchy, Topic
from lycosa.topics.phrases import Phrases
from lycosa.topics.rule_list import RuleList
from lycosa.topics.word_vectors import WordVectors
from subject_documents import documents

WORDS = "Neural networks ATM owl owls barn night of the C3".split()


def phrases_of(corpus):
    return Phrases.of(WordVectors.of(corpus))


@settings(max_examples=60, deadline=None)
@given(
    st.lists(st.lists(st.sampled_from(WORDS), min_size=1, max_size=6), min_size=6, max_size=20),
    st.booleans(),
)
def test_candidates_match_as_in_the_rule_list(texts, ordered):
    corpus = Corpus.of([" ".join(words) for words in texts], ordered=ordered)
    phrases = phrases_of(corpus)
    texts_of = [phrases.text(n) for n in range(len(phrases))]
    assert len({tuple(terms(text)) for text in texts_of}) == len(texts_of)
    for n, text in enumerate(texts_of):
        tree = Hierarchy([Topic(""), Topic("It", (text,), parent=0, depth=1)])
        found = RuleList.of(tree).labels(corpus) == 1
        assert (found == (phrases.present[:, [n]].toarray().ravel() > 0)).all()


def test_pairs_are_adjacent_words_with_lift_of_three():
    corpus, _ = documents(4)
    phrases = phrases_of(corpus)
    telling = {words[0] for words in phrases.words if len(words) == 1}
    tokens = corpus.tokens.tolist()
    often = Counter(tokens)
    meetings, holders = Counter(), defaultdict(set)
    for place, pair in enumerate(pairwise(tokens)):
        if corpus.owners[place] == corpus.owners[place + 1] and pair[0] != pair[1]:
            meetings[pair] += 1
            holders[pair].add(int(corpus.owners[place]))
    wanted = {
        pair
        for pair, count in meetings.items()
        if len(holders[pair]) >= 3
        and count * len(tokens) >= 3 * often[pair[0]] * often[pair[1]]
        and telling & set(pair)
    }
    assert {words for words in phrases.words if len(words) == 2} == wanted
    assert len(wanted) > 10


def test_words_are_written_as_in_titles():
    corpus = Corpus.of(["ATM Networks", "The ATM network", "slow networks", "rain", "the rain"] * 9)
    phrases = phrases_of(corpus)
    names = {phrases.text(n): phrases.title(n) for n in range(len(phrases))}
    assert names["atm"] == "ATM"
    assert names["networks"] == "Networks"
    assert names["atm networks"] == "ATM Networks"
