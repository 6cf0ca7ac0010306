"""`lycosa why` as a person types it."""

import json
import re
from datetime import UTC, datetime

import pytest
from click.testing import CliRunner

import lycosa.cli.why
from lycosa.cli.why import why
from lycosa.crawler.http.response import Response
from lycosa.crawler.storage.sqlite import SqliteStore
from lycosa.errors import LycosaError
from lycosa.project import Project
from lycosa.project.sections import DEFAULT_SPIDER
from project.crawled_projects import crawled, waiting


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    folder = tmp_path_factory.mktemp("why") / "crawl"
    with crawled(folder, "yield(combined)") as (project, steps, _):
        yield folder, steps, waiting(project)


def run(*args):
    return CliRunner().invoke(why, list(map(str, args)), help_option_names=["-h", "--help"])


def test_explains_a_fetched_page(made):
    folder, steps, _ = made
    last = steps[-1]
    result = run(folder, last.page.url)
    assert (result.exit_code, result.stderr) == (0, "")
    url, asked, score, *rest = result.stdout.splitlines()
    assert url == last.page.url
    assert re.fullmatch(rf"Requested at step {last.n}, [-0-9]+ [:0-9]+ UTC: 200 .*", asked)
    assert re.fullmatch(r"Its score was .*, rank \d+ of \d+ waiting links\.", score)
    text = "\n".join(rest)
    assert "\nPath\n" in text
    assert "\nLinks to it: " in text
    assert "\nWords of the link on http" in text
    assert re.search(r"^keywords: .*, weight ", text, re.MULTILINE)


def test_shows_the_contributions_of_the_default_spider(tmp_path):
    with crawled(tmp_path, DEFAULT_SPIDER) as (_, steps, _):
        out = run(tmp_path, steps[-1].page.url).stdout
    for part in ("keywords", "learned here", "folder", "depth"):
        assert re.search(rf"^{part}: .*, weight ", out, re.MULTILINE)


def test_explains_a_page_that_was_not_fetched(made):
    folder, steps, waits = made
    out = run(folder, waits[0]).stdout
    assert f"Not requested in {len(steps)} steps. It was first seen at step " in out
    assert re.search(r"It waits with score [-.e0-9]+, rank \d+ of \d+\.", out)
    assert "Stopped: the page budget is used up." in out


def test_explains_a_seed(made):
    folder, steps, _ = made
    assert "\nIt is a seed.\n" in run(folder, steps[0].page.url).stdout


def test_limits_the_number_of_words(made):
    folder, steps, _ = made
    short, long = (run(folder, steps[-1].page.url, "--words", n).stdout for n in (1, 99))
    assert "others together" in short
    assert "others together" not in long
    assert len(long.splitlines()) > len(short.splitlines())


def test_prints_json(made):
    folder, steps, waits = made
    data = json.loads(run(folder, steps[-1].page.url, "--json").stdout)
    assert data["visits"][0]["n"] == data["way"][-1]["n"] == len(steps)
    assert data["opinions"][0]["words"][0].keys() == {"word", "bag", "times", "effect"}
    data = json.loads(run(folder, waits[0], "--json").stdout)
    assert data["visits"] == []
    assert data["standing"]["waiting"] == len(waits)
    assert data["first"].keys() == {"n", "page"}


def test_the_documentation_lists_every_key(made):
    folder, steps, _ = made
    data = json.loads(run(folder, steps[-1].page.url, "--json").stdout)
    page = (lycosa.cli.why.__file__).partition("/src/")[0] + "/docs/how-to/ask-why.md"
    with open(page, encoding="utf-8") as file:
        block = file.read().partition("prints one object:")[2].partition("```\n\n")[0]
    for part in (data, data["visits"][0], data["way"][0], data["links"][0], data["opinions"][0]):
        for key in part:
            assert f'"{key}"' in block


def test_a_progress_bar_does_not_change_stdout(made, monkeypatch):
    folder, steps, _ = made
    expected = run(folder, steps[-1].page.url).stdout
    monkeypatch.setattr(lycosa.cli.why, "MIN_STEPS_FOR_BAR", 3)
    result = run(folder, steps[-1].page.url)
    assert (result.stdout, result.stderr) == (expected, "")


@pytest.mark.parametrize(
    ("url", "words"),
    [
        ("{base}nobody/knows/this", "No page that was fetched links to {base}nobody/knows/this"),
        ("http://other.example/", "it is out of scope"),
        ("x y", "is not a web address"),
    ],
)
def test_misuse_is_one_sentence(made, url, words):
    folder, steps, _ = made
    base = steps[0].page.url
    result = run(folder, url.format(base=base))
    assert isinstance(result.exception, LycosaError)
    assert words.format(base=base) in str(result.exception)
    assert "\n" not in str(result.exception)


def test_refuses_folders_without_a_crawl_or_project(tmp_path, made):
    assert "There is no crawl in" in str(run(tmp_path, "http://a.example/").exception)
    (tmp_path / "crawl.db").write_bytes((made[0] / "crawl.db").read_bytes())
    assert "is not a project" in str(run(tmp_path, "http://a.example/").exception)


def test_output_has_no_control_characters(tmp_path):
    url = "http://a.example/?q=[red]x[/red]"
    body = f"<a href='{url}'>[bold] \x1b[2J</a>".encode()
    project = Project.of_urls(
        tmp_path, ["http://a.example/"], "robot", contact="you@example.org", spider="breadth-first"
    )
    project.write()
    html = ((b"Content-Type", b"text/html"),)
    when = datetime.now(UTC)
    with SqliteStore.open(tmp_path) as store:
        store.add(
            1, project.job.seeds[0], Response(project.job.seeds[0], when, 200, "", html, body)
        )
        gone = Response(url, when, fault="dns\x1b[2J")
        store.add(2, url, gone, source=1, score=-1e304)
        store.commit()
        out = run(tmp_path, url).stdout
        assert out.count(url) >= 2
        assert "\x1b" not in out
        assert "Its score was last, rank 1 of 1 waiting links." in out
        assert re.search(r"^anchor +bold 2j", out, re.MULTILINE)
        out = run(tmp_path, "a.example").stdout
        assert "It is a seed." in out
        store.add(3, "http://a.example/b", Response("http://a.example/b", when, 200, "", html, b""))
        store.commit()
        out = run(tmp_path, "a.example/b").stdout
        assert "it is from a sitemap" in out


def test_says_that_the_crawl_is_running(made):
    folder, _, waits = made
    with SqliteStore.open(folder):
        assert "\nThe crawl is running.\n" in run(folder, waits[0]).stdout
