"""`lycosa keep` on a generated web that is served on this machine."""

import json
import os
import signal
import subprocess
import sys
import time
import urllib.request
from dataclasses import replace

import psutil
import pytest
from click.testing import CliRunner
from tests.crawler.live.served import served

from lycosa.cli import main
from lycosa.crawler.storage.reader import CrawlReader
from lycosa.errors import UsageError
from lycosa.keep.keeper import split_requests
from lycosa.keep.status import FILE, KeepStatus
from lycosa.project import Project
from lycosa.project.revisits import Revisits

LYCOSA = [sys.executable, "-m", "lycosa.cli"]


def project(folder, site):
    made = Project.of_urls(folder, [site.base + "/"], "url:html", contact="you@example.org")
    addresses = replace(made.job.addresses, allow_loopback=True)
    pace = replace(made.job.pace, delay=0.0)
    replace(made, job=replace(made.job, addresses=addresses, pace=pace)).write()
    return folder


def wait_for(condition):
    """Wait until something holds; the test times out if it never does."""
    while not (found := condition()):
        time.sleep(0.05)
    return found


def start(folder):
    """Start the keeper; return it and the address that its server prints."""
    command = [*LYCOSA, "keep", str(folder), "--port", "0", "--requests", "12", "--every", "1s"]
    keeper = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    return keeper, keeper.stdout.readline().strip()


def test_a_portal_is_kept_through_kills_of_its_keeper_and_of_its_server(tmp_path):
    with served(seed=3, departments=1, organisations=0, pages=120) as world:
        folder = project(tmp_path / "kept", world.sites[0])
        keeper, _ = start(folder)
        with keeper:
            children = psutil.Process(keeper.pid).children(recursive=True)
            keeper.kill()
        psutil.wait_procs(children, timeout=100)
        assert not any(child.is_running() for child in children)
        keeper, _ = start(folder)
        with keeper:
            try:
                started = psutil.Process(keeper.pid).children()
                [server] = [child for child in started if "serve" in child.cmdline()]
                server.kill()
                address = keeper.stdout.readline().strip()
                with urllib.request.urlopen(f"{address}healthz", timeout=60) as reply:
                    assert json.load(reply)["status"] == "ok"
                wait_for(lambda: KeepStatus.read(folder).cycles >= 1)
            finally:
                keeper.send_signal(signal.SIGTERM)
            assert keeper.wait(120) == 0
    found = KeepStatus.read(folder)
    assert (found.state, found.process, found.restarts) == ("stopped", 0, 1)
    assert found.revisits > 0
    with CrawlReader.open(folder) as reader:
        urls = [step.url for step in reader.entries()]
    assert len(urls) > len(set(urls)) > 12  # some were requested again, and new ones were found


def test_status_in_sentences(tmp_path):
    KeepStatus("waiting", "2026-05-01T10:00:00+00:00", cycles=3, revisits=1, restarts=2).write(
        tmp_path
    )
    said = CliRunner().invoke(main, ["status", str(tmp_path)]).output
    assert "Waiting since 2026-05-01T10:00:00+00:00; 3 cycles so far." in said
    assert "1 page requested again" in said
    assert "started again 2 times" in said
    as_json = CliRunner().invoke(main, ["status", str(tmp_path), "--json"]).output
    assert json.loads(as_json)["cycles"] == 3


@pytest.mark.parametrize("content", [None, "", "[]", '{"state": 3}{'])
def test_a_status_that_is_missing_or_damaged(tmp_path, content):
    if content is not None:
        (tmp_path / FILE).write_text(content)
    with pytest.raises(UsageError, match="lycosa keep"):
        KeepStatus.read(tmp_path)


def test_failures_are_bounded_and_a_full_disk_is_no_error(tmp_path):
    status = KeepStatus()
    for number in range(50):
        status.fail(tmp_path / "missing", f"failure {number}")
    assert len(status.failures) == 20
    assert status.failures[-1].endswith("failure 49")


def test_requests_are_split_between_both_kinds():
    known = Revisits()
    for page in range(1000):
        known.plan.fetched(page, 0.0, target=True)
    assert split_requests(known, 100) == (50, 50)
    for _ in range(5000):
        known.effort.observe("discovery", 1.0)
        known.effort.observe("revisit", 0.0)
    assert split_requests(known, 100) == (10, 90)


def test_keep_refuses_what_is_no_project(tmp_path):
    result = CliRunner().invoke(main, ["keep", str(tmp_path)])
    assert result.exit_code == 2
    assert "is not a project" in result.stderr
    assert os.listdir(tmp_path) == []
