"""Suggestions: counts against the rule list, and what must not be proposed."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lycosa.errors import UsageError
from lycosa.topics.classifier import Classifier
from lycosa.topics.corpus import Corpus, terms
from lycosa.topics.hierarchy import Hierarchy
from lycosa.topics.rule_list import RuleList
from lycosa.topics.suggestions import suggest
from subject_documents import documents, subject_words


def tree_of(subjects: int, keywords: int) -> Hierarchy:
    return Hierarchy.parse(
        "\n".join(
            f"S{n}: {', '.join(subject_words(n)[:keywords])}\n  > note {n}" for n in range(subjects)
        )
    )


def suggested(tree, corpus, **options):
    model = Classifier(calibrated=False).fit(tree, corpus)
    return suggest(model, corpus, **options), model


def new_labels(tree, topic, keyword, corpus):
    """Return the labels of the rule list with one keyword added."""
    topics = list(tree)
    topics[topic] = replace(topics[topic], keywords=(*topics[topic].keywords, keyword))
    return RuleList.of(Hierarchy(topics)).labels(corpus)


def test_words_of_the_subject_are_proposed() -> None:
    corpus, _ = documents(4)
    found, _ = suggested(tree_of(4, 2), corpus)
    assert [each.topic for each in found.topics] == [1, 2, 3, 4]
    for each in found.topics:
        assert len(each.proposals) >= 3
        for proposal in each.proposals:
            assert set(terms(proposal.keyword)) <= set(subject_words(each.topic - 1))
    assert found.misleading == ()


@pytest.mark.parametrize("ordered", [True, False])
def test_counts_are_those_of_the_rule_list_itself(ordered: bool) -> None:
    corpus, _ = documents(3, each=40, ordered=ordered)
    tree = tree_of(3, 3)
    found, model = suggested(tree, corpus)
    before = RuleList.of(tree).labels(corpus)
    leaves = model.documents.leaves()
    checked = 0
    for each in found.topics:
        for proposal in each.proposals:
            after = new_labels(tree, each.topic, proposal.keyword, corpus)
            changed = after != before
            assert proposal.documents == changed.sum()
            assert set(after[changed].tolist()) == {each.topic}
            # Nothing is taken from another topic that the model, too, has there.
            assert not (changed & (before >= 0) & (leaves != each.topic)).any()
            assert (leaves[changed] == each.topic).mean() >= 0.6
            for title in proposal.titles:
                assert set(terms(proposal.keyword)) <= set(terms(title))
            checked += 1
    assert checked > 5


@settings(max_examples=15, deadline=None)
@given(st.integers(1, 5), st.integers(0, 50), st.booleans())
def test_no_proposal_is_a_keyword_already(keywords: int, seed: int, ordered: bool) -> None:
    corpus, _ = documents(3, each=20, seed=seed, ordered=ordered)
    tree = tree_of(3, keywords)
    found, _ = suggested(tree, corpus, topics=[1, 2, 3])
    known = [tuple(terms(k)) for topic in tree for k in topic.keywords]
    new = [tuple(terms(p.keyword)) for each in found.topics for p in each.proposals]
    assert len(set(new)) == len(new)
    assert not set(new) & set(known)
    revised = found.revised()
    assert Hierarchy.parse(revised.text()) == revised
    assert [topic.note for topic in revised] == [topic.note for topic in tree]
    assert [topic.name for topic in revised] == [topic.name for topic in tree]


def test_a_word_of_other_topics_is_never_proposed() -> None:
    # Every document of the second topic has the word that would suit the first one best.
    texts = [
        "owl wing feather",
        "wing feather",
        "owl feather",
        "trout feather",
        "trout fin feather",
    ]
    corpus = Corpus.of(texts * 12)
    found, _ = suggested(Hierarchy.parse("Birds: owl\nFish: trout"), corpus)
    assert "feather" not in [p.keyword for each in found.topics for p in each.proposals]


def test_misleading_keyword_is_reported_with_its_documents() -> None:
    corpus, truth = documents(3, each=60)
    # A word of the second subject has been put under the first.
    wrong = subject_words(1)[5]
    lines = [", ".join(subject_words(n)[:5]) for n in range(3)]
    tree = Hierarchy.parse(f"A: {lines[0]}, {wrong}\nB: {lines[1]}\nC: {lines[2]}")
    found, model = suggested(tree, corpus)
    assert [(m.topic, m.keyword, m.instead) for m in found.misleading] == [(1, wrong, 2)]
    (blamed,) = found.misleading
    rules = RuleList.of(tree)
    first = rules.first(rules.matches(corpus))
    decided = first == next(n for n, rule in enumerate(rules.rules) if rule.keyword == wrong)
    assert blamed.decides == decided.sum()
    assert blamed.elsewhere == (decided & (model.documents.leaves() != 1)).sum()
    assert (truth[decided] == 1).all()
    assert f"A: {wrong}: {blamed.elsewhere}" in found.text()


def test_only_thin_topics_get_suggestions_unless_asked_for() -> None:
    corpus, _ = documents(3, each=60)
    lines = [", ".join(subject_words(n)[: 6 if n else 2]) for n in range(3)]
    tree = Hierarchy.parse("\n".join(f"S{n}: {line}" for n, line in enumerate(lines)))
    assert [each.topic for each in suggested(tree, corpus)[0].topics] == [1]
    asked, _ = suggested(tree, corpus, topics=[3])
    assert [each.topic for each in asked.topics] == [3]


def test_text_is_a_valid_topics_file() -> None:
    corpus, _ = documents(3)
    found, _ = suggested(tree_of(3, 2), corpus)
    pasted = Hierarchy.parse(found.text())
    revised = found.revised()
    assert [t.keywords for t in pasted][1:] == [
        revised[each.topic].keywords for each in found.topics
    ]


def test_refuses_inner_topics_and_other_documents() -> None:
    corpus, _ = documents(2, each=20)
    tree = Hierarchy.parse(f"All\n  A: {subject_words(0)[0]}\n  B: {subject_words(1)[0]}")
    model = Classifier(calibrated=False).fit(tree, corpus)
    with pytest.raises(UsageError, match="has topics under it"):
        suggest(model, corpus, topics=[1])
    with pytest.raises(UsageError, match="learned from other documents"):
        suggest(model, corpus.subset(np.arange(5)))
