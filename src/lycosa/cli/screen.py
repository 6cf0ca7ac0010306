"""The screen of a live crawl: lines for a terminal of any size.

The lines are formatted here, because a rich table is too slow to be laid out four
times a second beside a crawl.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from textwrap import wrap

from rich.cells import set_cell_size
from rich.text import Text

from lycosa.cli.activity import activity
from lycosa.cli.fitting import break_line, fit_width
from lycosa.cli.summary import failure_lines, harvest
from lycosa.core import Budget
from lycosa.crawler.live.status import HostWait, Status
from lycosa.reporting.text import duration, printable, size

BLOCKS = "▁▂▃▄▅▆▇█"
MAX_WAITS, MAX_TARGETS, MAX_FAILURES = 6, 5, 3
"""Hosts that wait, targets, and start pages that failed, that are shown."""
_CELL_COLUMNS = 19  # for one figure


def draw_screen(
    status: Status,
    width: int,
    height: int,
    *,
    folder: Path | None = None,
    budget: Budget | None = None,
    targets: Sequence[str] = (),
    note: str = "",
) -> Text:
    """Return the screen, narrower than `width` and no taller than `height`."""
    width = max(width - 1, 1)  # some terminals wrap a line that is full
    name = "" if folder is None else f" in {folder}"
    figures = {
        "pages": f"{status.pages:,}",
        "targets": f"{status.targets:,}",
        "faults": f"{status.faults:,}",
        "hosts": f"{status.hosts:,}",
        "known": f"{status.known:,}",
        "waiting": f"{status.waiting:,}",
        "in flight": f"{status.in_flight:,}",
        "requests/s": f"{status.rate:.1f}",
        "received": size(status.received),
    }
    above = [Text(fit_width(f"{duration(status.seconds)}{name}", width), "bold")]
    above += _grid(figures, width)
    for text in (f"harvest {harvest(status.curve, status)}", str(status.estimate)):
        above += [Text(line) for line in break_line(text, width)]
    if doing := activity(status):
        above.append(Text(fit_width(doing, width), "cyan"))
    if status.curve and status.targets:
        above.append(Text(sparkline(status.curve, min(width, 64)), "green"))
    used = budget_used(status, budget)
    below = [] if used is None else [_bar(*used, width)]
    if note:
        below += [Text(line, "yellow") for line in wrap(printable(note), width)[:3]]
    for text in (*failure_lines(status, MAX_FAILURES), *(note.words for note in status.notices)):
        below += [Text(line, "yellow") for line in wrap(printable(text), width)[:3]]
    room = height - 1 - len(above) - len(below)
    waits = _titled("waiting hosts", (_wait(wait, width) for wait in status.waits[:MAX_WAITS]))
    found = _titled(
        "newest targets",
        (Text(f"  {fit_width(text, width - 2)}") for text in list(targets)[:MAX_TARGETS]),
    )
    # If there is not room for all, the newest targets have priority.
    found = found[: max(room, 0)]
    waits = waits[: max(room - len(found), 0)]
    lines = [*above, *waits, *found, *below][-max(height - 1, 1) :]
    for line in lines:
        line.truncate(width)
    return Text("\n", no_wrap=True, overflow="crop", end="").join(lines)


def sparkline(curve: Sequence[tuple[int, int]], width: int) -> str:
    """Return the curve of targets over pages as `width` block characters.

    >>> sparkline([(0, 0), (50, 1), (100, 4)], 4)
    '▂▃▆█'
    """
    pages, top = curve[-1]
    if not top or not pages:
        return BLOCKS[0] * width
    heights, at = [], 0
    for column in range(1, width + 1):
        place = pages * column / width
        while at < len(curve) - 1 and curve[at][0] < place:
            at += 1
        (left, low), (right, high) = curve[max(at - 1, 0)], curve[at]
        share = (place - left) / (right - left) if right > left else 1.0
        heights.append(low + (high - low) * share)
    return "".join(BLOCKS[min(int(8 * y / top), 7)] for y in heights)


def _grid(figures: dict[str, str], width: int) -> list[Text]:
    columns = max(width // _CELL_COLUMNS, 1)
    cells = [
        Text.assemble(
            (f"{name} ", "dim"), set_cell_size(value, max(_CELL_COLUMNS - len(name) - 1, 1))
        )
        for name, value in figures.items()
    ]
    rows = (cells[n : n + columns] for n in range(0, len(cells), columns))
    return [Text.assemble(*row) for row in rows]


def _titled(title: str, lines: Iterable[Text]) -> list[Text]:
    found = list(lines)
    return [Text(title, "dim"), *found] if found else []


def _wait(wait: HostWait, width: int) -> Text:
    seconds = f"{'' if wait.seconds is None else f'{wait.seconds:,.0f} s':>9}"
    urls = f"{wait.urls:>9,}" if width > 60 else ""
    host = max(width * 2 // 5, 8)
    why = width - host - len(seconds) - len(urls) - 3
    texts = [_fit(wait.host, host), _fit(wait.why, why)]
    return Text(f"  {' '.join(texts)}{seconds}{urls}")


def _fit(text: str, width: int) -> str:
    return set_cell_size(fit_width(text, width), max(width, 0))


def budget_used(status: Status, budget: Budget | None) -> tuple[float, str] | None:
    """Return the largest share of a budget that is used, and a text with the time left."""
    if budget is None:
        return None
    found: list[tuple[float, str, float | None]] = []
    if budget.pages:
        left = max(budget.pages - status.pages, 0) / status.rate if status.rate else None
        found.append((status.pages / budget.pages, f"{budget.pages:,} pages", left))
    if budget.targets:  # when they will be found is not known
        found.append((status.targets / budget.targets, f"{budget.targets:,} targets", None))
    if budget.seconds:
        left = max(budget.seconds - status.seconds, 0.0)
        found.append((status.seconds / budget.seconds, duration(budget.seconds), left))
    if not found:
        return None
    share, words, left = max(found, key=lambda each: each[0])
    share = min(share, 1.0)
    about = "" if left is None or share == 1 else f", about {duration(round(left))} left"
    return share, f"{100 * share:.0f} % of {words}{about}"


def _bar(share: float, words: str, width: int) -> Text:
    room = min(max(width - len(words) - 1, 0), 64)
    full = int(room * share)
    return Text.assemble(("━" * full, "green"), ("─" * (room - full), "dim"), f" {words}")
