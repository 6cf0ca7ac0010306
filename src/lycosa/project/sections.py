"""Every key of the sections of lycosa.toml: where it goes, and what it is for.

A key is a field of one of the objects that a crawl is made of, under a name
for people. What it is if nobody says anything is what that object says.

>>> key = KEYS["politeness.delay"]
>>> key.default, key.kind.read("2m")
(1.0, 120.0)
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import MISSING, dataclass, fields
from types import MappingProxyType
from typing import Any

from lycosa.core import Budget
from lycosa.crawler.http.addresses import AddressPolicy
from lycosa.crawler.http.fetcher import ClientConfig, Limits
from lycosa.crawler.live.job import Job
from lycosa.crawler.politeness.pace import Pace
from lycosa.crawler.storage.records import COMPRESSION_LEVEL
from lycosa.crawler.storage.volumes import MAX_VOLUME_BYTES
from lycosa.project import kinds
from lycosa.project.kinds import (
    BYTES,
    COUNT,
    FACTOR,
    FLAG,
    NUMBER,
    SECONDS,
    SHARE,
    TEXT,
    TIMEOUT,
    TIMES,
    Kind,
)
from lycosa.web.urls import Scope


@dataclass(frozen=True, slots=True)
class Storage:
    """How the pages of a project are kept."""

    volume: int = MAX_VOLUME_BYTES
    """Bytes after which a new archive file is begun."""
    level: int = COMPRESSION_LEVEL
    """How hard to compress: 1, quick, to 9, small."""


@dataclass(frozen=True, slots=True)
class Portal:
    """What `lycosa build` makes of a crawl."""

    title: str | None = None
    """What it is called; by default as the folder is."""
    description: str | None = None
    """What is in it, in a sentence."""
    topics: str | None = None
    """A file of topics in the folder, or the name of one that Lycosa has."""
    versions: bool = False
    """Whether report, meeting and journal versions of a paper are works of their own."""


HOMES: Mapping[str, type] = MappingProxyType(
    {
        "job": Job,
        "budget": Budget,
        "scope": Scope,
        "client": ClientConfig,
        "pace": Pace,
        "limits": Limits,
        "addresses": AddressPolicy,
        "storage": Storage,
        "portal": Portal,
    }
)
"""What keys are fields of."""


@dataclass(frozen=True, slots=True)
class Key:
    """One key of a section."""

    section: str
    name: str
    kind: Kind
    home: str
    """Where its value goes: one of `HOMES` and the name of a field."""
    about: str
    """What it is for, in a few words."""
    example: Any = None
    """What to show where there is no default that says something."""
    secret: bool = False
    """Whether its value must not be shown."""

    @property
    def path(self) -> str:
        """Its full name, such as politeness.delay."""
        return f"{self.section}.{self.name}"

    @property
    def default(self) -> Any:
        """What it is if it is not given; None if that is nothing."""
        home, _, name = self.home.partition(".")
        (field,) = (field for field in fields(HOMES[home]) if field.name == name)
        return None if field.default is MISSING else field.default


SECTIONS: Mapping[str, str] = MappingProxyType(
    {
        "budget": "When to stop: at what comes first, or when nothing is left to ask for.",
        "scope": "Where to stay. If nothing is said: the hosts of the seeds and their subdomains.",
        "politeness": "Who asks, and how often servers are asked.",
        "requests": "What a request says, and what it may cost.",
        "safety": "Addresses that are no part of the public web. Allow them on your own networks.",
        "storage": "How pages are kept in archive/.",
        "portal": "The search engine that `lycosa build` makes of what was found.",
    }
)
"""What each section is about."""


def _keys() -> list[Key]:
    return [
        Key("budget", "pages", COUNT, "budget.pages", "most pages", 10_000),
        Key("budget", "targets", COUNT, "budget.targets", "enough pages that are wanted", 100),
        Key("budget", "seconds", TIMEOUT, "budget.seconds", "longest time of a run", 7200.0),
        Key("budget", "score", NUMBER, "budget.score", "least score of links to follow", 0.01),
        Key("budget", "recall", SHARE, "job.recall", "enough of what is there, as estimated", 0.9),

        Key("scope", "domains", kinds.DOMAINS, "scope.domains",
            'hosts with their subdomains; ["*"]: any', ("example.org",)),
        Key("scope", "prefixes", kinds.PREFIXES, "scope.prefixes",
            "what addresses must begin with, one of these", ("https://example.org/papers/",)),
        Key("scope", "exclude", kinds.EXPRESSIONS, "scope.exclude",
            "regular expressions: addresses to keep out of", ("/calendar/",)),

        Key("politeness", "contact", TEXT, "client.contact",
            "your e-mail address, or a page about your crawl", "you@example.org"),
        Key("politeness", "name", TEXT, "client.name",
            "what the spider is called, also in robots.txt"),
        Key("politeness", "delay", SECONDS, "pace.delay",
            "least time between two requests to a host"),
        Key("politeness", "longest-delay", SECONDS, "pace.max_delay",
            "to what Crawl-delay or slowness can raise it"),
        Key("politeness", "slowness", NUMBER, "pace.slowness",
            "rest for a host, in times of its response time"),
        Key("politeness", "per-host", COUNT, "pace.per_host", "requests at a time to a host"),
        Key("politeness", "per-address", COUNT, "pace.per_address",
            "the same to an IP address, whatever hosts are there"),
        Key("politeness", "pages-per-host", COUNT, "pace.pages", "most pages of a host", 1000),
        Key("politeness", "robots", FLAG, "job.robots",
            "obey robots.txt; false only on your own machines"),
        Key("politeness", "sitemaps", FLAG, "job.sitemaps",
            "also take addresses from the sitemaps it names"),
        Key("politeness", "retries", TIMES, "pace.retries",
            "how often to ask again after a failure that may pass"),
        Key("politeness", "back-off", SECONDS, "pace.back_off",
            "wait after a failure; doubles with each further one"),
        Key("politeness", "longest-back-off", SECONDS, "pace.max_back_off",
            "to what that can grow"),
        Key("politeness", "longest-retry-after", SECONDS, "pace.max_retry_after",
            "most of a Retry-After that is honoured"),
        Key("politeness", "failures", COUNT, "pace.failures",
            "so many in a row, and a host is given up for a while"),
        Key("politeness", "quarantine", SECONDS, "pace.quarantine", "that while"),
        Key("politeness", "queue", COUNT, "pace.queue",
            "addresses that may wait for a host at any time"),
        Key("politeness", "ahead", COUNT, "pace.ahead",
            "more of them, times the number of hosts, in all"),
        Key("politeness", "waiting", COUNT, "pace.waiting", "how many may wait in all"),

        Key("requests", "at-once", COUNT, "job.max_in_flight", "under way at all hosts together"),
        Key("requests", "redirects", COUNT, "job.redirects", "how many are followed in a row"),
        Key("requests", "refresh", FLAG, "job.refresh",
            "ask again for pages of earlier runs, if they changed"),
        Key("requests", "types", kinds.TYPES, "job.types",
            "what to download; usually everything", ("text/html", "application/pdf")),
        Key("requests", "largest", BYTES, "limits.transferred", "most bytes of a page, as sent"),
        Key("requests", "largest-decoded", BYTES, "limits.decoded",
            "the same when it is decompressed"),
        Key("requests", "largest-ratio", FACTOR, "limits.ratio",
            "how many times larger it may become by that"),
        Key("requests", "largest-head", BYTES, "limits.head", "most bytes of its headers"),
        Key("requests", "connect-timeout", TIMEOUT, "limits.connect", "to reach a server"),
        Key("requests", "read-timeout", TIMEOUT, "limits.read", "of silence"),
        Key("requests", "total-timeout", TIMEOUT, "limits.total", "for everything"),
        Key("requests", "slowest", NUMBER, "limits.rate", "least bytes a second"),
        Key("requests", "grace", SECONDS, "limits.grace", "how long it may be slower than that"),
        Key("requests", "cookies", FLAG, "client.cookies", "keep them and send them back"),
        Key("requests", "verify", FLAG, "client.verify", "certificates must be valid"),
        Key("requests", "proxy", kinds.PROXY, "client.proxy",
            "all requests go through it, it must check addresses",
            "http://proxy.example.org:3128", secret=True),
        Key("requests", "headers", kinds.HEADERS, "client.headers", "more headers",
            (("Accept-Language", "en"),), secret=True),

        Key("safety", "loopback", FLAG, "addresses.allow_loopback", "this machine: 127.0.0.1, ::1"),
        Key("safety", "private", FLAG, "addresses.allow_private",
            "networks of organisations: 10.0.0.0/8, 192.168.0.0/16, …"),

        Key("storage", "volume", BYTES, "storage.volume", "a new archive file is begun after that"),
        Key("storage", "level", kinds.LEVEL, "storage.level",
            "of compression: 1 is quick, 9 is small"),

        Key("portal", "title", TEXT, "portal.title", "what it is called", "Papers on robots"),
        Key("portal", "description", TEXT, "portal.description", "what is in it, in a sentence",
            "Papers of five departments on robots and vision."),
        Key("portal", "topics", TEXT, "portal.topics",
            "a file of topics here, or one that Lycosa has", "topics.txt"),
        Key("portal", "versions", FLAG, "portal.versions",
            "the versions of a paper are works of their own"),
    ]  # fmt: skip


DEFAULT_SPIDER = "wary(house)"
"""Which one goes out if nobody says so: it needs no training."""

TOP: Mapping[str, str] = MappingProxyType(
    {
        "seeds": 'Where to begin: a list of addresses such as `["https://example.org/"]`.',
        "seeds-file": "More of them from a file in the folder, one a line; `#` skips a line.",
        "goal": "What is wanted: a [query](../explanation/goals.md) in quotes, or a table.",
        "words": "Which words of links point to it: a list, or the name of one of the lists "
        "below. If not given, those of the goal.",
        "spider": f"Who crawls: a name, or a file that `lycosa train` made. "
        f"If not given, `{DEFAULT_SPIDER}`, which needs no training.",
    }
)
"""The keys above all sections, and what they are for."""

KEYS: Mapping[str, Key] = MappingProxyType({key.path: key for key in _keys()})
"""All keys by their full names, in the order in which a new file has them."""
