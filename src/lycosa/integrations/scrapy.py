"""A Scrapy priority queue in the order of a Lycosa spider: three lines of settings.

    SCHEDULER_PRIORITY_QUEUE = "lycosa.integrations.scrapy.Queue"
    LYCOSA_SPIDER = "house"              # or "keywords", "papers.lyc", ...
    LYCOSA_GOAL = "robot*"               # or a goal, or a function of the response

Scrapy's scheduler is unchanged, with its duplicate filter and its statistics; only
its queue of requests is replaced. The queue sees every response before the
spider's callback does, so the links of a page have their scores when the callback
makes requests of them.
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
from lycosa.integrations.order import NO_LINK, RequestQueue
from lycosa.spiders import Setup, Spider, spider
from lycosa.web.reader import Reader
from lycosa.web.urls import Scope, canonical

RewardFunction: TypeAlias = Callable[[Response], float]


class Queue:
    """Requests by priority, then by the score of their URL by the spider of LYCOSA_SPIDER.

    A request has a score if it is a GET for a link of a fetched page. Others, such
    as start requests, forms and redirects, go first among those of their priority.
    So do requests with `dont_filter` for a URL that was requested before.

    The spider does not see failed downloads, nor pages that were fetched again and
    have no new link.

    `crawler` is Scrapy's: the queue reads its settings LYCOSA_SPIDER, LYCOSA_GOAL and
    CLOSESPIDER_PAGECOUNT and the `allowed_domains` of its spider, and observes the
    responses it receives.
    """

    def __init__(self, crawler: Crawler) -> None:
        settings = crawler.settings
        self._stats = crawler.stats
        self._goal = _SettingGoal(settings.get("LYCOSA_GOAL"))
        pages = settings.getint("CLOSESPIDER_PAGECOUNT") or None
        policy = _spider(settings.get("LYCOSA_SPIDER"))(Setup(None, self._goal.name))
        self._order: RequestQueue[Request] = RequestQueue(policy, self._goal, Budget(pages=pages))
        domains = tuple(getattr(crawler.spider, "allowed_domains", None) or ())
        self._reader = Reader(in_scope=Scope(domains=domains).allows if domains else None)
        self._observed: set[int] = set()
        self._under_way: dict[int, FrontierEntry] = {}  # requested links; a failed one stays here
        self._out: WeakKeyDictionary[Request, int] = WeakKeyDictionary()
        crawler.signals.connect(self._observe, signals.response_received)

    @classmethod
    def from_crawler(
        cls, crawler: Crawler, downstream_queue_cls: object, key: str, *_: object, **__: object
    ) -> Self:
        """Return a queue; Scrapy calls this, with the folder of a queue on disk as `key`."""
        if key:
            raise UsageError(
                "The queue of a Lycosa spider is kept in memory, so this crawl cannot be paused: "
                "remove JOBDIR, or use `lycosa crawl`, which can be paused."
            )
        return cls(crawler)

    def push(self, request: Request) -> None:
        """Queue a request."""
        number = self._number(request)
        if not self._order.scored(number):
            self._count("lycosa/unscored")
        self._order.add(request, number, request.priority)

    def pop(self) -> Request | None:
        """Remove and return the next request, or None."""
        found = self._order.pop()
        if found is None:
            return None
        request, entry = found
        self._out[request] = entry.number
        if entry.number >= 0:
            self._under_way[entry.number] = entry
        return request

    def close(self) -> list[int]:
        """Do nothing: there is no state on disk."""
        return []

    def __len__(self) -> int:
        return len(self._order)

    def _number(self, request: Request) -> int:
        """Return the number of the link that a request is for, or -1."""
        if request.method != "GET" or request.meta.get("is_start_request"):
            return NO_LINK
        url = canonical(request.url)
        number = self._reader.urls.find(url) if url else None
        return NO_LINK if number is None else number

    def _observe(self, response: Response, request: Request) -> None:
        """Show a response to the spider, unless another component requested it (robots.txt)."""
        if request not in self._out:
            return
        entry = self._entry(request)
        page = self._page(response)
        if page.number in self._observed:
            if request.method == "GET" and self._order.knows_links(page):
                return  # Scrapy requests a start page again when a page links to it
            # A form, or a page that has changed: for the spider it is another URL.
            page.number = self._reader.urls.number(f"{page.url}#{self._order.pages}")
        self._observed.add(page.number)
        self._goal.response = response
        step = self._order.observe(page, entry)
        self._count("lycosa/pages")
        if step.reward > 0:
            self._count("lycosa/targets")

    def _entry(self, request: Request) -> FrontierEntry:
        """Return the frontier entry of the link of this request, or of its first redirect."""
        number = self._out.pop(request)
        if number < 0 and request.method == "GET":
            first = request.meta.get("redirect_urls", [request.url])[0]
            found = self._reader.urls.find(canonical(first) or "")
            number = NO_LINK if found is None else found
        return self._under_way.pop(number, FrontierEntry(NO_LINK, float("inf"), NO_LINK))

    def _page(self, response: Response) -> Page:
        url = canonical(response.url) or response.url
        kind = (response.headers.get("Content-Type") or b"").decode("latin-1")
        return self._reader.page(url, response.body, kind, status=response.status)

    def _count(self, name: str) -> None:
        if self._stats is not None:
            self._stats.inc_value(name)


class _SettingGoal:
    """The goal of LYCOSA_GOAL; a plain function is called with the response."""

    def __init__(self, given: Any) -> None:
        self.response: Response | None = None
        self._goal: Goal | None = None
        self._function: RewardFunction | None = None
        if isinstance(given, str) and given.strip():
            self._goal = Query(given)
        elif isinstance(given, Goal) and not isinstance(given, type):
            self._goal = given
        elif callable(given):
            self._function = given
        else:
            raise UsageError(
                "LYCOSA_GOAL must be a query such as 'robot*', a goal of "
                f"lycosa.goals, or a function of a response, not {given!r}."
            )

    @property
    def name(self) -> str:
        """The name of the goal, or of the function."""
        return self._goal.name if self._goal else getattr(self._function, "__name__", "wanted")

    def __call__(self, page: Page) -> float:
        """Return the reward of a page, or of the response it was read from."""
        function, response = self._function, self.response
        if self._goal is not None:
            return self._goal(page)
        return (
            Function(self.name, lambda _: function(response))(page)
            if function and response
            else 0.0
        )


def _spider(name: Any) -> Spider:
    if not isinstance(name, str):
        raise UsageError(
            "LYCOSA_SPIDER must name a spider, such as 'house', or a file that "
            f"`lycosa train` wrote, not {name!r}."
        )
    found = spider(name)
    if found.recipes and not found.optional:
        raise UsageError(
            f"{found.name} learns from recorded sites: train it with `lycosa train SITES --goal "
            f"GOAL --spider '{found.name}' -o mine.lyc` and set LYCOSA_SPIDER to mine.lyc."
        )
    return found
