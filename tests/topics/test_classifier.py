"""Topic classifier, on generated documents and on real papers."""

import numpy as np
import pytest
from bench.topics import CORA, labels

from lycosa.errors import UsageError
from lycosa.topics.classifier import Classifier, vocabulary
from lycosa.topics.corpus import Corpus
from lycosa.topics.hierarchy import Hierarchy
from lycosa.topics.rule_list import RuleList
from lycosa.topics.template import read_template
from recorded_sites import realdata
from topics.generated import TREE, documents

PLAIN = Classifier(calibrated=False)


@pytest.fixture(scope="module")
def made():
    return documents(800, seed=5, links=2.0)


@pytest.fixture(scope="module")
def model(made):
    return Classifier().fit(TREE, made[0])


def right(model, truth):
    return (model.documents.leaves() == truth).mean()


def test_each_step_improves_accuracy(made):
    corpus, truth = made
    steps = [
        Classifier(rounds=0, shrinkage=False, citations=False, calibrated=False),
        Classifier(citations=False, calibrated=False),
        PLAIN,
    ]
    found = [(RuleList.of(TREE).labels(corpus) == truth).mean()]
    found += [right(step.fit(TREE, corpus), truth) for step in steps]
    assert found == sorted(found)
    assert found[0] < 0.65
    assert found[2] > 0.85
    assert found[3] > 0.95


def test_probabilities_are_not_overstated(made, model):
    _, truth = made
    sure = model.documents.shares.max(axis=1)
    correct = model.documents.leaves() == truth
    assert correct[sure > 0.9].mean() > 0.8
    assert sure.mean() <= correct.mean() + 0.05


def test_training_documents_are_placed_as_before(made, model):
    again = model.place(made[0])
    assert (again.leaves() == model.documents.leaves()).mean() > 0.98


def test_new_documents_are_placed_by_words_and_citations(made, model):
    corpus, truth = made
    assert model.place(Corpus.of(["owl feather leaf2x1 leaf2x2"])).leaves().tolist() == [2]
    ship = np.flatnonzero(truth == TREE.find("Machines/Ships"))[:4]
    silent = Corpus.of(["nothing known"], names=["new"])
    alone = model.place(silent)
    cites = model.place(silent, [("new", corpus.names[n]) for n in ship])
    leaf = TREE.leaves.tolist().index(TREE.find("Machines/Ships"))
    assert cites.leaves().tolist() == [TREE.find("Machines/Ships")]
    assert cites.shares[0, leaf] > alone.shares[0, leaf]


def test_a_document_is_placed_the_same_whichever_others_are_placed_with_it(made, model):
    corpus, _ = made
    chance = np.random.default_rng(3)
    words = [f"leaf{n % 9}x{n % 7} top{n % 3}x{n % 5} any{n}x" for n in range(40)]
    texts = [" ".join(chance.choice(words, 30)) for _ in range(40)]
    names = [f"new{n}" for n in range(len(texts))]
    citations = [(name, corpus.names[n]) for name in names for n in chance.integers(0, 500, 4)]
    all_at_once = model.place(Corpus.of(texts, names), citations)
    for n in (0, 17, 39):
        some = [*range(39, n, -3), n]  # the words of a corpus are numbered as they come
        others = Corpus.of([texts[k] for k in some], [names[k] for k in some])
        assert (model.place(others, citations).every[-1] == all_at_once.every[n]).all()


def test_document_without_evidence_is_outside_the_tree(model):
    placed = model.place(Corpus.of(["qwerty", "owl feather leaf2x1 leaf2x2 top1x1"]))
    assert placed.resting().tolist() == [0, 2]
    assert placed.leaves().tolist() == [-1, 2]
    assert model.topics(placed)[0] == []


def test_top_words_are_those_of_the_topic(model):
    birds = [word.word for word in model.top_words(TREE.find("Animals/Birds"), 10)]
    assert sum(word.startswith("leaf2x") or word in {"owl", "feather"} for word in birds) >= 9
    animals = [word.word for word in model.top_words(TREE.find("Animals"), 10)]
    assert sum(word.startswith("top1x") for word in animals) >= 6


def test_top_words_are_not_frequent_everywhere(made):
    corpus, truth = made
    birds = truth == TREE.find("Animals/Birds")
    # In all documents, and somewhat more often in those about birds.
    texts = [
        " ".join([corpus_text(corpus, n), *["the"] * (7 if birds[n] else 5)])
        for n in range(len(corpus))
    ]
    model = Classifier().fit(TREE, Corpus.of(texts, corpus.names))
    words = model.top_words(TREE.find("Animals/Birds"), len(model.words))
    assert "owl" in [word.word for word in words]
    assert "the" not in [word.word for word in words]
    assert "the" in [word.word for word in model.top_words(0, 3)]


