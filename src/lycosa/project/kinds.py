"""Kinds of values in lycosa.toml: how each is parsed, and how it is written.

Times and sizes are texts with a unit, such as "2h" and "16 MB", which TOML lacks.

>>> SECONDS.read("1.5h"), SECONDS.write(5400.0), BYTES.read("16 MB")
(5400.0, '"90m"', 16777216)
>>> toml({"pdf": True, "words": ["a", "b"]})
'{ pdf = true, words = ["a", "b"] }'
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from lycosa.crawler.browser.config import MODES
from lycosa.crawler.http.credentials import Origins
from lycosa.errors import UsageError
from lycosa.web.urls import canonical, host_of

_MAX_NUMBER = 2**53  # above it, floats do not represent every integer
_BARE = re.compile("[A-Za-z0-9_-]+")
_AMOUNT = re.compile(r"(\d{1,15}(?:\.\d{1,15})?)\s*([A-Za-z]+)")
_TYPE = re.compile(r"[\w.+-]+/[\w.+-]+", re.ASCII)
_HEADER = re.compile(r"[\w!#$%&'*+.^`|~-]+", re.ASCII)
_SPANS = {"s": 1, "m": 60, "min": 60, "h": 3600, "d": 86400}
_SIZES = {"b": 1, "kb": 1 << 10, "mb": 1 << 20, "gb": 1 << 30}
ANY = "*"
"""Among the domains, it means every host."""


def toml(value: object) -> str:
    """Return a value as TOML on one line."""
    match value:
        case bool():
            return "true" if value else "false"
        case int() | float():
            return repr(value)
        case str():
            return _quoted(value)
        case Mapping():
            inside = ", ".join(f"{_key(key)} = {toml(one)}" for key, one in value.items())
            return f"{{ {inside} }}" if inside else "{}"
        case Sequence() if not isinstance(value, bytes | bytearray):
            return f"[{', '.join(map(toml, value))}]"
    raise UsageError(f"{value!r} cannot be written as TOML: use texts, numbers, lists and tables.")


def _key(name: object) -> str:
    text = str(name)
    return text if _BARE.fullmatch(text) else _quoted(text)


def _quoted(text: str) -> str:
    try:
        text.encode()
    except UnicodeEncodeError:
        raise UsageError(
            f"{text!r} is not a valid text: it contains surrogate code points."
        ) from None
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return '"' + "".join(c if c.isprintable() else f"\\U{ord(c):08x}" for c in escaped) + '"'


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of value: `read` parses it or raises ValueError, `write` returns it as TOML."""

    expected: str
    """What to write, as it ends the sentence "It must be …"."""
    read: Callable[[Any], Any]
    write: Callable[[Any], str] = toml


def _number(value: object, least: float = 0.0, most: float = _MAX_NUMBER) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise ValueError
    if not least <= value <= most:  # false for nan too
        raise ValueError
    return float(value)


def _whole(least: int, most: int = _MAX_NUMBER) -> Callable[[object], int]:
    def read(value: object) -> int:
        if not isinstance(value, int):
            raise ValueError
        return int(_number(value, least, most))

    return read


def _share(value: object) -> float:
    return _number(value, math.ulp(0.0), 1.0)


def _amount(value: object, units: Mapping[str, int]) -> float:
    if not isinstance(value, str):
        return _number(value)
    match = _AMOUNT.fullmatch(value.strip())
    if not match or match[2].lower() not in units:
        raise ValueError
    return _number(float(match[1]) * units[match[2].lower()])


def _bytes(value: object) -> int:
    if isinstance(value, float):
        raise ValueError
    return int(_number(_amount(value, _SIZES), 1))


def _flag(value: object) -> bool:
    if not isinstance(value, bool):
        raise ValueError
    return value


def _text(value: object) -> str:
    if not isinstance(value, str) or not value.strip() or not value.isprintable():
        raise ValueError
    return value


def _list(read: Callable[[object], str]) -> Callable[[object], tuple[str, ...]]:
    def read_all(value: object) -> tuple[str, ...]:
        if not isinstance(value, list | tuple):
            raise ValueError
        return tuple(map(read, value))

    return read_all


def _type(value: object) -> str:
    if not isinstance(value, str) or not _TYPE.fullmatch(value):
        raise ValueError
    return value.lower()


def _host(value: object) -> str:
    if value == ANY:
        return ANY
    text = _text(value).removeprefix("*").removeprefix(".")
    if text.count(":") > 1:  # an IPv6 address, with or without its brackets
        text = f"[{text.strip('[]')}]"
    address = canonical(f"http://{text}/")
    host = host_of(address or "")
    # With a path or a port it would be another address.
    if not host or address not in (f"http://{host}/", f"http://[{host}]/"):
        raise ValueError
    return host


