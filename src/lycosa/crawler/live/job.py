"""What a live crawl is to do, apart from what it looks for and how it chooses."""

from __future__ import annotations

from dataclasses import dataclass, field

from lycosa.core import Budget
from lycosa.crawler.http.addresses import AddressPolicy
from lycosa.crawler.http.fetcher import Accept, ClientConfig, Limits, only
from lycosa.crawler.politeness.pace import Pace
from lycosa.errors import UsageError
from lycosa.web.urls import Scope, canonical

_SITEMAPS = ("application/xml", "text/xml", "application/gzip", "application/x-gzip")


@dataclass(frozen=True, slots=True)
class Job:
    """Where to begin, how far to go, how polite to be, and when to stop.

    >>> job = Job(("HTTP://Example.org",), ClientConfig("you@example.org"))
    >>> job.seeds, job.scope.domains
    (('http://example.org/',), ('example.org',))
    """

    seeds: tuple[str, ...]
    manners: ClientConfig
    scope: Scope | None = None
    """Where to stay; None: the hosts of the seeds."""
    budget: Budget = field(default_factory=Budget)
    recall: float | None = None
    """Stop when this share of the targets was found, as far as can be told."""
    pace: Pace = field(default_factory=Pace)
    limits: Limits = field(default_factory=Limits)
    reach: AddressPolicy = field(default_factory=AddressPolicy)
    types: tuple[str, ...] = ()
    """MIME types to download; none means all."""
    robots: bool = True
    """Whether what robots.txt says is done. Say no on your own machines only."""
    sitemaps: bool = False
    """Whether the sitemaps that robots.txt names are read for URLs."""
    refresh: bool = False
    """Whether pages that were fetched by earlier runs are asked for again, if they changed."""
    at_once: int = 64
    """Requests under way, at all hosts together."""
    redirects: int = 10
    """How many are followed in a row."""

    def __post_init__(self) -> None:
        seeds = tuple(canonical(seed) or "" for seed in self.seeds)
        if not seeds:
            raise UsageError("A crawl needs a URL to begin at.")
        if "" in seeds:
            wrong = self.seeds[seeds.index("")]
            raise UsageError(f"{wrong!r} is no web address; write it like https://example.org/.")
        object.__setattr__(self, "seeds", tuple(dict.fromkeys(seeds)))
        if self.scope is None:
            object.__setattr__(self, "scope", Scope.around(self.seeds))
        for name in ("at_once", "redirects"):
            if getattr(self, name) < 1:
                raise UsageError(f"Job.{name} is {getattr(self, name)!r}: give 1 or more.")
        if self.recall is not None and not 0 < self.recall <= 1:
            raise UsageError(f"A share is above 0 and at most 1, not {self.recall}.")

    @property
    def accept(self) -> Accept | None:
        """What decides by its head whether an answer is downloaded; None: all are."""
        if not self.types:
            return None
        return only(*self.types, *(_SITEMAPS if self.sitemaps else ()))
