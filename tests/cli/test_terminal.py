"""What commands write to terminals: of any width, without colours, and for screen readers."""

import io
import os
import re
import time

import click
import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len
from rich.console import Console, Group
from rich.progress import Progress
from rich.text import Text
from rich.tree import Tree

from cli.pseudo_terminal import ESCAPES, lines_of, run_in_terminal
from lycosa import cli
from lycosa.cli.cluster_bar import ClusterBar
from lycosa.cli.console import show_reports, table
from lycosa.cli.fitting import break_line
from lycosa.cli.listing import fits, listing
from lycosa.cli.progress_bars import bar_line
from lycosa.cli.progress_lines import ProgressLines, progress_line
from lycosa.cli.terminal import PLAIN_VARIABLE, is_plain, is_quiet
from lycosa.cluster.cluster_crawl import CrawlProgress
from lycosa.reporting.progress import part, report

COLOURS = re.compile(r"\x1b\[[0-9;]*m")
DRAWN = re.compile(r"[━─│┃├└▁-█╸]")


class Clock:
    def __init__(self):
        self.now = 0.0

    def __call__(self):
        return self.now


# Commands in real terminals


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    """Return a small recorded site, with what `lycosa generate` wrote in 40 columns."""
    folder = tmp_path_factory.mktemp("web")
    code, written = run_in_terminal(
        "generate", folder, "--sites", "1", "--pages", "200", columns=40
    )
    assert code == 0, written
    return next(folder.iterdir()), written


def test_a_bar_shows_share_time_and_estimate_in_forty_columns(site):
    _, written = site
    assert "\x1b[?25l" in written  # the cursor is hidden while the bar is redrawn
    bars = [line for line in lines_of(written) if line.startswith("recording")]
    assert bars
    assert all(cell_len(line) < 40 for line in bars)
    assert re.fullmatch(r"recording (━|─)* ?(\d+/200, )?\d:\d\d, \d+ %(, \d:\d\d left)?", bars[-1])


def test_the_bar_is_removed(site):
    # The last thing done with the bar's line is that it is erased.
    _, written = site
    assert written.rindex("\x1b[2K") > written.rindex("recording")


def test_plain_output_is_whole_lines(site):
    folder, _ = site
    code, written = run_in_terminal("compile", folder, "--plain")
    assert code == 0
    assert not ESCAPES.search(written)
    assert "\r" not in written.replace("\r\n", "\n")
    assert f"compiling {folder.name}\r\n" in written
    assert re.search(r"200 URLs, [\d,]+ links", written)


@pytest.fixture(scope="module")
def table_in_colour(site):
    """Return the command that prints a table, and what it writes in a wide terminal."""
    command = "bench", site[0], "--goal", "papers", "--spiders", "random", "--quiet"
    return command, run_in_terminal(*command, columns=100)[1]


def test_tables_are_lists_in_plain_terminals(table_in_colour):
    command, wide = table_in_colour
    assert DRAWN.search(wide)
    code, written = run_in_terminal(*command, variables={"TERM": "dumb"})
    assert code == 0
    assert not ESCAPES.search(written)
    assert not DRAWN.search(written)
    lines = written.splitlines()
    assert re.fullmatch(r"  to 25 %: \d+", lines[lines.index("random") + 1])


def test_in_forty_columns_numbers_stay_whole_and_no_color_is_honoured(table_in_colour):
    command, wide = table_in_colour
    assert COLOURS.search(wide)
    code, narrow = run_in_terminal(*command, columns=40, variables={"NO_COLOR": "1"})
    assert code == 0
    assert not COLOURS.search(narrow)
    assert all(cell_len(line) <= 40 for line in lines_of(narrow))
    numbers = [
        set(re.findall(r"\d+(?:,\d+)*(?: %|\.\d{3})", " ".join(lines_of(each))))
        for each in (wide, narrow)
    ]
    assert numbers[0] == numbers[1]


SUMMARY = """
from pathlib import Path
from cli.view_samples import status
from lycosa.cli.view import view
with view(folder=Path("robots")) as shown:
    shown.tick(status(seconds=4.0))
    shown.end(status(reason="budget: pages"))
"""


def test_the_summary_of_a_crawl_is_broken_between_words():
    variables = {"PYTHONPATH": "tests"}
    code, written = run_in_terminal(code=SUMMARY, columns=40, variables=variables)
    assert code == 0, written
    lines = lines_of(written)
    assert all(cell_len(line) <= 40 for line in lines)
    assert "between 55 and 88 % found (likely 70 %)." in " ".join(lines)


# Options


@click.command()
def bench():
    """Say how a command would write."""
    click.echo(f"{is_quiet()} {is_plain()} {os.environ.get(PLAIN_VARIABLE)}")


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (["bench"], "False False None"),
        (["bench", "--quiet"], "True False None"),
        (["bench", "-q", "--plain"], "True True 1"),
        (["--plain", "bench"], "False True 1"),
    ],
)
def test_options_hold_for_one_command(monkeypatch, arguments, expected):
    monkeypatch.setattr("lycosa.cli.bench.bench", click.command()(bench.callback))
    for name in (PLAIN_VARIABLE, "LYCOSA_QUIET", "TERM"):
        monkeypatch.delenv(name, raising=False)
    result = CliRunner().invoke(cli.main, arguments)
    assert result.stdout == f"{expected}\n", result.output
    assert (is_quiet(), is_plain()) == (False, False)


