from __future__ import annotations

import numpy as np
import pytest

from generated_departments import crawl_steps, department
from lycosa.core import Budget
from lycosa.crawler import simulate
from lycosa.goals import Listed
from lycosa.spiders.published.opic import OPIC
from small_sites import DictSite


def test_links_are_followed_with_their_cash():
    received: dict[int, float] = {}
    for step in crawl_steps(OPIC(), department(), 150):
        cash = 1 + received.pop(step.page.number, 0.0)
        if np.isfinite(step.score):
            assert step.score == pytest.approx(cash, rel=1e-5)
        for number in step.page.targets.tolist():
            received[number] = received.get(number, 0.0) + cash / len(step.page.targets)


def test_url_with_the_most_cash_is_next():
    # Both b and c lead to z, so z has more than y, though y was found before it.
    links = {"a": ["b", "c"], "b": ["y", "w", "z"], "c": ["x", "v", "z"]}
    site = DictSite(links, {"papers": ["z"]})
    steps = simulate(site, OPIC(), Listed.of(site, "papers"), Budget())
    assert [step.page.url for step in steps] == ["a", "b", "c", "z", "y", "w", "x", "v"]


def test_page_that_links_to_itself_keeps_that_share():
    site = DictSite({"a": ["a", "b"]}, {"papers": ["b"]})
    policy = OPIC()
    list(simulate(site, policy, Listed.of(site, "papers"), Budget(pages=1)))
    assert policy.score(site.page(0)) == pytest.approx([0.5, 1.5])


def test_explanation_separates_initial_cash():
    policy = OPIC()
    home = next(crawl_steps(policy, department(), 1)).page
    (opinion,) = policy.explain(home, 0)
    assert opinion.value - opinion.base == pytest.approx(1 / len(home.targets))
