"""Routing of links: which shard follows a link, by the host of its URL.

The router takes the links to other shards out of those that a page brings to the frontier. A
link is sent once, and again only if its score has risen a lot. Links to a host that has no
shard yet wait until it is decided. What the router knows comes from events alone, so a replay
routes every link as the crawl did.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from lycosa.content import Table
from lycosa.core import Page
from lycosa.crawler.crawl import Crawl
from lycosa.crawler.politeness.robots_cache import authority
from lycosa.snapshots import StateReader, StateWriter

RISE = 0.5
"""A link is sent again if its score is higher than the last one by this share of it."""

_UNDECIDED = -1  # the shard of a URL whose host has none yet
_UNSEEN = -2
_INITIAL_URLS = 1024


class RoutedLink(NamedTuple):
    """A link to the host of another shard: the number of its URL, and the step of its page."""

    number: int
    receiver: int
    url: str
    score: float
    step: int


class HeldLink(NamedTuple):
    """A link to a host that has no shard yet; `source` is the number of its page."""

    score: float
    source: int
    step: int


Send = Callable[[list[RoutedLink]], None]
"""Called with links for other shards."""


class Router:
    """Divides the links of a crawl among the shards.

    Parameters
    ----------
    shard
        The number of the shard whose crawl it is.
    send
        Called with the links of a page, or of a host, that belong to other shards.
    """

    def __init__(self, shard: int, send: Send) -> None:
        self._shard = shard
        self._send = send
        self._crawl: Crawl
        self._urls: Table
        self._homes: dict[str, int] = {}
        self._home = np.full(_INITIAL_URLS, _UNSEEN, np.int16)  # by the number of a URL
        self._sent = np.full(_INITIAL_URLS, -np.inf)  # the last score sent
        self._held: dict[str, dict[int, HeldLink]] = {}
        self._new: list[str] = []

    def attach(self, crawl: Crawl, urls: Table) -> None:
        """Take in the crawl, and its table of URLs."""
        self._crawl, self._urls = crawl, urls

    @property
    def undecided(self) -> int:
        """The number of hosts without a shard to which links wait."""
        return len(self._held)

    @property
    def has_new_hosts(self) -> bool:
        """Whether `take_new_hosts` would return any."""
        return bool(self._new)

    def take_new_hosts(self) -> list[str]:
        """Return the hosts without a shard that were met since the last call."""
        found, self._new = self._new, []
        return found

    def ask_again(self) -> None:
        """Let `take_new_hosts` return all hosts without a shard: after a replay."""
        self._new = list(self._held)

    def home(self, url: str) -> int | None:
        """Return the shard of a URL; None if its host has none yet."""
        return self._homes.get(authority(url))

    def __call__(
        self, page: Page, scores: NDArray[np.float64]
    ) -> tuple[NDArray[Any], NDArray[Any]]:
        """Return the links that this shard follows, with their scores; route the others."""
        targets = page.targets
        home = self._homes_of(targets)
        own = home == self._shard
        if own.all():
            return targets, scores
        step = self._crawl.pages
        links = []
        for k in np.flatnonzero(~own).tolist():
            number, score = targets.item(k), scores.item(k)
            if home[k] == _UNDECIDED:
                self._hold(number, HeldLink(score, page.number, step))
            elif self._is_worth_sending(number, score):
                links.append(RoutedLink(number, home.item(k), self._urls[number], score, step))
        if links:
            self._send(links)
        return targets[own], scores[own]

    def decide(self, host: str, shard: int) -> None:
        """Take in the shard of a host: the links that wait for it go there."""
        if host in self._homes:
            return
        self._homes[host] = shard
        links = []
        for number, held in self._held.pop(host, {}).items():
            self._home[number] = shard
            if shard == self._shard:
                score = np.array([held.score])
                self._crawl.link(np.array([number], np.int32), score, held.source)
            elif self._is_worth_sending(number, held.score):
                links.append(RoutedLink(number, shard, self._urls[number], held.score, held.step))
        if links:
            self._send(links)

    def own(self, url: str) -> None:
        """Take in that a URL belongs to this shard, because another one sent it."""
        self.decide(authority(url), self._shard)

    def save(self, state: StateWriter) -> None:
        """Save what was decided, sent and held."""
        state.keys("hosts", self._homes)
        state.array("homes", np.fromiter(self._homes.values(), np.int16, len(self._homes)))
        state.array("home", self._home)
        state.array("sent", self._sent)
        held = {
            host: [[n, *link] for n, link in links.items()] for host, links in self._held.items()
        }
        state.value("held", held)

    def restore(self, state: StateReader) -> None:
        """Take over a saved state."""
        shards = state.array("homes").tolist()
        self._homes = dict(zip(state.strings("hosts"), shards, strict=True))
        self._home = state.array("home", self._home)
        self._sent = state.array("sent", self._sent)
        held: Mapping[str, list[list[Any]]] = state.value("held")
        self._held = {
            host: {n: HeldLink(*link) for n, *link in links} for host, links in held.items()
        }

    def _homes_of(self, numbers: NDArray[Any]) -> NDArray[np.int16]:
        last = int(numbers.max())
        if last >= len(self._home):
            added = last + 1 - len(self._home) + len(self._home) // 4
            self._home = np.concatenate((self._home, np.full(added, _UNSEEN, np.int16)))
            self._sent = np.concatenate((self._sent, np.full(added, -np.inf)))
        home: NDArray[np.int16] = self._home[numbers]
        if (home == _UNSEEN).any():
            homes, urls = self._homes, self._urls
            for number in numbers[home == _UNSEEN].tolist():
                self._home[number] = homes.get(authority(urls[number]), _UNDECIDED)
            home = self._home[numbers]
        return home

    def _is_worth_sending(self, number: int, score: float) -> bool:
        last = self._sent.item(number)
        if last != -np.inf and not score > last + RISE * abs(last):
            return False
        self._sent[number] = score
        return True

    def _hold(self, number: int, link: HeldLink) -> None:
        host = authority(self._urls[number])
        links = self._held.get(host)
        if links is None:
            links = self._held[host] = {}
            self._new.append(host)
        before = links.get(number)
        if before is None or link.score > before.score:
            links[number] = link
