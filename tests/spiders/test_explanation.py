"""Explanations against hand-made models, brute force and the numbers they explain."""

import numpy as np
import pytest

import lycosa
from lycosa.content import Content, Table, Tables
from lycosa.core import Page, ScoreContribution
from lycosa.learn.linear_model import LinearModel
from lycosa.learn.naive_bayes import word_weights
from lycosa.learn.neighbourhoods import Channel, Neighbourhood
from lycosa.learn.vocabularies import Vocabulary
from lycosa.spiders import BreadthFirst, spider
from lycosa.spiders.explanation import explain_link, explain_score, is_naive_bayes, predictive_words

ANCHOR = Neighbourhood("anchor", (Channel("link", ("anchor",)),))


def naive_bayes(words, counts, links, neighbourhood=ANCHOR, means=None):
    weights = [word_weights(np.array(table, float)) for table in counts]
    prior = np.log(np.array(links) / sum(links))
    means = np.array(means or np.linspace(1, 0, len(links)))
    vocabularies = tuple(map(Vocabulary, words))
    return LinearModel(neighbourhood, vocabularies, tuple(weights), prior, means, root=False)


def machine(words, weights, bias, means, slope=1.0, neighbourhood=ANCHOR):
    tables = tuple(np.array(table, float) for table in weights)
    vocabularies = tuple(map(Vocabulary, words))
    return LinearModel(
        neighbourhood, vocabularies, tables, np.array(bias, float), np.array(means), True, slope
    )


def page(*anchors):
    """Return a page whose links have these words as anchors, and nothing else."""
    words = Table()
    rows = [words.numbers(anchor.split()) for anchor in anchors]
    ends = np.cumsum([0, *map(len, rows)]).astype(np.int32)
    size = len(rows)
    every = np.arange(size, dtype=np.int32)
    zeros = np.zeros(size, np.int32)
    content = Content(
        tokens=np.array([n for row in rows for n in row], np.int32),
        paths=zeros,
        url_start=zeros,
        url_stop=zeros,
        owner=every,
        start=ends[:-1],
        stop=ends[1:],
        heading=zeros - 1,
    )
    tables = Tables(words, Table(map(str, range(size + 1))), Table(["/html/a"]))
    return Page(0, tables, every + 1, content)


def test_naive_bayes_words_are_ranked_by_weighted_log_odds():
    model = naive_bayes([["ps", "home", "the"]], [[[8, 0, 1], [0, 5, 4], [3, 3, 3]]], [2, 1, 1])
    assert is_naive_bayes(model)
    p = np.exp(model.weights[0])
    share = (p[:, 1] + p[:, 2]) / 2  # the other bins have as many links
    scores = p[:, 0] * np.log(p[:, 0] / share)
    best, *rest = predictive_words(model, 0)
    assert best == ("ps", "link", pytest.approx(scores[0]))
    assert rest == []  # the others speak against it
    assert [word.word for word in predictive_words(model, 1)][:1] == ["home"]
    assert len(predictive_words(model, 2, count=1)) == 1


def test_svm_words_are_ranked_by_their_lead_over_the_next_bin():
    weights = [[3.0, 0.0, 0.0], [0.0, 2.0, -2.0], [1.0, 1.0, 1.0]]
    model = machine([["ps", "pubs", "the"]], [weights], [0.0, -1.0, 5.0], [1.0, 0.5, 0.0], 2.0)
    assert not is_naive_bayes(model)
    assert predictive_words(model, 0) == [("ps", "link", 6.0)]
    assert predictive_words(model, 1) == [("pubs", "link", 4.0)]
    assert predictive_words(model, 2) == []


def test_words_come_with_their_channel():
    two = Neighbourhood("two", (Channel("a", ("anchor",)), Channel("u", ("url",))))
    counts = [[[9, 0], [1, 9]], [[5, 0], [5, 9]], np.zeros((0, 2))]
    model = naive_bayes([["ps", "x"], ["ps", "x"]], counts[:2], [1, 1], two)
    assert [(w.word, w.channel) for w in predictive_words(model, 0)] == [("ps", "a"), ("ps", "u")]
    silent = naive_bayes([["ps", "x"], []], [counts[0], counts[2]], [1, 1], two)
    assert [(w.word, w.channel) for w in predictive_words(silent, 0)] == [("ps", "a")]


