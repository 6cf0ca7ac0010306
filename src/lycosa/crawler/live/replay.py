"""Replay of a stored step: the crawl gets the request and the page of an earlier run again.

A resumed crawl and `lycosa why` both restore a crawl by showing it the stored pages in
their order; this function is the part that they share.
"""

from __future__ import annotations

from collections.abc import Iterable

from lycosa.core import Page
from lycosa.crawler.crawl import Crawl
from lycosa.crawler.live.page_reader import LoggedOutcome, PageReader
from lycosa.crawler.storage.store import StoredResponse


def replay_request(
    crawl: Crawl,
    page_reader: PageReader,
    step: LoggedOutcome,
    answer: StoredResponse | None,
    *,
    between: Iterable[str] = (),
    again: bool = False,
) -> tuple[int, Page]:
    """Take the URL of a stored step from the frontier; return its number and its page.

    `answer` is None if it is missing or damaged. `between` has the URLs that redirects went
    through, and `again` says that an earlier step requested the same URL. The caller tells
    the page to the crawl.
    """
    requested = page_reader.number(step.url)
    if again:
        crawl.request_again(requested)
    crawl.take(requested)
    if step.final != step.url:
        numbers = [page_reader.number(url) for url in (*between, step.final)]
        for number in numbers:
            crawl.claim(number)
        crawl.settle(numbers)
    if answer is None:
        return requested, page_reader.read_stored(step, None)
    return requested, page_reader.read_stored(step, answer.body, answer.headers)
