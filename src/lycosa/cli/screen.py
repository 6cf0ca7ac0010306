"""The screen of a live crawl: lines for a terminal of any size.

The lines are formatted here, because a rich table is too slow to be laid out four
times a second beside a crawl.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from textwrap import wrap

from rich.cells import cell_len, set_cell_size
from rich.text import Text

from lycosa.cli.activity import activity
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
    above.append(Text(fit_width(f"harvest {harvest(status.curve, status)}", width)))
    above.append(Text(fit_width(str(status.estimate), width)))
    if doing := activity(status):
        above.append(Text(fit_width(doing, width), "cyan"))
    if status.curve and status.targets:
        above.append(Text(sparkline(status.curve, min(width, 64)), "green"))
    below = [_bar(status, budget, width)] if _spent(status, budget) else []
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


def fit_width(text: str, width: int) -> str:
    """Return untrusted text, safe for a terminal, in at most `width` columns.

    >>> fit_width("A title that is long", 8), fit_width("日本語", 5)
    ('A title…', '日本…')
    """
    # The number of combining marks, which have no width, is bounded too.
    text = printable(text[: 4 * width])
    if width < 1:
        return ""
    return text if cell_len(text) <= width else set_cell_size(text, width - 1).rstrip() + "…"


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


def _spent(status: Status, budget: Budget | None) -> tuple[float, str] | None:
    """Return the largest share of a budget that is used, and that budget."""
    if budget is None:
        return None
    found = []
    for done, most, words in (
        (status.pages, budget.pages, f"{budget.pages or 0:,} pages"),
        (status.targets, budget.targets, f"{budget.targets or 0:,} targets"),
        (status.seconds, budget.seconds, duration(budget.seconds or 0)),
    ):
        if most:
            found.append((min(done / most, 1.0), words))
    return max(found) if found else None


def _bar(status: Status, budget: Budget | None, width: int) -> Text:
    share, words = _spent(status, budget) or (0.0, "")
    label = f" {100 * share:.0f} % of {words}"
    room = min(max(width - len(label), 0), 64)
    full = int(room * share)
    return Text.assemble(("━" * full, "green"), ("─" * (room - full), "dim"), label)
