"""The table of all keys of the sections of lycosa.toml.

Each key sets a field of one of the objects that configure a crawl. Its default is
the default of that field.

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
from lycosa.crawler.browser.config import RenderConfig
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
    """How the pages of a project are stored."""

    volume: int = MAX_VOLUME_BYTES
    """Bytes after which a new archive file is started."""
    level: int = COMPRESSION_LEVEL
    """Compression level: 1 (fast) to 9 (small)."""
    compact_at: int | None = None
    """Bytes of the archive at which `lycosa keep` compacts it; None: never."""


@dataclass(frozen=True, slots=True)
class Portal:
    """Settings of the portal that `lycosa build` builds from a crawl."""

    title: str | None = None
    """The title; by default the name of the folder."""
    description: str | None = None
    """The content of the portal, in a sentence."""
    topics: str | None = None
    """A topic file in the folder, or the name of a template of Lycosa."""
    versions: bool = True
    """Whether report, meeting and journal versions of a paper are separate works."""
    gone_after: float = 90 * 86_400.0
    """Seconds for which a page that is gone is still shown."""


@dataclass(frozen=True, slots=True)
class Notify:
    """Where `lycosa notify` tells of new works, and of which.

    Passwords are no settings: they are read from the environment, or from a file.
    """

    query: str | None = None
    """Only works that match this query; None: all."""
    mail_to: str | None = None
    """The address to which a digest is sent."""
    mail_from: str | None = None
    """The sender of the digest; None: the contact of the crawl, or `mail_to`."""
    smtp_host: str = "localhost"
    smtp_port: int = 587
    smtp_security: str = "starttls"
    """starttls, tls or none."""
    smtp_user: str | None = None
    """The user name; None: no log-in."""
    smtp_password_file: str | None = None
    """A file with the password; None: the variable LYCOSA_SMTP_PASSWORD."""
    webhook: str | None = None
    """A URL to which new works are posted as JSON."""
    webhook_private: bool = False
    """Whether the webhook may be at an address of this machine or of a private network."""


HOMES: Mapping[str, type] = MappingProxyType(
    {
        "job": Job,
        "budget": Budget,
        "scope": Scope,
        "client": ClientConfig,
        "pace": Pace,
        "limits": Limits,
        "rendering": RenderConfig,
        "addresses": AddressPolicy,
        "storage": Storage,
        "portal": Portal,
        "notify": Notify,
    }
)
"""The objects whose fields the keys set."""


@dataclass(frozen=True, slots=True)
class Key:
    """One key of a section."""

    section: str
    name: str
    kind: Kind
    home: str
    """The field it sets: a name of `HOMES` and the name of a field."""
    about: str
    """Its meaning in a few words."""
    example: Any = None
    """The example to show if it has no default."""
    secret: bool = False
    """Whether its value must not be shown."""

    @property
    def path(self) -> str:
        """The full name, such as politeness.delay."""
        return f"{self.section}.{self.name}"

    @property
    def default(self) -> Any:
        """The default; None if there is none."""
        home, _, name = self.home.partition(".")
        (field,) = (field for field in fields(HOMES[home]) if field.name == name)
        return None if field.default is MISSING else field.default


SECTIONS: Mapping[str, str] = MappingProxyType(
    {
        "budget": "When to stop: at the first limit reached, or when no link is left.",
        "scope": "Which URLs to crawl. Default: the hosts of the seeds and their subdomains.",
        "politeness": "Your identity, and how often hosts get requests.",
        "requests": "Contents and limits of requests.",
        "rendering": "Pages whose content is written by script, shown in a headless Chromium.",
        "safety": "Addresses outside the public web. Allow them on your own networks only.",
        "storage": "How pages are stored in archive/.",
        "portal": "The search portal that `lycosa build` builds from the crawl.",
        "notify": "Whom `lycosa notify`, and `lycosa keep` after each build, tell of new works.",
    }
)
"""The sections and their descriptions."""


def _keys() -> list[Key]:
    return [
        Key("budget", "pages", COUNT, "budget.pages", "maximum number of pages", 10_000),
        Key("budget", "targets", COUNT, "budget.targets", "stop after this many targets", 100),
        Key("budget", "seconds", TIMEOUT, "budget.seconds", "maximum time of a run", 7200.0),
        Key("budget", "score", NUMBER, "budget.score", "minimum score of links to follow", 0.01),
        Key("budget", "recall", SHARE, "job.recall",
            "lower end of the estimated share to stop at", 0.9),

        Key("scope", "domains", kinds.DOMAINS, "scope.domains",
            'hosts, including subdomains; ["*"]: any host', ("example.org",)),
        Key("scope", "prefixes", kinds.PREFIXES, "scope.prefixes",
            "URLs must begin with one of these", ("https://example.org/papers/",)),
        Key("scope", "exclude", kinds.EXPRESSIONS, "scope.exclude",
            "regular expressions: URLs to leave out", ("/calendar/",)),

        Key("politeness", "contact", TEXT, "client.contact",
            "your e-mail address, or a page about your crawl", "you@example.org"),
        Key("politeness", "name", TEXT, "client.name",
            "name of the spider, also for robots.txt"),
        Key("politeness", "delay", SECONDS, "pace.delay",
            "minimum time between two requests to a host"),
        Key("politeness", "longest-delay", SECONDS, "pace.max_delay",
            "upper limit for Crawl-delay and slowness"),
        Key("politeness", "slowness", NUMBER, "pace.slowness",
            "delay as a multiple of the response time"),
        Key("politeness", "per-host", COUNT, "pace.per_host", "concurrent requests to a host"),
        Key("politeness", "per-address", COUNT, "pace.per_address",
            "concurrent requests to an IP address"),
        Key("politeness", "address-delay", SECONDS, "pace.address_delay",
            "minimum time between two requests to an IP address"),
        Key("politeness", "pages-per-host", COUNT, "pace.pages", "maximum pages of a host", 1000),
        Key("politeness", "robots", FLAG, "job.robots",
            "obey robots.txt; false only on your own machines"),
        Key("politeness", "nofollow", FLAG, "job.nofollow",
            "do not follow links that authors mark nofollow"),
        Key("politeness", "noindex", FLAG, "job.noindex",
            "leave pages marked noindex out of the portal"),
        Key("politeness", "canonical", FLAG, "job.canonical",
            "take a page for a copy of its canonical URL"),
        Key("politeness", "sitemaps", FLAG, "job.sitemaps",
            "also add the URLs of its sitemaps"),
        Key("politeness", "retries", TIMES, "pace.retries",
            "retries after a temporary failure"),
        Key("politeness", "back-off", SECONDS, "pace.back_off",
            "wait after a failure; doubles with each further one"),
        Key("politeness", "longest-back-off", SECONDS, "pace.max_back_off",
            "upper limit of the back-off"),
        Key("politeness", "longest-retry-after", SECONDS, "pace.max_retry_after",
            "upper limit of a Retry-After"),
        Key("politeness", "failures", COUNT, "pace.failures",
            "failures in a row before a host is quarantined"),
        Key("politeness", "quarantine", SECONDS, "pace.quarantine", "length of the quarantine"),
        Key("politeness", "queue", COUNT, "pace.queue",
            "URLs that may wait for a host"),
        Key("politeness", "ahead", COUNT, "pace.ahead",
            "further waiting URLs per host, over all hosts"),
        Key("politeness", "waiting", COUNT, "pace.waiting", "maximum number of waiting URLs"),

        Key("requests", "at-once", COUNT, "job.max_in_flight", "concurrent requests to all hosts"),
        Key("requests", "redirects", COUNT, "job.redirects", "maximum number followed in a row"),
        Key("requests", "refresh", FLAG, "job.refresh",
            "request pages of earlier runs again"),
        Key("requests", "random-seed", TIMES, "job.random_seed",
            "of random spiders; shakes equal scores if not 0"),
        Key("requests", "types", kinds.TYPES, "job.types",
            "content types to download; default: all", ("text/html", "application/pdf")),
        Key("requests", "largest", BYTES, "limits.transferred",
            "maximum bytes of a body, as transferred"),
        Key("requests", "largest-decoded", BYTES, "limits.decoded",
            "maximum bytes of a body, decompressed"),
        Key("requests", "largest-ratio", FACTOR, "limits.ratio",
            "maximum ratio of decompressed to transferred"),
        Key("requests", "largest-head", BYTES, "limits.head", "maximum bytes of the headers"),
        Key("requests", "connect-timeout", TIMEOUT, "limits.connect", "to connect to a server"),
        Key("requests", "read-timeout", TIMEOUT, "limits.read", "without data"),
        Key("requests", "total-timeout", TIMEOUT, "limits.total", "for the whole request"),
        Key("requests", "slowest", NUMBER, "limits.rate", "minimum bytes per second"),
        Key("requests", "grace", SECONDS, "limits.grace", "how long it may be slower"),
        Key("requests", "cookies", FLAG, "client.cookies", "store cookies and send them back"),
        Key("requests", "verify", FLAG, "client.verify", "require valid certificates"),
        Key("requests", "proxy", kinds.PROXY, "client.proxy",
            "proxy for all requests; it must check addresses",
            "http://proxy.example.org:3128", secret=True),
        Key("requests", "headers", kinds.HEADERS, "client.headers",
            "additional headers, for the credential-hosts",
            (("Accept-Language", "en"),), secret=True),
        Key("requests", "host-headers", kinds.HOST_HEADERS, "client.host_headers",
            "additional headers for single hosts",
            (("docs.example.org", (("Authorization", "Bearer abc"),)),), secret=True),
        Key("requests", "cookie-file", TEXT, "client.cookie_file",
            "cookies of a browser, for pages behind a log-in", "cookies.txt"),
        Key("requests", "credential-hosts", kinds.ORIGINS, "client.credential_hosts",
            "hosts of headers, cookie-file; default: seeds'", ("example.org",)),

        Key("rendering", "mode", kinds.RENDER_MODE, "rendering.mode",
            "never; auto: where it finds more links; always"),
        Key("rendering", "browser", TEXT, "rendering.browser",
            "a Chromium; default: from the PATH", "/usr/bin/chromium"),
        Key("rendering", "seconds", TIMEOUT, "rendering.seconds",
            "maximum time of the scripts of a page"),
        Key("rendering", "requests", COUNT, "rendering.requests",
            "maximum requests of a page for scripts and data"),
        Key("rendering", "total", TIMEOUT, "rendering.total",
            "maximum time of a page, requests included"),
        Key("rendering", "clock", TIMEOUT, "rendering.clock",
            "time that passes on the page's own clock"),
        Key("rendering", "largest-data", BYTES, "rendering.received",
            "maximum bytes of the scripts and data of a page"),
        Key("rendering", "largest-document", COUNT, "rendering.document",
            "maximum characters of a rendered document"),
        Key("rendering", "heap", BYTES, "rendering.heap", "maximum JavaScript heap of a page"),
        Key("rendering", "memory", BYTES, "rendering.process",
            "maximum memory of a process of the browser"),
        Key("rendering", "at-once", COUNT, "rendering.tabs", "pages rendered at a time"),

        Key("safety", "loopback", FLAG, "addresses.allow_loopback", "this machine: 127.0.0.1, ::1"),
        Key("safety", "private", FLAG, "addresses.allow_private",
            "private networks: 10.0.0.0/8, 192.168.0.0/16, …"),

        Key("storage", "volume", BYTES, "storage.volume", "maximum size of an archive file"),
        Key("storage", "level", kinds.LEVEL, "storage.level",
            "compression level: 1 is fast, 9 is small"),
        Key("storage", "compact-at", BYTES, "storage.compact_at",
            "size at which `lycosa keep` compacts it", 10 << 30),

        Key("portal", "title", TEXT, "portal.title", "title of the portal", "Papers on robots"),
        Key("portal", "description", TEXT, "portal.description", "its content, in a sentence",
            "Papers of five departments on robots and vision."),
        Key("portal", "topics", TEXT, "portal.topics",
            "a topic file here, or a template of Lycosa", "topics.txt"),
        Key("portal", "versions", FLAG, "portal.versions",
            "keep versions of a paper (report, meeting, journal) apart"),
        Key("portal", "gone-after", SECONDS, "portal.gone_after",
            "how long a page that is gone is still shown"),

        Key("notify", "query", TEXT, "notify.query", "only works that match this search",
            "spiders year:2020.."),
        Key("notify", "mail-to", TEXT, "notify.mail_to", "address to mail new works to",
            "you@example.org"),
        Key("notify", "mail-from", TEXT, "notify.mail_from",
            "its sender; default: the same address", "portal@example.org"),
        Key("notify", "smtp-host", TEXT, "notify.smtp_host", "the mail server"),
        Key("notify", "smtp-port", COUNT, "notify.smtp_port", "its port"),
        Key("notify", "smtp-security", kinds.SMTP_SECURITY, "notify.smtp_security",
            "starttls, tls or none"),
        Key("notify", "smtp-user", TEXT, "notify.smtp_user", "the name to log in with", "portal"),
        Key("notify", "smtp-password-file", TEXT, "notify.smtp_password_file",
            "file with the password; default: LYCOSA_SMTP_PASSWORD", "/etc/lycosa/smtp"),
        Key("notify", "webhook", kinds.HTTP_URL, "notify.webhook", "URL to post new works to",
            "https://hooks.example.org/lycosa", secret=True),
        Key("notify", "webhook-private", FLAG, "notify.webhook_private",
            "allow it on this machine or a private network"),
    ]  # fmt: skip


DEFAULT_SPIDER = "wary(house)"
"""The default spider: it needs no training."""

TOP: Mapping[str, str] = MappingProxyType(
    {
        "seeds": 'The start URLs: a list such as `["https://example.org/"]`.',
        "seeds-file": "More start URLs from a file in the folder, one per line; `#` is a comment.",
        "goal": "The pages to find: a [query](../explanation/goals.md) in quotes, or a table.",
        "words": "Words of links that lead to the goal: a list, or the name of one of the lists "
        "below. Default: the words of the goal.",
        "spider": f"The policy: a name, or a file written by `lycosa train`. "
        f"Default: `{DEFAULT_SPIDER}`, which needs no training.",
    }
)
"""The keys above the sections, and their meanings."""

KEYS: Mapping[str, Key] = MappingProxyType({key.path: key for key in _keys()})
"""All keys by full name, in the order of a new file."""
