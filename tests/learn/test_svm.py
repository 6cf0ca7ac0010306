from __future__ import annotations

import numpy as np
import pytest

from lycosa.learn.bins import Bins
from lycosa.learn.examples import TrainingLinks
from lycosa.learn.matrices import feature_matrix
from lycosa.learn.svm import COST, _folds, calibration, machines, train_svm
from small_pages import ANCHOR, LinkSpec, examples, page, tables

# The words of a link, and its value.
KINDS = {"paper pdf": 1.0, "research group": 0.6, "course home": 0.0, "staff home": 0.0}
SHOWN = page(tables(), [LinkSpec(text) for text in ("pdf paper", "research", "course", "unheard")])


def toy(kinds: dict[str, float], sites: int = 3, each: int = 6) -> TrainingLinks:
    rng = np.random.default_rng(3)
    made = []
    for _ in range(sites):
        mine = tables(rng.permutation(["noise", "dust", *" ".join(kinds).split()]).tolist())
        texts = list(kinds) * each
        links = [LinkSpec(f"{text} {rng.choice(['noise', 'dust'])}") for text in texts]
        made.append([(page(mine, links), [kinds[text] for text in texts])])
    return examples(ANCHOR, *made)


@pytest.mark.parametrize("sites", [1, 3])
def test_separates_a_separable_problem(sites):
    model = train_svm(toy(KINDS, sites), Bins.by_powers(3, 0.5))
    reader = model.reader(SHOWN.tables)
    probabilities = reader.probabilities(SHOWN)
    assert probabilities[:3].argmax(axis=1).tolist() == [0, 1, 2]
    assert (probabilities[:3].max(axis=1) > 0.7).all()
    assert model.means.tolist() == pytest.approx([1, 0.6, 0])
    values = reader.values(SHOWN)
    assert values[0] > values[1] > values[2]


def test_probabilities_rise_with_the_decision():
    made = toy({"paper pdf": 1.0, "paper home": 0.0, "course home": 0.0, "course pdf": 1.0})
    bins = Bins.by_powers(2, 0.5)
    texts = [
        "paper pdf pdf",
        "pdf",
        "paper pdf home",
        "pdf home home",
        "home",
        "noise",
        "home dust",
    ]
    shown = page(tables(), [LinkSpec(text) for text in texts])
    weights, bias = machines(feature_matrix(made), bins.of(made.all_values), 2, COST, 0)
    # The same links, read with the vocabulary of the examples.
    rows = examples(ANCHOR, [(shown, [0.0] * len(texts))])
    rows = TrainingLinks(ANCHOR, rows.sites, rows.values, made.vocabularies)
    decisions = (feature_matrix(rows) @ weights + bias)[:, 0]
    assert len(np.unique(decisions)) == len(texts)
    found = train_svm(made, bins).reader(shown.tables).probabilities(shown)[:, 0]
    assert (np.diff(found[np.argsort(decisions)]) > 0).all()


def test_probabilities_are_calibrated():
    """Of the links with the word `maybe` three quarters lead to a reward."""
    kinds = ["maybe one"] * 3 + ["maybe none"] + ["never"] * 4
    values = [1.0] * 3 + [0.0] * 5
    texts = [kind.split()[0] for kind in kinds]
    site = [(page(tables(), [LinkSpec(t) for t in texts] * 30), values * 30)]
    other = [(page(tables(), [LinkSpec(t) for t in texts] * 30), values * 30)]
    model = train_svm(examples(ANCHOR, site, other), Bins.by_powers(2, 0.5))
    shown = page(tables(), [LinkSpec("maybe"), LinkSpec("never")])
    found = model.reader(shown.tables).probabilities(shown)[:, 0]
    assert found == pytest.approx([0.75, 0.0], abs=0.03)


@pytest.mark.parametrize("value", [0.0, 0.6, 1.0])
def test_one_class_only(value):
    bins = Bins.by_powers(3, 0.5)
    made = toy(dict.fromkeys(KINDS, value))
    reader = train_svm(made, bins).reader(SHOWN.tables)
    (k,) = bins.of(np.array([value]))
    assert reader.probabilities(SHOWN)[:, k] == pytest.approx(1)
    assert reader.values(SHOWN) == pytest.approx(value, abs=1e-9)


