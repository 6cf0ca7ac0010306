"""The learned order in a Scrapy spider: three lines of settings.

    SCHEDULER_PRIORITY_QUEUE = "lycosa.integrations.scrapy.Queue"
    LYCOSA_SPIDER = "house"              # or "keywords", "papers.lyc", ...
    LYCOSA_GOAL = "robot*"               # or a goal, or a function of the response

Scrapy's scheduler stays as it is, with its filter of duplicates and its
statistics; what is replaced is the queue it keeps requests in. The queue is
told of every response before the spider's callback is, so the links of a page
have their scores when the callback makes requests of them.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Self, TypeAlias
from weakref import WeakKeyDictionary

from scrapy import Request, signals
from scrapy.crawler import Crawler
from scrapy.http import Response

from lycosa.core import Budget, Goal, Page
from lycosa.crawler.frontier import FrontierEntry
from lycosa.errors import UsageError
from lycosa.goals import Function, Query
from lycosa.integrations.order import NOBODY, Order
from lycosa.spiders import Setup, Spider, spider
from lycosa.web.reader import Reader
from lycosa.web.urls import Scope, canonical

Judge: TypeAlias = Callable[[Response], float]


class Queue:
    """Requests by their priority, then by what the spider of LYCOSA_SPIDER says of their URL.

    A request has a score if it is a GET for a link of a page that came back.
    Others, such as start requests, forms and redirects, go first among those of
    their priority. So do requests that Scrapy is told not to filter for a URL
    that was asked for before.

    Failed downloads are not told to the spider, nor are pages that came back
    once more without a new link.
    """

    def __init__(self, crawler: Crawler) -> None:
        settings = crawler.settings
        self._stats = crawler.stats
        self._goal = _Wanted(settings.get("LYCOSA_GOAL"))
        pages = settings.getint("CLOSESPIDER_PAGECOUNT") or None
        policy = _spider(settings.get("LYCOSA_SPIDER"))(Setup(None, self._goal.name))
        self._order: Order[Request] = Order(policy, self._goal, Budget(pages=pages))
        domains = tuple(getattr(crawler.spider, "allowed_domains", None) or ())
        self._reader = Reader(in_scope=Scope(domains=domains).allows if domains else None)
        self._answered: set[int] = set()
        self._under_way: dict[int, FrontierEntry] = {}  # links; one that fails stays here
        self._out: WeakKeyDictionary[Request, int] = WeakKeyDictionary()
        crawler.signals.connect(self._came, signals.response_received)

    @classmethod
    def from_crawler(
        cls, crawler: Crawler, downstream_queue_cls: object, key: str, *_: object, **__: object
    ) -> Self:
        """How Scrapy makes one; a key is the folder of a queue on disk."""
        if key:
            raise UsageError(
                "The order of a lycosa spider is kept in memory, so this crawl cannot be paused: "
                "remove JOBDIR, or crawl with `lycosa crawl`, which can."
            )
        return cls(crawler)

    def push(self, request: Request) -> None:
        """Let a request wait."""
        number = self._number(request)
        if not self._order.scored(number):
            self._count("lycosa/unscored")
        self._order.add(request, number, request.priority)

    def pop(self) -> Request | None:
        """The request that is to be made now, or None."""
        found = self._order.pop()
        if found is None:
            return None
        request, entry = found
        self._out[request] = entry.number
        if entry.number >= 0:
            self._under_way[entry.number] = entry
        return request

    def close(self) -> list[int]:
        """Nothing is kept."""
        return []

    def __len__(self) -> int:
        return len(self._order)

    def _number(self, request: Request) -> int:
        """The number of the link that a request is for, or -1."""
        if request.method != "GET" or request.meta.get("is_start_request"):
            return NOBODY
        url = canonical(request.url)
        number = self._reader.urls.find(url) if url else None
        return NOBODY if number is None else number

    def _came(self, response: Response, request: Request) -> None:
        """Tell the spider, unless it is for somebody else: a robots.txt, an image of a pipeline."""
        if request not in self._out:
            return
        entry = self._entry(request)
        page = self._page(response)
        if page.number in self._answered:
            if request.method == "GET" and self._order.knows(page):
                return  # Scrapy asks for a start page once more when it is linked to
            # A form, or a page that has changed: for the spider it is another page.
            page.number = self._reader.urls.number(f"{page.url}#{self._order.pages}")
        self._answered.add(page.number)
        self._goal.response = response
        step = self._order.tell(page, entry)
        self._count("lycosa/pages")
        if step.reward > 0:
            self._count("lycosa/targets")

    def _entry(self, request: Request) -> FrontierEntry:
        """What was known of the link that this request, or the redirect that led to it, was for."""
        number = self._out.pop(request)
        if number < 0 and request.method == "GET":
            asked = request.meta.get("redirect_urls", [request.url])[0]
            found = self._reader.urls.find(canonical(asked) or "")
            number = NOBODY if found is None else found
        return self._under_way.pop(number, FrontierEntry(NOBODY, float("inf"), NOBODY))

    def _page(self, response: Response) -> Page:
        url = canonical(response.url) or response.url
        kind = (response.headers.get("Content-Type") or b"").decode("latin-1")
        return self._reader.page(url, response.body, kind, status=response.status)

    def _count(self, name: str) -> None:
        if self._stats is not None:
            self._stats.inc_value(name)


class _Wanted:
    """The goal of LYCOSA_GOAL; one that is a plain function is asked about the response."""

    def __init__(self, given: Any) -> None:
        self.response: Response | None = None
        self._goal: Goal | None = None
        self._judge: Judge | None = None
        if isinstance(given, str) and given.strip():
            self._goal = Query(given)
        elif isinstance(given, Goal) and not isinstance(given, type):
            self._goal = given
        elif callable(given):
            self._judge = given
        else:
            raise UsageError(
                "LYCOSA_GOAL must say what is wanted: a query such as 'robot*', a goal of "
                f"lycosa.goals, or a function of a response, not {given!r}."
            )

    @property
    def name(self) -> str:
        """What people call it."""
        return self._goal.name if self._goal else getattr(self._judge, "__name__", "wanted")

    def __call__(self, page: Page) -> float:
        """What the page that is now being told of is worth."""
        judge, response = self._judge, self.response
        if self._goal is not None:
            return self._goal(page)
        return Function(self.name, lambda _: judge(response))(page) if judge and response else 0.0


def _spider(name: Any) -> Spider:
    if not isinstance(name, str):
        raise UsageError(
            "LYCOSA_SPIDER must name a spider, such as 'house', or a file that "
            f"`lycosa train` made, not {name!r}."
        )
    made = spider(name)
    if made.recipes and not made.optional:
        raise UsageError(
            f"{made.name} learns from recorded sites: train it with `lycosa train SITES --goal "
            f"GOAL --spider '{made.name}' -o mine.lyc` and set LYCOSA_SPIDER to mine.lyc."
        )
    return made
