"""Redirects: one step may go through several URLs, and each of them is gone through once."""

from __future__ import annotations

from lycosa.crawler.crawl import Crawl
from lycosa.crawler.http.faults import Fault
from lycosa.crawler.live.page_reader import PageReader


class Redirects:
    """Where redirects have led so far, by the number of what was asked for at first.

    At most `most` are followed in a row. A URL that one leads to is nobody
    else's from then on.
    """

    def __init__(self, crawl: Crawl, reading: PageReader, most: int) -> None:
        self._crawl = crawl
        self._reading = reading
        self._most = most
        self._chains: dict[int, list[str]] = {}

    def __contains__(self, number: int) -> bool:
        return number in self._chains

    def url(self, number: int) -> str:
        """What is to be asked for next."""
        chain = self._chains.get(number)
        return chain[-1] if chain else self._reading.urls[number]

    def follow(self, number: int, place: str) -> Fault | None:
        """Go on to another place, or say why not."""
        chain = self._chains.get(number) or [self._reading.urls[number]]
        if place in chain:
            return Fault.REDIRECT_LOOP
        if len(chain) > self._most:
            return Fault.TOO_MANY_REDIRECTS
        if not self._reading.allows(place):
            return Fault.OUT_OF_SCOPE
        if not self._crawl.claim(self._reading.number(place)):
            return Fault.KNOWN_PAGE
        self._chains[number] = [*chain, place]
        return None

    def end(self, number: int) -> list[str]:
        """The URLs between the first and the last; this is over."""
        return self._chains.pop(number, [])[1:-1]
