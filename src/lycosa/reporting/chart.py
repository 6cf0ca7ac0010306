"""Charts as inline SVG: recall curves, growth, bars, and a share with its interval."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape
from math import floor, log10
from typing import NamedTuple

WIDTH, HEIGHT = 440, 290
LEFT, RIGHT, TOP, BOTTOM = 48, 12, 10, 44
INNER_WIDTH, INNER_HEIGHT = WIDTH - LEFT - RIGHT, HEIGHT - TOP - BOTTOM
COLOURS = 7
DASHES = ("none", "7 4", "2 3", "9 3 2 3")


class Curve(NamedTuple):
    """One recall curve.

    `hits` are the requests that found targets, `requests` is the length of the run, `style` the
    number of the line style, and `title` the tooltip.
    """

    label: str
    style: int
    hits: Sequence[int]
    requests: int
    title: str


def style(index: int) -> str:
    """Return the attributes of line number `index`: a colour and a dash pattern.

    The dashes tell lines apart without colour.
    """
    dash = DASHES[(index % COLOURS + index // COLOURS) % len(DASHES)]
    return f'class="line c{index % COLOURS}" stroke-dasharray="{dash}"'


def swatch(index: int) -> str:
    """Return a short piece of a line for the legend."""
    return (
        '<svg class="swatch" viewBox="0 0 34 10" width="34" height="10" aria-hidden="true">'
        f'<path d="M1 5H33" {style(index)}/></svg>'
    )


def recall_chart(curves: Sequence[Curve], pages: int, targets: int, label: str) -> str:
    """Draw the share of targets found against requests, one step line for each curve."""
    across = [(tick / pages, f"{tick:,}") for tick in ticks(pages)]
    up = [(percent / 100, f"{percent} %") for percent in (0, 25, 50, 75, 100)]
    inside = []
    for curve in curves:
        d = outline(curve.hits, curve.requests, pages, targets, INNER_WIDTH, INNER_HEIGHT)
        inside.append(
            f'<g class="curve"><title>{escape(curve.title)}</title>'
            f'<path class="wide" d="{d}"/><path d="{d}" {style(curve.style)}/></g>'
        )
    return _chart(label, across, up, "requests", inside)


def growth_chart(
    points: Sequence[tuple[int, int]],
    label: str,
    likely: float | None = None,
    bounds: tuple[float, float] | None = None,
) -> str:
    """Draw targets against pages; a dashed line and a band show the estimated total.

    `likely` is the estimate and `bounds` its interval.
    """
    pages, found = points[-1] if points else (0, 0)
    # An estimate far above the line would flatten the line, so the axis is limited.
    top = max(found, 1, min((likely or 0) * 1.1, 3 * found))
    last_page = max(pages, 1)

    def y(targets: float) -> str:
        return _short(INNER_HEIGHT * (1 - min(targets, top) / top))

    inside = []
    if likely is not None and bounds is not None and bounds[0] <= top:
        low, high = (y(bound) for bound in bounds)
        inside.append(f'<path class="band" d="M0 {low}H{INNER_WIDTH}V{high}H0Z"/>')
    if likely is not None and likely <= top:
        inside.append(f'<path d="M0 {y(likely)}H{INNER_WIDTH}" {style(1)}/>')
    path = "L".join(f"{_short(INNER_WIDTH * p / last_page)} {y(t)}" for p, t in points)
    inside.append(f'<path d="M0 {INNER_HEIGHT}L{path or f"0 {INNER_HEIGHT}"}" {style(0)}/>')
    across = [(tick / last_page, f"{tick:,}") for tick in ticks(last_page)]
    up = [(tick / top, f"{tick:,}") for tick in ticks(int(top))]
    return _chart(label, across, up, "pages", inside)


def bar_chart(
    heights: Sequence[float], across: Sequence[tuple[float, str]], below: str, label: str
) -> str:
    """Draw bars; `across` has the labels of the horizontal axis at positions from 0 to 1."""
    top = max(heights, default=0.0)
    top = top if top > 1e-9 else 1.0
    width = INNER_WIDTH / max(len(heights), 1)
    bars = "".join(
        f"M{_short(k * width)} {INNER_HEIGHT}v-{_short(INNER_HEIGHT * height / top)}"
        f"h{_short(width)}V{INNER_HEIGHT}Z"
        for k, height in enumerate(heights)
        if height
    )
    # Scaled, so that the axis has round numbers also for small amounts.
    scale = 10.0 ** -floor(log10(top) - 2)
    up = [(tick / (top * scale), f"{tick / scale:,g}") for tick in ticks(int(top * scale))]
    return _chart(label, across, up, below, [f'<path class="bars" d="{bars}"/>'] if bars else [])


def _chart(
    label: str,
    across: Iterable[tuple[float, str]],
    up: Iterable[tuple[float, str]],
    below: str,
    inside: Iterable[str],
) -> str:
    """Draw the frame of a chart: a grid with labels, and the elements inside."""
    bottom = TOP + INNER_HEIGHT
    parts = [f'<svg class="chart" viewBox="0 0 {WIDTH} {HEIGHT}" role="img">']
    parts.append(f"<title>{escape(label)}</title>")
    for place, text in up:
        y = bottom - INNER_HEIGHT * place
        parts.append(f'<path class="grid" d="M{LEFT} {y:.1f}H{WIDTH - RIGHT}"/>')
        parts.append(f'<text class="end" x="{LEFT - 6}" y="{y + 4:.1f}">{text}</text>')
    for place, text in across:
        x = LEFT + INNER_WIDTH * place
        # The last text would be cut off at the edge if it were centred.
        where = "end" if x > WIDTH - RIGHT - 20 else "middle"
        parts.append(f'<path class="grid" d="M{x:.1f} {TOP}V{bottom}"/>')
        parts.append(f'<text class="{where}" x="{x:.1f}" y="{bottom + 17}">{text}</text>')
    middle = LEFT + INNER_WIDTH / 2
    parts.append(f'<text class="middle" x="{middle:.0f}" y="{HEIGHT - 6}">{escape(below)}</text>')
    parts.append(f'<g transform="translate({LEFT} {TOP})">{"".join(inside)}</g></svg>')
    return "".join(parts)


def outline(
    hits: Sequence[int], requests: int, pages: int, targets: int, width: float, height: float
) -> str:
    """Return the step line of a curve as an SVG path, without points closer than half a pixel.

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
    """Return a few round numbers from 0 to `top`.

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
    """Draw a share as a dot between 0 and 100 %, with its interval as a line."""
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
