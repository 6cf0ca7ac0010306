"""`lycosa build` as people run it."""

import json
import subprocess
import sys

import pytest
from click.testing import CliRunner
from tests.portal.build.crawls import answers, crawl

from lycosa.cli import main
from lycosa.portal.search.index import SIGNATURE


def build(folder, *options):
    """Run the command in this process."""
    return CliRunner().invoke(main, ["build", str(folder), "--jobs", "1", *options])


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("build") / "my spiders"
    crawl(folder, answers(4))
    return folder


def test_prints_a_summary_and_the_next_command(folder):
    command = [sys.executable, "-m", "lycosa.cli", "build", folder, "--jobs", "1"]
    first = subprocess.run(command, capture_output=True, text=True, timeout=300, check=False)
    assert first.returncode == 0, first.stderr
    assert "9 documents read: damaged 1, text 8.\n" in first.stdout
    assert "6 works: 4 papers, 2 pages; " in first.stdout
    assert "4 topics, " in first.stdout
    assert first.stdout.endswith(f"Next: lycosa serve '{folder}'\n")
    again = build(folder)
    assert again.stdout.startswith("Nothing is new since the last build.\n")


def test_json_is_one_object(folder):
    result = build(folder, "--json")
    summary = json.loads(result.stdout)
    assert summary["holdings"]["works"]["paper"] == 4
    assert summary["holdings"]["documents"] == 9
    assert set(summary) == {
        "holdings", "read", "derived", "added", "removed", "anew", "seconds", "nothing_new",
        "changed", "pending",
    }  # fmt: skip


def test_rebuilds_the_index_of_another_version(folder):
    build(folder)
    (folder / "index" / SIGNATURE).write_text("that of another time")
    again = build(folder)
    said = "The index was made by another version of Lycosa, so it was rebuilt.\n"
    assert again.stdout.startswith(said), again.stderr
    assert said not in build(folder).stdout


def test_misuse_is_one_sentence(tmp_path):
    crawl(tmp_path / "empty", [])
    (tmp_path / "empty" / "crawl.db").unlink()
    for name, complaint in (("none", "lycosa new"), ("empty", "lycosa crawl")):
        result = build(tmp_path / name)
        assert result.exit_code == 2
        assert complaint in result.stderr
        assert result.stderr.startswith("lycosa: ")
        assert result.stderr.count("\n") == 1
