"""Prefetched URLs: those that the scheduler holds when the scores of links change."""

from __future__ import annotations

from math import inf

from lycosa.crawler.crawl import Crawl
from lycosa.crawler.live.redirects import Redirects
from lycosa.crawler.politeness.robots_cache import authority
from lycosa.crawler.politeness.scheduler import Scheduler

MAX_RETURNED = 64
"""More prefetched URLs, or hosts, are not returned when scores change."""


def return_prefetched(crawl: Crawl, scheduler: Scheduler, redirects: Redirects) -> None:
    """Before scores change, return the prefetched URLs to the crawl, if they are few.

    URLs whose redirects are in progress stay.
    """
    few = scheduler.waiting <= MAX_RETURNED and len(scheduler) <= MAX_RETURNED
    if crawl.rescores and few:
        for number in scheduler.withdraw():
            if number in redirects:
                scheduler.offer(number, authority(redirects.url(number)), inf)
            else:
                crawl.put_back(number)
        crawl.held = scheduler.waiting
