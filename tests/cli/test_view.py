"""The view of a live crawl: at every width, with hostile text, and where there is no terminal."""

import io
import re
import sys
import time
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len
from rich.console import Console

from cli.pseudo_terminal import run_in_terminal
from cli.view_samples import HOSTILE, status, step
from lycosa.cli.activity import activity
from lycosa.cli.events import JsonView
from lycosa.cli.fitting import fit_width
from lycosa.cli.screen import BLOCKS, MAX_WAITS, draw_screen, sparkline
from lycosa.cli.summary import harvest, recent_rate, summary
from lycosa.cli.view import LiveView, PlainView, View, view
from lycosa.core import Budget
from lycosa.crawler.live.status import HostWait, Notice, RunTotals, SeedFailure
from lycosa.crawler.live.stop_reasons import REASONS
from lycosa.crawler.recall import Estimate

FOLDER = Path("my crawl")
# What rich itself writes: colours, the cursor shown and hidden, lines erased.
OURS = re.compile(r"\x1b\[(\?25[lh]|[0-9;]*m|[0-9]*[AKJ]|2K|1A)|\r")


class Clock:
    def __init__(self):
        self.now = 100.0

    def __call__(self):
        return self.now


def terminal(width=80, height=40):
    return Console(file=io.StringIO(), force_terminal=True, width=width, height=height, _environ={})


# The screen


def test_the_screen_shows_all_figures():
    text = draw_screen(
        status(),
        80,
        40,
        folder=FOLDER,
        budget=Budget(pages=2000),
        targets=["a title"],
        note="finishing what is under way",
    ).plain
    for part in (
        "4 s in my crawl", "pages 1,234", "targets 56", "faults 3", "hosts 3", "known 40,123",
        "waiting 27,001", "in flight 12", "requests/s 3.2", "received 45.3 MB",
        "harvest 4.5 per 100 pages, ", "between 55 and 88 % found (likely 70 %)",
        "www.a.example", "503",
        "12 s    1,234", "a title", "62 % of 2,000 pages", "finishing what is under way",
    ):  # fmt: skip
        assert part in text


@given(
    st.integers(2, 120),
    st.integers(1, 40),
    st.text(max_size=60) | st.just(HOSTILE),
    st.integers(0, 10**12),
)
def test_the_screen_always_fits(width, height, text, number):
    waits = tuple(HostWait(text, text, seconds, number) for seconds in (None, 1e6, 0.0)) * 3
    drawn = draw_screen(
        status(waits=waits, pages=number, known=number, received=number),
        width,
        height,
        folder=Path("x" + text.replace("\0", "")),
        budget=Budget(pages=10, targets=10**9, seconds=5.0),
        targets=[text] * 9,
        note=text,
    )
    lines = drawn.plain.split("\n")
    assert len(lines) <= max(height - 1, 1)
    assert all(cell_len(line) < max(width, 2) for line in lines)
    assert all(line.isprintable() for line in lines)


def test_at_most_six_hosts_are_shown():
    waits = tuple(HostWait(f"h{n}.example", "delay", 1.0, n) for n in range(10))
    assert draw_screen(status(waits=waits), 80, 50).plain.count(".example") == MAX_WAITS == 6


def test_the_bar_shows_the_budget_used_most():
    facts = status(pages=100, targets=9, seconds=1.0)
    text = draw_screen(facts, 80, 40, budget=Budget(pages=1000, targets=10, seconds=60.0)).plain
    assert "90 % of 10 targets" in text
    assert " % of " not in draw_screen(facts, 80, 40, budget=Budget()).plain


def test_draws_a_crawl_without_pages():
    nothing = status(
        pages=0, targets=0, faults=0, waits=(), curve=(), estimate=Estimate(0, 0.0, 0.0, 1.0)
    )
    text = draw_screen(nothing, 40, 24).plain
    assert "harvest 0 per 100 pages" in text
    assert not set(BLOCKS) & set(text)


@given(st.lists(st.tuples(st.integers(1, 50), st.integers(0, 50)), min_size=1), st.integers(1, 64))
def test_a_sparkline_never_falls_and_ends_at_the_top(steps, width):
    points, pages, found = [(0, 0)], 0, 0
    for more_pages, more_found in steps:
        pages, found = pages + more_pages, found + more_found
        points.append((pages, found))
    line = sparkline(points, width)
    assert len(line) == width
    heights = [BLOCKS.index(block) for block in line]
    assert heights == sorted(heights)
    assert heights[-1] == (7 if found else 0)


