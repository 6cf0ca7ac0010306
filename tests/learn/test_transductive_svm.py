from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lycosa.learn.bins import Bins
from lycosa.learn.examples import LinkBags
from lycosa.learn.transductive_svm import TransductiveSVM, _assign_labels
from small_pages import ANCHOR, LinkSpec, examples, page, tables

BINS = Bins.by_powers(2, 0.5)
# On training sites `x` and `y` carry no information.
KNOWN = {"good x": 1.0, "good y": 1.0, "bad x": 0.0, "bad y": 0.0}
SHOWN = page(tables(), [LinkSpec("x"), LinkSpec("y"), LinkSpec("good"), LinkSpec("bad")])


def known():
    texts = list(KNOWN) * 5
    return examples(
        ANCHOR, [(page(tables(), [LinkSpec(t) for t in texts]), list(KNOWN.values()) * 5)]
    )


def values(texts: list[str]) -> np.ndarray:
    here = page(tables(), [LinkSpec(text) for text in texts])
    machine = TransductiveSVM(known(), BINS)
    model = machine.train(LinkBags.of([here], here.tables, ANCHOR))
    return model.reader(SHOWN.tables).values(SHOWN)


def test_unlabelled_links_move_the_border():
    # On this site `x` occurs with good words, `y` with bad ones.
    x, y, good, bad = values(["good x", "bad y"] * 20)
    assert x > y + 0.1
    assert good > 0.8
    assert bad < 0.2


def test_redundant_links_do_not_move_the_border():
    x, y, good, bad = values(list(KNOWN) * 10)
    assert x == pytest.approx(y, abs=0.01)
    assert good > 0.8
    assert bad < 0.2


def test_unlabelled_links_move_the_border_in_the_other_direction():
    x, y, _, _ = values(["good y", "bad x"] * 20)
    assert y > x + 0.1


@given(
    st.integers(2, 4).flatmap(
        lambda bins: st.tuples(
            st.lists(st.integers(0, 6), min_size=bins, max_size=bins).filter(sum),
            st.integers(0, 9),
        )
    )
)
def test_every_bin_gets_its_share(case):
    sizes, seed = case
    size = sum(sizes)
    exponents = np.random.default_rng(seed).normal(size=(size, len(sizes)))
    labels = _assign_labels(exponents, np.array(sizes) / size)
    assert np.bincount(labels, minlength=len(sizes)).tolist() == sizes


@given(st.lists(st.floats(0, 1), min_size=3, max_size=3).filter(lambda s: sum(s) > 0.1))
def test_fractional_shares_are_rounded(parts):
    shares = np.array(parts) / sum(parts)
    labels = _assign_labels(np.random.default_rng(0).normal(size=(10, 3)), shares)
    sizes = np.bincount(labels, minlength=3)
    assert sizes.sum() == 10
    assert (abs(sizes - 10 * shares) <= 1 + 1e-9).all()


def test_each_bin_gets_its_best_links():
    exponents = np.array([[0.0, 1.0], [3.0, 0.0], [2.0, 0.0], [5.0, 9.0]])
    assert _assign_labels(exponents, np.array([0.5, 0.5])).tolist() == [1, 0, 0, 1]
    # The most valuable bin chooses first, the next among the rest.
    three = np.array([[9.0, 8.0, 0.0], [1.0, 5.0, 0.0], [8.0, 8.0, 0.0], [0.0, 0.0, 1.0]])
    assert _assign_labels(three, np.array([0.25, 0.5, 0.25])).tolist() == [0, 1, 1, 2]


def test_accepts_bins_without_examples():
    made = known()
    here = page(tables(), [LinkSpec("good"), LinkSpec("bad")])
    links = LinkBags.of([here], here.tables, ANCHOR)
    four = TransductiveSVM(made, Bins.by_powers(4, 0.5)).train(links)
    assert (four.reader(SHOWN.tables).probabilities(SHOWN)[:, 1:3] < 1e-9).all()
    nothing = examples(ANCHOR, [(page(tables(), [LinkSpec("a"), LinkSpec("b")]), [0.0, 0.0])])
    model = TransductiveSVM(nothing, BINS).train(links)
    assert model.reader(SHOWN.tables).values(SHOWN) == pytest.approx(0, abs=1e-9)
