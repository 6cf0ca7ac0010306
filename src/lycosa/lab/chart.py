"""Charts as inline SVG: recall curves, and a share with its interval."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from typing import NamedTuple

WIDTH, HEIGHT = 440, 290
LEFT, RIGHT, TOP, BOTTOM = 48, 12, 10, 44
COLOURS = 7
DASHES = ("none", "7 4", "2 3", "9 3 2 3")


class Curve(NamedTuple):
    """One line: the requests that found targets, and how it is drawn."""

    label: str
    style: int
    hits: Sequence[int]
    requests: int
    title: str


def style(index: int) -> str:
    """The look of line number `index`: a colour, and a dash so that colour is not needed."""
    dash = DASHES[(index % COLOURS + index // COLOURS) % len(DASHES)]
    return f'class="line c{index % COLOURS}" stroke-dasharray="{dash}"'


def swatch(index: int) -> str:
    """A short piece of a line for the legend."""
    return (
        '<svg class="swatch" viewBox="0 0 34 10" width="34" height="10" aria-hidden="true">'
        f'<path d="M1 5H33" {style(index)}/></svg>'
    )


def recall_chart(curves: Sequence[Curve], pages: int, targets: int, label: str) -> str:
    """Share of the targets found against requests, one step line a curve."""
    inner_width, inner_height = WIDTH - LEFT - RIGHT, HEIGHT - TOP - BOTTOM
    bottom = TOP + inner_height
    parts = [f'<svg class="chart" viewBox="0 0 {WIDTH} {HEIGHT}" role="img">']
    parts.append(f"<title>{escape(label)}</title>")
    for percent in (0, 25, 50, 75, 100):
        y = bottom - inner_height * percent / 100
        parts.append(f'<path class="grid" d="M{LEFT} {y:.1f}H{WIDTH - RIGHT}"/>')
        parts.append(f'<text class="end" x="{LEFT - 6}" y="{y + 4:.1f}">{percent} %</text>')
    for tick in ticks(pages):
        x = LEFT + inner_width * tick / pages
        # The last number would be cut off at the edge if it were centred.
        where = "end" if x > WIDTH - RIGHT - 20 else "middle"
        parts.append(f'<path class="grid" d="M{x:.1f} {TOP}V{bottom}"/>')
        parts.append(f'<text class="{where}" x="{x:.1f}" y="{bottom + 17}">{tick:,}</text>')
    parts.append(
        f'<text class="middle" x="{LEFT + inner_width / 2:.0f}" y="{HEIGHT - 6}">requests</text>'
    )
    for curve in curves:
        d = outline(curve.hits, curve.requests, pages, targets, inner_width, inner_height)
        parts.append(
            f'<g class="curve" transform="translate({LEFT} {TOP})"><title>{escape(curve.title)}'
            f'</title><path class="wide" d="{d}"/><path d="{d}" {style(curve.style)}/></g>'
        )
    parts.append("</svg>")
    return "".join(parts)


def outline(
    hits: Sequence[int], requests: int, pages: int, targets: int, width: float, height: float
) -> str:
    """The step line of a curve as an SVG path, with no more points than can be seen.

    >>> outline([1, 3], 4, pages=4, targets=2, width=100, height=100)
    'M0 100H25V50H75V0H100'
    """
    path = [f"M0 {_short(height)}"]
    last_x = last_y = -1.0
    for found, hit in enumerate(hits, 1):
        x, y = width * hit / pages, height - height * found / targets
        if x - last_x < 0.5 and last_y - y < 0.5 and found < len(hits):
            continue
        path.append(f"H{_short(x)}V{_short(y)}")
        last_x, last_y = x, y
    path.append(f"H{_short(width * max(requests, hits[-1] if hits else 0) / pages)}")
    return "".join(path)


def ticks(top: int) -> list[int]:
    """A few round numbers from 0 to `top`.

    >>> ticks(1956), ticks(56694), ticks(7)
    ([0, 500, 1000, 1500], [0, 20000, 40000], [0, 2, 4, 6])
    """
    step = power = 1
    while top // step > 4:
        for factor in (1, 2, 5):
            step = factor * power
            if top // step <= 4:
                break
        power *= 10
    return list(range(0, top + 1, step))


def whisker(value: float, low: float | None, high: float | None) -> str:
    """A share as a dot between 0 and 100 %, with its interval as a line."""
    start, stop = -0.25, 1.05

    def x(share: float) -> str:
        return _short(160 * (min(max(share, start), stop) - start) / (stop - start))

    parts = [
        '<svg class="whisker" viewBox="0 0 160 16" width="160" height="16" aria-hidden="true">'
    ]
    parts += [f'<path class="grid" d="M{x(end)} 0V16"/>' for end in (0.0, 1.0)]
    if low is not None and high is not None:
        parts.append(f'<path class="span" d="M{x(low)} 8H{x(high)}"/>')
    parts.append(f'<circle cx="{x(value)}" cy="8" r="4"/></svg>')
    return "".join(parts)


def _short(value: float) -> str:
    return f"{value:.1f}".rstrip("0").rstrip(".")
