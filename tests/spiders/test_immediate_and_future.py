import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lycosa.core import Budget
from lycosa.learn.linear_model import LinearModel
from lycosa.spiders.immediate_and_future import ImmediateAndFuture
from small_pages import ANCHOR, LINKS, MIXED, LinkSpec, examples, page, random_model, sites, tables


@settings(deadline=None, max_examples=40)
@given(sites(), LINKS.filter(bool), st.integers(0, 9), st.integers(2, 5), st.booleans())
def test_value_combines_immediate_and_future_reward(site, links, seed, bins, root):
    made = examples(MIXED, site)
    immediate = random_model(made, seed, 2, root)
    future = random_model(made, seed + 1, bins, root)
    spider = ImmediateAndFuture(immediate, future)
    spider.start(Budget())
    shown = page(tables("dc"), links)
    scores = spider.score(shown)
    first = immediate.reader(shown.tables).probabilities(shown).tolist()
    second = future.reader(shown.tables).probabilities(shown).tolist()
    for score, (now, _), (_, *later) in zip(scores, first, second, strict=True):
        worth = sum(p * mean for p, mean in zip(later, future.means[1:], strict=True))
        assert score == pytest.approx(now + (1 - now) * worth / sum(later))


def model(bias, means):
    made = examples(ANCHOR, [(page(tables(), [LinkSpec("a")]), [1.0])])
    weights = (np.zeros((1, len(bias))),)
    return LinearModel(ANCHOR, made.vocabularies, weights, np.array(bias), np.array(means), False)


@pytest.mark.parametrize(
    ("now", "later", "value"),
    [
        ([900.0, 0.0], [0.0, 900.0, 0.0], 1.0),  # certain reward
        ([0.0, 900.0], [0.0, 900.0, 0.0], 0.6),  # none now, much later
        ([0.0, 900.0], [900.0, 0.0, 0.0], 0.0),  # the models disagree: later is past telling
        ([0.0, 0.0], [0.0, -900.0, 900.0], 0.5 + 0.5 * 0.1),
    ],
)
def test_extreme_probabilities(now, later, value):
    spider = ImmediateAndFuture(model(now, [1.0, 0.0]), model(later, [1.0, 0.6, 0.1]))
    spider.start(Budget())
    assert spider.score(page(tables(), [LinkSpec("a")])).tolist() == pytest.approx([value])


def test_start_resets_the_tables():
    links = [LinkSpec("a b", "c", "p"), LinkSpec("b", "", "q")]
    shown, other = page(tables("abc"), links), page(tables("xcba"), links)
    made = examples(MIXED, [(shown, [0.0] * 2)])
    spider = ImmediateAndFuture(random_model(made, 1, 2, False), random_model(made, 2, 3, False))
    scores = []
    for one in (shown, other):
        spider.start(Budget())
        scores.append(spider.score(one).tolist())
    assert scores[0] == scores[1]


@settings(deadline=None, max_examples=40)
@given(sites(), LINKS.filter(bool), st.integers(0, 9), st.integers(2, 5), st.booleans())
def test_contributions_make_up_the_score(site, links, seed, bins, root):
    made = examples(MIXED, site)
    models = random_model(made, seed, 2, root), random_model(made, seed + 1, bins, root)
    spider = ImmediateAndFuture(*models)
    spider.start(Budget())
    shown = page(tables("dc"), links)
    for link, score in enumerate(spider.score(shown).tolist()):
        now, later = spider.explain(shown, link)
        assert now.value + (1 - now.value) * later.value == pytest.approx(score)
        for one in (now, later):
            words = sum(effect.effect for effect in one.effects)
            assert words == pytest.approx(one.value - one.base, abs=1e-6)
