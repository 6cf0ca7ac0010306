"""The figures of README.md, from docs/benchmarks.md: `python -m tools.readme_figures`.

Each row names a part of that page and patterns of its figures; the date is that of the part.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parents[1]
README = ROOT / "README.md"
BENCHMARKS = ROOT / "docs" / "benchmarks.md"
BEGIN, END = "<!-- begin figures -->\n", "<!-- end figures -->"


class Row(NamedTuple):
    """A row of the table; `{0}`, `{1}`, … stand for what the patterns find in its part."""

    what: str
    part: str
    patterns: tuple[str, ...]
    own: str
    others: str


ROWS = (
    Row(
        "order of requests, no training: share of the gap between breadth-first and a perfect "
        "spider that is closed, 56 pairs of a recorded site and a goal",
        "house-pairs",
        (r"\| all \| 56 \| \d+ \| ([\d.]+)",),
        "{0}",
        "breadth-first 0, perfect 1",
    ),
    Row(
        "a whole crawl with archive, state and learning: CPU time of a request beside Scrapy's, "
        "tuned, which only follows links",
        "live",
        (
            r"\| lycosa, everything \|[^|]*\|[^|]*\|[^|]*\| ([\d.]+) \|",
            r"\| lycosa, links only \|[^|]*\|[^|]*\|[^|]*\| ([\d.]+) \|",
            r"\| crawlee-python \|[^|]*\|[^|]*\|[^|]*\| ([\d.]+) \|",
        ),
        "{0} times as fast; links only {1} times",
        "Scrapy 1, crawlee {2}",
    ),
    Row(
        "relevance of search, nDCG@10 on CACM",
        "relevance",
        (r"\| portal \| ([\d.]+) \|", r"\| plain BM25 \| ([\d.]+) \|"),
        "{0}",
        "BM25 with stems {1}",
    ),
    Row(
        "real PDFs: title right, every author right",
        "papers-gold",
        (r"\| title \| (\d+ of \d+)", r"\| authors \| (\d+ of \d+)"),
        "{0}, {1}",
        "",
    ),
    Row(
        "references of GROBID's corpus: all of author, title, container, year and numbers right",
        "papers-references",
        (r"\| all \| \d+ \| [\d.]+ \| ([\d.]+)",),
        "{0}",
        "",
    ),
    Row(
        "age of what a kept portal shows, at equal requests",
        "freshness",
        (r"\| `plan` \|[^|]*\|[^|]*\| ([\d.]+)", r"\| `fixed` \|[^|]*\|[^|]*\| ([\d.]+)"),
        "{0} of uniform revisits",
        "the best fixed plan, which knows all rates, {1}",
    ),
)


def figures_table(page: str) -> str:
    """Return the table, made from the text of the benchmark page."""
    lines = ["| what | Lycosa | beside it | measured |", "|---|---|---|---|"]
    for row in ROWS:
        start = page.index(f"<!-- begin {row.part} -->")
        part = page[start : page.index(f"<!-- end {row.part} -->", start)]
        found = [_find(pattern, part) for pattern in row.patterns]
        date = _find(r"(\d{4}-\d\d-\d\d) \d\d:\d\d UTC", part)
        cells = (row.what, row.own.format(*found), row.others.format(*found), date)
        lines.append(f"| {' | '.join(cells)} |")
    return "\n".join(lines) + "\n"


def _find(pattern: str, text: str) -> str:
    match = re.search(pattern, text)
    if match is None:
        raise SystemExit(f"{BENCHMARKS} has nothing that matches {pattern!r}; run that benchmark.")
    return match[1]


def updated_readme() -> str:
    """Return README.md with the table as it should be."""
    text = README.read_text(encoding="utf-8")
    before, _, rest = text.partition(BEGIN)
    _, _, after = rest.partition(END)
    table = figures_table(BENCHMARKS.read_text(encoding="utf-8"))
    return f"{before}{BEGIN}\n{table}\n{END}{after}"


if __name__ == "__main__":
    README.write_text(updated_readme(), encoding="utf-8")
