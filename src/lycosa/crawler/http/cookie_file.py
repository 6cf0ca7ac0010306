r"""Cookie files: the cookies of a browser in which someone has logged in.

Two formats are read: the `cookies.txt` of Netscape, which curl and browser
extensions write, one cookie a line in seven fields separated by tabs; and JSON, a
list of objects as browser extensions and drivers of browsers write it, or an
object with such a list as `cookies`. Which request gets a cookie follows RFC 6265,
section 5.4: its domain, path, the flag Secure and the time at which it expires.

>>> [cookie] = parse_cookies("a.example\tFALSE\t/\tTRUE\t0\tid\tabc\n")
>>> str(cookie), cookie.is_for("https://a.example/x", 0), cookie.is_for("http://a.example/x", 0)
('id=abc', True, False)
"""

from __future__ import annotations

import json
import logging
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from lycosa.errors import UsageError
from lycosa.web.urls import canonical, host_of

_log = logging.getLogger("lycosa.crawler")

MAX_COOKIE_FILE_BYTES = 8 << 20
_HTTP_ONLY = "#HttpOnly_"  # the prefix of a line that is a cookie all the same
_FIELDS = 7
_EXPIRY_NAMES = ("expirationDate", "expires", "expiry")


@dataclass(frozen=True, slots=True)
class Cookie:
    """A cookie, and the requests that it is for. `str` gives it as it is sent."""

    name: str
    value: str = field(repr=False)
    domain: str
    """A host, in lower case, without a leading dot."""
    subdomains: bool
    """Whether it is also for the subdomains of the host."""
    path: str
    """A directory, or a prefix of one."""
    secure: bool
    """Whether it is for HTTPS only."""
    expires: float | None
    """Seconds since 1970; None: it does not expire."""

    def __str__(self) -> str:
        return f"{self.name}={self.value}"

    def has_expired(self, now: float) -> bool:
        """Return whether it has expired, `now` in seconds since 1970."""
        return self.expires is not None and self.expires <= now

    def is_for(self, url: str, now: float) -> bool:
        """Return whether a request for a canonical URL carries it."""
        parts = urlsplit(url)
        host, path = parts.hostname or "", parts.path or "/"
        below = path == self.path or path.startswith(self.path.rstrip("/") + "/")
        secure = parts.scheme == "https" or not self.secure
        return self.is_for_host(host) and below and secure and not self.has_expired(now)

    def is_for_host(self, host: str) -> bool:
        """Return whether some request to a host carries it."""
        return host == self.domain or (self.subdomains and host.endswith("." + self.domain))


def read_cookie_file(file: Path) -> list[Cookie]:
    """Return the cookies of a file; raise a `UsageError` if it cannot be read."""
    try:
        if file.stat().st_size > MAX_COOKIE_FILE_BYTES:
            raise UsageError(f"{file} is too large for a file of cookies.")
        text = file.read_text(encoding="utf-8-sig")
    except OSError as error:
        _log.debug("%s cannot be read", file, exc_info=True)
        raise UsageError(f"The cookie file {file} cannot be read: {error.strerror}.") from None
    except UnicodeDecodeError:
        raise UsageError(f"The cookie file {file} is not in UTF-8.") from None
    try:
        return parse_cookies(text)
    except UsageError as error:
        raise UsageError(f"The cookie file {file} cannot be read: {error}") from None


def parse_cookies(text: str) -> list[Cookie]:
    """Return the cookies of a file in either format, those with the longest paths first."""
    found = _parse_json(text) if text.lstrip()[:1] in ("[", "{") else _parse_netscape(text)
    return sorted(found, key=lambda cookie: -len(cookie.path))


def _parse_netscape(text: str) -> list[Cookie]:
    cookies = []
    for number, written in enumerate(text.split("\n"), 1):
        line = written.rstrip("\r").removeprefix(_HTTP_ONLY)
        if not line.strip() or line.startswith("#"):
            continue
        # The messages never quote a line: it has a secret.
        where = f"line {number}"
        fields = line.split("\t")
        if len(fields) != _FIELDS:
            raise UsageError(
                f"{where} has {len(fields)} fields separated by tabs, not {_FIELDS}; "
                "export the cookies in the format of Netscape or as JSON."
            )
        domain, subdomains, path, secure, expires, name, value = fields
        try:
            seconds = float(expires or 0)
        except ValueError:
            raise UsageError(f"{where} has no number as the time of expiry.") from None
        cookies.append(
            _cookie(
                where,
                name,
                value,
                domain,
                subdomains.upper() == "TRUE",
                path,
                secure.upper() == "TRUE",
                seconds if seconds > 0 else None,
            )
        )
    return cookies


def _parse_json(text: str) -> list[Cookie]:
    try:
        document = json.loads(text)
    except (ValueError, RecursionError):
        _log.debug("A cookie file is not JSON", exc_info=True)
        raise UsageError("it is not valid JSON.") from None
    found = document.get("cookies") if isinstance(document, dict) else document
    if not isinstance(found, list) or not all(isinstance(each, dict) for each in found):
        raise UsageError("it has no list of cookies.")
    return [_json_cookie(f"cookie {number}", each) for number, each in enumerate(found, 1)]


def _json_cookie(where: str, values: dict[str, Any]) -> Cookie:
    name, value, domain = (values.get(key) for key in ("name", "value", "domain"))
    path = values.get("path") or "/"
    if not all(isinstance(each, str) for each in (name, value, domain, path)):
        raise UsageError(f"{where} has no name, value and domain that are texts.")
    expires = next((values[key] for key in _EXPIRY_NAMES if values.get(key) is not None), None)
    if isinstance(expires, bool) or not isinstance(expires, int | float | None):
        raise UsageError(f"{where} has no number as the time of expiry.")
    return _cookie(
        where,
        str(name),
        str(value),
        str(domain),
        str(domain).startswith(".") or values.get("hostOnly") is False,
        str(path),
        bool(values.get("secure")),
        float(expires) if expires is not None and expires > 0 else None,
    )


def _cookie(
    where: str,
    name: str,
    value: str,
    domain: str,
    subdomains: bool,
    path: str,
    secure: bool,
    expires: float | None,
) -> Cookie:
    host = host_of(canonical(f"http://{domain.removeprefix('.')}/") or "")
    if not host:
        raise UsageError(f"{where} has no host name as its domain.")
    printable = f"{name}{value}".isprintable() and ";" not in f"{name}{value}"
    if not printable or not path.startswith("/"):
        raise UsageError(f"{where} is damaged: a name, value or path is not valid.")
    return Cookie(name, value, host, subdomains, path, secure, expires)
