from __future__ import annotations

import numpy as np
import pytest

from lycosa.core import Site
from lycosa.errors import UsageError
from lycosa.learn.hashed_model import HashedModel
from lycosa.sites.generated import World
from lycosa.spiders.default.bags import log_odds_of
from lycosa.spiders.default.features import COLUMNS, Features
from lycosa.spiders.default.training import DefaultTraining
from renumbered_site import RenumberedSite
from small_sites import DictSite

WORLD = World(seed=7, departments=3, pages=150)
SITES = [WORLD.department(k) for k in range(3)]


@pytest.fixture(scope="module")
def model() -> HashedModel:
    return DefaultTraining().train(SITES[:2], "papers")


def opinions(model: HashedModel, site: Site) -> tuple[list[float], list[float]]:
    """Return the log-odds of links to targets, and of other links."""
    wanted = set(site.wanted("papers").tolist())
    features, good, bad = Features(), [], []
    for number in range(len(site)):
        page = site.page(number)
        if len(page.targets):
            seen = features.columns(page, range(len(page.targets)), 2)
            values = [log_odds_of(model, bags) for bags in seen]
            for target, value in zip(page.targets.tolist(), values, strict=True):
                (good if target in wanted else bad).append(value)
    return good, bad


def test_separates_targets_from_others_on_an_unseen_site(model):
    good, bad = opinions(model, SITES[2])
    assert len(good) > 20
    assert np.mean([value > np.median(bad) for value in good]) > 0.9


def test_trusts_a_model_that_generalises(model):
    assert model.trust > 0.3
    assert model.faith >= 0
    assert np.isfinite([model.trust, model.faith, model.base, model.bias]).all()
    assert model.weights.shape == (COLUMNS,)


def test_names_the_words_with_the_largest_weights(model):
    assert len(model.telling) > 10
    sizes = [abs(word.weight) for word in model.telling]
    assert sizes == sorted(sizes, reverse=True)
    assert {word.bag for word in model.telling} <= {"anchor", "url", "near", "heads"}
    assert set(sizes) <= set(abs(model.weights).tolist())


def test_training_repeats(model):
    again = DefaultTraining().train(SITES[:2], "papers")
    assert again.weights.tolist() == model.weights.tolist()
    assert (again.trust, again.faith, again.base) == (model.trust, model.faith, model.base)


def test_training_does_not_depend_on_numbering():
    """Numbers of pages and paths differ between sites, so they must have no effect."""
    one, two = (
        DefaultTraining().train([site], "papers") for site in (SITES[0], RenumberedSite(SITES[0]))
    )
    assert two.weights == pytest.approx(one.weights, abs=1e-6)
    assert two.bias == pytest.approx(one.bias, abs=1e-6)


def test_a_single_site_has_default_weights():
    one, two = (DefaultTraining().train([site], "papers") for site in SITES[:2])
    assert (one.trust, one.faith, one.base) == (two.trust, two.faith, two.base)
    assert one.trust > 0


def test_does_not_trust_a_misleading_model():
    """Words that lead to targets on one site lead to other pages on the second."""
    urls = [f"http://h/{kind}/{n}" for kind in ("a", "b") for n in range(40)]
    pair = [
        DictSite({"http://h/": urls}, {"papers": mine}, name=name)
        for name, mine in (("one", urls[:40]), ("two", urls[40:]))
    ]
    assert DefaultTraining().train(pair, "papers").trust < 0.2


def test_refuses_training_without_sites_or_links():
    with pytest.raises(UsageError, match="at least one"):
        DefaultTraining().train([], "papers")
    with pytest.raises(UsageError, match="has a link to learn from"):
        DefaultTraining().train([DictSite({"a": []}, {"papers": ["a"]})], "papers")


def test_a_site_without_targets_gives_low_estimates():
    bare = DefaultTraining().train([DictSite({"a": ["b", "c"]}, {"papers": []})], "papers")
    assert np.isfinite(bare.weights).all()
    assert bare.bias < 0


def test_trains_goals_without_words():
    model = DefaultTraining().train([DictSite({"a": ["b", "c"]}, {"???": ["b"]})], "???")
    assert np.isfinite(model.weights).all()


def test_an_empty_model_returns_its_bias():
    page = SITES[0].page(int(SITES[0].seeds[0]))
    seen = Features().columns(page, range(3), 0)
    model = HashedModel(np.zeros(COLUMNS), -2.0, 1.0, 1.0, 0.0)
    assert [log_odds_of(model, bags) for bags in seen] == [-2.0] * 3
