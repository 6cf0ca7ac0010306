"""Crawls of one site for several goals, by the version of Lycosa that is on the path.

`bench.pairs` runs this file as a script, with the sources of the present version or
of an older one, so it uses nothing but what both have. Each line of stdin is a task
in JSON, each line of stdout its runs. A spider is trained once, with the seed 0, and
crawls with every seed.
"""

from __future__ import annotations

import json
import sys
import time
from functools import cache
from pathlib import Path
from typing import Any

from lycosa.core import Budget, Site
from lycosa.crawler import simulate
from lycosa.goals import Listed, Query
from lycosa.lab.labelled import LabelledSite
from lycosa.sites import open_site
from lycosa.spiders import Setup, spider

_open = cache(open_site)


def _labelled(path: str, goal: str) -> Site:
    """Open a site; a goal that it does not list is a query."""
    site = _open(Path(path))
    return site if goal in site.goals else LabelledSite(site, Query(goal))


def run(task: dict[str, Any]) -> list[dict[str, Any]]:
    """Crawl as the task says; the first run is that of breadth-first, to the end of the site."""
    goal = task["goal"]
    site = _labelled(task["site"], goal)
    training = [_labelled(path, goal) for path in task["training"]]
    low = _crawl(site, goal, "breadth-first", [], 0, None, None)
    runs = [low]
    for name in task["spiders"]:
        began = time.process_time()
        models = spider(name).train(training, goal, 0)
        trained = time.process_time() - began
        # Optimal is the other end of the scale: it is not shaken.
        seeds = [0] if name == "optimal" else task["seeds"]
        for seed in seeds:
            one = _crawl(site, goal, name, models, seed, low["requests"], len(low["hits"]))
            runs.append(one | {"training": trained})
    return runs


def _crawl(
    site: Site,
    goal: str,
    name: str,
    models: list[Any],
    seed: int,
    pages: int | None,
    targets: int | None,
) -> dict[str, Any]:
    policy = spider(name).make(Setup(site, goal, seed), models)
    began, n, hits = time.process_time(), 0, []
    listed = Listed.of(site, goal)
    for step in simulate(site, policy, listed, Budget(pages=pages), random_seed=seed):
        n = step.n
        if step.reward > 0:
            hits.append(n)
            if len(hits) == targets:
                break
    seconds = time.process_time() - began
    return {"spider": name, "seed": seed, "hits": hits, "requests": n, "seconds": seconds}


if __name__ == "__main__":
    for line in sys.stdin:
        print(json.dumps(run(json.loads(line))), flush=True)
