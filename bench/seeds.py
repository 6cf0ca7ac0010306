"""The published tables of seeds 000 and 002, measured on recorded and generated sites."""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Callable

import numpy as np

from bench.curves import draw, mean_recall
from bench.grid import Combination, combinations, probabilities, run_grid
from bench.measure import run
from bench.page import SHARED, table, write
from lycosa.lab import Results, Run, experiment
from lycosa.learn.bins import Bins
from lycosa.learn.examples import LinkBags
from lycosa.learn.neighbourhoods import neighbourhood
from lycosa.sites import find_sites, open_site
from lycosa.spiders import spider
from lycosa.spiders.training import train, values_of

DEPARTMENTS = SHARED / "sites" / "departments"
WEBKB = [DEPARTMENTS / f"webkb-{name}" for name in ("cornell", "texas", "washington", "wisconsin")]
COMPANIES = 26  # as many as in seed 000
PAGES = 255

SHOWN = [
    "rl-immediate",
    "rl-future",
    "rl(svm, related, immediate)",
    "rl(svm, placed, future)",
    "rl(tsvm, related, immediate)",
    "immediate-and-future(nb)",
    "change-policy",
]
IMMEDIATE, FUTURE = "rl(nb, {0}, immediate)", "rl(nb, {0}, future)"


def main(*names: str) -> None:
    """Measure the named parts, or all, and write each as soon as it is done."""
    if not DEPARTMENTS.is_dir():
        sys.exit(f"These benchmarks read the recorded sites at {DEPARTMENTS}, which is not there.")
    for name in names or PARTS:
        title, part = PARTS[name]
        write(f"seeds-{name}", title, part(), "bench-seeds")


def _gaps() -> str:
    """Return the gap closed by every learned spider for each goal, and the time it takes."""
    names = [
        "rl-immediate", "rl-future", "rl-future(bins=4)", "rl-future(bins=5)", "rl-distance",
        "rl(nb, full-page, immediate)", "rl(nb, full-page, future)", "rl(nb, near, immediate)",
        "rl(nb, relative, immediate)", "rl(nb, full, immediate)", "rl(svm, related, immediate)",
        "rl(svm, related, future)", "rl(svm, placed, immediate)", "rl(svm, placed, future)",
        "rl(svm, placed, future, bins=4)", "rl(tsvm, related, immediate)",
        "immediate-and-future(nb)", "immediate-and-future(svm, placed)", "change-policy",
        "change-policy(rl(svm, related, immediate), rl(nb, related, future), at=auto)",
    ]  # fmt: skip
    begun = time.perf_counter()
    papers = experiment(WEBKB, "papers", names, jobs=2)
    seconds = time.perf_counter() - begun
    few = [n for n in names if "tsvm" not in n]
    columns = {"papers": papers}
    for goal in ("courses", "faculty", "projects"):
        columns[goal] = experiment(WEBKB, goal, few, jobs=2)
    found = {goal: {s.spider: s for s in results.summary} for goal, results in columns.items()}
    rows = [[f"`{name}`", *(_share(found[goal].get(name)) for goal in columns)] for name in names]
    text = (
        "Gap closed between breadth-first and Optimal on the four WebKB sites, each spider trained "
        "on the other three. Constants (the cost of the SVM, its balanced classes) were chosen on "
        f"the papers of these sites, so read those figures as optimistic. All {len(names)} spiders "
        f"for papers, sites in parallel on two cores, took {seconds:.0f} s (240 s wanted)."
        "\n\n"
        "Seed 002 finds that SVMs lead early and naive Bayes overall. Here (see the combinations "
        "below) naive Bayes leads on average both times. A likely reason, not proven: 200 words in "
        "a single vocabulary let names that occur on one site decide, and there are only three "
        "sites to learn from. With one for each bag (*related*, *placed*) the SVM is level "
        "for papers and ahead for the other goals. For papers, the best ChangePolicy is the one "
        "that chooses its moment by itself."
    )
    by_spider = _by_spider(papers)
    curves = {name: mean_recall(by_spider[name]) for name in SHOWN}
    shown = draw("learned-spiders", curves, "Papers found by the learned spiders")
    return f"{text}\n\n" + table(["spider", *columns], rows) + "\n\n" + shown


