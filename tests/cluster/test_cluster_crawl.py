"""`lycosa crawl --cluster`: a project crawled by worker processes, and read by other commands."""

import json
import subprocess
import sys
from dataclasses import replace

import pytest
from click.testing import CliRunner

from cluster.cluster_world import make_plan, read, served_world
from lycosa.cli import main
from lycosa.crawler.storage.reader import CrawlReader
from lycosa.project import Project

pytest.importorskip("asyncpg", reason="asyncpg is not installed: pip install lycosa[cluster]")
pytest.importorskip("fsspec", reason="fsspec is not installed: pip install lycosa[cluster]")


@pytest.fixture(scope="module")
def served():
    with served_world(hosts=3, pages=100) as found:
        yield found


def make_project(folder, served, **budget):
    """Write a project that crawls the served world for papers."""
    job = make_plan(served.orders()).job
    project = Project.of_urls(folder, job.seeds, "url:paper* OR url:pdf", contact="a@example.org")
    job = replace(job, budget=replace(job.budget, **budget))
    replace(project, job=job, spider="breadth-first").write()
    return folder


def run(*arguments):
    command = [sys.executable, "-m", "lycosa.cli", *map(str, arguments)]
    return subprocess.run(command, check=False, capture_output=True, text=True, timeout=200)


def test_a_project_is_crawled_by_workers_and_read_as_any_other(served, database, tmp_path):
    folder = make_project(tmp_path / "p", served)
    done = run("crawl", folder, "--cluster", database, "--workers", 2, "--shards", 4, "--json")
    assert done.returncode == 0, done.stderr
    *_, end = map(json.loads, done.stdout.splitlines())
    assert (end["event"], end["reason"]) == ("end", "frontier empty")
    with CrawlReader.open(folder) as reader:
        steps = list(reader.entries())
        assert len(steps) == end["pages"] == read(database, "SELECT count(*) FROM steps")[0][0]
        assert all(step.source < step.n for step in steps)
        assert all(step.fault or reader.answer(step) for step in steps)
        seeds = [step for step in steps if step.source == 0]
        assert sorted(step.url for step in seeds) == sorted(
            site.base + "/" for site in served.world.sites
        )
    figures = json.loads(run("report", folder, "--json").stdout)
    assert figures["requests"] >= len(steps)
    last = max(steps, key=lambda step: step.n).url
    why = json.loads(run("why", folder, last, "--json").stdout)
    assert why["visits"][0]["n"] == len(steps)
    # Run again, nothing is left to do; a larger crawl would go on.
    again = run("crawl", folder, "--cluster", database, "--workers", 1, "-q")
    assert "every reachable page" in again.stderr


def test_a_password_is_not_accepted_in_a_command(tmp_path):
    url = "postgresql://me:secret@db.example/crawl"
    done = CliRunner().invoke(main, ["crawl", str(tmp_path), "--cluster", url])
    assert done.exit_code == 2
    assert "PGPASSWORD" in done.output
    assert "secret" not in done.output


def test_a_crawl_of_one_machine_is_not_overwritten(served, database, tmp_path):
    folder = make_project(tmp_path / "p", served, pages=3)
    assert run("crawl", folder, "-q").returncode == 0
    done = run("crawl", folder, "--cluster", database, "-q")
    assert done.returncode == 2
    assert "made on one machine" in done.stderr
