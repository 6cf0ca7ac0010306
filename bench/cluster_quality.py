"""What a division into shards costs in targets, and what shared learning gives back.

Recorded sites of several hosts are divided by host into four shards, each with a policy of its
own. The shards take turns, as on machines of equal speed; routing, shared learning, slices of
the budget and their order are the code of the cluster, and PostgreSQL is replaced by lists.
`python -m bench.cluster_quality [uci-ics|webkb]`.
"""

from __future__ import annotations

import sys
import time
from collections import Counter, deque
from collections.abc import Iterator, Sequence

import numpy as np

from bench.compared import HIGH, LOW
from bench.house_cost import DEPARTMENTS
from bench.page import table, write
from lycosa.cluster.budget import is_turn, slice_size
from lycosa.cluster.routing import RoutedLink, Router
from lycosa.cluster.shards import group_of, shard_of
from lycosa.cluster.sharing_policy import sharing_policy
from lycosa.core import Budget, Site
from lycosa.crawler.crawl import Crawl
from lycosa.crawler.politeness.robots_cache import authority
from lycosa.goals import Listed
from lycosa.lab.measures import gap_closed, integral
from lycosa.sites import open_site
from lycosa.spiders import Setup, spider

GOAL = "papers"
SPIDER = "house"
SHARDS = 4
LEARN_ROUNDS = 20
"""Rounds between two deliveries of examples: about two seconds at ten pages a second."""
WANTED = 0.95
PARTS = {
    "uci-ics": ("cluster-quality", ("uci-ics",)),
    "webkb": (
        "cluster-quality-webkb",
        ("webkb-cornell", "webkb-texas", "webkb-washington", "webkb-wisconsin"),
    ),
}
"""The name of each part of the page, and its sites. The rule of the budget was made with uci-ics
at hand; the other sites confirm it."""


class Shard:
    """One shard: a crawl with its router, and what others have sent."""

    def __init__(self, number: int, site: Site, homes: dict[str, int], *, sharing: bool) -> None:
        policy = spider(SPIDER)(Setup(site, GOAL))
        self.number = number
        self.router = Router(number, self._send)
        goal = Listed.of(site, GOAL)
        none = np.array([], np.int32)
        self.crawl = Crawl(policy, goal, Budget(pages=0), none, router=self.router)
        self.router.attach(self.crawl, site.tables.urls)
        for host, shard in homes.items():
            self.router.decide(host, shard)
        self.sharing = sharing_policy(policy) if sharing else None
        self.sent: list[tuple[RoutedLink, bytes]] = []
        self.received: deque[tuple[RoutedLink, bytes]] = deque()
        self.granted = 0

    def _send(self, links: list[RoutedLink]) -> None:
        features: list[bytes] = [b""] * len(links)
        if self.sharing is not None:
            numbers = np.array([link.number for link in links])
            features = list(self.sharing.describe_links(numbers))
        self.sent += zip(links, features, strict=True)

    def take_in(self) -> None:
        """Follow the links that others have sent."""
        if self.received:
            links = list(self.received)
            self.received.clear()
            numbers = np.array([link.number for link, _ in links], np.int32)
            if self.sharing is not None:
                self.sharing.adopt_links(numbers, [features for _, features in links])
            self.crawl.link(numbers, np.array([link.score for link, _ in links]))

    @property
    def has_spent(self) -> bool:
        """Whether all that was granted is requested."""
        return self.crawl.requested >= self.granted

    def grant(self, pages: int) -> None:
        """Grant more pages."""
        self.granted += pages
        self.crawl.budget = Budget(pages=self.granted)

    def give_back(self) -> int:
        """Return what was granted and not spent."""
        unspent = self.granted - self.crawl.requested
        self.grant(-unspent)
        return unspent