def _share(summary: object) -> str:
    gap = getattr(summary, "gap_closed", None)
    if gap is None:
        return ""
    low, high = summary.interval  # type: ignore[attr-defined]
    return f"{100 * gap:.1f} % ({100 * low:.0f} to {100 * high:.0f})"


def _figure_1() -> str:
    names = ["breadth-first", IMMEDIATE.format("full-page"), FUTURE.format("full-page"),
             IMMEDIATE.format("related"), FUTURE.format("related"), "optimal"]  # fmt: skip
    results = experiment(WEBKB, "papers", names, jobs=2)
    by_spider = _by_spider(results)
    published = {"breadth-first": "43 %", names[1]: "14 %"}
    rows = [
        [
            f"`{name}`",
            *(f"{100 * _to(runs, p):.0f} %" for p in (25, 50, 75)),
            published.get(name, ""),
        ]
        for name, runs in by_spider.items()
    ]
    curves = {name: mean_recall(runs) for name, runs in by_spider.items()}
    text = (
        "Share of the links followed to find 25, 50 and 75 % of the papers, mean over the four "
        "WebKB sites; the last column is what seed 000 reports for 75 % on its four departments. "
        "Learning wins here as it does there, by less: the sites are smaller (2,000 URLs, there "
        "13,000) and breadth-first too finds most of their papers late. Two findings are not "
        "repeated. *Related* text is ahead of *full-page* at every stage, not only early: words "
        "of a whole page predict little about one of its links with few pages to learn from. "
        "And Future is not overtaken by Immediate later on: Immediate wins in the paper because it "
        "recognises 95 % of the immediate rewards, and here it recognises far fewer (see the "
        "accuracy of the bins below)."
    )
    return (
        f"{text}\n\n"
        + table(["spider", "to 25 %", "to 50 %", "to 75 %", "published, 75 %"], rows)
        + "\n\n"
        + draw("seed-000-figure-1", curves, "Papers found against links followed")
        + "\n\n"
        + draw("seed-000-figure-1-start", curves, "The beginning of the same crawls", until=0.25)
    )


def _by_spider(results: Results) -> dict[str, list[Run]]:
    grouped: dict[str, list[Run]] = defaultdict(list)
    for one in results.runs:
        grouped[one.spider].append(one)
    return {name: grouped[name] for name in results.spiders}


def _to(runs: list[Run], percent: int) -> float:
    return float(np.mean([(r.requests_to[str(percent)] or r.pages) / r.pages for r in runs]))


def _table_1() -> str:
    names = ["optimal", "rl-future(bins=4)", "rl-future(bins=3)", "rl-future(bins=5)",
             "rl-immediate", "breadth-first"]  # fmt: skip
    published = ["3 %", "13 %", "22 %", "27 %", "27 %", "38 %"]
    organisations = find_sites([SHARED / "sites" / "organisations"])
    real = {s.spider: s for s in experiment(organisations, "officers", names, jobs=2).summary}
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-m", "lycosa.cli", "generate", folder]
        command += ["--family", "organisations", "--sites", str(COMPANIES), "--pages", str(PAGES)]
        subprocess.run(command, check=True, capture_output=True)
        made = {
            s.spider: s for s in experiment(find_sites([folder]), "officers", names, jobs=2).summary
        }
    rows = [
        [f"`{name}`", p, *(f"{100 * found[name].links_followed:.1f} %" for found in (made, real))]
        for name, p in zip(names, published, strict=True)
    ]
    ratio = made["rl-future(bins=4)"].links_followed / made["rl-immediate"].links_followed
    text = (
        f"Share of the links followed before the page of officers is found: {COMPANIES} generated "
        f"companies of {PAGES} pages, where it lies three to five clicks deep, and the seven "
        "recorded organisations, where it mostly lies one click from the front page. On the "
        f"generated companies Future with 4 bins follows {ratio:.2f} of the links that Immediate "
        "follows (at most 0.50 wanted; 0.48 published): with a single deep target, "
        "pages on the path must be recognised, and two bins cannot express that. Three bins reach "
        "one click ahead, which is too near for targets this deep. On the recorded organisations "
        "paths are short, so looking ahead gains little."
    )
    head = ["spider", "published", "generated companies", "recorded organisations"]
    return f"{text}\n\n" + table(head, rows)


