"""Mean recall curves of an experiment as SVG files for documentation pages."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape
from pathlib import Path

import numpy as np

from lycosa.lab import Run

IMAGES = Path(__file__).parents[1] / "docs" / "images"
COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#56b4e9", "#e69f00", "#555555")
DASHES = ("none", "7 4", "2 3", "9 3 2 3", "none", "7 4", "2 3")
POINTS = np.linspace(0, 1, 201)


def mean_recall(runs: Sequence[Run]) -> np.ndarray:
    """Return the share of targets found against the share of requests, a mean over runs."""
    shares = [
        np.searchsorted(np.array(run.hits), POINTS * run.pages, side="right") / run.targets
        for run in runs
    ]
    return np.mean(shares, axis=0)


AXES = "requests, as a share of the site; upwards the share of the targets found"


def draw(
    name: str,
    curves: Mapping[str, np.ndarray],
    title: str,
    until: float = 1.0,
    axes: str = AXES,
) -> str:
    """Write docs/images/NAME.svg; return the Markdown that shows it on docs/benchmarks.md."""
    width, height, left, top, bottom, key = 640, 360, 52, 14, 44, 22 * len(curves)
    inner_width, inner_height = width - left - 16, height - top - bottom
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height + key}" '
        f'font-family="sans-serif" font-size="13"><title>{escape(title)}</title>'
        '<rect width="100%" height="100%" fill="#fff"/>'
    ]
    for share in (0, 0.25, 0.5, 0.75, 1):
        y, x = top + inner_height * (1 - share), left + inner_width * share
        parts.append(f'<path d="M{left} {y:.1f}H{width - 16}" stroke="#ddd"/>')
        parts.append(f'<path d="M{x:.1f} {top}V{top + inner_height}" stroke="#ddd"/>')
        parts.append(f'<text x="{left - 6}" y="{y + 4:.1f}" text-anchor="end">{share:.0%}</text>')
        parts.append(
            f'<text x="{x:.1f}" y="{height - 26}" text-anchor="middle">{share * until:.0%}</text>'
        )
    parts.append(
        f'<text x="{left + inner_width / 2}" y="{height - 6}" text-anchor="middle">{axes}</text>'
    )
    for k, (label, curve) in enumerate(curves.items()):
        shown = until + 1e-9 >= POINTS
        xs = left + inner_width * POINTS[shown] / until
        ys = top + inner_height * (1 - curve[shown])
        path = " ".join(f"{x:.1f},{y:.1f}" for x, y in zip(xs, ys, strict=True))
        look = f'stroke="{COLOURS[k % 7]}" stroke-width="2" stroke-dasharray="{DASHES[k % 7]}"'
        y = height + 22 * k + 6
        parts.append(f'<polyline points="{path}" fill="none" {look}/>')
        parts.append(f'<path d="M{left} {y}h40" {look}/>')
        parts.append(f'<text x="{left + 50}" y="{y + 4}">{escape(label)}</text>')
    IMAGES.mkdir(exist_ok=True)
    (IMAGES / f"{name}.svg").write_text("".join(parts) + "</svg>\n", encoding="utf-8")
    return f"![{title}](images/{name}.svg)"
