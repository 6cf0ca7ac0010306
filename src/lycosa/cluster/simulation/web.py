"""A web of aggregates: how many URLs an address serves, and how often it may be asked.

The sizes of addresses follow a power law, cut off where a crawler stops by itself; delays
are the crawler's own for most and longer ones for some; some addresses do not answer. An
address is found by links: the more URLs it has, the sooner.

>>> web = SimulatedWeb.generate(urls=10_000, addresses=100, seed=1)
>>> int(web.sizes.sum()), len(web)
(10000, 100)
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Self

import numpy as np
from numpy.typing import NDArray

from lycosa.cluster.shards import SLOTS, slot_of
from lycosa.errors import UsageError

DEFAULT_DELAY: Final = 1.0
LONG_DELAYS: Final = (5.0, 10.0, 30.0)
"""Delays that robots.txt files ask for, each of the same number of addresses."""


@dataclass(frozen=True)
class SimulatedWeb:
    """The addresses of a web, in the order in which links find them."""

    sizes: NDArray[np.int64]
    """URLs of each address."""
    delays: NDArray[np.float64]
    """Seconds between two requests; infinite for an address that does not answer."""
    found_after: NDArray[np.float64]
    """Pages that the crawl has fetched when a link leads to the address; ascending."""
    slots: NDArray[np.int64]
    """The virtual slot of each address, of `slot_count`."""
    slot_count: int

    @classmethod
    def generate(
        cls,
        *,
        urls: int,
        addresses: int,
        seed: int,
        exponent: float = 0.8,
        max_size: int = 100_000,
        slow_share: float = 0.1,
        dead_share: float = 0.02,
        links_to_others: float = 5.0,
        seeds: int = 100,
        slot_count: int = SLOTS,
    ) -> Self:
        """Generate a web.

        Parameters
        ----------
        urls, addresses
            How many there are.
        seed
            Determines everything.
        exponent
            Of Zipf's law: the address of rank r has a size proportional to r to the minus this.
        max_size
            URLs of an address at most: where a crawl stops at one host.
        slow_share, dead_share
            Addresses that ask for one of `LONG_DELAYS`, and that do not answer.
        links_to_others
            Links of a page that lead to other addresses, to each in proportion to its size.
        seeds
            Addresses that are known at the start.
        slot_count
            Virtual slots; a real crawl has `SLOTS`.
        """
        if not 0 < addresses <= urls <= addresses * max_size:
            raise UsageError(
                f"{urls:,} URLs cannot be at {addresses:,} addresses with 1 to {max_size:,} each."
            )
        chance = np.random.default_rng(seed)
        sizes = chance.permutation(_zipf(urls, addresses, exponent, max_size))
        delays = np.full(addresses, DEFAULT_DELAY)
        slow = chance.random(addresses) < slow_share
        delays[slow] = chance.choice(LONG_DELAYS, int(slow.sum()))
        delays[chance.random(addresses) < dead_share] = np.inf
        # Links fall on addresses as rain: the wait for the first is exponential.
        waits = chance.exponential(size=addresses) / (links_to_others * sizes / urls)
        waits[chance.permutation(addresses)[:seeds]] = 0.0
        order = np.argsort(waits, kind="stable")
        # Names like those of real groups: the hash that places them is the real one.
        slots = np.array([slot_of(_address(n), slot_count) for n in order.tolist()])
        return cls(sizes[order], delays[order], waits[order], slots, slot_count)

    def __len__(self) -> int:
        return len(self.sizes)


def _zipf(urls: int, addresses: int, exponent: float, max_size: int) -> NDArray[np.int64]:
    """Return sizes by rank whose sum is `urls`, each from 1 to `max_size`."""
    shape = np.arange(1, addresses + 1, dtype=np.float64) ** -exponent
    low, high = 0.0, float(urls)
    for _ in range(200):  # bisection: the sum grows with the scale
        middle = (low + high) / 2
        if np.clip(middle * shape, 1, max_size).sum() > urls:
            high = middle
        else:
            low = middle
    sizes = np.clip(low * shape, 1, max_size).astype(np.int64)
    missing = urls - int(sizes.sum())
    while missing > 0:
        room = np.flatnonzero(sizes < max_size)[:missing]
        sizes[room] += 1
        missing -= len(room)
    return sizes


def _address(number: int) -> str:
    return f"10.{number >> 16 & 255}.{number >> 8 & 255}.{number & 255}/{number >> 24}"