def _accuracy() -> str:
    sites = [open_site(folder) for folder in WEBKB]
    rows = []
    for learner, text in (("nb", "full-page"), ("nb", "related"), ("svm", "related")):
        for criterion, bins in (("immediate", 2), ("future", 3), ("future", 4)):
            recipe = spider(f"rl({learner}, {text}, {criterion}, bins={bins})").recipes[0]
            right, two, recall = [], [], []
            for site in sites:
                others = [other for other in sites if other is not site]
                model = train(others, "papers", recipe)
                pages = [site.page(number) for number in range(len(site))]
                links = LinkBags.of(pages, site.tables, neighbourhood(text))
                predicted = probabilities(model, links).argmax(axis=1)
                values = values_of(site, "papers", recipe.criterion)[links.targets]
                true = Bins.by_powers(recipe.bins, recipe.gamma).of(values)
                right.append((predicted == true).mean())
                two.append(((predicted == 0) == (true == 0)).mean())
                recall.append((predicted[true == 0] == 0).mean())
            published = {2: "85 %", 3: "77 %, as 2: 92 %", 4: "59 %, as 2: 95 %"}[bins]
            rows.append([f"{learner}, {text}", bins, *(f"{100 * np.mean(x):.0f} %"
                         for x in (right, two, recall)), published])  # fmt: skip
    text = (
        "How often the most probable bin is the right one on the site left out, also when all bins "
        "but the first are taken as one, and how many of the immediate rewards are recognised. As "
        "published, more bins are harder to separate, and models with more bins are no worse at "
        "separating immediate rewards from the rest."
    )
    head = ["", "bins", "right", "right as 2 bins", "recall of immediate", "published (full-page)"]
    return f"{text}\n\n" + table(head, rows)


def _table_002() -> str:
    todo = list(combinations(("near", "relative", "full"), (0.1, 0.3, 0.5)))
    begun = time.perf_counter()
    runs = run_grid(WEBKB, "papers", todo)
    seconds = time.perf_counter() - begun
    by_name: dict[str, list[Run]] = defaultdict(list)
    for one in runs:
        by_name[one.spider].append(one)
    half = {
        name: 100 * np.mean([_found_by(r, 0.5) for r in mine]) for name, mine in by_name.items()
    }
    whole = {name: 100 * np.mean([r.integral for r in mine]) for name, mine in by_name.items()}
    best = [sorted(column, key=lambda name: -column[name])[:10] for column in (half, whole)]
    rows = [
        [f"`{a}`", f"{half[a]:.1f}", f"`{b}`", f"{whole[b]:.1f}"]
        for a, b in zip(*best, strict=True)
    ]
    means = []
    for factor in ("learner", "text", "criterion", "bins", "gamma"):
        for level in dict.fromkeys(getattr(c, factor) for c in todo):
            mine = [c.name for c in todo if getattr(c, factor) == level]
            means.append([factor, level, f"{np.mean([half[n] for n in mine]):.1f}",
                          f"{np.mean([whole[n] for n in mine]):.1f}"])  # fmt: skip
    nb, svm = (_level(todo, half, whole, learner) for learner in ("nb", "svm"))
    text = (
        f"{len(todo)} combinations of classifier, text, criterion, bins and gamma on four WebKB "
        f"sites, each trained on the other three ({seconds:.0f} s). 50 %: the share of the papers "
        "found by half of the requests. 100 %: the area under the whole curve. (The paper does not "
        "define its two columns; these are the readings under which both can be computed.) In the "
        "paper the SVM leads in the first half and naive Bayes overall. Here, means over all "
        f"combinations: naive Bayes {nb[0]:.1f} and {nb[1]:.1f}, SVM {svm[0]:.1f} and {svm[1]:.1f}."
    )
    return (
        f"{text}\n\n"
        + table(["best at 50 %", "reward", "best at 100 %", "reward"], rows)
        + "\n\n"
        + table(["factor", "level", "mean at 50 %", "mean at 100 %"], means)
    )


