import numpy as np
import pytest

from lycosa.core import Budget, ExplainingPolicy, Policy
from lycosa.spiders.rl import RL
from small_pages import MIXED, LinkSpec, examples, page, random_model, tables

LINKS = [LinkSpec("a b", "c", "p"), LinkSpec("b", "", "q"), LinkSpec("", "a a", "p")]
SHOWN = page(tables("abc"), LINKS)
MODEL = random_model(examples(MIXED, [(SHOWN, [0.0] * 3)]), seed=1, bins=3, root=False)


def test_score_is_the_value_of_the_model():
    spider = RL(MODEL, "shared")
    assert isinstance(spider, Policy)
    assert spider.name == "shared"
    spider.start(Budget())
    expected = MODEL.reader(SHOWN.tables).values(SHOWN)
    assert len(set(expected)) == 3
    assert spider.score(SHOWN).tolist() == expected.tolist()


def test_start_resets_the_tables():
    spider = RL(MODEL)
    other = page(tables("xcba"), LINKS)
    for shown in (SHOWN, other, SHOWN):
        spider.start(Budget())
        assert np.array_equal(spider.score(shown), MODEL.reader(SHOWN.tables).values(SHOWN))


def test_handles_words_added_during_the_crawl():
    shared = tables()
    spider = RL(MODEL)
    spider.start(Budget())
    spider.score(page(shared, [LinkSpec("new words")]))
    later = page(shared, LINKS)
    assert np.array_equal(spider.score(later), MODEL.reader(SHOWN.tables).values(SHOWN))


def test_effects_add_up_to_score_less_base():
    spider = RL(MODEL, "shared")
    spider.start(Budget())
    assert isinstance(spider, ExplainingPolicy)
    for link, score in enumerate(spider.score(SHOWN).tolist()):
        (opinion,) = spider.explain(SHOWN, link)
        assert (opinion.part, opinion.value) == ("shared", pytest.approx(score))
        assert sum(e.effect for e in opinion.effects) == pytest.approx(score - opinion.base)