def integrated(model, exponents, steps=20_000):
    """Return the effects by summation over a fine grid."""
    total = np.zeros(len(exponents))
    bias = model.slope * model.bias
    for t in (np.arange(steps) + 0.5) / steps:
        p = np.exp(bias + t * exponents.sum(axis=0))
        p /= p.sum()
        total += exponents @ (p * (model.means - p @ model.means)) / steps
    return total


def test_effects_equal_numerical_integration():
    weights = [[3.0, 0.0, 0.5], [0.0, 4.0, -2.0], [-1.0, 1.0, 1.0]]
    means = [1.0, 0.5, 0.0]
    model = machine([["ps", "pubs", "the"]], [weights], [0.0, -1.0, 2.0], means, 1.5)
    shown = page("home", "the ps ps unknown")
    why = explain_link(model.reader(shown.tables), shown, 1)
    # Four words, one of them unknown: all count for the length.
    rows = np.array([weights[2], 2 * np.array(weights[0])]) * 1.5 / np.sqrt(4)
    expected = dict(zip(["the", "ps"], integrated(model, rows), strict=True))
    assert {e.word: e.effect for e in why.effects} == pytest.approx(expected, abs=1e-7)
    assert {e.word: (e.bag, e.times) for e in why.effects} == {
        "ps": ("anchor", 2),
        "the": ("anchor", 1),
    }
    assert [abs(e.effect) for e in why.effects] == sorted(
        (abs(e.effect) for e in why.effects), reverse=True
    )
    assert sum(why.probabilities) == pytest.approx(1)


def test_link_without_known_words_has_the_base_value():
    model = naive_bayes([["ps"]], [[[3, 0]]], [1, 3])
    shown = page("nothing known", "")
    for index in (0, 1):
        why = explain_link(model.reader(shown.tables), shown, index)
        assert why.effects == ()
        assert why.value == pytest.approx(why.base) == pytest.approx(0.25)


def test_certain_bins_still_have_word_effects():
    """The gradient at the link itself is almost 0."""
    model = naive_bayes([["ps", "home"]], [[[10**6, 0], [0, 10**6]]], [1, 1])
    shown = page("ps " * 30)
    why = explain_link(model.reader(shown.tables), shown, 0)
    assert why.probabilities[0] == pytest.approx(1)
    assert why.effects[0].word == "ps"
    assert why.effects[0].effect == pytest.approx(0.5)


@pytest.mark.parametrize(
    "name",
    ["rl(nb, related, future, bins=4)", "rl(nb, full)", "rl(nb, relative)", "rl(svm, placed)"],
)
def test_effects_add_up_on_a_real_page(name):
    world = lycosa.World(seed=6, departments=2, pages=200)
    (model,) = spider(name).train([world.department(0)], "papers")
    site = world.department(1)
    reader = model.reader(site.tables)
    bags = {bag for channel in model.neighbourhood.channels for bag in channel.bags}
    for number in range(8):
        shown = site.page(number)
        values = reader.values(shown)
        for index in range(len(shown.targets)):
            why = explain_link(reader, shown, index)
            assert why.value == pytest.approx(values[index], abs=1e-12)
            total = sum(effect.effect for effect in why.effects)
            assert why.base + total == pytest.approx(why.value, abs=1e-7)
            assert {effect.bag for effect in why.effects} <= bags
    assert {"pdf", "proceedings", "papers"} & {word.word for word in predictive_words(model, 0)[:3]}


def test_explains_with_the_inner_policy_and_returns_nothing_without_one():
    class Inside(BreadthFirst):
        def explain(self, page, index):
            return [ScoreContribution("inside", float(index))]

    class Around(BreadthFirst):
        def __init__(self, policy):
            self.policy = policy

    shown = page("a", "b")
    assert explain_score(Around(Around(Inside())), shown, 1) == (ScoreContribution("inside", 1.0),)
    assert explain_score(Around(BreadthFirst()), shown, 1) == ()
