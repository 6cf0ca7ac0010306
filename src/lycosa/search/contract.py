"""Contract search: how deep to look, when it is known how much may be spent.

Davidov & Markovitch 2002, "Contract algorithm versus anytime algorithm": the
depth of the yield is chosen from the estimated size of the tree below a node,
so that what is promised can still be collected, or from the number of goals
still wanted. An anytime search knows neither, and keeps to one depth.
"""

from __future__ import annotations


def tree_size(branching: float, depth: int) -> float:
    """The expected number of nodes of a tree so many levels deep.

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
    """The depth at which to ask for yields.

    With `nodes` left to expand: the deepest whose tree can still be walked.
    With `goals` still wanted, at a `rate` of so many a node: the least whose
    tree holds them. With both, the lesser. At least 1, at most `deepest`.

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
