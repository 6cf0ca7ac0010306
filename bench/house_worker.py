"""Crawl uci-ics with the version of Lycosa that is on the path, and say how long it took.

`bench.house_cost` runs this file with the sources of the present version or of an older
one, so it uses nothing but what both have, except for `parts`. The arguments are the number of
pages (0: all), the site and the sites to train on, each as its folder and that of its compiled
arrays; each line of stdin is a task, `low`, `whole` or `parts`, each line of stdout its result.
"""

from __future__ import annotations

import hashlib
import json
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np

from bench.timers import REST, Methods, timed
from lycosa.core import Budget
from lycosa.crawler import simulate
from lycosa.goals import Listed
from lycosa.sites.compiled import CompiledSite
from lycosa.sites.recording import Recording
from lycosa.sites.tables import StoredTable
from lycosa.spiders import Setup, spider

GOAL = "papers"


class Crawls:
    """Crawls of a site; the default policy is trained once."""

    def __init__(self, pages: int, site: CompiledSite, training: list[CompiledSite]) -> None:
        self._budget = Budget(pages=pages or None)
        self._site = site
        began = time.process_time()
        self._models = spider("house").train(training, GOAL, 0)
        self._training = time.process_time() - began

    def crawl(self, name: str) -> dict[str, Any]:
        """Crawl the site; return the CPU time and what was counted."""
        site = self._site
        models = self._models if name == "house" else []
        policy = spider(name).make(Setup(site, GOAL, 0), models)
        known, links, order = np.zeros(len(site), np.bool_), 0, []
        began = time.process_time()
        for step in simulate(site, policy, Listed.of(site, GOAL), self._budget):
            targets = step.page.targets
            known[targets] = True
            links += len(targets)
            order.append(step.page.number)
        return {
            "seconds": time.process_time() - began,
            "training": self._training,
            "pages": len(order),
            "links": links,
            "urls": int(known.sum()),
            "bytes": getattr(policy, "nbytes", 0),
            "order": hashlib.sha256(np.array(order, np.int32).tobytes()).hexdigest(),
        }

    def low(self) -> dict[str, Any]:
        """Crawl breadth-first."""
        return self.crawl("breadth-first")

    def whole(self) -> dict[str, Any]:
        """Crawl with the default policy."""
        return self.crawl("house")

    def parts(self) -> dict[str, float]:
        """Return the CPU time of each part of a crawl with the default policy."""
        with timed(_methods()) as seconds:
            self.whole()
        return seconds


def _methods() -> Methods:
    """Return the methods of each part, of the present version only."""
    from lycosa.crawler.frontier import Frontier
    from lycosa.spiders.default.estimates import Estimates
    from lycosa.spiders.default.features import Features
    from lycosa.spiders.default.folders import Folders
    from lycosa.spiders.default.house import House
    from lycosa.spiders.default.link_table import LinkTable
    from lycosa.spiders.keywords import Keywords

    return {
        "features of links": [(Features, "rows batch")],
        "keywords": [(Keywords, "score_some score_few")],
        "folders": [(House, "_folder_features"), (Folders, "visit features_of")],
        "log-odds": [(Estimates, "log_odds log_odds_of_rows")],
        "link table": [
            (LinkTable, "mark_fetched unsettled add_links add_rows rescore rows inputs scores"),
            (LinkTable, "waiting set_folders"),
        ],
        "fits": [(Estimates, "fit share"), (LinkTable, "rates")],
        "frontier": [(Frontier, "push replace pop")],
        "pages of the site": [(CompiledSite, "page _content")],
        REST: [],
    }


def opened(folder: Path, compiled: Path) -> CompiledSite:
    """Return a site that was compiled by the present version, whose arrays all versions read."""
    find = StoredTable(compiled, "urls").find
    return CompiledSite(compiled, Recording.open(folder).targets(find))


if __name__ == "__main__":
    paths = list(map(Path, sys.argv[2:]))
    first, *others = map(opened, paths[::2], paths[1::2])
    crawls = Crawls(int(sys.argv[1]), first, others)
    for line in sys.stdin:
        print(json.dumps(getattr(crawls, line.strip())()), flush=True)