@given(st.text(max_size=100) | st.just(HOSTILE), st.integers(-2, 50))
def test_fit_width_returns_printable_text(text, width):
    short = fit_width(text, width)
    assert cell_len(short) <= max(width, 0)
    assert short.isprintable()


def test_fit_width_limits_combining_marks():
    assert len(fit_width("e" + "\u0301" * 100_000, 40)) <= 160


def test_the_recent_rate_is_of_the_last_tenth():
    curve = [(n, n // 10) for n in range(0, 901, 100)] + [(1000, 140)]
    assert recent_rate(curve) == 0.5
    assert harvest(curve, status(pages=1000, targets=140)) == "14.0 per 100 pages, 50.0 recently"
    assert recent_rate([]) is None
    assert recent_rate([(0, 0), (40, 4)]) is None


# The live view


def test_the_live_view_leaves_only_the_summary():
    console = terminal()
    with LiveView(FOLDER, Budget(pages=2000), console) as live:
        live.step(step(title="A paper about spiders"))
        live.tick(status())
        drawn = console.file.getvalue()
        live.end(status(reason="person"))
    assert "A paper about spiders" in drawn
    after = console.file.getvalue()
    assert after.endswith("Resume: lycosa crawl 'my crawl'\n")
    assert after.count("\x1b[?25l") == after.count("\x1b[?25h") == 1  # the cursor is back


def test_restores_the_cursor_when_the_crawl_fails():
    console = terminal()

    def fail():
        with LiveView(FOLDER, None, console) as live:
            live.tick(status())
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        fail()
    text = console.file.getvalue()
    assert text.rindex("\x1b[?25h") > text.rindex("\x1b[?25l")


def test_draws_at_most_four_times_a_second():
    console, clock = terminal(), Clock()
    with LiveView(FOLDER, None, console, clock=clock) as live:
        for n in range(100):
            live.tick(status(pages=7_000_000 + n))
            clock.now += 0.01
    pages = re.findall(r"7,000,0\d\d", OURS.sub("", console.file.getvalue()))
    # What was drawn last is drawn once more to be erased.
    assert list(dict.fromkeys(pages)) == ["7,000,000", "7,000,025", "7,000,050", "7,000,075"]


def test_a_note_is_shown_at_once():
    console = terminal()
    with LiveView(FOLDER, None, console, clock=Clock()) as live:
        live.note("before there is anything")
        live.tick(status())
        live.note("finishing what is under way; Ctrl-C again ends at once")
    assert "before there is anything" in console.file.getvalue()
    assert "Ctrl-C again" in console.file.getvalue()


@pytest.mark.parametrize("width", [2, 20, 40, 80, 200])
def test_prints_only_printable_characters(width):
    console = terminal(width)
    with LiveView(FOLDER, None, console) as live:
        live.step(step(title=HOSTILE.replace("\ud800", "")))
        live.step(step(title="", url="http://a.example/\x1b[2J\u202e"))
        live.tick(status(waits=(HostWait(HOSTILE, HOSTILE, 1.0, 1),)))
        live.note(HOSTILE)
        live.end(status(reason=HOSTILE))
    text = OURS.sub("", console.file.getvalue())
    assert all(line.isprintable() for line in text.split("\n"))


def test_drawing_is_cheap():
    console = terminal(120)
    with LiveView(FOLDER, Budget(pages=2000), console) as live:
        for n in range(5):
            live.step(step(n, "A title of some length about this and that " * 3))
        waits = tuple(HostWait(f"www.host{n}.example", "delay", 2.0, n) for n in range(10))
        facts = status(waits=waits)
        best = 1.0
        for _ in range(5):
            began = time.process_time()
            for _ in range(10):
                live._draw(facts)
            best = min(best, (time.process_time() - began) / 10)
    assert best < 0.005


# Plain lines


def plain(**options):
    clock, out = Clock(), io.StringIO()
    return PlainView(FOLDER, out=out, clock=clock, **options), clock, out


def test_prints_a_line_every_ten_seconds():
    lines, clock, out = plain()
    for _ in range(100):
        clock.now += 0.5
        lines.tick(status())
    assert (
        out.getvalue().splitlines()
        == [
            "12 min 4 s: 1,234 pages, 56 targets (4.5 per 100 pages, 5.1 recently), "
            "between 55 and 88 % found (likely 70 %), 3.2 requests/s, 27,001 waiting"
        ]
        * 5
    )


def test_prints_the_first_targets_of_an_interval():
    lines, clock, out = plain()
    for n in range(20):
        lines.step(step(n, f"Paper {n}"))
        lines.step(step(n, "nothing", reward=0.0))
    assert out.getvalue().splitlines() == [
        f"found http://a.example/ Paper {n}" for n in range(PlainView.max_targets)
    ]
    clock.now += 10
    lines.tick(status())
    lines.step(step(1, "Another"))
    assert "Another" in out.getvalue()


def test_plain_lines_are_printable():
    lines, _, out = plain()
    lines.step(step(title=HOSTILE.replace("\ud800", ""), url="http://a.example/\x1b[2J"))
    lines.note(HOSTILE)
    lines.end(status(reason=HOSTILE))
    assert all(line.isprintable() for line in out.getvalue().split("\n"))


def test_quiet_prints_the_summary_and_notes():
    lines, clock, out = plain(quiet=True)
    lines.step(step())
    clock.now += 100
    lines.tick(status())
    assert out.getvalue() == ""
    lines.note("a note")
    lines.end(status())
    assert out.getvalue().startswith("a note\n1,234 pages")


# The summary


def test_the_summary_has_reason_figures_and_commands():
    names = {"dns": 2, "reset": 1}
    assert summary(status(reason="budget: pages", requests=1, fault_names=names), FOLDER) == [
        "Stopped: the page budget is used up.",
        "1,234 pages, 56 targets (4.5 per 100 pages, 5.1 recently), "
        "between 55 and 88 % found (likely 70 %).",
        "3 faults: dns 2, reset 1.",
        "12 min 4 s, 1 request, 45.3 MB received.",
        "Pages are in my crawl/archive. Report: lycosa report 'my crawl'",
        "Resume (with a larger budget): lycosa crawl 'my crawl'",
    ]


@pytest.mark.parametrize("reason", [*REASONS, None, "something new"])
def test_every_stop_reason_has_a_text(reason):
    lines = summary(status(reason=reason, faults=0), FOLDER)
    assert lines[0].startswith("Stopped") == (reason is not None)
    assert any("lycosa crawl" in line for line in lines) == (reason != "frontier empty")
    assert not any("fault" in line for line in lines)


def test_without_a_folder_the_summary_has_no_commands():
    assert not any("lycosa" in line for line in summary(status(), None))


def test_the_summary_has_the_totals_of_all_runs():
    totals = RunTotals(3, 7320.0, 5000, 120_000_000)
    assert (
        "12 min 4 s, 1,300 requests, 45.3 MB received in this run; 2 h 2 min, 5,000 requests, "
        in (line := summary(status(totals=totals), None)[2])
    )
    assert line.endswith("120.0 MB received in 3 runs.")


def test_the_summary_says_that_ctrl_c_stopped_the_crawl():
    assert summary(status(reason="person"), None)[0] == "Stopped by Ctrl-C."


def test_the_summary_has_the_notices():
    notice = Notice("scripts", "2 pages have menus written by script: try --render auto.")
    assert notice.words in summary(status(notices=(notice,)), None)


DNS = SeedFailure.of("http://www.exmaple.org/", "dns")


def test_the_summary_of_a_crawl_that_got_nothing_says_why():
    lines = summary(
        status(reason="frontier empty", failures=(DNS,), gave_nothing=True, faults=0), FOLDER
    )
    assert lines[:2] == ["No start page gave a page.", str(DNS)]
    assert lines[-1] == "Try again, when the cause is mended: lycosa crawl 'my crawl'"
    stopped = summary(status(reason="person", failures=(DNS,), gave_nothing=True), FOLDER)
    assert stopped[0] == "Stopped by Ctrl-C. No start page gave a page."


def test_the_summary_counts_failures_that_it_does_not_list():
    many = tuple(SeedFailure.of(f"http://{n}.example/", "dns") for n in range(30))
    lines = summary(status(failures=many), FOLDER)
    assert "20 more start pages gave nothing." in lines
    assert sum("could not be looked up" in line for line in lines) == 10


def test_plain_lines_show_a_failure_once_and_at_once():
    out = io.StringIO()
    with PlainView(out=out) as plain:
        plain.failure(replace(DNS, retrying=True))
        plain.failure(DNS)
        plain.tick(status())
    assert out.getvalue() == f"{DNS} It is tried again.\n"


def test_a_final_failure_is_shown_while_the_crawl_goes_on_and_else_in_the_summary():
    with PlainView(out=(out := io.StringIO())) as plain:
        plain.failure(DNS)
        plain.tick(status())
        assert out.getvalue() == f"{DNS}\n"
    with PlainView(out=(out := io.StringIO())) as plain:
        plain.failure(DNS)
        plain.end(status(failures=(DNS,)))
    assert out.getvalue().count(str(DNS)) == 1


def test_quiet_lines_have_no_failures_before_the_summary():
    with PlainView(out=(quiet := io.StringIO()), quiet=True) as plain:
        plain.failure(DNS)
    assert quiet.getvalue() == ""


@pytest.mark.parametrize(
    ("facts", "words"),
    [
        ({"stored": 130_000, "replayed": 1_200, "requests": 0},
         "re-reading the archive: 1,200 of 130,000 pages"),
        ({"requests": 0, "seconds": 4.0}, "waiting for the first answer of www.a.example"),
        ({"requests": 0, "seconds": 4.0, "waits": ()}, "waiting for the first answer"),
        ({"requests": 0, "seconds": 1.0}, None),
        ({}, None),
        ({"in_flight": 0}, "backing off from www.a.example for 12 s: back-off after 503"),
        ({"in_flight": 0,
          "waits": (HostWait("b", "delay", 2.0, 1), HostWait("c", "delay", 1.0, 9))},
         "waiting for c for 1 s: delay (and for 1 host more)"),
        ({"in_flight": 0, "waits": (HostWait("b", "busy", None, 1),)}, None),
        ({"in_flight": 0, "reason": "person"}, None),
    ],
)  # fmt: skip
def test_the_view_says_what_the_crawl_waits_for(facts, words):
    shown = status(**facts)
    assert activity(shown) == words
    drawn = draw_screen(shown, 120, 40).plain
    assert words is None or words in drawn
    if words is not None:
        out = io.StringIO()
        with PlainView(out=out, clock=Clock()) as plain:
            plain.tick(replace(shown, seconds=4.0))
            plain.tick(replace(shown, seconds=5.0))
        assert [line.endswith(words) for line in out.getvalue().splitlines()] == [True]


def test_the_screen_shows_failures_and_notices():
    notice = Notice("scripts", "Scripts write the menus.")
    drawn = draw_screen(status(failures=(DNS,), notices=(notice,)), 200, 40).plain
    assert str(DNS) in drawn
    assert notice.words in drawn


# Which view


def test_json_selects_the_json_view():
    assert isinstance(view(json=True), JsonView)


def test_without_a_terminal_lines_are_plain(monkeypatch):
    monkeypatch.setattr(sys, "stderr", io.StringIO())
    for name in ("FORCE_COLOR", "TTY_COMPATIBLE"):
        monkeypatch.delenv(name, raising=False)
    assert isinstance(view(), PlainView)


@pytest.mark.parametrize(
    ("settings", "expected"),
    [
        ({}, "LiveView"),
        ({"LYCOSA_QUIET": "1"}, "PlainView"),
        ({"LYCOSA_PLAIN": "1"}, "PlainView"),
        ({"TERM": "dumb"}, "PlainView"),
        ({"PYTHONIOENCODING": "latin-1"}, "PlainView"),
    ],
)
def test_selects_the_view_by_the_terminal(settings, expected):
    code = "from lycosa.cli.view import view; print(type(view()).__name__)"
    assert run_in_terminal(code=code, variables=settings) == (0, f"{expected}\r\n")


def test_all_views_have_the_same_methods():
    views: list[View] = [PlainView(), LiveView(), JsonView()]
    names = [name for name in vars(View) if not name.startswith("_") or name == "__enter__"]
    for each in views:
        assert all(hasattr(each, name) for name in [*names, "interval_seconds"])
