"""Connected components of a growing graph."""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from lycosa.papers.matching.components import ConnectedComponents


@settings(deadline=None, max_examples=60)
@given(st.lists(st.tuples(st.integers(0, 11), st.integers(0, 11)), max_size=20))
def test_components_equal_a_graph_search(pairs):
    graph = ConnectedComponents()
    one, two = np.array(pairs, np.int64).reshape(-1, 2).T
    graph.join(12, one, two)
    for node in range(12):
        seen, waiting = {node}, [node]
        while waiting:
            here = waiting.pop()
            near = {b for a, b in pairs if a == here} | {a for a, b in pairs if b == here}
            waiting += near - seen
            seen |= near
        assert graph.members(node).tolist() == sorted(seen)
