"""Shell completion: the scripts that the documentation installs, and what they ask."""

import os
import shutil
import subprocess
import sys

import pytest

LYCOSA = [sys.executable, "-c", "from lycosa.cli import main; main(prog_name='lycosa')"]


def ask(instruction, **variables):
    settings = {"_LYCOSA_COMPLETE": instruction, **variables}
    done = subprocess.run(
        LYCOSA, env={**os.environ, **settings}, capture_output=True, text=True, check=False
    )
    assert done.returncode in (0, 1), done.stderr  # click ends its answers with 1
    assert done.stderr == ""
    return done.stdout


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_the_script_is_valid(shell, tmp_path):
    if shutil.which(shell) is None:
        pytest.skip(f"{shell} is not installed")
    script = tmp_path / "script"
    script.write_text(ask(f"{shell}_source"))
    assert "_LYCOSA_COMPLETE" in script.read_text()
    subprocess.run([shell, "-n", script], check=True, timeout=60)


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("lycosa comp", {"compile", "compact"}),
        ("lycosa crawl --qu", {"--quiet"}),
        ("lycosa crawl --spider brea", {"breadth-first"}),
    ],
)
def test_bash_gets_the_completions(words, expected):
    answer = ask("bash_complete", COMP_WORDS=words, COMP_CWORD=str(len(words.split()) - 1))
    assert expected <= {line.partition(",")[2] for line in answer.splitlines()}
