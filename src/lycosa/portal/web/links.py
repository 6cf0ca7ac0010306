"""Addresses within a portal: how its pages name each other.

>>> from lycosa.portal.web.settings import Settings
>>> links = Links(Settings(base_url="https://example.org/papers"))
>>> links.to("/search", q='"spiders" & webs', year=["1997", "1998"])
'/papers/search?q=%22spiders%22+%26+webs&year=1997&year=1998'
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from urllib.parse import quote, urlencode

from starlette.requests import HTTPConnection

from lycosa.portal.web.settings import Settings

_HOST = re.compile(r"([A-Za-z0-9._-]{1,253}|\[[0-9A-Fa-f:.]{2,45}\])(:[0-9]{1,5})?")


class Links:
    """Makes addresses as the settings have it."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._prefix = settings.prefix

    def to(self, path: str, **query: str | int | Sequence[str]) -> str:
        """The address of one of our pages, for a link on another."""
        address = self._prefix + _quoted(path)
        return f"{address}?{urlencode(query, doseq=True)}" if query else address

    def origin(self, request: HTTPConnection) -> str:
        """Scheme and host under which we are known; to be asked when `host` is not None."""
        return self._settings.origin or f"{self.scheme(request)}://{self.host(request)}"

    def absolute(self, request: HTTPConnection, path: str) -> str:
        """The whole URL of a path of ours, which is quoted already where that is needed."""
        return self.origin(request) + self._prefix + path

    def scheme(self, request: HTTPConnection) -> str:
        """How the reader came here."""
        if self._settings.base_url:
            return self._settings.origin.partition(":")[0]
        if self._settings.trust_proxy:
            told = request.headers.get("x-forwarded-proto", "").rpartition(",")[2].strip().lower()
            if told in ("http", "https"):
                return told
        return "https" if request.scope["scheme"] == "https" else "http"

    def host(self, request: HTTPConnection) -> str | None:
        """The host that was asked for; None if that is none, or none of ours."""
        asked = request.headers.get("host", "").lower()
        match = _HOST.fullmatch(asked)
        if match is None:
            return None
        known = self._settings.hosts
        return asked if not known or match[1] in known else None


@lru_cache(maxsize=4096)
def _quoted(path: str) -> str:
    return quote(path, safe="/-._~")
