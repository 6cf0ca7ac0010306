import json
from pathlib import Path

import click
import pytest
from click.testing import CliRunner

from lycosa.cli.report import report
from lycosa.errors import LycosaError
from project.crawl_folders import crawl


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    place = tmp_path_factory.mktemp("crawl")
    crawl(place, 50).close()
    return place


def run(*args):
    return CliRunner().invoke(report, list(map(str, args)), help_option_names=["-h", "--help"])


def test_writes_the_report_into_the_folder_of_the_crawl(folder):
    result = run(folder)
    assert (result.exit_code, result.stderr) == (0, "")
    assert result.stdout == f"{folder / 'report.html'}\n"
    assert (folder / "report.html").read_text().startswith("<!doctype html>")


def test_writes_the_report_to_the_given_file(folder, tmp_path):
    run(folder, "-o", tmp_path / "here.html")
    assert (tmp_path / "here.html").read_text().startswith("<!doctype html>")
    assert run(folder, "-o", "-").stdout == (tmp_path / "here.html").read_text()


def test_prints_figures_as_json(folder, tmp_path):
    (folder / "report.html").unlink(missing_ok=True)
    data = json.loads(run(folder, "--json").stdout)
    assert (data["steps"], data["goal"]) == (50, "papers")
    assert not (folder / "report.html").exists()


def test_works_while_the_crawl_runs(tmp_path):
    with crawl(tmp_path, 20):
        assert json.loads(run(tmp_path, "--json").stdout)["at_work"] is True


@pytest.mark.parametrize(
    ("args", "words"),
    [
        (("nowhere",), "There is no crawl in nowhere"),
        (("{folder}", "--json", "-o", "x"), "leave out -o"),
        (("{folder}", "-o", "{folder}"), "is a folder"),
        (("{folder}", "-o", "{folder}/no/such/file"), "cannot be written"),
    ],
)
def test_misuse_is_one_sentence(folder, args, words):
    result = run(*(arg.format(folder=folder) for arg in args))
    assert isinstance(result.exception, LycosaError)
    assert words in str(result.exception)


def test_help_shows_examples():
    assert isinstance(report, click.Command)
    text = run("--help").stdout
    assert "DIR/report.html" in text
    assert Path(__file__).name not in text
