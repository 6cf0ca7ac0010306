"""The keeper of a portal: cycles of a crawl and a build, beside a server, for ever.

Every part is a command in a process of its own: a crawl or build that is killed resumes
in the next cycle, a server that ends is started again, and the keeper, which has no
state but what the project has on the disk, can be killed itself. It holds the socket of
the server, so that readers who come while the server is started again wait and are not
refused. A cycle has a number of requests. How many of them are revisits is decided by what
revisits and discoveries have brought lately (`lycosa.crawler.revisit.effort`), and which
pages by what a visit is worth (`lycosa.crawler.revisit.revisit_plan`).
"""

from __future__ import annotations

import logging
import os
import subprocess
import sys
import time
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from threading import Event
from typing import Final

from lycosa.crawler.revisit.effort import LEAST
from lycosa.crawler.storage.reader import CrawlReader
from lycosa.errors import LycosaError
from lycosa.keep.commands import start_command, stop_command
from lycosa.keep.notification import channels_of
from lycosa.keep.status import KeepStatus
from lycosa.portal.extraction_log import template_changes
from lycosa.portal.web.listener import open_listener
from lycosa.project import Project
from lycosa.project.revisits import Revisits, read_revisits

NOTHING_FETCHED: Final = 3
"""The exit code of a crawl whose sites did not answer."""
POLL_SECONDS: Final = 0.5
"""Between two looks at the children."""
SERVER_PAUSE_SECONDS: Final = 1.0
"""Before a server that has ended is started again; doubled while it ends at once."""
MAX_SERVER_PAUSE_SECONDS: Final = 60.0
GROWTH: Final = 1.25
"""How much larger than after the last compaction an archive must be for another one."""
NICENESS: Final = 10
"""Of crawls and builds: readers come first. A build asks for idle time only by itself."""

_log = logging.getLogger("lycosa.keep")


@dataclass(frozen=True, slots=True)
class KeepPlan:
    """How a portal is kept."""

    requests: int = 500
    """Requests of a cycle, of both kinds."""
    interval: float = 3600.0
    """Seconds from the beginning of a cycle to that of the next; longer if it takes longer."""
    cycles: int | None = None
    """Cycles after which the keeper ends; None: never."""
    host: str = "127.0.0.1"
    port: int = 8000
    """Where the portal is served, unless a service manager gives a socket."""
    serving: tuple[str, ...] = ()
    """Further options of `lycosa serve`."""
    notifying: tuple[str, ...] = ()
    """Options of `lycosa notify`."""


