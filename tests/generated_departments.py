"""Generated departments that several tests crawl, each generated once."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

from lycosa.core import Budget, Policy, Site, Step
from lycosa.crawler import simulate
from lycosa.goals import Listed
from lycosa.sites.generated import World


@cache
def department(pages: int = 300, seed: int = 5) -> Site:
    return World(seed=seed, departments=1, pages=pages).department(0)


def crawl_steps(policy: Policy, site: Site, pages: int | None = None) -> Iterator[Step]:
    """Return the steps of a simulated crawl for papers."""
    return simulate(site, policy, Listed.of(site, "papers"), Budget(pages=pages))
