"""The outcome of every start page of a live crawl: a page, or a failure with its cause.

A start page fails when it is skipped, when its step has a fault or a status of
400 and above, and when it has neither links nor text. A failure is known from
the first attempt on, while the scheduler still retries it. The store keeps the
outcomes as the notes `seed:<url>`, so that the next run requests the start pages
that failed, and the robots.txt files of their hosts, at once.
"""

from __future__ import annotations

import logging
import re
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, replace
from typing import Any

from lycosa.core import Page
from lycosa.crawler.http.faults import Fault
from lycosa.crawler.http.response import Response
from lycosa.crawler.live.job import Job
from lycosa.crawler.live.page_reader import PageReader
from lycosa.crawler.live.progress import Progress
from lycosa.crawler.live.seed_failures import SeedFailure, cause_of_fault, cause_of_status
from lycosa.crawler.politeness.host_state import ScheduledRequest
from lycosa.crawler.politeness.robots_cache import RobotsCache, authority
from lycosa.crawler.storage.store import LOST, Store
from lycosa.documents.formats import has_no_text, is_binary, is_document, is_html
from lycosa.errors import SeedError
from lycosa.web.decoding import media_type
from lycosa.web.urls import canonical

_log = logging.getLogger("lycosa.crawler")

MIN_TEXT_BYTES = 200
"""A start page without links, with a script and with less text is written by that script."""

_HIDDEN = re.compile(rb"<(script|style|noscript|template|title|!--)")
_ENDINGS = {b"!--": b"-->"}

OnFailure = Callable[[SeedFailure], object]


def log_failure(failure: SeedFailure) -> None:
    """Log a failure as a warning, which a program without a log configuration prints."""
    _log.warning("%s%s", failure, " It is tried again." if failure.retrying else "")


class SeedOutcomes:
    """Records what became of each start page.

    `job` names them, `page_reader` numbers them, `robots` knows why one was
    refused, `progress` gets notices, and `store` keeps the outcomes; None keeps
    nothing.
    """

    def __init__(
        self,
        job: Job,
        page_reader: PageReader,
        robots: RobotsCache,
        progress: Progress,
        store: Store | None,
    ) -> None:
        self.on_failure: OnFailure = log_failure
        """Called with each failure: when it is first known, and when it is final."""
        self.reclaimable: set[int] = set()
        """The URLs that redirects of failed start pages led to: they may do so again."""
        self._seeds = job.seeds
        self._page_reader = page_reader
        self._agent = job.client.name
        self._robots = robots
        self._progress = progress
        self._store = store
        self._urls: dict[int, str] = {}
        self._at_host: defaultdict[str, list[int]] = defaultdict(list)
        self.renumber()
        self._failures: dict[int, SeedFailure] = {}
        self._via: dict[int, list[str]] = {}  # the URLs that redirects of failed ones led to
        self._pages: set[int] = set()
        self._told: dict[int, tuple[str, bool]] = {}  # what `on_failure` was called with
        self._rewarded = False
        self._followed = False

    @property
    def failures(self) -> tuple[SeedFailure, ...]:
        """The start pages that gave nothing so far, in their order."""
        failures = self._failures
        return tuple(failures[number] for number in self._urls if number in failures)

    @property
    def gave_nothing(self) -> bool:
        """Whether start pages failed, none gave a page, and no link was followed."""
        return bool(self._failures) and not self._pages and not self._followed

    def check(self) -> None:
        """Raise a `SeedError` if no start page gave a page."""
        if self.gave_nothing:
            raise SeedError(self.failures)

    def __contains__(self, number: int) -> bool:
        return number in self._urls

    def renumber(self) -> None:
        """Look up the numbers of the start pages again: a checkpoint may have others."""
        self._urls = {self._page_reader.number(url): url for url in self._seeds}
        self._at_host.clear()
        for number, url in self._urls.items():
            self._at_host[authority(url)].append(number)

    def request_again(self) -> Iterator[tuple[int, list[str]]]:
        """Yield those that failed in earlier runs, by their numbers, with the hosts to ask again.

        Their robots.txt files are forgotten, and their redirects may lead where they led.
        """
        self._restore()
        for number, failure in self._failures.items():
            self._failures[number] = replace(failure, retrying=True)
            via = self._via.get(number, [])
            self.reclaimable.update(map(self._page_reader.number, via))
            hosts = list(dict.fromkeys(map(authority, (failure.url, *via))))
            for host in hosts:
                self._robots.forget(host)
            yield number, hosts

    def _restore(self) -> None:
        """Take over the outcomes that earlier runs have noted."""
        if self._store is None:
            return
        self._followed = self._followed or bool(self._store.get("followed"))
        for number, url in self._urls.items():
            note = self._store.get(f"seed:{url}")
            if note is None:
                continue
            if note.get("cause") is None:
                self._pages.add(number)
                self._failures.pop(number, None)
            else:
                self._failures[number] = SeedFailure.of_note(note)
                self._via[number] = [str(via) for via in note.get("via") or ()]

    def attempted(self, request: ScheduledRequest, response: Response, *, retry: bool) -> None:
        """Record an attempt that failed, of a start page or of its robots.txt."""
        if not retry and (not request.internal or response.fault is None):
            return  # the step has the outcome
        numbers = self._at_host.get(request.host, []) if request.internal else [request.number]
        for number in numbers:
            if number in self._urls and number not in self._pages:
                self._fail(number, *_cause(response, self._urls[number]), retrying=retry)

    def skipped(self, number: int, reason: str) -> None:
        """Record that a start page will not be requested, for a reason of the engine."""
        if number not in self._urls or number in self._pages:
            return
        url, cause = self._urls[number], reason
        if reason == "robots-unreachable":
            fault = self._robots.known(authority(url)).fault
            cause = reason if fault is None else cause_of_fault(fault, url)
        elif reason == "host-quarantine" and (known := self._failures.get(number)):
            self._set(number, replace(known, retrying=False))
            return
        self._fail(number, cause, {"agent": self._agent})

    def answered(
        self, number: int, page: Page, reward: float, response: Response, via: Sequence[str]
    ) -> None:
        """Record the step of a URL that was requested; `via` has the URLs of its redirects."""
        content = response.type, response.content
        found = _cause(response, response.url)
        for seed in {number, page.number} & self._urls.keys():
            self._record(seed, page, reward, found, content, via, tell=True)

    def replayed(
        self, number: int, page: Page, reward: float, stored: tuple[str, bytes], via: Sequence[str]
    ) -> None:
        """Record the step of an earlier run, unless its outcome was noted."""
        for seed in {number, page.number} & self._urls.keys():
            if self._store is None or self._store.get(f"seed:{self._urls[seed]}") is None:
                fault = page.error
                cause = cause_of_fault(fault, page.url) if fault else cause_of_status(page.status)
                refused: tuple[str, dict[str, object]] = cause, {"status": page.status}
                self._record(seed, page, reward, refused, stored, via, tell=False)

    def followed(self, source: int) -> None:
        """Record that a link was followed."""
        if source >= 0 and not self._followed:
            self._followed = True
            if self._store is not None:
                self._store.put("followed", True)

    def end(self) -> None:
        """Notice at the end that no link of the start pages was followed."""
        if self._pages and not self._followed and not self._rewarded and not self._failures:
            self._progress.notify(
                "no-links",
                "No link of the start pages was followed. If they lead to other hosts, add "
                "those to domains in [scope]; if their authors mark them nofollow, see nofollow in "
                "[politeness]; if scripts write them, try --render auto.",
            )

    def _record(
        self,
        number: int,
        page: Page,
        reward: float,
        refused: tuple[str, dict[str, object]],
        content: tuple[str, bytes],
        via: Sequence[str],
        *,
        tell: bool,
    ) -> None:
        self._rewarded = self._rewarded or reward > 0
        if page.error in (Fault.KNOWN_PAGE, LOST) or page.status == 304:
            return  # another step has the page
        self._via[number] = [url for url in via if url != self._urls[number]]
        if page.error is not None or not 200 <= page.status < 300:
            self._fail(number, refused[0], {**refused[1], "agent": self._agent}, tell=tell)
            return
        has_use = len(page.targets) or reward > 0
        cause = None if has_use else cause_of_content(page.url, *content)
        if cause is not None:
            self._fail(number, cause, {"type": media_type(content[0])}, tell=tell)
            return
        self._pages.add(number)
        self._failures.pop(number, None)
        self._note(number, {"cause": None})

    def _fail(
        self,
        number: int,
        cause: str,
        details: dict[str, object],
        *,
        retrying: bool = False,
        tell: bool = True,
    ) -> None:
        url = self._urls[number]
        self._set(number, SeedFailure.of(url, cause, retrying=retrying, **details), tell=tell)

    def _set(self, number: int, failure: SeedFailure, *, tell: bool = True) -> None:
        self._failures[number] = failure
        self._note(number, {**asdict(failure), "via": self._via.get(number, [])})
        event = failure.cause, failure.retrying
        if tell and self._told.get(number) != event:
            self._told[number] = event
            self.on_failure(failure)

    def _note(self, number: int, value: dict[str, Any]) -> None:
        if self._store is not None:
            self._store.put(f"seed:{self._urls[number]}", value)


