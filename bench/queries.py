"""Keyword queries as goals: the default policy against others on queries chosen by a rule.

A query is one word, or two joined by AND, in the text of 2 to 10 % of a site's pages and
of 8 at least. Words have five letters or more, and those that half of the sites have are
left out. Which words, and which sites, a hash decides: nothing is chosen by hand, and
`python -m bench.queries list` prints the queries without running any.
"""

from __future__ import annotations

import argparse
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from hashlib import sha256
from pathlib import Path

import numpy as np

from bench.page import table, write
from bench.pairs import (
    BEFORE_NAME,
    HOUSE,
    SITES,
    Outcomes,
    Pair,
    crawl_pairs,
    is_small,
)
from lycosa.sites import find_sites, open_site

SITE_COUNT = 14
PER_SITE = 3
"""Queries of a site; the last is of two words."""
MIN_LETTERS = 5
MIN_PAGES = 8
MIN_SHARE, MAX_SHARE = 0.02, 0.1  # of the pages with text
MIN_SITE_PAGES = 100  # with text
HASH_SEED = "queries"
OTHERS = "keywords", "yield(combined)", "best-first"
SEEDS = 5
WANTED, WANTED_GAIN = 0.7, 0.08  # mean gap closed, and its gain over the policy before


def choose(paths: Sequence[Path]) -> list[Pair]:
    """Return the queries of some of the sites, with the sites."""
    pages = {path: _words_of_pages(path) for path in paths}
    pages = {path: found for path, found in pages.items() if len(found) >= MIN_SITE_PAGES}
    sites = Counter(word for found in pages.values() for word in frozenset().union(*found))
    chosen = []
    for path in sorted(pages, key=lambda path: _rank(path.name)):
        queries = _queries(
            path.name, pages[path], {w for w, n in sites.items() if 2 * n >= len(pages)}
        )
        if len(queries) == PER_SITE and len(chosen) < SITE_COUNT * PER_SITE:
            chosen += [Pair(path, query) for query in queries]
    return chosen


def _queries(name: str, pages: Sequence[frozenset[str]], common: set[str]) -> list[str]:
    """Return the queries of one site."""
    least, most = max(MIN_PAGES, MIN_SHARE * len(pages)), MAX_SHARE * len(pages)
    counts = Counter(word for page in pages for word in page)
    words = [
        word
        for word, count in counts.items()
        if least <= count <= most
        and len(word) >= MIN_LETTERS
        and word.isascii()
        and word.isalpha()
        and word not in common
    ]
    words.sort(key=lambda word: _rank(f"{name} {word}"))
    single = words[: PER_SITE - 1]
    for first in words[PER_SITE - 1 :]:
        beside = Counter(word for page in pages if first in page for word in page)
        for second in words[PER_SITE - 1 :]:
            if second != first and beside[second] >= least:
                return [*(f"text:{word}" for word in single), f"text:{first} AND text:{second}"]
    return []


def _rank(text: str) -> str:
    return sha256(f"{HASH_SEED} {text}".encode()).hexdigest()


def _words_of_pages(path: Path) -> list[frozenset[str]]:
    """Return the words of every page with text."""
    site = open_site(path)
    found = []
    for number in range(len(site)):
        page = site.page(number)
        tokens = np.unique(page.content.tokens).tolist()
        if tokens and page.error is None:
            found.append(frozenset(page.tables.words[token] for token in tokens))
    return found


def measure(pairs: Sequence[Pair], seeds: int) -> Iterator[str]:
    """Yield the comparison of all spiders on the queries."""
    found = crawl_pairs(pairs, [HOUSE, *OTHERS], range(seeds), trained=False)
    names = [name for name in (HOUSE, BEFORE_NAME, *OTHERS) if name in found]
    some = [pair for each in found.rows(found.pairs).values() for pair in each]
    gaps = {name: [found.gap(pair, name) or 0.0 for pair in some] for name in names}
    means = {name: float(np.mean(gaps[name])) for name in names}
    count, sites = len(found.pairs), len({pair.site for pair in found.pairs})
    yield (
        f"{count} queries on {sites} sites, chosen by a fixed rule before any run, without "
        f"training, means over {seeds} seeds. The mean gap closed over the {len(some)} queries "
        "with a gap; the last column is the share of them on which the default policy closes more."
    )
    yield table(
        ["spider", "mean gap closed", "spread", "median", "mean integral", "house better"],
        [_line(found, name, some, gaps) for name in names],
    )
    wanted = [f"{HOUSE} closes {means[HOUSE]:.3f} (at least {WANTED} wanted)"]
    if BEFORE_NAME in found:
        more = means[HOUSE] - means[BEFORE_NAME]
        wanted.append(f"{more:+.3f} against the policy before (at least {WANTED_GAIN:+} wanted)")
    yield "; ".join(wanted) + "."
    yield table(
        ["site", "query", *names],
        [
            [pair.site.name, f"`{pair.goal}`", *(_gap(found.gap(pair, name)) for name in names)]
            for pair in found.pairs
        ],
    )


def _gap(gap: float | None) -> str:
    return "-" if gap is None else f"{gap:.3f}"


def _line(
    found: Outcomes, name: str, pairs: Sequence[Pair], gaps: dict[str, list[float]]
) -> list[str]:
    better = np.mean(np.array(gaps[HOUSE]) > np.array(gaps[name]))
    _, spread = found.mean_gap(pairs, name)
    return [
        f"`{name}`",
        f"{np.mean(gaps[name]):.3f}",
        f"{spread:.3f}",
        f"{np.median(gaps[name]):.3f}",
        f"{found.mean_integral(pairs, name):.3f}",
        "" if name == HOUSE else f"{better:.0%}",
    ]


def main() -> None:
    """Print the queries, or measure all spiders on them and write the page."""
    parser = argparse.ArgumentParser(prog="python -m bench.queries")
    parser.add_argument("part", nargs="?", choices=["list", "measure", "write"], default="write")
    parser.add_argument("--seeds", type=int, default=SEEDS)
    given = parser.parse_args()
    began = time.perf_counter()
    pairs = choose([path for path in find_sites([SITES]) if is_small(path)])
    if given.part == "list":
        for pair in pairs:
            print(f"{pair.site.name}: {pair.goal}")
        return
    text = "\n\n".join(measure(pairs, given.seeds))
    if given.part == "write":
        write("queries", "Keyword queries", text, "bench-house")
    else:
        print(text)
    print(f"{time.perf_counter() - began:.0f} s")


if __name__ == "__main__":
    main()
