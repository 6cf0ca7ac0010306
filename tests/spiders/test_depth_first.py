from hypothesis import given, settings
from hypothesis import strategies as st

from lycosa.crawler import simulate
from lycosa.goals import Listed
from lycosa.spiders import DepthFirst
from small_sites import random_graph_site


@settings(max_examples=30, deadline=None)
@given(st.integers(0, 10**6))
def test_the_order_is_that_of_the_textbook_recursion(seed):
    site = random_graph_site(seed, size=50, links=120, wanted=1)
    expected = []

    def visit(number):
        if number not in expected:
            expected.append(number)
            for target in site.page(number).targets.tolist():
                visit(target)

    visit(0)
    steps = simulate(site, DepthFirst(), Listed("nothing", []))
    assert [step.page.number for step in steps] == expected