def _level(
    todo: list[Combination], half: dict[str, float], whole: dict[str, float], learner: str
) -> tuple[float, float]:
    mine = [c.name for c in todo if c.learner == learner]
    return float(np.mean([half[n] for n in mine])), float(np.mean([whole[n] for n in mine]))


def _found_by(one: Run, share: float) -> float:
    return float(np.searchsorted(one.hits, share * one.pages, side="right")) / one.targets


def _costs() -> str:
    result = run("bench.seeds", "measure-costs").result
    rows = [[name, f"{value:.2f} {unit}", wanted] for name, (value, unit, wanted) in result.items()]
    return "" + table(["", "measured", "wanted"], rows)


def _measure_costs() -> dict[str, tuple[float, str, str]]:
    """Return the costs; run in a separate process."""
    from lycosa.sites.graph import Graph
    from lycosa.spiders import Setup
    from lycosa.spiders.criteria import Future

    figures = {}
    uci = open_site(DEPARTMENTS / "uci-ics", jobs=2)
    rewards = np.zeros(len(uci))
    rewards[uci.wanted("papers")] = 1.0
    begun = time.perf_counter()
    Future(0.5)(Graph.of(uci), rewards)
    figures["criterion `future` on uci-ics"] = (time.perf_counter() - begun, "s", "30 s")
    sites = [open_site(folder) for folder in WEBKB]
    pages = [p for p in (uci.page(n) for n in range(50_000)) if 80 <= len(p.targets) <= 130]
    for name in (
        "rl(nb, related, future)",
        "rl(nb, full-page, future)",
        "rl(svm, related, future)",
        "rl(svm, placed, future)",
    ):
        begun = time.perf_counter()
        policy = spider(name)(Setup(uci, "papers", training=sites[:3]))
        figures[f"train `{name}` on three WebKB sites"] = (time.perf_counter() - begun, "s", "10 s")
        for page in pages:  # the tables, and the mapped pages, are read once
            policy.score(page)
        passes = []
        for _ in range(15):
            begun = time.perf_counter()
            for page in pages:
                policy.score(page)
            passes.append(time.perf_counter() - begun)
        links = sum(len(page.targets) for page in pages)
        cost = 1e6 * float(np.median(passes)) / links
        size = links / len(pages)
        figures[f"score a link by `{name}`, {size:.0f} a page"] = (cost, "us", "5 us")
    return figures


PARTS: dict[str, tuple[str, Callable[[], str]]] = {
    "figure-1": ("Seed 000, figure 1: papers in departments", _figure_1),
    "table-1": ("Seed 000, table 1: one target a site", _table_1),
    "accuracy": ("Seed 000: accuracy of the bins", _accuracy),
    "costs": ("The cost of learned spiders", _costs),
    "spiders": ("Every learned spider", _gaps),
    "combinations": ("Seed 002, table 1: all combinations", _table_002),
}

if __name__ == "__main__":
    if sys.argv[1:] == ["measure-costs"]:
        print(json.dumps(_measure_costs()))
    else:
        main(*sys.argv[1:])
