"""Classes: leaves, and inner topics with keywords."""

import numpy as np
import pytest

from lycosa.topics.classes import TopicClasses
from lycosa.topics.classifier import Classifier
from lycosa.topics.corpus import Corpus
from lycosa.topics.hierarchy import Hierarchy
from lycosa.topics.rule_list import RuleList
from topics.generated import TREE, documents

PETS = Hierarchy.parse("Pets: pet\n  Cats: cat\n  Dogs: dog\nFish\n  Trout: trout\n  Eels: eel")


def test_only_topics_with_keywords_have_a_class_above_leaves():
    classes = TopicClasses(PETS)
    assert classes.own.tolist() == [PETS.find("Pets")]
    assert classes.topics.tolist() == [*PETS.leaves.tolist(), PETS.find("Pets")]
    assert len(classes) == 5


def test_topic_includes_its_class_and_those_below():
    classes = TopicClasses(PETS)
    for topic in range(len(PETS)):
        for column, other in enumerate(classes.topics.tolist()):
            assert classes.below[topic, column] == (topic in PETS.ancestors(other))
            kin = PETS.ancestors(other)[-2] == PETS.ancestors(int(classes.topics[0]))[-2]
            assert classes.kin[0, column] == kin


def test_keyword_counts_for_all_classes_of_its_topic():
    corpus = Corpus.of(["a pet", "a dog", "nothing"])
    marks = TopicClasses(PETS).marks(RuleList.of(PETS), corpus)
    assert marks.astype(int).tolist() == [[1, 1, 0, 0, 1], [0, 1, 0, 0, 0], [0, 0, 0, 0, 0]]


@pytest.mark.parametrize(
    ("length", "above", "least"), [(12, 0.05, 0.75), (12, 0.3, 0.95), (30, 0.05, 0.95)]
)
def test_general_documents_rest_at_the_inner_topic(length, above, least):
    corpus, truth = documents(1000, seed=7, length=length, above=above)
    placed = Classifier().fit(TREE, corpus).documents
    right = placed.resting() == truth
    leaf = np.isin(truth, TREE.leaves)
    assert right[~leaf].mean() > least
    assert right[leaf].mean() > 0.97


def test_leaf_documents_with_words_of_the_inner_topic_stay_in_leaves():
    corpus, truth = documents(1000, seed=7)
    tops = [TREE[TREE[topic].parent].keywords[0] for topic in truth.tolist()]
    named = Corpus.of(
        f"{top if number % 2 else ''} {title}"
        for number, (top, title) in enumerate(zip(tops, corpus.titles, strict=True))
    )
    assert (RuleList.of(TREE).labels(named) == TREE.parents[truth]).mean() > 0.4
    placed = Classifier().fit(TREE, named).documents
    assert (placed.resting() == truth).mean() > 0.95
