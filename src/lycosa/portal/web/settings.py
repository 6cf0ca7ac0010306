"""Settings of the server: base URL, rate limit, proxy, hosts, owner's token.

>>> Settings(base_url="https://papers.example.org/spiders/").prefix
'/spiders'
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from urllib.parse import urlsplit

from lycosa.errors import UsageError

RATE = 20.0
"""Default of `Settings.rate`."""
BURST = 5.0
"""Requests that a client may make at once, in seconds of its rate."""

_PATH = re.compile(r"(?:/[A-Za-z0-9._~-]+)*")


@dataclass(frozen=True, slots=True)
class Settings:
    """The options of `lycosa serve`."""

    base_url: str = ""
    """The public URL of the portal; empty: taken from the Host header of each request."""
    rate: float = RATE
    """Requests per second that one client may make in the long run; 0 is no limit."""
    trust_proxy: bool = False
    """Whether X-Forwarded-For and X-Forwarded-Proto come from a trusted proxy."""
    hosts: tuple[str, ...] = ()
    """Host names that are served if there is no `base_url`; empty: any."""
    access_log: str = ""
    """The file that requests are logged to, "-" for the standard output; empty: none."""
    token: str = field(default="", repr=False)
    """The owner's token; empty: the portal has no owner, and sign-in is refused."""

    def __post_init__(self) -> None:
        if self.base_url:
            object.__setattr__(self, "base_url", _normalize(self.base_url))
        if not 0 <= self.rate < float("inf"):
            raise UsageError(
                "The rate must be a number of requests per second, or 0 for no limit, "
                f"not {self.rate:g}."
            )

    @property
    def origin(self) -> str:
        """Scheme and host of the base URL; empty without one."""
        return "/".join(self.base_url.split("/", 3)[:3])

    @property
    def prefix(self) -> str:
        """The path of the base URL, without a trailing slash."""
        return urlsplit(self.base_url).path


def _normalize(url: str) -> str:
    invalid = UsageError(
        f"{url!r} is not a base URL. Write it like https://papers.example.org or "
        "https://example.org/papers, without a query."
    )
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError:
        raise invalid from None
    path = parts.path.rstrip("/")
    if parts.scheme not in ("http", "https") or not parts.hostname or not _PATH.fullmatch(path):
        raise invalid
    if parts.query or parts.fragment or parts.username is not None:
        raise invalid
    host = f"[{parts.hostname}]" if ":" in parts.hostname else parts.hostname
    default = {"http": 80, "https": 443}[parts.scheme]
    return f"{parts.scheme}://{host}{f':{port}' if port and port != default else ''}{path}"