def corpus_text(corpus, document):
    return " ".join(corpus.words[n] for n in corpus.tokens[corpus.owners == document].tolist())


def test_an_explanation_names_words_keywords_and_neighbours(made, model):
    corpus, truth = made
    labels_ = RuleList.of(TREE).labels(corpus)
    linked = np.asarray(corpus.citations.sum(axis=1)).ravel() > 0
    number = int(np.flatnonzero((labels_ == truth) & linked)[0])
    reasons = model.explain(corpus, number, int(truth[number]))
    assert {reason.kind for reason in reasons} == {"word", "keyword", "neighbour"}
    assert [r.weight for r in reasons] == sorted((r.weight for r in reasons), reverse=True)
    assert next(r for r in reasons if r.kind == "keyword").weight > 0
    parent = TREE[int(truth[number])].parent
    other = next(leaf for leaf in TREE.leaves.tolist() if TREE[leaf].parent != parent)
    against = model.explain(corpus, number, other)
    assert sum(r.weight for r in reasons) > sum(r.weight for r in against)
    with pytest.raises(UsageError, match="There is no document"):
        model.explain(corpus, len(corpus))


def test_model_without_citations_and_shrinkage(made):
    model = Classifier(shrinkage=False, citations=False, calibrated=False).fit(TREE, made[0])
    assert model.weights is None
    assert model.affinity is None
    assert model.calibration.temperature == 1


def test_the_vocabulary_is_of_words_in_two_documents_and_bounded(monkeypatch):
    corpus = Corpus.of(["a b b", "a c", "c a d"])
    assert list(vocabulary(corpus)) == ["a", "c"]
    monkeypatch.setattr("lycosa.topics.classifier.MAX_WORDS", 1)
    assert list(vocabulary(corpus)) == ["a"]


def test_a_large_corpus_is_calibrated_by_a_sample(made, monkeypatch):
    monkeypatch.setattr("lycosa.topics.classifier.MAX_CALIBRATION_DOCUMENTS", 300)
    model = Classifier().fit(TREE, made[0])
    assert model.calibration.temperature != 1
    assert right(model, made[1]) > 0.9


def test_refuses_no_documents_and_no_matching_keywords():
    with pytest.raises(UsageError, match="no documents"):
        PLAIN.fit(TREE, Corpus.of([]))
    with pytest.raises(UsageError, match="No keyword"):
        PLAIN.fit(TREE, Corpus.of(["nothing", "of it"]))


@realdata
@pytest.mark.skipif(not CORA.is_dir(), reason=f"the papers are not at {CORA}")
def test_accuracy_on_real_papers():
    tree = read_template("computer-science")
    corpus = Corpus.read(CORA / "papers.tsv", CORA / "citations.tsv")
    truth = labels(tree)
    words = Classifier(citations=False, calibrated=False).fit(tree, corpus)
    every = PLAIN.fit(tree, corpus)
    assert right(words, truth) > 0.38
    assert right(every, truth) > 0.48


# Warnings are errors in all tests.
@pytest.mark.parametrize("tree", ["A: x", "A: x\n  C: z\n  D: w, v\nB: y, u", "A\n  B: x\n  C: y"])
@pytest.mark.parametrize(
    "texts",
    [
        ["x", "x"],
        ["", "", " x x", "x"],
        ["x y z w v u"] * 3,
        ["x a b"] * 50 + ["q r s"] * 50,
        ["x"] * 400 + [f"q{n % 150} r{n % 7}" for n in range(200)],
    ],
)
def test_degenerate_documents_give_finite_probabilities_without_warnings(tree, texts):
    hierarchy = Hierarchy.parse(tree)
    corpus = Corpus.of(texts, citations=[("0", str(n)) for n in range(1, len(texts))])
    model = Classifier().fit(hierarchy, corpus)
    for placement in (model.documents, model.place(corpus), model.place(Corpus.of(["", "zzz"]))):
        assert np.isfinite(placement.every).all()
    for topic in range(len(hierarchy)):
        assert all(np.isfinite(word.z) for word in model.top_words(topic))


def test_documents_without_a_common_word_are_refused():
    with pytest.raises(UsageError, match="No word occurs in two documents"):
        Classifier().fit(Hierarchy.parse("A: x"), Corpus.of(["x", "y"]))


@pytest.mark.parametrize("keyword", ["owl", "feather", "wing", "beak", "nest"])
def test_documents_with_one_keyword_only_are_placed(keyword):
    """A fold of the calibration may hide the only keyword that occurs."""
    tree = Hierarchy.parse("Birds: owl, feather, wing, beak, nest")
    model = Classifier().fit(tree, Corpus.of([f"{keyword} at night", f"night at {keyword}"]))
    assert [placed[0].path for placed in model.topics()] == ["Birds", "Birds"]