@pytest.mark.parametrize("missing", [0, 1, 2])
def test_two_of_three_classes(missing):
    worth = {0: (0.6, 0.0), 1: (1.0, 0.0), 2: (1.0, 0.6)}[missing]
    bins = Bins.by_powers(3, 0.5)
    made = toy({"paper pdf": worth[0], "course home": worth[1]})
    shown = page(tables(), [LinkSpec("pdf"), LinkSpec("home")])
    probabilities = train_svm(made, bins).reader(shown.tables).probabilities(shown)
    assert probabilities.argmax(axis=1).tolist() == bins.of(np.array(worth)).tolist()
    assert (probabilities[:, missing] < 1e-9).all()


def test_a_site_that_alone_has_a_class():
    """Holding this site out leaves a single class."""
    plain = [(page(tables(), [LinkSpec("home")] * 4), [0.0] * 4)]
    rich = [(page(tables(), [LinkSpec("home"), LinkSpec("pdf")] * 4), [0.0, 1.0] * 4)]
    model = train_svm(examples(ANCHOR, plain, rich, plain), Bins.by_powers(2, 0.5))
    shown = page(tables(), [LinkSpec("pdf"), LinkSpec("home")])
    values = model.reader(shown.tables).values(shown)
    assert values[0] > values[1]


def test_whole_sites_are_held_out_unless_one_alone_has_a_bin():
    made = toy(KINDS, sites=3, each=1)
    everywhere = np.tile([0, 1, 2, 2], 3)
    assert _folds(made, everywhere).tolist() == [0] * 4 + [1] * 4 + [2] * 4
    lonely = np.array([0, 0, 0, 1] + [2] * 8)
    folds = _folds(made, lonely)
    assert sorted(folds[:3]) == [0, 1, 2]
    assert np.bincount(folds[4:]).tolist() == [3, 3, 2]


def test_machine_with_one_class_always_decides_for_it():
    _, bias = machines(feature_matrix(toy(KINDS)), np.full(72, 1), 3, COST, 0)
    assert bias.tolist() == [-1, 1, -1]
    _, bias = machines(feature_matrix(toy(KINDS))[:0], np.empty(0, int), 2, COST, 0)
    assert bias.tolist() == [-1, -1]


@pytest.mark.parametrize("good", [1, 2, 5])
@pytest.mark.parametrize("sites", [1, 2])
def test_calibration_of_a_small_bin_is_not_inverted(good, sites):
    texts = ["home", "staff"] * 10 + ["pdf"] * good
    site = [(page(tables(), [LinkSpec(t) for t in texts]), [float(t == "pdf") for t in texts])]
    poor = [(page(tables(), [LinkSpec("home")] * 20), [0.0] * 20)]
    model = train_svm(examples(ANCHOR, *[site, poor][:sites]), Bins.by_powers(2, 0.5))
    shown = page(tables(), [LinkSpec("pdf"), LinkSpec("home"), LinkSpec("staff")])
    values = model.reader(shown.tables).values(shown)
    assert values[0] > 0.5 > max(values[1:])


def test_accepts_a_site_with_few_links():
    for links in range(1, 4):
        site = [(page(tables(), [LinkSpec("pdf")] * links), [1.0, 0.0, 0.0][:links])]
        model = train_svm(examples(ANCHOR, site), Bins.by_powers(2, 0.5))
        assert np.isfinite(model.bias).all()


def test_the_same_seed_gives_the_same_model():
    bins = Bins.by_powers(3, 0.5)
    one, two = (train_svm(toy(KINDS), bins, seed=4) for _ in range(2))
    assert np.array_equal(one.weights[0], two.weights[0])
    assert np.array_equal(one.bias, two.bias)


def test_calibration_is_a_softmax_over_present_classes():
    rng = np.random.default_rng(0)
    which = rng.integers(0, 2, 300) * 2  # bins 0 and 2 of four
    decisions = rng.normal(size=(300, 4))
    decisions[:, 0] += np.where(which == 0, 2, -2)
    turn, shift = calibration(decisions, which, 4)
    exponents = decisions @ turn + shift
    assert (exponents[:, [0, 2]].argmax(axis=1) * 2 == which).mean() > 0.9
    assert (exponents[:, [1, 3]] == -30).all()
