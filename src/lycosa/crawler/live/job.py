"""The configuration of a live crawl, apart from its goal and its policy."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from lycosa.core import Budget
from lycosa.crawler.browser.config import RenderConfig
from lycosa.crawler.http.addresses import AddressPolicy, Lookup, system_lookup
from lycosa.crawler.http.credentials import Credentials
from lycosa.crawler.http.faults import Fault
from lycosa.crawler.http.fetcher import (
    Accept,
    ClientConfig,
    Fetcher,
    Limits,
    SendCheck,
    allow_sending,
    only,
)
from lycosa.crawler.live.page_rules import PageRules
from lycosa.crawler.politeness.pace import Pace
from lycosa.crawler.politeness.robots_cache import RobotsCache
from lycosa.crawler.storage.store import ArchivingStore
from lycosa.documents.formats import NO_TEXT_URL, has_no_text
from lycosa.errors import UsageError
from lycosa.web.suggestions import suggested_url
from lycosa.web.urls import NOT_BLOCKED, BlockedUrls, Scope, canonical

_SITEMAP_TYPES = ("application/xml", "text/xml", "application/gzip", "application/x-gzip")


@dataclass(frozen=True, slots=True)
class Job:
    """Seeds, scope, politeness, limits and budget of a live crawl.

    >>> job = Job(("HTTP://Example.org",), ClientConfig("you@example.org"))
    >>> job.seeds, job.scope.domains
    (('http://example.org/',), ('example.org',))
    """

    seeds: tuple[str, ...]
    """URLs to start from. A crawl with a scope may have none: links come from others."""
    client: ClientConfig
    """The user agent with its contact, and how requests are sent."""
    scope: Scope | None = None
    """The URLs to crawl; None: those on the hosts of the seeds."""
    budget: Budget = field(default_factory=Budget)
    recall: float | None = None
    """Stop when at least this share of the targets was found, by the lower end of the estimate."""
    pace: Pace = field(default_factory=Pace)
    """Delays, back-off and concurrency for each host."""
    limits: Limits = field(default_factory=Limits)
    """Maximum sizes and times of a response."""
    rendering: RenderConfig = field(default_factory=RenderConfig)
    """Which pages are rendered in a browser, and under which limits."""
    addresses: AddressPolicy = field(default_factory=AddressPolicy)
    """The IP addresses that may be connected to."""
    types: tuple[str, ...] = ()
    """MIME types to download; empty: all."""
    robots: bool = True
    """Whether robots.txt is obeyed. Disable it for your own machines only."""
    nofollow: bool = True
    """Whether links are left out that the author asks crawlers not to follow."""
    noindex: bool = True
    """Whether a portal leaves out pages that the author asks not to show."""
    canonical: bool = True
    """Whether a page with another canonical URL leads to it, and is a copy of it in a portal."""
    sitemaps: bool = False
    """Whether the sitemaps that robots.txt names are seeds, too."""
    refresh: bool = False
    """Whether pages that earlier runs fetched are requested again, if they changed."""
    revisits: frozenset[str] | None = None
    """The URLs of the pages that `refresh` requests again; None: all."""
    max_in_flight: int = 64
    """Maximum requests in flight, at all hosts together."""
    redirects: int = 10
    """Maximum redirects that are followed in a row."""
    text_only: bool = False
    """Whether images, sound, archives and programs are left out, by URL or MIME type."""
    random_seed: int = 0
    """Seed of random policies; other than 0 it also shakes the order of equal scores."""
    blocked: BlockedUrls = NOT_BLOCKED
    """The URLs that the owner of the crawl has blocked: they are not requested."""

    def __post_init__(self) -> None:
        seeds = tuple(canonical(seed) or "" for seed in self.seeds)
        if not seeds and self.scope is None:
            raise UsageError("A crawl needs at least one seed: give a URL to start from.")
        if "" in seeds:
            wrong = self.seeds[seeds.index("")]
            like = suggested_url(wrong) or "https://example.org/"
            raise UsageError(f"{wrong!r} is not a web address: write it like {like}.")
        object.__setattr__(self, "seeds", tuple(dict.fromkeys(seeds)))
        if self.scope is None:
            object.__setattr__(self, "scope", Scope.around(self.seeds))
        for name in ("max_in_flight", "redirects"):
            if getattr(self, name) < 1:
                raise UsageError(f"Job.{name} is {getattr(self, name)!r}: give 1 or more.")
        if self.recall is not None and not 0 < self.recall <= 1:
            raise UsageError(f"Job.recall is {self.recall}: give a share above 0 and at most 1.")

    @property
    def followed(self) -> Scope:
        """The URLs that are requested: those in scope that are not blocked.

        With `text_only` they are without files of others.
        """
        assert self.scope is not None  # noqa: S101 - __post_init__ sets it
        scope = replace(self.scope, blocked=self.blocked) if self.blocked else self.scope
        if not self.text_only:
            return scope
        return replace(scope, exclude=(*scope.exclude, NO_TEXT_URL))

    @property
    def page_rules(self) -> PageRules:
        """The directives of authors that are respected when a page is read."""
        return PageRules(self.nofollow, self.canonical, self.client.name.lower())

    @property
    def accept(self) -> Accept | None:
        """The filter of responses by `types`, applied before the download; None: all pass."""
        if not self.types:
            return _text_only if self.text_only else None
        return only(*self.types, *(_SITEMAP_TYPES if self.sitemaps else ()))

    def credentials(self) -> Credentials:
        """Return which request carries which configured headers and cookies."""
        return Credentials(self.client, self.seeds)

    def describe(self, store: object) -> None:
        """Tell a store that writes an archive how the pages of this job are fetched."""
        if isinstance(store, ArchivingStore):
            robots = "obey" if self.robots else "ignore"
            facts = {"robots": robots, "http-header-user-agent": self.client.user_agent}
            store.describe(facts, revisits=self.refresh)

    def http_fetcher(
        self, lookup: Lookup = system_lookup, before_send: SendCheck = allow_sending
    ) -> Fetcher:
        """Return the HTTP fetcher that the job configures.

        `lookup` resolves names, and `before_send` can stop each request at the last moment.
        """
        from lycosa.crawler.http.http_fetcher import HttpFetcher  # loads aiohttp

        return HttpFetcher(
            self.client,
            self.limits,
            self.addresses,
            per_host=self.pace.per_host,
            max_connections=self.max_in_flight,
            lookup=lookup,
            credentials=self.credentials(),
            before_send=before_send,
        )

    def page_fetcher(self, robots: RobotsCache, before_send: SendCheck = allow_sending) -> Fetcher:
        """Return the fetcher of pages: it renders them, if the job says so.

        `robots` has the robots.txt files of the crawl; `before_send` can stop each request,
        also those that rendering takes, at the last moment.
        """
        fetcher = self.http_fetcher(before_send=before_send)
        if self.rendering.mode == "never":
            return fetcher
        from lycosa.crawler.browser.fetcher import RenderingFetcher

        obeyed = robots if self.robots else None
        agent = self.client.user_agent
        return RenderingFetcher(fetcher, self.rendering, obeyed, self.pace, agent)


def _text_only(status: int, type: str, length: int | None) -> str | None:
    """Refuse the pages whose MIME type says that they have no text."""
    return Fault.TYPE_NOT_WANTED if 200 <= status < 300 and has_no_text(type) else None
