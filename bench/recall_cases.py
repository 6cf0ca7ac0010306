"""Crawls for the recall estimator: sites, goals, spiders, and the evidence at every 5 %.

The goals of a site are those recorded with it and pseudo-goals: all pages that have a
certain word in the URL, in the title or in the text. The words are chosen by a hash, for
each of these fields two of four ranges of frequency, so that there are goals with few and
with many targets, clustered and spread.
"""

from __future__ import annotations

import hashlib
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import NamedTuple

import numpy as np

from bench.page import SHARED
from lycosa.core import Budget, Site, Step
from lycosa.crawler.crawl import Crawl
from lycosa.crawler.recall import Recall, RecallEvidence
from lycosa.goals import Listed
from lycosa.sites import open_site
from lycosa.sites.generated import World
from lycosa.spiders import Setup, spider
from lycosa.web.words import url_words

FAMILIES = ("departments", "organisations", "universities")
GENERATED = "generated"
WORLDS = ((101, 300), (102, 1000))  # seed and pages
BLIND = ("breadth-first", "random", "depth-first")  # their order does not depend on the goal
HOUSE = "house"
OTHERS = ("yield(combined)", "rl-future")  # on recorded goals
PERCENT = range(5, 100, 5)
LARGE = 10_000  # URLs; a larger site has only its own goals, and teaches no spider, to save time
RANGES = ((3, 8), (9, 25), (26, 80), (81, 400))  # pages with the word of a pseudo-goal
MAX_SHARE = 0.2  # of all pages: a goal of more is not worth a spider


class SiteJob(NamedTuple):
    """A site to crawl: a folder of a family, or a site of a generated world."""

    family: str
    folder: Path | None = None
    seed: int = 0
    pages: int = 0
    index: int = 0

    def open(self) -> Site:
        """Return the site."""
        if self.folder is not None:
            return open_site(self.folder)
        return World(self.seed, departments=2, organisations=1, pages=self.pages).sites[self.index]


@dataclass(frozen=True)
class Case:
    """One crawl at one moment, with the true number of targets."""

    site: str
    family: str
    goal: str
    spider: str
    percent: int
    targets: int
    evidence: RecallEvidence

    @property
    def is_recorded(self) -> bool:
        """Whether the goal was recorded with the site."""
        return ":" not in self.goal

    @property
    def recall(self) -> float:
        """Share of the targets that was found."""
        return self.evidence.found / self.targets

    @property
    def odds(self) -> float:
        """The quantity to be estimated: the log of missing to found."""
        found = self.evidence.found
        return float(np.log((self.targets - found + 0.5) / (found + 0.5)))


@dataclass
class SiteCases:
    """The cases of one site, and the cost of observing its crawls."""

    cases: list[Case] = field(default_factory=list)
    seconds: float = 0.0
    pages: int = 0


def jobs() -> list[SiteJob]:
    """Return all sites: the recorded ones and those of the generated worlds."""
    recorded = [
        SiteJob(family, folder)
        for family in FAMILIES
        for folder in sorted((SHARED / "sites" / family).iterdir())
    ]
    made = [
        SiteJob(GENERATED, None, seed, pages, index)
        for seed, pages in WORLDS
        for index in range(len(World(seed, departments=2, organisations=1, pages=pages).sites))
    ]
    return [*recorded, *made]


def crawl_site(job: SiteJob) -> SiteCases:
    """Crawl one site by all spiders, and return the evidence on the way."""
    site = job.open()
    found = SiteCases()
    name = site.name if job.folder is not None else f"{site.name}-{job.seed}"
    blind = {each: _steps(site, each, "", ()) for each in BLIND}
    reachable = [step.page.number for step, _ in blind[BLIND[0]]]
    goals = {goal: site.wanted(goal).tolist() for goal in site.goals}
    if len(site) < LARGE:
        goals |= pseudo_goals(site, reachable)
    for count, (goal, numbers) in enumerate(goals.items()):
        wanted = frozenset(numbers) & frozenset(reachable)
        if not wanted:
            continue
        orders = {each: _rewarded(steps, wanted) for each, steps in blind.items()}
        recorded = goal in site.goals
        # Half of the pseudo-goals: they outnumber the recorded ones.
        if recorded or count % 2 == 0:
            orders[HOUSE] = _steps(site, HOUSE, goal, wanted)
        if recorded and len(site) < LARGE:
            for each in OTHERS:
                training = _training(job, goal)
                if training or each != "rl-future":
                    orders[each] = _steps(site, each, goal, wanted, training)
        for each, steps in orders.items():
            began = time.process_time()
            moments = observe(steps)
            found.seconds += time.process_time() - began
            found.pages += len(steps)
            found.cases += [
                Case(name, job.family, goal, each, percent, len(wanted), evidence)
                for percent, evidence in moments.items()
            ]
    return found


