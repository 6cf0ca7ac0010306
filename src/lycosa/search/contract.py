"""Contract search: the depth of the yield, given the remaining resources.

Davidov & Markovitch 2002, "Contract algorithm versus anytime algorithm": a contract search
knows its budget. It chooses the depth from the estimated size of the tree below a node, so
that the tree can still be explored, or from the number of goals still wanted. An anytime
search knows neither and uses one depth.
"""

from __future__ import annotations


def tree_size(branching: float, depth: int) -> float:
    """Return the expected number of nodes of a tree with `depth` levels.

    >>> tree_size(3.0, 1), tree_size(3.0, 3)
    (1.0, 13.0)
    """
    return float(sum(branching**level for level in range(depth)))


def contract_depth(
    branching: float,
    deepest: int,
    *,
    nodes: float | None = None,
    goals: float | None = None,
    rate: float = 0.0,
) -> int:
    """Return the depth of the yield, from 1 to `deepest`.

    * `branching`: mean number of new successors of a node;
    * `nodes`: expansions left; the result is the largest depth whose tree has no more nodes;
    * `goals`: weight still wanted, found at `rate` per node; the result is the smallest depth
      whose tree holds it.

    With both `nodes` and `goals` the result is the lesser of the two.

    >>> [contract_depth(5.0, 4, nodes=left) for left in (1000, 100, 20, 3)]
    [4, 3, 2, 1]
    >>> contract_depth(5.0, 4, goals=2, rate=0.1)
    3
    >>> contract_depth(5.0, 4)
    4
    """
    depth = deepest
    if nodes is not None:
        while depth > 1 and tree_size(branching, depth) > nodes:
            depth -= 1
    if goals is not None:
        enough = [d for d in range(1, depth) if rate * tree_size(branching, d) >= goals]
        depth = min(enough, default=depth)
    return depth