class Keeper:
    """Keeps one project.

    `folder` is that of the project and `plan` says how.
    """

    def __init__(self, folder: Path, plan: KeepPlan) -> None:
        self._folder = folder
        self._plan = plan
        project = Project.load(folder)  # refuses what is no project
        self._pages = project.job.budget.pages
        self._notifies = bool(channels_of(project.notify))
        self._compact_at = project.storage.compact_at
        self._compacted = 0  # bytes of the archive after the last compaction
        self._status = KeepStatus(process=os.getpid())
        self._stopping = Event()
        self._listener = open_listener(plan.host, plan.port)
        self._server: subprocess.Popen[bytes] | None = None
        self._server_started = 0.0
        self._pause = SERVER_PAUSE_SECONDS

    def stop(self) -> None:
        """End after what is in progress was stopped; safe in a signal handler."""
        self._stopping.set()

    def run(self) -> None:
        """Keep the portal until `stop` is called, or the cycles of the plan are over."""
        status, folder = self._status, self._folder
        status.write(folder)
        try:
            self._watch_server()
            while not self._stopping.is_set():
                begun = time.monotonic()
                self._cycle()
                if self._stopping.is_set() or status.cycles == self._plan.cycles:
                    break
                left = max(begun + self._plan.interval - time.monotonic(), 0.0)
                following = datetime.now(UTC) + timedelta(seconds=left)
                status.enter(folder, "waiting", next=following.isoformat(timespec="seconds"))
                self._wait(left)
        finally:
            if self._server is not None:
                stop_command(self._server)
            self._listener.close()
            status.enter(folder, "stopped", process=0, next="")

    def _cycle(self) -> None:
        status, folder = self._status, self._folder
        known = self._known()
        revisits, discoveries = split_requests(known, self._plan.requests, self._links())
        status.enter(
            folder, "crawling", revisits=revisits, discoveries=discoveries, gone=known.gone
        )
        pages = known.pages + discoveries
        wanted = pages if self._pages is None else min(pages, self._pages)
        command = ["crawl", str(folder), "--pages", str(max(wanted, 1))]
        if not sys.stderr.isatty():  # the log of a service has the summaries only
            command.append("--quiet")
        if revisits:
            command += ["--revisits", str(revisits)]
        code = self._run(command)
        if code not in (0, NOTHING_FETCHED, None):
            status.fail(folder, f"The crawl ended with exit code {code}.")
        elif code == NOTHING_FETCHED:
            status.fail(folder, "No start page gave a page.")
        if not self._stopping.is_set():
            status.enter(folder, "building")
            code = self._run(["build", str(folder), "--json"])
            if code:
                status.fail(folder, f"The build ended with exit code {code}.")
        status.changes = [str(change) for change in template_changes(folder)]
        if not self._stopping.is_set() and self._notifies:
            code = self._run(["notify", str(folder), *self._plan.notifying])
            if code:
                status.fail(folder, f"New works could not be told of (exit code {code}).")
        if not self._stopping.is_set() and self._is_large():
            status.enter(folder, "compacting")
            code = self._run(["compact", str(folder), "--json"])
            if code:
                status.fail(folder, f"The compaction ended with exit code {code}.")
            self._compacted = self._archive_bytes()
        if not self._stopping.is_set():
            status.cycles += 1
            self._watch_server()

    def _is_large(self) -> bool:
        """Return whether a compaction is due: it has grown since the last one by some part."""
        if self._compact_at is None:
            return False
        least = max(self._compact_at, GROWTH * self._compacted)
        return self._archive_bytes() >= least

    def _archive_bytes(self) -> int:
        archive = self._folder / "archive"
        return sum(path.stat().st_size for path in archive.glob("*.warc.gz"))

    def _known(self) -> Revisits:
        if not (self._folder / "crawl.db").is_file():
            return Revisits()
        try:
            return read_revisits(self._folder, write=True)
        except LycosaError as error:
            _log.debug("the step log cannot be read", exc_info=error)
            self._status.fail(self._folder, f"The step log cannot be read: {error}")
            return Revisits()

    def _links(self) -> int | None:
        """Return how many links wait to be followed; None if that is not known."""
        if not (self._folder / "crawl.db").is_file():
            return None
        with suppress(LycosaError), CrawlReader.open(self._folder) as reader:
            waiting = (reader.note("run") or {}).get("waiting")
            return waiting if isinstance(waiting, int) else None
        return None

    def _run(self, command: list[str]) -> int | None:
        """Run a command to its end, or until `stop` is called; return its exit code."""
        child = start_command(command, niceness=NICENESS if self._server else 0)
        try:
            while child.poll() is None and not self._stopping.is_set():
                self._watch_server()
                self._stopping.wait(POLL_SECONDS)
            return child.poll()
        finally:
            stop_command(child)

    def _wait(self, seconds: float) -> None:
        end = time.monotonic() + seconds
        while not self._stopping.is_set() and (left := end - time.monotonic()) > 0:
            self._watch_server()
            self._stopping.wait(min(POLL_SECONDS, left))

    def _watch_server(self) -> None:
        """Start the server as soon as there is a portal, and again when it has ended."""
        if not (self._folder / "index" / "meta.json").is_file():
            return
        server, moment = self._server, time.monotonic()
        if server is None:
            self._start_server()
        elif server.poll() is not None and moment > self._server_started + self._pause:
            lived = moment - self._server_started
            quick = lived < MAX_SERVER_PAUSE_SECONDS
            self._pause = min(2 * self._pause, MAX_SERVER_PAUSE_SECONDS) if quick else 1.0
            self._status.restarts += 1
            self._status.fail(self._folder, f"The server ended with exit code {server.returncode}.")
            self._start_server()

    def _start_server(self) -> None:
        command = ["serve", str(self._folder), *self._plan.serving]
        self._server = start_command(command, listener=self._listener)
        self._server_started = time.monotonic()


def split_requests(known: Revisits, requests: int, links: int | None = None) -> tuple[int, int]:
    """Return how many requests of a cycle are revisits, and how many discover new pages.

    `links` is how many links wait to be followed. Without pages to request again, all are
    discoveries; where few links wait, those that revisits bring need some requests, too.

    >>> split_requests(Revisits(), 100)
    (0, 100)
    """
    due = known.count_due(requests)
    wanted = round(requests * known.effort.share)
    if links is not None:
        wanted = max(wanted, min(requests - links, round(requests * (1 - LEAST))))
    revisits = min(wanted, due)
    return revisits, requests - revisits
