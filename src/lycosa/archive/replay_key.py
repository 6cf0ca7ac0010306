"""The key under which replay tools such as pywb look up a URL in an index.

It follows the rules of the Wayback Machine: URLs that mostly lead to the same page
get one key. The host is reversed and loses `www.`; letters are in lower case;
parameters are sorted, and session ids left out.

>>> replay_key("http://www.Example.org/~Smith/?b=2&a=1")
'org,example)/~smith?a=1&b=2'
>>> replay_key("https://a.example:8080/%7Ex//y/")
'example,a:8080)/~x/y'
"""

from __future__ import annotations

import re
from urllib.parse import unquote_to_bytes

_WWW = re.compile(r"www\d*\.")
_SLASHES = re.compile(r"/{2,}")
_SESSION = re.compile(r"(?:jsessionid|phpsessid|sid)=[0-9a-z]{32}", re.ASCII)
_MAX_UNESCAPING = 5  # passes over escapes of escapes
_ESCAPED = frozenset(b"#%")


def replay_key(url: str) -> str:
    """Return the key of a canonical URL."""
    authority, _, rest = url.partition("://")[2].partition("/")
    path, _, query = rest.partition("?")
    host, colon, port = authority.rpartition(":") if "]" not in authority else (authority, "", "")
    if not colon:
        host, port = authority, ""
    host = _WWW.sub("", host.lower(), count=1) if _WWW.match(host.lower()) else host.lower()
    path = _SLASHES.sub("/", "/" + _escaped(path).lower())
    if len(path) > 1:
        path = path.removesuffix("/")
    pairs = [pair for pair in _escaped(query).lower().split("&") if not _SESSION.fullmatch(pair)]
    query = "&".join(sorted(pairs, key=lambda pair: tuple(pair.split("=", 1))))
    key = ",".join(reversed(host.split("."))) + (f":{port}" if port else "") + ")" + path
    return f"{key}?{query}" if query else key


def _escaped(text: str) -> str:
    """Undo all escapes, then escape only what must be."""
    data = text.encode("utf-8", "replace")
    for _ in range(_MAX_UNESCAPING):
        if (plain := unquote_to_bytes(data)) == data:
            break
        data = plain
    return "".join(
        f"%{byte:02x}" if byte <= 0x20 or byte >= 0x7F or byte in _ESCAPED else chr(byte)
        for byte in data
    )
