"""URL shapes: patterns that the URLs of one program or folder have in common.

A calendar, a mirror and an error page under a thousand names are each one
program or folder, and their URLs differ only in numbers, names of files and
values of parameters. The shape of a URL is the URL with these replaced by
their kind. Compare the DUST rules of Bar-Yossef, Keidar & Schonfeld, "Do Not
Crawl in the DUST" (2007), which are learned; this rule is fixed and needs one
pass over a URL.
"""

from __future__ import annotations

import re

SESSION = "{session}"
"""Replaces a session id in a shape."""
ENDLESS = "..."
"""Replaces the rest of a path that repeats itself."""

MAX_URL_CHARACTERS = 1000
"""The path of a longer URL counts as endless."""
MAX_FOLDERS = 20
"""A path with more folders counts as endless."""
_MIN_REPEATS = 3  # occurrences of one folder that make a path one that repeats itself
_MAX_CACHED_FOLDERS = 100_000

# Each begins with one of a few characters, so that a search in a text without them is fast.
_DIGIT = re.compile("[0-9]")
_NUMBER = re.compile("[0-9]+")
_DATE = re.compile(
    r"(?<![0-9])(?:19|20)[0-9]{2}([-/_.]?)(?:0[1-9]|1[0-2])"
    r"(?:\1(?:0[1-9]|[12][0-9]|3[01]))?(?![0-9])"
)
_HASH = re.compile(
    r"(?<![0-9A-Za-z])(?=[a-fA-F]*[0-9])(?=[0-9]*[a-fA-F])"
    r"(?:[0-9a-fA-F]{16,}|[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12})(?![0-9A-Za-z])"
)
_HASH_SIZE = 16
# Names of session parameters; the value must be a long code.
_NAMES = (
    r"(?:jsessionid|phpsessid|aspsessionid[a-z]*|sessionid|session_id|session-id|session|"
    r"sess|sessid|sid|oscsid|zenid|cfid|cftoken)"
)
_CODE = r"=(?=[A-Za-z._!-]*[0-9])[A-Za-z0-9._!-]{8,}(?=[;&?/]|$)"
_SESSION = re.compile(rf"[;&?]{_NAMES}{_CODE}", re.IGNORECASE)


def strip_session(url: str) -> str:
    """Return a URL without session ids.

    >>> strip_session("http://a.org/x;jsessionid=0A1B2C3D4E?page=2&sid=12345678")
    'http://a.org/x?page=2'
    >>> strip_session("http://a.org/x?sid=7")
    'http://a.org/x?sid=7'
    """
    if "=" not in url:
        return url
    short = _SESSION.sub("", url)
    if len(short) < len(url) and "?" not in short:
        # The first parameter was removed, so the second begins the query.
        short = short.replace("&", "?", 1)
    return short


class UrlShapes:
    """Computes the shapes of URLs, with a cache of their folders.

    >>> shapes = UrlShapes()
    >>> shapes.of("http://a.org/news/2004-05-17/story12.html?lang=en&id=7")
    'http://a.org/news/{date}/story{n}.html?id&lang'
    >>> shapes.of("http://a.org/~smith/pubs.html"), shapes.of("http://a.org/~smith/")
    ('http://a.org/~smith/*.html', 'http://a.org/~smith/')
    >>> shapes.of("http://a.org/x;jsessionid=0A1B2C3D4E")
    'http://a.org/*;{session}'
    >>> shapes.of("http://a.org/up/top/up/top/up/b.html")
    'http://a.org/up/top/...'
    """

    def __init__(self) -> None:
        self._folders: dict[str, str] = {}

    def of(self, url: str) -> str:
        """Return the shape of a canonical URL."""
        if len(url) > MAX_URL_CHARACTERS:
            return _endless(url)
        path, query, parameters = url.partition("?")
        path, semicolon, rest = path.partition(";")
        cut = path.rfind("/") + 1
        try:
            shape = self._folders[path[:cut]]
        except KeyError:
            shape = self._folder(path[:cut])
        if shape.endswith(ENDLESS):
            return shape
        file = path[cut:]
        if file:
            if _DIGIT.search(file):
                shape += _kinds(file)
            else:
                shape += "*" + file[dot:] if (dot := file.rfind(".")) >= 0 else "*"
        if semicolon:
            shape += ";" + _names(f";{rest}", ";")
        return f"{shape}?{_names(f'?{parameters}', '&')}" if query else shape

    def _folder(self, folder: str) -> str:
        if len(self._folders) >= _MAX_CACHED_FOLDERS:
            self._folders.clear()
        shape = self._folders[folder] = _folder_shape(folder)
        return shape


def _folder_shape(folder: str) -> str:
    if folder.count("/") > 5:  # the host has three of them
        names = folder.split("/")[3:-1]
        repeats = len(names) - len(set(names))
        if len(names) > MAX_FOLDERS or (repeats >= _MIN_REPEATS - 1 and _repeats(names)):
            return _endless(folder)
    host = folder.find("/", 8)
    return folder[:host] + _kinds(folder[host:])


def _endless(url: str) -> str:
    """Return the shape of an endless URL: at most five folders, up to the first repeated."""
    *host, path = url[:MAX_URL_CHARACTERS].partition("?")[0].split("/", 3)
    start: dict[str, None] = {}
    for name in path.split("/")[:5]:
        if name in start:
            break
        start[name] = None
    return "/".join((*host, _kinds("/".join(start)), ENDLESS))


def _repeats(names: list[str]) -> bool:
    return any(names.count(name) >= _MIN_REPEATS and not name.isdigit() for name in set(names))


def _kinds(text: str) -> str:
    """Return a text with hashes, dates and numbers replaced by their kinds."""
    if len(text) >= _HASH_SIZE:
        text = _HASH.sub("{hash}", text)
    if "19" in text or "20" in text:
        text = _DATE.sub("{date}", text)
    return _NUMBER.sub("{n}", text)


def _names(parameters: str, mark: str) -> str:
    """Return the sorted names of parameters; a session id is replaced by its kind."""
    text = _SESSION.sub(f"{mark}{SESSION}", parameters)[1:]
    if mark not in text:
        return _kinds(text.partition("=")[0])
    return mark.join(sorted({_kinds(part.partition("=")[0]) for part in text.split(mark)}))
