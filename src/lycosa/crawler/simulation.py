"""Simulation: a crawl of a recorded or computed site, exact, repeatable and fast."""

from __future__ import annotations

from collections.abc import Generator

from lycosa.core import Budget, Goal, Policy, Site, Step
from lycosa.crawler.crawl import Crawl

NO_LIMIT = Budget()


def simulate(
    site: Site, policy: Policy, goal: Goal, budget: Budget = NO_LIMIT, *, random_seed: int = 0
) -> Generator[Step, None, str]:
    """Crawl a site from its seeds; yield a `Step` for every request.

    The iteration may be stopped at any time. If the crawl ends by itself, the
    generator returns the reason, as `Crawl.reason`. A `random_seed` other than 0 shakes
    the order of links that get equal scores at the same time.
    """
    crawl = Crawl(policy, goal, budget, site.seeds, random_seed=random_seed)
    while (number := crawl.next()) is not None:
        yield crawl.tell(site.page(number), number)
    return crawl.reason or ""