@pytest.mark.parametrize("name", cli.COMMANDS)
def test_every_command_can_be_quiet_and_plain(name):
    command = cli.main.get_command(click.Context(cli.main), name)
    below = list(command.commands.values()) if isinstance(command, click.Group) else [command]
    for each in below:
        options = [option for parameter in each.params for option in parameter.opts]
        assert options.count("--quiet") == options.count("--plain") == options.count("-q") == 1


# Bars


@given(
    st.text(max_size=40),
    st.integers(0, 10**7),
    st.none() | st.integers(0, 10**7),
    st.integers(1, 120),
)
def test_a_bar_fits_and_has_whole_numbers(name, done, total, width):
    clock = Clock()
    with Progress(console=Console(file=io.StringIO()), get_time=clock, disable=True) as progress:
        task = progress.add_task(name, total=total)
        clock.now = 754
        progress.update(task, completed=done)
        line = bar_line(progress.tasks[0], width).plain
    assert cell_len(line) <= width
    whole = {f"{done:,}", f"{total or 0:,}", "12:34"}
    shown = re.findall(r"\d[\d,:]*(?<!,)", line[cell_len(name) :])
    share = re.findall(r"(\d+) %", line)
    assert not total or not share or share[-1] == f"{min(100 * done / total, 100):.0f}"
    assert width < 12 or cell_len(name) > 0 or whole & set(shown)


def test_a_bar_in_ascii():
    with Progress(console=Console(file=io.StringIO()), disable=True) as progress:
        progress.add_task("reading", total=4, completed=1)
        assert bar_line(progress.tasks[0], 79, blocks=False).plain.isascii()


# Lines


def test_lines_come_at_intervals_and_by_tenths():
    clock, out = Clock(), io.StringIO()
    lines = ProgressLines(Console(file=out), clock)
    task = lines.add_task("reading", total=1000)
    for _ in range(1000):  # for 1,000 seconds
        clock.now += 1
        lines.advance(task)
        lines.say_progress()
    shown = out.getvalue().splitlines()
    assert shown[0] == "reading"
    # A tenth takes 100 seconds, so that there is a line each minute.
    assert shown[1] == "reading: 6 %, 60 of 1,000, 1 min 0 s so far, about 15 min 40 s left"
    assert len(shown) == 1 + 16
    assert lines.finished


def test_lines_of_quick_tasks_are_ten_seconds_apart():
    clock, out = Clock(), io.StringIO()
    lines = ProgressLines(Console(file=out), clock)
    for stage in range(3):
        task = lines.add_task(f"stage {stage}", total=12)
        for _ in range(12):
            clock.now += 1
            lines.advance(task)
            lines.say_progress()
    assert [line.partition(":")[0] for line in out.getvalue().splitlines()] == [
        "stage 0", "stage 0", "stage 1", "stage 1", "stage 2", "stage 2",
    ]  # fmt: skip


def test_a_task_of_unknown_length_has_a_line_a_minute():
    clock, out = Clock(), io.StringIO()
    lines = ProgressLines(Console(file=out), clock)
    lines.add_task("training", total=None)
    for _ in range(125):
        clock.now += 1
        lines.say_progress()
    assert out.getvalue().splitlines() == [
        "training", "training: 1 min 0 s so far", "training: 2 min 0 s so far",
    ]  # fmt: skip


# Tables and trees as lines


def sample():
    found = table(spider="left", requests="right", gap="right")
    found.add_row("house", "1,234", "82.1 %")
    found.add_row(Text("random"), "12,345,678", "")
    return found


def test_a_table_as_lines():
    tree = Tree("topics")
    tree.add("machine learning").add("neural networks")
    assert list(listing(Group(sample(), tree, "end"))) == [
        "house", "  requests: 1,234", "  gap: 82.1 %", "random", "  requests: 12,345,678",
        "topics", "  machine learning", "    neural networks", "end",
    ]  # fmt: skip


def test_a_table_fits_or_is_listed():
    found = sample()
    for width in range(10, 60):
        if fits(found, width):
            out = io.StringIO()
            Console(file=out, width=width).print(found)
            assert "12,345,678" in out.getvalue()
            assert "82.1 %" in out.getvalue()
    assert not fits(found, 20)
    assert fits(found, 50)


@given(st.text(st.characters(codec="ascii"), max_size=200), st.integers(1, 100))
def test_a_broken_line_has_the_same_words(line, width):
    assert " ".join(break_line(line, width)).split() == line.split()


# Estimates


def test_a_computation_that_reports_has_a_share_and_an_estimate_but_no_count():
    clock = Clock()
    progress = Progress(disable=True, get_time=clock)
    task = progress.add_task("training", total=None)
    with show_reports(progress, task):
        for done in range(3):
            clock.now += 2.0
            with part(0, 2):
                report(done, 4)
    assert bar_line(progress.tasks[task], 60).plain.split(" ", 2)[2] == "0:06, 25 %, 0:12 left"
    assert progress_line(progress.tasks[task]) == "training: 25 %, 6 s so far, about 12 s left"


def test_the_bar_of_a_cluster_estimates_by_this_run_alone():
    file = io.StringIO()
    console = Console(file=file, force_terminal=True, width=100, color_system=None)
    with ClusterBar(console, max_pages=1_000) as bar:
        for pages in (400, 410, 420):  # an earlier run has requested 400
            bar.show(CrawlProgress(pages, 7, 1_234, 0, 2, 8, 1.0, None))
            time.sleep(0.02)
    shown = [line for line in ESCAPES.sub("", file.getvalue()).splitlines() if "left" in line]
    assert "7 targets, 1,234 waiting, 2 workers" in shown[-1]
    assert "420/1,000" in shown[-1]
    assert "42 %" in shown[-1]
