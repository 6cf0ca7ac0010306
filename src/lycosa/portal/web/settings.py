"""How a portal is served: under which address, to whom, and how much.

>>> Settings(base_url="https://papers.example.org/spiders/").prefix
'/spiders'
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from urllib.parse import urlsplit

from lycosa.errors import UsageError

RATE = 20.0
"""Requests a second that one client may make in the long run."""
BURST = 5.0
"""For how many seconds' worth of requests a client may come at once."""

_PATH = re.compile(r"(?:/[A-Za-z0-9._~-]+)*")


@dataclass(frozen=True, slots=True)
class Settings:
    """What `lycosa serve` was told."""

    base_url: str = ""
    """Where readers find the portal; empty: where they asked."""
    rate: float = RATE
    """Requests a second of one client; 0 is no limit."""
    trust_proxy: bool = False
    """Whether X-Forwarded-For and X-Forwarded-Proto were written by a proxy of ours."""
    hosts: tuple[str, ...] = ()
    """The names under which requests are answered without a `base_url`; empty: any."""
    token: str = field(default="", repr=False)
    """The owner's; empty: nobody is the owner."""

    def __post_init__(self) -> None:
        if self.base_url:
            object.__setattr__(self, "base_url", _checked(self.base_url))
        if not 0 <= self.rate < float("inf"):
            raise UsageError(f"A rate is a number of requests a second, or 0, not {self.rate:g}.")

    @property
    def origin(self) -> str:
        """Scheme and host of the base URL, if there is one."""
        return "/".join(self.base_url.split("/", 3)[:3])

    @property
    def prefix(self) -> str:
        """The path under which everything is, without a slash at its end."""
        return urlsplit(self.base_url).path


def _checked(url: str) -> str:
    wrong = UsageError(
        f"{url!r} is no base URL; it looks like https://papers.example.org or "
        "https://example.org/papers, without a query."
    )
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError:
        raise wrong from None
    path = parts.path.rstrip("/")
    if parts.scheme not in ("http", "https") or not parts.hostname or not _PATH.fullmatch(path):
        raise wrong
    if parts.query or parts.fragment or parts.username is not None:
        raise wrong
    host = f"[{parts.hostname}]" if ":" in parts.hostname else parts.hostname
    usual = {"http": 80, "https": 443}[parts.scheme]
    return f"{parts.scheme}://{host}{f':{port}' if port and port != usual else ''}{path}"
