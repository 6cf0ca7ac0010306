import re
import resource
import subprocess
import sys

import click
import pytest
from click.testing import CliRunner

from ctrl_c import press
from lycosa import cli
from lycosa.compiled import is_compiled
from lycosa.errors import SiteError

HEAVY = {"numpy", "rich", "aiohttp", "selectolax", "lycosa.core", "lycosa.lab", "lycosa.cli.bench"}


def python(code, **options):
    return subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=False, **options
    )


def test_help_lists_commands_without_importing_them():
    code = (
        "import sys\nfrom lycosa.cli import main\n"
        "try: main(['--help'])\nexcept SystemExit: pass\n"
        "print('modules:', *sys.modules)"
    )
    done = python(code)
    assert done.returncode == 0, done.stderr
    text, _, modules = done.stdout.partition("modules:")
    for name, summary in cli.COMMANDS.items():
        assert name in text
        assert summary in text
    assert not HEAVY & set(modules.split())


def test_help_is_quick():
    # Processor time, so that a busy machine does not matter.
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    python("from lycosa.cli import main; main(['--help'])")
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    assert after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime < 0.3


def test_version():
    result = CliRunner().invoke(cli.main, ["--version"])
    assert result.exit_code == 0
    kind = "compiled" if is_compiled() else "uncompiled"
    assert re.fullmatch(rf"lycosa \d[\d.]*(\.dev\d+)?, {kind}\n", result.output)


def test_an_unknown_command_suggests_one():
    result = CliRunner().invoke(cli.main, ["bensh"])
    assert result.exit_code == 2
    assert result.stderr.startswith("lycosa: There is no command 'bensh'; did you mean 'bench'?")
    assert result.stdout == ""


@pytest.mark.parametrize("name", cli.COMMANDS)
def test_every_command_has_help_with_an_example(name):
    result = CliRunner().invoke(cli.main, [name, "--help"])
    assert result.exit_code == 0, result.output
    assert f"lycosa {name}" in result.output
    command = cli.main.get_command(click.Context(cli.main), name)
    assert command.name == name


@click.command()
@click.argument("what")
def bench(what):
    """Stand in for a command."""
    if what == "error":
        raise SiteError("The site is gone.")
    if what == "ctrl-c":
        raise KeyboardInterrupt
    if what == "bug":
        raise ZeroDivisionError


@pytest.fixture
def stand_in(monkeypatch):
    monkeypatch.setattr("lycosa.cli.bench.bench", bench)


@pytest.mark.usefixtures("stand_in")
def test_lycosa_errors_are_one_sentence():
    result = CliRunner().invoke(cli.main, ["bench", "error"])
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr == "lycosa: The site is gone.\n"


@pytest.mark.usefixtures("stand_in")
def test_ctrl_c_is_one_line():
    result = CliRunner().invoke(cli.main, ["bench", "ctrl-c"])
    assert (result.exit_code, result.stdout) == (130, "")
    assert result.stderr == "lycosa: interrupted.\n"


@pytest.mark.usefixtures("stand_in")
def test_bugs_are_not_hidden():
    result = CliRunner().invoke(cli.main, ["bench", "bug"])
    assert isinstance(result.exception, ZeroDivisionError)


def test_a_closed_pipe_is_silent():
    code = "from lycosa.cli import main; main(['bench', '--help'])"
    with subprocess.Popen(
        [sys.executable, "-c", code], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:
        process.stdout.close()
        assert process.stderr.read() == b""


def test_ctrl_c_ends_a_process_with_130():
    code = (
        "import time, lycosa.cli as cli, lycosa.cli.bench as b, click\n"
        "@click.command()\ndef bench():\n  print('go', flush=True); time.sleep(30)\n"
        "b.bench = bench\ncli.main(['bench'])"
    )
    with subprocess.Popen(
        [sys.executable, "-c", code], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:
        assert process.stdout.readline() == b"go\n"
        press(process)
        assert process.stderr.read() == b"lycosa: interrupted.\n"
        assert process.returncode == 130


@pytest.mark.parametrize("command", cli.COMMANDS)
def test_examples_of_help_are_on_separate_lines(command):
    shown = CliRunner().invoke(cli.main, [command, "--help"]).stdout
    assert "\\b" not in shown
    assert "\b" not in shown
    assert f"\n    lycosa {command}" in shown, "an example begins its line"
