"""Topic discovery: known subjects are found, and the file can be parsed."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lycosa.errors import UsageError
from lycosa.topics.classifier import Classifier
from lycosa.topics.corpus import Corpus, terms
from lycosa.topics.discovery import discover
from lycosa.topics.hierarchy import Hierarchy
from subject_documents import COMMON, documents, subject_words


def purity(found, truth):
    """Return the share of documents of the most frequent subject of their group."""
    tables = [np.bincount(truth[found == group]).max() for group in np.unique(found)]
    return sum(tables) / len(truth)


def rand(found, truth):
    """Return the adjusted Rand index."""
    table = np.zeros((found.max() + 1, truth.max() + 1))
    np.add.at(table, (found, truth), 1)

    def pairs(n):
        return (n * (n - 1) / 2).sum()

    both, one, other = pairs(table), pairs(table.sum(axis=1)), pairs(table.sum(axis=0))
    chance = one * other / pairs(np.array([len(truth)]))
    return (both - chance) / ((one + other) / 2 - chance)


def test_helpers_of_these_tests() -> None:
    truth = np.array([0, 0, 1, 1])
    assert rand(np.array([1, 1, 0, 0]), truth) == purity(truth, truth) == 1
    assert purity(np.array([0, 0, 0, 0]), truth) == 0.5
    assert rand(np.array([0, 1, 0, 1]), truth) == pytest.approx(-0.5)


@pytest.mark.parametrize("ordered", [True, False])
@pytest.mark.parametrize("seed", [0, 1])
def test_known_subjects_are_found(seed: int, ordered: bool) -> None:
    corpus, truth = documents(seed=seed, ordered=ordered)
    found = discover(corpus, topics=6)
    assert rand(found.groups, truth) > 0.9
    assert len(found.hierarchy.leaves) == 6
    assert {found.hierarchy[n].depth for n in np.unique(found.groups).tolist()} <= {1, 2}


@pytest.mark.parametrize("subjects", [3, 9])
def test_the_number_of_topics_comes_from_the_documents(subjects: int) -> None:
    corpus, truth = documents(subjects, each=100)
    found = discover(corpus)
    # Numbers are tried in steps of a half, so the next larger one may be taken.
    assert subjects <= len(found.hierarchy.leaves) <= 1.6 * subjects
    assert purity(found.groups, truth) > 0.9


def test_names_and_keywords_are_words_of_the_subject() -> None:
    corpus, truth = documents()
    found = discover(corpus, topics=6)
    for leaf in found.hierarchy.leaves.tolist():
        subject = np.bincount(truth[found.groups == leaf]).argmax()
        mine = set(subject_words(int(subject)))
        topic = found.hierarchy[leaf]
        assert set(terms(topic.name)) - {"and"} <= mine
        assert len(topic.keywords) > 3
        assert {word for keyword in topic.keywords for word in terms(keyword)} <= mine
    assert not {word.title() for word in COMMON} & {topic.name for topic in found.hierarchy}


def test_a_discovered_tree_can_be_fitted() -> None:
    corpus, truth = documents(each=40)
    tree = discover(corpus, topics=6).hierarchy
    model = Classifier(calibrated=False).fit(tree, corpus)
    assert purity(model.documents.leaves(), truth) > 0.9


@pytest.mark.parametrize("seed", range(3))
def test_citations_move_documents_together(seed: int) -> None:
    corpus, truth = documents(4, each=15, length=6, seed=seed)
    chance = np.random.default_rng(seed)
    names = corpus.names
    cites = [(a, names[b]) for n, a in enumerate(names) for b in chance.choice(15, 4) * 4 + n % 4]
    cited = Corpus.of(corpus.titles, names, citations=cites)
    assert rand(discover(cited, topics=4).groups, truth) > 0.9
    assert rand(discover(corpus, topics=4).groups, truth) < 0.6


def test_many_groups_get_few_parents() -> None:
    corpus, _ = documents(12, each=30)
    tree = discover(corpus, topics=12).hierarchy
    tops = tree.children(0)
    assert 2 <= len(tops) <= 6
    assert len(tree.leaves) == 12
    paths = [tree.path(number).casefold() for number in range(len(tree))]
    assert len(set(paths)) == len(paths)


def test_the_same_documents_give_the_same_file() -> None:
    first = discover(documents()[0])
    again = discover(documents()[0])
    corpus, _ = documents()
    assert first.text(corpus, "x.tsv") == again.text(corpus, "x.tsv")
    assert np.array_equal(first.groups, again.groups)


def test_refuses_too_few_documents() -> None:
    with pytest.raises(UsageError, match="Only 0 documents share words"):
        discover(Corpus.of([]))
    with pytest.raises(UsageError, match="give more documents, or longer ones"):
        discover(Corpus.of([f"word{n}" for n in range(30)]))


@settings(max_examples=40, deadline=None)
@given(st.data())
def test_discovered_trees_can_be_parsed(data: st.DataObject) -> None:
    word = st.sampled_from(["Owl", "owls", "ATM", "#a", '"q"', "c++", "x:y", "İz", "ß", "1", "a/b"])
    text = st.lists(word, min_size=1, max_size=5).map(" ".join)
    texts = data.draw(st.lists(text, min_size=10, max_size=30))
    corpus = Corpus.of(texts, ordered=data.draw(st.booleans()))
    try:
        found = discover(corpus, topics=data.draw(st.integers(2, 8) | st.none()))
    except UsageError:
        return  # too few of them have words in common
    assert Hierarchy.parse(found.hierarchy.text()) == found.hierarchy
    read = Hierarchy.parse(found.text(corpus, "a\nname"))
    assert [t.keywords for t in read] == [t.keywords for t in found.hierarchy]
    assert len(found.groups) == len(texts)
    assert set(found.groups.tolist()) <= {0, *found.hierarchy.leaves.tolist()}
