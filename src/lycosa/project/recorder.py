"""Recorder: crawls a whole web site breadth-first into a recorded site."""

from __future__ import annotations

import shutil
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from lycosa.core import Budget, Goal
from lycosa.crawler.http.addresses import AddressPolicy
from lycosa.crawler.http.fetcher import ClientConfig
from lycosa.crawler.live.job import Job
from lycosa.crawler.politeness.pace import Pace
from lycosa.errors import UsageError
from lycosa.goals import Listed
from lycosa.project.crawling import open_crawl
from lycosa.sites import Recording, open_site
from lycosa.sites.importers import import_warcs
from lycosa.web.urls import Scope, canonical

if TYPE_CHECKING:
    from lycosa.crawler.live.engine import LiveCrawl

_CRAWL = "crawl"
_PARTIAL = "partial"


class Recorder:
    """Crawls into `out/crawl`, then converts the crawl to a recorded site in `out`.

    Links that look like traps, such as endless calendars, are sampled and left out.

    With `under` the crawl stays below the folders of the seeds, not only on their
    hosts. `delay` is the least number of seconds between two requests to a host;
    `loopback` allows requests to this machine, for tests.
    """

    def __init__(
        self,
        out: Path,
        seeds: Sequence[str],
        contact: str,
        *,
        budget: Budget = Budget(),  # noqa: B008 - frozen
        under: bool = False,
        delay: float | None = None,
        sitemaps: bool = False,
        loopback: bool = False,
    ) -> None:
        occupied = out.exists() and any(out.iterdir() if out.is_dir() else (out,))
        if occupied and not (out / _CRAWL / "crawl.db").is_file():
            raise UsageError(f"{out} already exists; choose a new folder.")
        self.out = out
        folders = tuple(_folder(url) for seed in seeds if (url := canonical(seed)))
        self.job = Job(
            tuple(seeds),
            ClientConfig(contact),
            Scope(prefixes=folders) if under else None,
            budget,
            pace=Pace() if delay is None else Pace(delay=delay),
            addresses=AddressPolicy(allow_loopback=loopback),
            sitemaps=sitemaps,
        )

    def crawl(self) -> LiveCrawl:
        """Return the crawl; it resumes an earlier one."""
        from lycosa.spiders import BreadthFirst
        from lycosa.spiders.traps import Wary
        from lycosa.spiders.traps.deferral import LOWEST

        nothing = Listed("the whole site", ())
        job = replace(self.job, budget=replace(self.job.budget, score=LOWEST))
        return open_crawl(job, Wary(BreadthFirst()), nothing, self.out / _CRAWL)

    def finish(self, family: str = "", goals: Mapping[str, Goal] | None = None) -> dict[str, Any]:
        """Convert the crawl to a recorded site; return its pages, seeds and targets."""
        new = self.out / _PARTIAL
        shutil.rmtree(new, ignore_errors=True)
        archives = sorted((self.out / _CRAWL / "archive").glob("*.warc.gz"))
        done = import_warcs(archives, new, family=family, seeds=self.job.seeds)
        for file in new.iterdir():
            file.replace(self.out / file.name)
        new.rmdir()
        recording = Recording(self.out, self.out.resolve().name, family, done.recording.seeds)
        recording.write()
        found = self._targets(goals or {})
        recording.write_lists(aliases=recording.aliases(), targets=found)
        counts = {name: len(urls) for name, urls in found.items()}
        return {"pages": done.pages, "seeds": list(recording.seeds), "targets": counts}

    def _targets(self, goals: Mapping[str, Goal]) -> dict[str, list[str]]:
        if not goals:
            return {}
        site = open_site(self.out)
        found: dict[str, list[str]] = {name: [] for name in goals}
        for number in range(len(site)):
            page = site.page(number)
            for name, goal in goals.items():
                if goal(page) > 0:
                    found[name].append(page.url)
        return found


def _folder(url: str) -> str:
    return url[: url.rindex("/") + 1]
