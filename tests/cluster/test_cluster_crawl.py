"""`lycosa crawl --cluster`: a project crawled by worker processes, and read by other commands."""

import json
import os
import subprocess
import sys
import time
from contextlib import suppress
from dataclasses import replace
from datetime import UTC, datetime

import psutil
import pytest
from bench.cluster_world import make_plan, read, served_world
from click.testing import CliRunner

from lycosa.cli import cluster_crawl, main
from lycosa.cluster import local_workers
from lycosa.cluster.crawl_folder import check_folder
from lycosa.cluster.local_workers import LocalWorkers
from lycosa.crawler.http.response import Response
from lycosa.crawler.storage.reader import CrawlReader
from lycosa.crawler.storage.sqlite import SqliteStore
from lycosa.errors import LycosaError, UsageError
from lycosa.project import Project

pytest.importorskip("asyncpg", reason="asyncpg is not installed: pip install lycosa[cluster]")
pytest.importorskip("fsspec", reason="fsspec is not installed: pip install lycosa[cluster]")


@pytest.fixture(scope="module")
def served():
    with served_world(hosts=2, pages=100) as found:
        yield found


def make_project(folder, served, **budget):
    """Write a project that crawls the served world for papers."""
    job = make_plan(served.orders()).job
    project = Project.of_urls(folder, job.seeds, "url:paper* OR url:pdf", contact="a@example.org")
    job = replace(job, budget=replace(job.budget, **budget))
    replace(project, job=job, spider="breadth-first").write()
    return folder


def read_steps(database):
    """Return the number of committed steps; 0 before there are tables."""
    with suppress(LycosaError):
        return int(read(database, "SELECT sum(steps) FROM shards")[0][0])
    return 0


def run(*arguments):
    return CliRunner().invoke(main, [str(argument) for argument in arguments])


def test_a_project_is_crawled_by_workers_and_read_as_any_other(served, database, tmp_path):
    folder = make_project(tmp_path / "p", served, pages=60)
    done = run("crawl", folder, "--cluster", database, "--workers", 2, "--shards", 4, "--json")
    assert done.exit_code == 0, done.stderr
    *_, end = map(json.loads, done.stdout.splitlines())
    assert (end["event"], end["reason"]) == ("end", "budget: pages")
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


def test_ray_brings_a_killed_worker_back(served, database, ray_head, tmp_path):
    folder = make_project(tmp_path / "p", served, pages=80)
    environment = os.environ | ray_head.environment()
    options = ["--cluster", database, "--ray", ray_head.address, "--workers", "2", "--shards", "2"]
    command = [sys.executable, "-m", "lycosa.cli", "crawl", str(folder), *options, "--json"]
    with subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, text=True) as process:
        while read_steps(database) < 8 and process.poll() is None:
            time.sleep(0.2)
        # Below the head of this test alone: others may have a Ray on the same machine.
        head = psutil.Process(ray_head._state()["process"])
        for worker in head.children(recursive=True):
            with suppress(psutil.Error):
                if worker.cmdline()[:1] == ["ray::WorkerActor.run"]:
                    worker.kill()
                    break
        else:
            pytest.fail("no actor is at work")
        *_, end = map(json.loads, process.communicate(timeout=200)[0].splitlines())
    assert (end["event"], end["reason"], end["pages"]) == ("end", "budget: pages", 80)
    with CrawlReader.open(folder) as reader:
        assert len({step.url for step in reader.entries()}) == reader.steps == 80


class UnreachedWorkers(LocalWorkers):
    """Workers of which one never says that it has ended, as when its machine has died."""

    def watch(self):
        super().watch()
        return True


def test_the_command_ends_though_a_machine_has_died(served, database, tmp_path, monkeypatch):
    folder = make_project(tmp_path / "p", served, pages=20)
    monkeypatch.setattr(local_workers, "LocalWorkers", UnreachedWorkers)
    monkeypatch.setattr(cluster_crawl, "MAX_END_SECONDS", 0.5)
    done = run("crawl", folder, "--cluster", database, "--workers", 1, "--shards", 2, "--json")
    assert done.exit_code == 0, done.stderr
    *_, end = map(json.loads, done.stdout.splitlines())
    assert (end["event"], end["reason"], end["pages"]) == ("end", "budget: pages", 20)


def test_a_password_is_not_accepted_in_a_command(tmp_path):
    url = "postgresql://me:secret@db.example/crawl"
    done = CliRunner().invoke(main, ["crawl", str(tmp_path), "--cluster", url])
    assert done.exit_code == 2
    assert "PGPASSWORD" in done.output
    assert "secret" not in done.output


def test_a_crawl_of_one_machine_is_not_overwritten(tmp_path):
    with SqliteStore.open(tmp_path) as store:
        store.add(1, "http://a.example/", Response("http://a.example/", datetime.now(UTC), 200))
    with pytest.raises(UsageError, match="made on one machine"):
        check_folder(tmp_path)
