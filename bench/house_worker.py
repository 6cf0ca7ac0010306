"""Crawl uci-ics with the version of Lycosa that is on the path, and say how long it took.

`bench.house_cost` runs this file with the sources of the present version or of an older
one, so it uses nothing but what both have. The arguments are the number of pages (0: all), the
folder of the site and those of the sites to train on; each line of stdin is a task, `low`,
`whole` or `parts`, each line of stdout its result.
"""

from __future__ import annotations

import hashlib
import json
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np

from bench.parts import Parts, sampled
from lycosa.core import Budget
from lycosa.crawler import simulate
from lycosa.goals import Listed
from lycosa.sites import open_site
from lycosa.spiders import Setup, spider

GOAL = "papers"
# By file; what numpy and scipy do counts for the file that calls them.
PARTS: Parts = {
    "words and columns": ("default/words", "default/features", "default/link_batch"),
    "keywords and forms": ("spiders/keywords", "lycosa/goals/"),
    "estimates": ("default/estimates", "default/training"),
    "learning": ("learn/logistic", "default/rates"),
    "link table": ("default/link_table", "learn/link_words"),
    "folders": ("default/folders",),
    "policy": ("default/house",),
    "frontier": ("crawler/frontier", "crawler/crawl.py", "crawler/simulation"),
    "pages of the site": ("lycosa/sites/", "lycosa/core", "lycosa/content"),
}


class Crawls:
    """Crawls of a site; the default policy is trained once."""

    def __init__(self, pages: int, site: Path, training: list[Path]) -> None:
        self._budget = Budget(pages=pages or None)
        self._site = open_site(site)
        began = time.process_time()
        self._models = spider("house").train([open_site(path) for path in training], GOAL, 0)
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
        """Return the share of each part in the CPU time of the default policy."""
        return sampled(self.whole, PARTS)[1]


if __name__ == "__main__":
    where, *others = map(Path, sys.argv[2:])
    crawls = Crawls(int(sys.argv[1]), where, others)
    for line in sys.stdin:
        print(json.dumps(getattr(crawls, line.strip())()), flush=True)
