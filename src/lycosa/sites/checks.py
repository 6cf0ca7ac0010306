"""Contract tests for any implementation of `Site`."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from lycosa.content import BAGS
from lycosa.core import Page, Site
from lycosa.errors import ContractError


def check_site(site: Site, pages: int = 200) -> None:
    """Raise a `ContractError` if a site breaks its contract.

    Checks the seeds, the goals, and about `pages` pages at even intervals.
    """
    size = len(site)
    _must(isinstance(site, Site), "a site has the attributes that lycosa.core.Site names")
    _must(size > 0, "a site has at least one URL")
    _must(len(site.seeds) > 0, "a site has at least one seed")
    _must(_within(site.seeds, size), "every seed is the number of a URL of the site")
    _must(len(site.tables.urls) == size, "the table of URLs holds every URL of the site")
    for goal in site.goals:
        wanted = site.wanted(goal)
        _must(_within(wanted, size), f"every target of {goal!r} is the number of a URL")
        _must(len(np.unique(wanted)) == len(wanted), f"no target of {goal!r} is listed twice")
    for number in sorted({*site.seeds.tolist(), *range(0, size, max(1, size // pages))}):
        check_page(site.page(number), number, size)
        again = site.page(number)
        _must(
            np.array_equal(site.page(number).targets, again.targets),
            "a page has the same targets every time it is read",
        )
        _must(
            site.tables.urls.find(again.url) == number,
            "a URL leads to its number",
        )


def check_page(page: Page, number: int, size: int) -> None:
    """Raise a `ContractError` if a page of a site with `size` URLs is inconsistent."""
    where = f"page {number}: "
    _must(page.number == number, where + "it has the number that it was requested by")
    _must(_within(page.targets, size), where + "every target is the number of a URL")
    _must(len(np.unique(page.targets)) == len(page.targets), where + "no target occurs twice")
    _must(number not in page.targets, where + "it does not link to itself")
    content = page.content
    links, words = len(page.targets), len(content.tokens)
    _must(len(content.paths) == links, where + "every link has a tag path")
    _must(_within(content.tokens, len(page.tables.words)), where + "every word is in the table")
    _must(_within(content.paths, len(page.tables.paths)), where + "every path is in the table")
    _must(0 <= content.title_size <= words, where + "the title is a part of the words")
    _must(
        np.array_equal(np.unique(content.owner), np.arange(links)),
        where + "every link occurs at least once",
    )
    _must(
        bool((content.heading >= -1).all() and (content.heading < len(content.head_start)).all()),
        where + "a link is under a heading of the page or under none",
    )
    above = content.head_above
    _must(
        bool((above >= -1).all() and (above < np.arange(len(above))).all()),
        where + "a heading is under an earlier one or under none",
    )
    for name in BAGS:
        bag = page.bag(name)
        _must(bag.size == links, where + f"the bag {name!r} covers every link")
        _must(_within(bag.owner, links), where + f"the bag {name!r} belongs to links of the page")
        _must(
            bool((bag.start >= 0).all() and (bag.start <= bag.stop).all())
            and bool((bag.stop <= len(bag.tokens)).all()),
            where + f"the ranges of the bag {name!r} lie within its words",
        )


def _within(numbers: NDArray[Any], size: int) -> bool:
    return bool((numbers >= 0).all() and (numbers < size).all())


def _must(holds: bool, rule: str) -> None:
    if not holds:
        raise ContractError(f"This must hold and does not: {rule}.")