def crawl_in_shards(site: Site, shards: int, *, sharing: bool) -> Iterator[bool]:
    """Crawl a site in shards; yield for each request whether it found a target."""
    hosts = {authority(site.tables.urls[n]) for n in range(len(site))}
    homes = {host: shard_of(group_of(host), shards) for host in hosts}
    every = [Shard(k, site, homes, sharing=sharing) for k in range(shards)]
    for seed in np.asarray(site.seeds).tolist():
        home = every[homes[authority(site.tables.urls[seed])]]
        home.crawl.add(np.array([seed], np.int32))
    left, rounds = len(site), 0
    while any(shard.crawl.best is not None for shard in every):
        rounds += 1
        for shard in every:
            best = shard.crawl.best
            if best is None:
                left += shard.give_back()
            if best is not None and shard.has_spent:
                rivals = [
                    other.crawl.best
                    for other in every
                    if other is not shard and other.crawl.best is not None
                ]
                finite = [score for score in rivals if score < np.inf]
                if is_turn(best, max(finite, default=None)):
                    size = slice_size(left, 1 + len(rivals))
                    left -= size
                    shard.grant(size)
            number = shard.crawl.next()
            if number is not None:
                yield shard.crawl.tell(site.page(number), number).reward > 0
        for shard in every:
            for link, features in shard.sent:
                every[link.receiver].received.append((link, features))
            shard.sent.clear()
        for shard in every:
            shard.take_in()
        if sharing and rounds % LEARN_ROUNDS == 0:
            _teach(every)


def _teach(every: list[Shard]) -> None:
    for sender in every:
        if sender.sharing is not None and (examples := sender.sharing.take_examples()):
            for receiver in every:
                if receiver is not sender and receiver.sharing is not None:
                    receiver.sharing.learn_examples(examples)


def crawl_whole(site: Site, name: str) -> Iterator[bool]:
    """Crawl a site on one machine; yield for each request whether it found a target."""
    policy = spider(name)(Setup(site, GOAL))
    crawl = Crawl(policy, Listed.of(site, GOAL), Budget(), site.seeds)
    while (number := crawl.next()) is not None:
        yield crawl.tell(site.page(number), number).reward > 0


def measure(site: Site) -> dict[str, float]:
    """Return the integral of each crawl of a site."""
    targets = len(site.wanted(GOAL))
    runs = {
        LOW: crawl_whole(site, LOW),
        HIGH: crawl_whole(site, HIGH),
        "one machine": crawl_whole(site, SPIDER),
        "four shards": crawl_in_shards(site, SHARDS, sharing=False),
        "four shards, shared learning": crawl_in_shards(site, SHARDS, sharing=True),
    }
    found = {}
    for name, run in runs.items():
        began = time.process_time()
        hits = [n for n, hit in enumerate(run, 1) if hit]
        found[name] = integral(hits, targets, len(site))
        print(f"{name}: {found[name]:.4f}, {time.process_time() - began:.0f} s", flush=True)
    return found


def report(names: Sequence[str]) -> str:
    """Return the text for some sites: of several, the ratio of the sums."""
    sites = [open_site(DEPARTMENTS / name) for name in names]
    sums: Counter[str] = Counter()
    for site in sites:
        sums.update(measure(site))
    low, high = sums.pop(LOW), sums.pop(HIGH)
    gaps = {name: gap_closed(value, low, high) or 0.0 for name, value in sums.items()}
    rows = [[name, f"{gap:.3f}", f"{gap / gaps['one machine']:.3f}"] for name, gap in gaps.items()]
    share = gaps["four shards, shared learning"] / gaps["one machine"]
    verdict = "" if share >= WANTED else f" It is below the {WANTED} that is wanted."
    return (
        f"{', '.join(names)}: {sum(map(len, sites)):,} pages, divided by host into {SHARDS} "
        "shards of one crawl each; untrained. The shards take turns; links and examples travel "
        "as in the cluster.\n\n"
        + table(["crawl", "gap closed", "of one machine"], rows)
        + f"\n\nWith shared learning four shards reach {share:.3f} of one machine.{verdict}"
    )


def main(*names: str) -> None:
    """Measure and write the parts."""
    if not DEPARTMENTS.is_dir():
        sys.exit(f"This benchmark reads the recorded sites at {DEPARTMENTS}, which are not there.")
    for name in names or PARTS:
        part, sites = PARTS[name]
        title = f"A cluster crawl: what the division into shards costs, {name}"
        write(part, title, report(sites), "bench-cluster")


if __name__ == "__main__":
    main(*sys.argv[1:])