def _prefix(value: object) -> str:
    address = canonical(_text(value))
    if address is None:
        raise ValueError
    return address


def _expression(value: object) -> str:
    text = _text(value)
    try:
        re.compile(text)
    except (re.error, RecursionError, OverflowError):
        raise ValueError from None
    return text


def _proxy(value: object) -> str:
    text = _text(value)
    if canonical(text) is None:
        raise ValueError
    return text


def _headers(value: object) -> tuple[tuple[str, str], ...]:
    if not isinstance(value, Mapping) or not all(map(_HEADER.fullmatch, value)):
        raise ValueError
    return tuple((name, _text(text)) for name, text in value.items())


def _host_headers(value: object) -> tuple[tuple[str, tuple[tuple[str, str], ...]], ...]:
    if not isinstance(value, Mapping):
        raise ValueError
    return tuple((_origin(host), _headers(table)) for host, table in value.items())


def _origin(value: object) -> str:
    text = _text(value)
    try:
        Origins([text])
    except UsageError:
        raise ValueError from None
    return text


def _render_mode(value: object) -> str:
    if value not in MODES:
        raise ValueError
    return str(value)


def _smtp_security(value: object) -> str:
    if value not in SECURITIES:
        raise ValueError
    return str(value)


def _brief(number: float) -> str:
    return repr(int(number) if float(number).is_integer() else number)


def _in_units(number: float, units: Mapping[str, int], gap: str) -> str:
    """Return a number in the largest unit that divides it."""
    for unit, size in sorted(units.items(), key=lambda pair: -pair[1]):
        if size > 1 and number >= size and number % size == 0:
            return f'"{int(number // size)}{gap}{unit}"'
    return _brief(number)


def _write_seconds(seconds: float) -> str:
    return _in_units(seconds, {"h": 3600, "m": 60}, "")


def _write_bytes(size: float) -> str:
    return _in_units(size, {"GB": 1 << 30, "MB": 1 << 20, "KB": 1 << 10}, " ")


COUNT = Kind("a whole number, 1 or more", _whole(1))
TIMES = Kind("a whole number, 0 or more", _whole(0))
LEVEL = Kind("a whole number from 1 (fast) to 9 (small)", _whole(1, 9))
NUMBER = Kind("a number, 0 or more", _number, _brief)
FACTOR = Kind("a number, 1 or more", lambda value: _number(value, 1.0), _brief)
SHARE = Kind("a share, more than 0 and at most 1, such as 0.9", _share)
SECONDS = Kind(
    'a number of seconds or a text such as "30s", "15m" or "2h"',
    lambda value: _amount(value, _SPANS),
    _write_seconds,
)
TIMEOUT = Kind(
    'a time, more than 0, such as 30 or "2m"',
    lambda value: _number(_amount(value, _SPANS), 0.001),
    _write_seconds,
)
BYTES = Kind('a number of bytes or a text such as "64 KB" or "16 MB"', _bytes, _write_bytes)
FLAG = Kind("true or false", _flag)
TEXT = Kind("a text in quotes, on one line", _text)
TEXTS = Kind('a list of texts such as ["one", "two"]', _list(_text))
TYPES = Kind('a list of MIME types such as ["text/html", "application/pdf"]', _list(_type))
DOMAINS = Kind(
    'a list of host names such as ["example.org"], without http:// and port, or ["*"] for any host',
    _list(_host),
)
PREFIXES = Kind('a list of addresses such as ["https://example.org/papers/"]', _list(_prefix))
EXPRESSIONS = Kind(
    "a list of regular expressions such as ['/calendar/', '[?&]print=']", _list(_expression)
)
SECURITIES = ("starttls", "tls", "none")
"""How a connection to a mail server is protected."""
SMTP_SECURITY = Kind('"starttls", "tls" or "none"', _smtp_security)
HTTP_URL = Kind('an address such as "https://hooks.example.org/lycosa"', _proxy)
PROXY = Kind('an address such as "http://proxy.example.org:3128"', _proxy)
HEADERS = Kind(
    'a table of texts such as { Accept-Language = "en" }', _headers, lambda pairs: toml(dict(pairs))
)
HOST_HEADERS = Kind(
    'a table of a table for each host such as { "example.org" = { Authorization = "…" } }',
    _host_headers,
    lambda hosts: toml({host: dict(pairs) for host, pairs in hosts}),
)
ORIGINS = Kind(
    'a list of hosts such as ["example.org", "http://localhost:8080", "*.example.org"]',
    _list(_origin),
)
RENDER_MODE = Kind('"never", "auto" or "always"', _render_mode)
