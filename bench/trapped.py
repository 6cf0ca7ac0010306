"""A generated department with five traps, for `bench.traps`.

Its pages are computed on request, and it is endless. Every page has a footer that
leads into four traps, and a quarter of all links carry a session id.
"""

from __future__ import annotations

import re

import numpy as np

from lycosa.content import Ints, Table
from lycosa.core import Page
from lycosa.sites.generated import GeneratedSite
from lycosa.sites.generated.random_stream import RandomStream, key
from lycosa.web.reader import Reader
from lycosa.web.url_shapes import strip_session
from lycosa.web.urls import canonical

COPY = "/copy"
_FOOT = '<p><a href="{0}/cal/2004/05.html">Calendar</a> <a href="{0}/more/">More</a> \
<a href="{0}/wiki/Help">Help</a> <a href="{0}/copy/">Mirror</a>'
_MONTH = re.compile(r"/cal/(\d+)/(\d+)\.html")
_DAY = re.compile(r"/cal/(\d+)/(\d+)/(\d+)\.html")
_WORDS = """seminar room talk visitor lunch committee meeting deadline exam colloquium guest
defense opening reception holiday workshop lecture registration tour discussion""".split()


class Trapped:
    """A generated department with endless traps."""

    family = "departments"
    goals = ("papers",)

    def __init__(self, inner: GeneratedSite) -> None:
        self.name = f"{inner.name}-trapped"
        self._inner = inner
        self._base = inner.base
        self._urls = Table()
        self._reader = _TrapReader(self._urls, inner.base)
        self.tables = self._reader.tables
        self.seeds = np.array([self._urls.number(f"{inner.base}/")], np.int32)
        urls = inner.tables.urls
        self._wanted = self._urls.numbers(urls[n] for n in inner.wanted("papers").tolist())

    def __len__(self) -> int:
        return len(self._urls)

    def wanted(self, goal: str, /) -> Ints:
        """Return the papers; their URLs have no session id."""
        return np.array(self._wanted, np.int32)

    def page(self, number: int, /) -> Page:
        """Return a page; those of the department have a footer that leads into traps."""
        requested = self._urls[number]
        url = strip_session(requested)
        self._reader.session = f"{key(0, requested):016x}"
        path = url[len(self._base) :]
        self._reader.copied = path.startswith(f"{COPY}/")
        if self._reader.copied:
            path = path[len(COPY) :]
        place = self._inner.tables.urls.find(self._base + path)
        kind = "text/html; charset=utf-8"
        if place is not None:
            response = self._inner.response(place)
            status, kind, body = response.status, response.type or kind, response.body
            if kind.startswith("text/html"):
                body += _FOOT.format(self._base).encode()
        else:
            status, body = 200, self._trap(path).encode()
        read = self._reader.page(self._base + path, body, kind, status=status)
        return Page(number, self.tables, read.targets, read.content, status=status, type=read.type)

    def _trap(self, path: str) -> str:
        stream = RandomStream(key(1, path))
        text = " ".join(stream.choice(_WORDS) for _ in range(60))
        if found := _DAY.fullmatch(path):
            year, month, day = map(int, found.groups())
            return (
                f"<title>Events of {day}.{month}.{year}</title>{text}"
                f'<a href="../{month:02d}.html">Month</a> <a href="{day + 1}.html">Next day</a>'
            )
        if found := _MONTH.fullmatch(path):
            months = 12 * int(found[1]) + int(found[2]) - 1
            days = "".join(
                f'<a href="{found[2]}/{1 + stream.below(28)}.html">talk</a> ' for _ in "123"
            )
            return f"<title>Calendar {found[2]}/{found[1]}</title>{text} {days}" + "".join(
                f'<a href="{self._base}/cal/{m // 12}/{m % 12 + 1:02d}.html">{name} month</a> '
                for m, name in ((months - 1, "previous"), (months + 1, "next"))
            )
        if path.startswith("/more/"):
            return f'<title>More</title>{text} <a href="more/">more</a> <a href="news/">news</a>'
        links = "".join(
            f'<a href="{self._base}/wiki/{one}_{two}">see also</a> '
            for one, two in ((stream.choice(_WORDS), stream.choice(_WORDS)) for _ in range(5))
        )
        return (
            "<title>Department wiki</title>Sorry, there is no such page yet. Perhaps one of these "
            f"is what you are looking for: {links}"
        )


class _TrapReader(Reader):
    """A reader that adds the session id and the mirror folder of the page to its links."""

    def __init__(self, urls: Table, base: str) -> None:
        super().__init__(urls=urls, in_scope=lambda url: url.startswith(f"{base}/"))
        self._base = base
        self.session = ""
        self.copied = False

    def _number(self, url: str) -> int | None:
        path = url[len(self._base) :]
        document = path.endswith((".pdf", ".ps", ".gz"))
        if url.startswith(f"{self._base}/") and not document:
            if self.copied and not path.startswith((COPY, "/cal/", "/more/", "/wiki/")):
                path = COPY + path
            if key(2, path) % 4 == 0 and "?" not in path:
                path = f"{path};jsessionid={self.session}"
            url = canonical(self._base + path) or url
        return super()._number(url)