def cause_of_content(url: str, type: str, body: bytes) -> str | None:
    """Return why a page without links and without reward is no start page; None if it has text.

    >>> cause_of_content("http://a.example/", "text/html", b"<div id=app></div><script src=a.js>")
    'script-only'
    >>> cause_of_content("http://a.example/", "text/html", b"<p>Hello")
    """
    if is_document(type, url):
        return None
    if has_no_text(type) or is_binary(body):
        return "binary"
    if not body.strip():
        return "empty"
    html = body.lower()
    if is_html(body, type) and b"<script" in html and visible_size(html) < MIN_TEXT_BYTES:
        return "script-only"
    return None


def visible_size(html: bytes) -> int:
    """Return the size of the text outside tags, scripts and styles, of HTML in lower case.

    One pass without a parser: it is called in the loop of the engine.

    >>> visible_size(b"<title>a</title><p>bcd <b>ef</b><script>var x</script>")
    5
    """
    size, at = 0, 0
    while (start := html.find(b"<", at)) >= 0:
        size += len(html[at:start].strip())
        hidden = _HIDDEN.match(html, start)
        ending = b">" if hidden is None else _ENDINGS.get(hidden[1], b"</" + hidden[1])
        at = html.find(ending, start + 1)
        if at < 0:
            return size
        at = at + 1 if hidden is None else at + len(ending)
        if hidden is not None and ending != b"-->":
            at = html.find(b">", at) + 1 or len(html)
    return size + len(html[at:].strip())


def _cause(response: Response, url: str) -> tuple[str, dict[str, object]]:
    """Return the cause of a response that is no page, with its details."""
    if response.fault is None:
        return cause_of_status(response.status), {"status": response.status}
    location = response.header("Location")
    return cause_of_fault(response.fault, url), {
        "type": media_type(response.type),
        "target": canonical(location, response.url) if location else None,
    }
