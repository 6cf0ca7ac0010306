from collections import deque

from hypothesis import given, settings
from hypothesis import strategies as st

from lycosa.crawler import simulate
from lycosa.goals import Listed
from lycosa.spiders import BreadthFirst
from small_sites import random_graph_site


@settings(max_examples=30, deadline=None)
@given(st.integers(0, 10**6))
def test_the_order_is_that_of_a_queue(seed):
    site = random_graph_site(seed, size=50, links=120, wanted=1)
    expected, queue, seen = [], deque([0]), {0}
    while queue:
        expected.append(queue.popleft())
        for target in site.page(expected[-1]).targets.tolist():
            if target not in seen:
                seen.add(target)
                queue.append(target)
    steps = simulate(site, BreadthFirst(), Listed("nothing", []))
    assert [step.page.number for step in steps] == expected
