"""Naive Bayes against the equations of Rennie & McCallum 1999, written out in plain Python."""

from __future__ import annotations

from collections import Counter
from math import prod

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lycosa.learn.bins import Bins
from lycosa.learn.naive_bayes import NaiveBayes
from small_pages import ANCHOR, LINKS, MIXED, LinkSpec, examples, link_words, page, sites, tables


class Equations:
    """Equations 3 to 5 with a vocabulary for each channel."""

    def __init__(self, pages, which, count, least):
        links = [(p, k) for p, row in pages for k in range(len(row))]
        self.priors = [
            (1 + sum(b == c for b in which)) / (count + len(which)) for c in range(count)
        ]
        self.shares = []
        for channel in MIXED.channels:
            words = [link_words(p, k, channel) for p, k in links]
            totals = Counter(word for mine in words for word in mine)
            known = [word for word, n in totals.items() if n >= least]
            shares = []
            for c in range(count):
                seen = Counter(
                    word for mine, b in zip(words, which, strict=True) if b == c for word in mine
                )
                total = sum(seen[word] for word in known)
                shares.append({word: (1 + seen[word]) / (len(known) + total) for word in known})
            self.shares.append(shares)

    def probabilities(self, link_page, index):
        joint = []
        for c, prior in enumerate(self.priors):
            product = prior
            for channel, shares in zip(MIXED.channels, self.shares, strict=True):
                product *= prod(
                    shares[c].get(w, 1.0) for w in link_words(link_page, index, channel)
                )
            joint.append(product)
        return [p / sum(joint) for p in joint]


@settings(deadline=None, max_examples=40)
@given(sites(), sites(), LINKS, st.integers(2, 4), st.integers(1, 3))
def test_probabilities_follow_the_equations(first, second, new, count, least):
    bins = Bins.by_powers(count, 0.5)
    made = examples(MIXED, first, second, least=least)
    learner = NaiveBayes(made, bins)
    learner.learn(made)
    # Half of its words are unknown to the model.
    shown = page(tables("fedcb"), [LinkSpec(link.anchor + " f", link.url) for link in new], "a f")
    equations = Equations(first + second, bins.of(made.all_values).tolist(), count, least)
    found = learner.model().reader(shown.tables).probabilities(shown)
    expected = [equations.probabilities(shown, k) for k in range(len(new))]
    assert found.shape == (len(new), count)
    assert np.allclose(found, np.array(expected).reshape(found.shape), rtol=0, atol=1e-9)
    assert np.exp(learner.model().bias) == pytest.approx(equations.priors)
    assert learner.model().means == pytest.approx(bins.means(made.all_values))


@settings(deadline=None, max_examples=40)
@given(sites(), sites())
def test_learning_in_two_parts_equals_learning_at_once(first, second):
    bins = Bins.by_powers(3, 0.5)
    both = examples(MIXED, first, second)
    at_once, in_halves = NaiveBayes(both, bins), NaiveBayes(both, bins)
    at_once.learn(both)
    for half in (first, second):
        # Each half has other vocabularies than the model.
        in_halves.learn(examples(MIXED, half))
    one, other = at_once.model(), in_halves.model()
    for a, b in zip(one.weights, other.weights, strict=True):
        assert np.array_equal(a, b)
    assert np.array_equal(one.bias, other.bias)
    assert one.means == pytest.approx(other.means)


def test_model_does_not_change_with_later_learning():
    bins = Bins.by_powers(2, 0.5)
    shown = page(tables(), [LinkSpec("a"), LinkSpec("b")])
    made = examples(ANCHOR, [(shown, [1.0, 0.0])])
    learner = NaiveBayes(made, bins)
    before = learner.model()
    learner.learn(made)
    assert before.weights[0].tolist() == np.log([[0.5, 0.5]] * 2).tolist()
    assert learner.model().weights[0].tolist() == pytest.approx(
        np.log([[2, 1], [1, 2]]) - np.log(3)
    )


def test_words_of_rewarded_links_raise_the_value():
    shown = page(tables(), [LinkSpec("paper pdf"), LinkSpec("home"), LinkSpec("paper home")])
    made = examples(ANCHOR, [(shown, [1.0, 0.0, 0.6])])
    learner = NaiveBayes(made, Bins.by_powers(3, 0.5))
    learner.learn(made)
    values = learner.model().reader(shown.tables).values(shown)
    assert values[0] > values[2] > values[1]
