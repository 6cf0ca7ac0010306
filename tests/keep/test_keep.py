"""`lycosa keep` on a generated web that is served on this machine."""

import json
import os
import signal
import subprocess
import sys
import threading
import time
import urllib.request
from contextlib import suppress
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
    # A session of its own: its builds have the lowest priority, and would starve beside tests.
    keeper = subprocess.Popen(
        command,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
        start_new_session=True,
    )
    return keeper, keeper.stdout.readline().strip()


class Reader(threading.Thread):
    """Requests pages of a portal without a pause; `failures` are those that got no answer."""

    def __init__(self, address):
        super().__init__()
        self.address = address
        self.answers = 0
        self.failures = []
        self.ended = threading.Event()

    def run(self):
        while not self.ended.wait(0.05):
            try:
                with urllib.request.urlopen(f"{self.address}healthz", timeout=100) as reply:
                    self.answers += json.load(reply)["status"] == "ok"
            except OSError as error:
                self.failures.append(error)

    def stop(self):
        self.ended.set()
        self.join()


def processes(keeper, name):
    """Return the children of a keeper that run a command of Lycosa."""
    children = psutil.Process(keeper.pid).children()
    return [child for child in children if name in child.cmdline()]


def test_a_portal_is_kept_through_kills_of_its_keeper_and_of_its_server(tmp_path):
    with served(seed=3, departments=1, organisations=0, pages=120) as world:
        folder = project(tmp_path / "kept", world.sites[0])
        keeper, address = start(folder)
        children, below = [], []
        with keeper:
            reader = Reader(address)
            reader.start()
            try:
                [server] = processes(keeper, "serve")
                below = server.children(recursive=True)
                server.kill()
                assert keeper.stdout.readline().strip() == address  # another one, same socket
                seen = reader.answers
                wait_for(lambda: reader.answers > seen)
                wait_for(lambda: KeepStatus.read(folder).cycles >= 1)
                assert KeepStatus.read(folder).restarts == 1
                children = psutil.Process(keeper.pid).children(recursive=True)
                commands = processes(keeper, "crawl") + processes(keeper, "build")
                keeper.kill()
                seen = reader.answers
                wait_for(lambda: reader.answers > seen)  # the server goes on for a while
                # On a busy machine a build gets to its end late: by then the server has ended.
                psutil.wait_procs(commands, timeout=100)
                assert not any(child.is_running() for child in commands)
            finally:
                reader.stop()
                end(children + below)
        # At most what was in progress in the two processes of the server that was killed.
        assert len(reader.failures) <= 1
        keeper, _ = start(folder)
        with keeper:
            wait_for(lambda: KeepStatus.read(folder).cycles >= 1)
            keeper.send_signal(signal.SIGTERM)
            assert keeper.wait(120) == 0
    found = KeepStatus.read(folder)
    assert (found.state, found.process) == ("stopped", 0)
    assert found.revisits > 0
    with CrawlReader.open(folder) as reader:
        urls = [step.url for step in reader.entries()]
    assert len(urls) > len(set(urls)) > 12  # some were requested again, and new ones were found


def end(children):
    """Kill what a killed keeper has left."""
    for child in children:
        with suppress(psutil.NoSuchProcess):
            child.kill()


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
    assert split_requests(known, 100, links=40) == (60, 40)
    assert split_requests(known, 100, links=0) == (90, 10)


def test_keep_refuses_what_is_no_project(tmp_path):
    result = CliRunner().invoke(main, ["keep", str(tmp_path)])
    assert result.exit_code == 2
    assert "is not a project" in result.stderr
    assert os.listdir(tmp_path) == []
