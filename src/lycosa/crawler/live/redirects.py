"""Redirects in progress: a step may go through several URLs, and no URL belongs to two steps."""

from __future__ import annotations

from lycosa.crawler.crawl import Crawl
from lycosa.crawler.http.faults import Fault
from lycosa.crawler.live.page_reader import PageReader

PERMANENT_REDIRECTS = (301, 308)


class Redirects:
    """The chains of redirects in progress, by the number of the requested URL.

    A redirect claims its target in `crawl`: no other step requests it from then
    on. `page_reader` numbers URLs and knows the scope; at most `max_redirects`
    are followed in a row. The URLs with the numbers in `reclaimable` may be
    claimed once more: a start page that failed in an earlier run led there.
    """

    def __init__(
        self, crawl: Crawl, page_reader: PageReader, max_redirects: int, reclaimable: set[int]
    ) -> None:
        self._crawl = crawl
        self._page_reader = page_reader
        self._max_redirects = max_redirects
        self._reclaimable = reclaimable
        self._chains: dict[int, list[str]] = {}
        self._temporary: set[int] = set()  # chains of which not all redirects are permanent

    def __contains__(self, number: int) -> bool:
        return number in self._chains

    def url(self, number: int) -> str:
        """Return the URL to request next."""
        chain = self._chains.get(number)
        return chain[-1] if chain else self._page_reader.urls[number]

    def follow(self, number: int, location: str, status: int) -> Fault | None:
        """Follow a redirect to `location`; return a fault if it cannot be followed."""
        if status not in PERMANENT_REDIRECTS:
            self._temporary.add(number)
        chain = self._chains.get(number) or [self._page_reader.urls[number]]
        if location in chain:
            return Fault.REDIRECT_LOOP
        if len(chain) > self._max_redirects:
            return Fault.TOO_MANY_REDIRECTS
        if not self._page_reader.allows(location):
            return Fault.OUT_OF_SCOPE
        target = self._page_reader.number(location)
        if not self._crawl.claim(target) and target not in self._reclaimable:
            return Fault.KNOWN_PAGE
        self._reclaimable.discard(target)
        self._chains[number] = [*chain, location]
        return None

    def has_moved(self, number: int, location: str | None) -> bool:
        """Return whether all redirects, the last to `location`, say that a page moved for good."""
        return (location is not None or number in self) and number not in self._temporary

    def end(self, number: int) -> list[str]:
        """Remove the chain of a step; return the URLs between its first and its last."""
        self._temporary.discard(number)
        _, *rest = self._chains.pop(number, None) or [""]
        self._crawl.settle(map(self._page_reader.number, rest))
        return rest[:-1]

    def abandon(self, number: int) -> None:
        """Remove a chain that does not become a step: a resumed crawl may follow it again."""
        self._temporary.discard(number)
        self._chains.pop(number, None)
