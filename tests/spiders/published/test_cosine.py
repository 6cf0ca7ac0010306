from __future__ import annotations

from collections import Counter
from math import sqrt

import pytest
from hypothesis import given

from heading_pages import pages
from lycosa.spiders.published.cosine import Cosine
from small_pages import LinkSpec, page, tables

GOAL = ("a", "b", "elsewhere")


def by_definition(text: list[str]) -> float:
    times = Counter(text)
    shared = sum(times[word] for word in GOAL)
    return shared / sqrt(sum(n * n for n in times.values()) * len(GOAL)) if shared else 0.0


@given(pages(least=2))
def test_cosine_follows_the_definition(page):
    cosine = Cosine(GOAL)
    assert cosine.of_page(page) == pytest.approx(by_definition(page.text.split()))
    for bags in (("anchor",), ("url",), ("anchor", "near")):
        expected = [
            by_definition([word for bag in bags for word in page.link(k).bags[bag]])
            for k in range(len(page.targets))
        ]
        assert cosine.of_links(page, *bags) == pytest.approx(expected)


@given(pages(least=1))
def test_effects_add_up_to_the_cosine(page):
    cosine = Cosine(GOAL)
    whole = sum(effect.effect for effect in cosine.page_effects(page, 3.0))
    assert whole == pytest.approx(3 * cosine.of_page(page))
    for k, value in enumerate(cosine.of_links(page, "anchor", "near").tolist()):
        effects = cosine.link_effects(page, k, 0.5, "anchor", "near")
        assert sum(effect.effect for effect in effects) == pytest.approx(0.5 * value)
        assert all(effect.word in GOAL for effect in effects)


def test_repeated_words_of_the_goal_count_once():
    shared = page(tables(), [LinkSpec("a a b")])
    assert Cosine(("a", "b", "a")).of_page(shared) == Cosine(("a", "b")).of_page(shared)


def test_finds_words_added_later_and_resets_for_a_new_table():
    shared = tables()
    cosine = Cosine(GOAL)
    assert cosine.of_page(page(shared, [LinkSpec("x y")])) == 0
    assert cosine.of_page(page(shared, [LinkSpec("a b elsewhere")])) == pytest.approx(1)
    cosine.forget()
    assert cosine.of_page(page(tables("uvw"), [LinkSpec("a b elsewhere")])) == pytest.approx(1)
