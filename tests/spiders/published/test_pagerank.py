from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from generated_departments import crawl_steps, department
from lycosa.core import Budget, Step
from lycosa.spiders.published.pagerank import PageRank
from small_sites import DictSite

LETTERS = "abcdefgh"
GRAPHS = st.dictionaries(
    st.sampled_from(LETTERS), st.lists(st.sampled_from(LETTERS), unique=True), min_size=1
)


def by_definition(links: dict[str, list[str]]) -> dict[str, float]:
    """Return the fixed point of PageRank on all named pages, by a linear system."""
    names = sorted({*links, *(target for row in links.values() for target in row)})
    size = len(names)
    step = np.full((size, size), 1 / size)
    for name, row in links.items():
        if row:
            step[:, names.index(name)] = [(other in row) / len(row) for other in names]
    ranks = np.linalg.solve(np.eye(size) - 0.9 * step, np.full(size, 0.1))
    return dict(zip(names, ranks.tolist(), strict=True))


@given(GRAPHS)
def test_ranks_follow_the_definition(links):
    site = DictSite(links)
    policy = PageRank()
    policy.start(Budget())
    for n, url in enumerate(links, 1):
        policy.observe(Step(n, site.page(site.tables.urls.find(url)), 0.0))
    for _ in range(8):  # each goes on where the last one ended
        waiting = policy._recompute()
    expected = by_definition(links)
    urls = site.tables.urls
    assert {urls[n] for n in waiting.tolist()} == expected.keys() - links.keys()
    found = {url: policy._rank.at(urls.find(url)) for url in expected}
    assert found == pytest.approx(expected, rel=1e-4)


def test_rescores_at_growing_intervals():
    times: list[int] = []
    fetched: list[int] = []

    class Watched(PageRank):
        def observe(self, step):
            scores = super().observe(step)
            if scores is not None:
                times.append(step.n)
                assert not {*scores.numbers.tolist()} & {*fetched}
            fetched.append(step.page.number)
            return scores

    list(crawl_steps(Watched(), department(), 160))
    assert times == [30, 45, 68, 102, 153]


def test_new_links_have_what_their_page_passes_on():
    site = DictSite({"a": ["b", "c"], "b": ["c", "d"]})
    policy = PageRank()
    policy.start(Budget())
    policy.observe(Step(1, site.page(0), 0.0))
    assert policy.score(site.page(0)) == pytest.approx([0.55, 0.55])
    policy.observe(Step(2, site.page(1), 0.0, 0))
    new = 0.1 + 0.9 * 0.55 / 2
    assert policy.score(site.page(1)) == pytest.approx([0.55, new])
    (opinion,) = policy.explain(site.page(1), 1)
    assert opinion.value == pytest.approx(new)
    assert opinion.about == f"{new - 0.1:.3g} of it from this page"
