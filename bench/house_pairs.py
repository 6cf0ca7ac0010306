"""The default policy on every recorded site and goal, beside the policy before.

`python -m bench.house_pairs cold` crawls without training, `taught` also with it;
`--sites small` leaves out the large sites, `--seeds 1` shakes nothing, `--alone` runs
the present policy only and `--goal papers` one goal: a few minutes instead of an hour.
`bench.house` writes both parts to the page.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence

import numpy as np

from bench.page import table
from bench.pairs import (
    BEFORE_NAME,
    HOUSE,
    LOW,
    MIN_GAP,
    Outcomes,
    Pair,
    crawl_pairs,
    find_pairs,
    trained_name,
)

SEEDS = 5
MIN_GAIN = 0.06  # of the mean over all rows, against the policy before
MAX_FAMILY_LOSS = 0.02  # of the mean over the rows of a family, against the policy before
MAX_LOSS = 0.02  # of the integral, against breadth-first
MAX_RATIO_TO_75 = 2.5  # requests to 75 % of the targets, to those of Optimal, on the median site
MAX_LOSS_BY_TRAINING = 0.03  # of the gap closed, against the policy without training
MIN_SHARE_OF_BEST = 2 / 3  # of pairs where training is as good as the better one before
TRAINED, TRAINED_BEFORE = trained_name(HOUSE), trained_name(BEFORE_NAME)


def cold(pairs: Sequence[Pair], seeds: int = SEEDS, *, before: bool = True) -> Iterator[str]:
    """Yield the results without training."""
    found = crawl_pairs(pairs, [HOUSE], range(seeds), trained=False, before=before)
    yield _about(found, seeds)
    yield from _families(found, HOUSE, BEFORE_NAME)
    yield from _requests(found, HOUSE)
    yield from _losses(found, HOUSE)
    yield "Every pair: gap closed, and requests to 75 % of the targets as a multiple of Optimal's."
    yield _every(found, [HOUSE, BEFORE_NAME])


def taught(pairs: Sequence[Pair], seeds: int = SEEDS, *, before: bool = True) -> Iterator[str]:
    """Yield the results with training on all other sites that list the goal."""
    some = [pair for pair in pairs if pair.training]
    found = crawl_pairs(some, [HOUSE], range(seeds), trained=False, before=before)
    crawl_pairs(some, [HOUSE], range(seeds), trained=True, before=before, outcomes=found)
    yield _about(found, seeds) + " Pairs whose goal no other small site lists are left out here."
    yield from _families(found, TRAINED, TRAINED_BEFORE)
    yield from _requests(found, TRAINED)
    yield from _losses(found, TRAINED)
    yield from _against_cold(found)
    yield "Every pair: gap closed, and requests to 75 % of the targets as a multiple of Optimal's."
    yield _every(found, [HOUSE, TRAINED, BEFORE_NAME, TRAINED_BEFORE])


def _about(found: Outcomes, seeds: int) -> str:
    rows = found.rows(found.pairs)
    left_out = sorted({pair.row for pair in found.pairs} - rows.keys())
    names = "; ".join(f"{goal} ({family})" for family, goal in left_out) or "none"
    return (
        f"{len(found.pairs)} pairs of a site and a goal, means over {seeds} seeds. A row is a goal "
        "in a family; its gap closed is the ratio of the sums over its sites, and the figure of a "
        "family is the mean over its rows, with the standard deviation over seeds. Rows whose mean "
        f"gap is below {MIN_GAP:.2f} of the integral are left out of the means: {names}."
    )


def _families(found: Outcomes, name: str, before: str) -> Iterator[str]:
    """Yield the figures of each family and of all."""
    lines = []
    families: dict[str, list[Pair]] = {}
    for pair in found.pairs:
        families.setdefault(pair.family, []).append(pair)
    for title, pairs in [*families.items(), ("all", found.pairs)]:
        if not found.rows(pairs):
            continue
        mean, spread = found.mean_gap(pairs, name)
        line = [title, len(pairs), len(found.rows(pairs)), f"{mean:.3f} ± {spread:.3f}"]
        if before in found:
            mean_before, spread_before = found.mean_gap(pairs, before)
            least = MIN_GAIN if title == "all" else -MAX_FAMILY_LOSS
            line += [
                f"{mean_before:.3f} ± {spread_before:.3f}",
                f"{mean - mean_before:+.3f}",
                f"{least:+.2f}",
                "yes" if mean - mean_before >= least else "no",
            ]
        line.append(f"{found.pooled_gap(pairs, name):.3f}")
        line += [f"{found.pooled_gap(pairs, before):.3f}"] if before in found else []
        line.append(f"{found.mean_integral(pairs, name):.3f}")
        line += [f"{found.mean_integral(pairs, before):.3f}"] if before in found else []
        lines.append(line)
    beside = ["before", "more by", "wanted", "reached"] if before in found else []
    also = ["before"] if before in found else []
    head = ["family", "pairs", "rows", "gap closed", *beside]
    yield table([*head, "ratio of all sums", *also, "mean integral", *also], lines)


def _requests(found: Outcomes, name: str) -> Iterator[str]:
    """Yield the requests to 75 % of the targets on the median site and pair."""
    sites: dict[str, list[float]] = {}
    for pair in found.pairs:
        sites.setdefault(pair.site.name, []).append(found.ratio_to_75(pair, name))
    median = float(np.median([np.mean(ratios) for ratios in sites.values()]))
    of_pairs = float(np.median([ratio for ratios in sites.values() for ratio in ratios]))
    yield (
        f"Requests to 75 % of the targets, as a multiple of Optimal's: {median:.2f} on the median "
        f"site, mean over its goals (at most {MAX_RATIO_TO_75} wanted), {of_pairs:.2f} on the "
        "median pair."
    )


def _losses(found: Outcomes, name: str) -> Iterator[str]:
    """Yield the pairs on which breadth-first is better by too much."""
    losses = sorted(((found.loss(pair, name), str(pair)) for pair in found.pairs), reverse=True)
    broken = [(loss, pair) for loss, pair in losses if loss > MAX_LOSS]
    yield (
        f"Against breadth-first: on {len(broken)} of {len(losses)} pairs it loses more than "
        f"{MAX_LOSS:.0%} of the integral (none wanted)."
        + "".join(f" {pair}: {loss:.1%}." for loss, pair in broken)
    )


def _against_cold(found: Outcomes) -> Iterator[str]:
    """Yield how training compares with no training, and with the better of both before."""
    pairs = [pair for some in found.rows(found.pairs).values() for pair in some]
    worse, as_good, counted = [], 0, 0
    for pair in pairs:
        cold_gap, gap = found.gap(pair, HOUSE), found.gap(pair, TRAINED)
        if cold_gap is None or gap is None:
            continue
        counted += 1
        if gap < cold_gap - MAX_LOSS_BY_TRAINING:
            worse.append(f"{pair} {gap - cold_gap:+.3f}")
        if TRAINED_BEFORE in found:
            best = max(found.gap(pair, each) or 0.0 for each in (BEFORE_NAME, TRAINED_BEFORE))
            as_good += gap >= best
    if TRAINED_BEFORE in found:
        yield (
            "Training is at least as good as the better of trained and untrained before on "
            f"{as_good} of {counted} pairs (at least {MIN_SHARE_OF_BEST:.0%} wanted)."
        )
    yield (
        f"Training closes less of the gap, by more than {MAX_LOSS_BY_TRAINING}, on {len(worse)} of "
        f"{counted} pairs (none wanted){': ' + '; '.join(worse) if worse else ''}."
    )


def _every(found: Outcomes, names: Sequence[str]) -> str:
    known = [name for name in names if name in found]
    lines = []
    for pair in found.pairs:
        line = [pair.family, pair.goal, pair.site.name]
        line += [f"{found.of(pair, LOW).integral:.3f}"]
        for name in known:
            gap = found.gap(pair, name)
            line += ["-" if gap is None else f"{gap:.3f}", f"{found.ratio_to_75(pair, name):.2f}"]
        lines.append(line)
    columns = [title for name in known for title in (name, "to 75 %")]
    return table(["family", "goal", "site", f"integral of {LOW}", *columns], lines)


def main() -> None:
    """Print the parts named on the command line."""
    parser = argparse.ArgumentParser(prog="python -m bench.house_pairs")
    parser.add_argument("parts", nargs="+", choices=["cold", "taught"])
    parser.add_argument("--sites", choices=["all", "small"], default="all")
    parser.add_argument("--seeds", type=int, default=SEEDS)
    parser.add_argument("--goal", help="crawl for this goal only")
    parser.add_argument("--alone", action="store_true", help="leave out the policy before")
    given = parser.parse_args()
    pairs = find_pairs(small=given.sites == "small")
    pairs = [pair for pair in pairs if given.goal in (None, pair.goal)]
    for part in given.parts:
        show = cold if part == "cold" else taught
        for paragraph in show(pairs, given.seeds, before=not given.alone):
            print(paragraph + "\n", flush=True)


if __name__ == "__main__":
    main()
