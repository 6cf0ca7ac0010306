"""URLs of a portal's own pages.

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
    """Builds URLs under the base URL and prefix of the settings."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._prefix = settings.prefix

    def to(self, path: str, **query: str | int | Sequence[str]) -> str:
        """Return the relative URL of a page, for a link on another page."""
        url = self._prefix + _quote(path)
        return f"{url}?{urlencode(query, doseq=True)}" if query else url

    def origin(self, request: HTTPConnection) -> str:
        """Return scheme and host of the portal; valid only if `host` is not None."""
        return self._settings.origin or f"{self.scheme(request)}://{self.host(request)}"

    def absolute(self, request: HTTPConnection, path: str) -> str:
        """Return the absolute URL of a path that is percent-encoded already."""
        return self.origin(request) + self._prefix + path

    def scheme(self, request: HTTPConnection) -> str:
        """Return the scheme that the client used, `http` or `https`."""
        if self._settings.base_url:
            return self._settings.origin.partition(":")[0]
        if self._settings.trust_proxy:
            forwarded = (
                request.headers.get("x-forwarded-proto", "").rpartition(",")[2].strip().lower()
            )
            if forwarded in ("http", "https"):
                return forwarded
        return "https" if request.scope["scheme"] == "https" else "http"

    def host(self, request: HTTPConnection) -> str | None:
        """Return the Host header; None if it is invalid or names a host that is not served."""
        host = request.headers.get("host", "").lower()
        match = _HOST.fullmatch(host)
        if match is None:
            return None
        known = self._settings.hosts
        return host if not known or match[1] in known else None


@lru_cache(maxsize=4096)
def _quote(path: str) -> str:
    return quote(path, safe="/-._~")
