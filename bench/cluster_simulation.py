"""A simulation of clusters of up to 1,000 workers over a generated web of 10⁹ URLs.

`python -m bench.cluster_simulation` measures what a page costs PostgreSQL here, simulates,
and writes its part of docs/benchmarks.md; `small` simulates a hundredth of the web and prints
the result.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence

from bench import page
from bench.cluster_costs import BATCH, PostgresCosts, measure, server
from lycosa.cluster.shards import SLOTS
from lycosa.cluster.simulation.cluster import ClusterSimulation, SimulationResult
from lycosa.cluster.simulation.costs import ClusterCosts
from lycosa.cluster.simulation.web import SimulatedWeb

URLS, ADDRESSES = 1_000_000_000, 1_000_000
SMALL = 100
"""Of how many parts of the web one is simulated by `small`."""
SEED = 22
MORE_SLOTS = 4096
"""Slots of a crawl that would be made for 1,000 workers."""
ENGINE_SECONDS = 0.00202
"""CPU a request of the live crawl with everything, from the part of bench-live."""
MAX_RATIO = 1.25
"""What a page may cost with PostgreSQL, of that."""
PUBLISHED = (
    ("Frontera (documentation)", "10 to 12 pages/s a worker"),
    ("StormCrawler, six nodes", "3 million URLs a day: 35 pages/s, 6 a node"),
    ("a crawl of 20 machines", "88 pages/s a machine"),
    ("IRLbot (Lee et al. 2008), one server", "1,789 pages/s"),
)


def simulate(costs: ClusterCosts, scale: int) -> tuple[list[SimulationResult], SimulatedWeb]:
    """Return the results of clusters of several sizes, the last one with more slots."""
    size = {"urls": URLS // scale, "addresses": ADDRESSES // scale, "seed": SEED}
    web = SimulatedWeb.generate(**size)
    found = [ClusterSimulation(web, workers, costs).run() for workers in (10, 100, 1000)]
    finer = SimulatedWeb.generate(**size, slot_count=MORE_SLOTS)
    found.append(ClusterSimulation(finer, 1000, costs).run())
    return found, web


def row(result: SimulationResult) -> tuple[str, ...]:
    """Return the row of a result."""
    seconds = result.seconds_to(0.9)
    limits = ", ".join(f"{limit} {share:.0%}" for limit, share in result.limits(0.9).items())
    busy = max(each.busy_workers for each in result.intervals)
    return (
        f"{result.workers:,}",
        f"{result.shards:,}",
        f"{result.idle_workers:,}",
        f"{result.peak:,.0f}",
        f"{result.peak / result.workers:,.0f}",
        f"{busy:.0%}",
        f"{result.postgres_peak:.1f}",
        "-" if seconds is None else f"{seconds / 3600:,.1f}",
        f"{result.deaths:,}",
        limits,
    )


def report(measured: PostgresCosts, scale: int) -> str:
    """Simulate, and return the text of the part."""
    costs = ClusterCosts(
        worker_seconds=MAX_RATIO * ENGINE_SECONDS,
        step_seconds=measured.step,
        link_seconds=measured.link,
        lease_seconds=measured.turn,
    )
    results, web = simulate(costs, scale)
    head = (
        "workers|shards|idle|peak pages/s|a worker|CPU of workers|cores of PostgreSQL|"
        "hours to 90 %|deaths|pages limited by"
    )
    rate = costs.postgres_rate(100)
    known = URLS // scale * costs.url_bytes / 2**30
    return (
        f"{web.sizes.sum():,} URLs at {len(web):,} addresses (Zipf's law with exponent 0.8, at "
        f"most {web.sizes.max():,} each; a tenth asks for delays of 5 to 30 s, 2 % do not "
        f"answer), found by 5 links of each page from 100 start pages on. Workers die once a day "
        f"on average and are back after {costs.restart:.0f} s; their shards stand still for a "
        f"lease of {costs.lease:.0f} s and {costs.takeover:.0f} s of takeover. Shards are assigned "
        f"by the code of the cluster.\n\n"
        f"A page costs a worker {costs.worker_seconds * 1000:.2f} ms of CPU (what bench-live "
        f"measured, times {MAX_RATIO}), and PostgreSQL {measured.step * 1e6:.0f} µs for the step "
        f"(commits of {BATCH}) and {measured.link * 1e6:.0f} µs for a link to another shard, of "
        f"which there are {costs.links_sent:.0f}; a worker's turns cost "
        f"{measured.turn * 1e6:.0f} µs each, {costs.turns:.0f} a second: measured on this "
        f"machine by `bench.cluster_costs`. "
        f"PostgreSQL has {costs.postgres_cores:.0f} cores.\n\n"
        + page.table(head.split("|"), [row(result) for result in results])
        + f"\n\nWhere it saturates: a PostgreSQL of {costs.postgres_cores:.0f} cores takes "
        f"{rate:,.0f} pages a second from 100 workers. A crawl has {SLOTS} slots, so more workers "
        f"than that have no shard; the last line has {MORE_SLOTS:,} slots instead. The rest waits "
        f"for politeness: the largest addresses give a page a delay. All known URLs need "
        f"{known:,.0f} GB of memory, shared by the workers.\n\n"
        "Published figures of other crawlers, on their webs and machines:\n\n"
        + page.table(("crawler", "speed"), PUBLISHED)
    )


def main(arguments: Sequence[str]) -> None:
    """Measure, simulate, and write the part, or print that of a small web."""
    with server() as postgres:
        measured = measure(postgres)
    print(measured, flush=True)
    if arguments[:1] == ["small"]:
        print(report(measured, SMALL))
    else:
        page.write("cluster-simulation", "Simulated clusters", report(measured, 1), "bench-cluster")


if __name__ == "__main__":
    main(sys.argv[1:])