def observe(steps: Sequence[tuple[Step, int]]) -> Mapping[int, RecallEvidence]:
    """Return the evidence at every 5 % of a whole crawl, with the URLs that wait at each step."""
    moments = {len(steps) * percent // 100: percent for percent in PERCENT}
    recall, found = Recall(), {}
    for n, (step, waiting) in enumerate(steps, 1):
        recall.observe(step, waiting)
        if n in moments:
            found[moments[n]] = recall.evidence()
    return found


def pseudo_goals(site: Site, numbers: Sequence[int]) -> dict[str, list[int]]:
    """Return pseudo-goals of a site with the numbers of their targets."""
    words, urls = site.tables.words, site.tables.urls
    fields: dict[str, dict[str, list[int]]] = {"url": {}, "title": {}, "text": {}}
    for number in numbers:
        content = site.page(number).content
        of_page: dict[str, Iterable[str]] = {
            "url": url_words(urls[number]),
            "title": [words[n] for n in content.tokens[: content.title_size].tolist()],
            "text": [words[n] for n in np.unique(content.tokens).tolist()],
        }
        for name, found in of_page.items():
            for word in set(found):
                fields[name].setdefault(word, []).append(number)
    first = _hash(site.name)[1]
    chosen = {}
    for k, (name, pages_of) in enumerate(fields.items()):
        for low, high in RANGES[(first + k) % 2 :: 2]:
            most = min(high, MAX_SHARE * len(numbers))
            fit = [w for w, pages in pages_of.items() if low <= len(pages) <= most and _plain(w)]
            if fit:
                word = min(fit, key=lambda w: _hash(site.name, name, w))
                chosen[f"{name}:{word}"] = pages_of[word]
    return chosen


def _plain(word: str) -> bool:
    return len(word) > 3 and word.isalpha()


def _hash(*parts: str) -> bytes:
    return hashlib.md5("|".join(parts).encode(), usedforsecurity=False).digest()


def _training(job: SiteJob, goal: str) -> list[Site]:
    """Return the other recorded sites of the family with this goal."""
    if job.folder is None:
        return []
    others = [open_site(path) for path in sorted(job.folder.parent.iterdir()) if path != job.folder]
    return [site for site in others if goal in site.goals and len(site) < LARGE]


def _steps(
    site: Site, name: str, goal: str, wanted: Iterable[int], training: Sequence[Site] = ()
) -> list[tuple[Step, int]]:
    """Return the steps of a crawl of the whole site, each with the number of URLs that wait."""
    urls = site.tables.urls
    # The policy knows a pseudo-goal by its word.
    policy = spider(name)(Setup(site, goal.rpartition(":")[2] or "none", training=training))
    listed = Listed(goal or "none", [urls[number] for number in wanted])
    return list(_walk(site, Crawl(policy, listed, Budget(), site.seeds)))


def _walk(site: Site, crawl: Crawl) -> Iterator[tuple[Step, int]]:
    while (number := crawl.next()) is not None:
        yield crawl.tell(site.page(number)), crawl.waiting


def _rewarded(steps: Sequence[tuple[Step, int]], wanted: frozenset[int]) -> list[tuple[Step, int]]:
    """Return the steps of a crawl without a goal as those of one with it."""
    return [(replace(s, reward=float(s.page.number in wanted)), left) for s, left in steps]
