"""`lycosa crawl` and `lycosa record` as people run them, against a real server."""

import json
import os
import shutil
import signal
import subprocess
import sys
import time

import pytest
from click.testing import CliRunner
from warcio.archiveiterator import ArchiveIterator

from crawler.live.served import served
from lycosa.cli import main
from lycosa.cli.crawl_runner import INTERRUPTED, NOTHING_FETCHED
from lycosa.crawler.storage.sqlite import SqliteStore
from lycosa.project import Project
from lycosa.sites import open_site
from lycosa.sites.generated import World
from lycosa.spiders import spider
from lycosa.spiders.model_file import save_spider

LYCOSA = [sys.executable, "-m", "lycosa.cli"]
PDFS = "url:pdf"


def lycosa(*arguments, **options):
    return subprocess.run(
        [*LYCOSA, *map(str, arguments)],
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
        **options,
    )


@pytest.fixture(scope="module")
def url():
    with served(seed=5, departments=1, pages=150) as world:
        yield world.department(0).base + "/"


def run_here(*arguments):
    """Run a command in this process, which a sentence about misuse does not need a new one for."""
    return CliRunner().invoke(main, [*map(str, arguments)])


def arguments(url, folder, *more):
    return ["crawl", url, "--goal", PDFS, "--contact", "a@example.org", "-o", folder,
            "--loopback", "--delay", "0", *more]  # fmt: skip


def begin(url, folder, *more, **options):
    return lycosa(*arguments(url, folder, *more), **options)


def test_a_crawl_from_a_url_creates_a_project_that_resumes(url, tmp_path):
    first = begin(url, tmp_path / "p", "--pages", "20", "--seed", "3")
    assert first.returncode == 0, first.stderr
    assert "20 pages" in first.stderr
    assert "Resume" in first.stderr
    project = Project.load(tmp_path / "p")
    assert project.job.seeds == (url,)
    assert project.job.addresses.allow_loopback
    assert project.job.random_seed == 3
    again = lycosa("crawl", tmp_path / "p", "--pages", "35", "--json")
    assert again.returncode == 0, again.stderr
    events = [json.loads(line) for line in again.stdout.splitlines()]
    steps = [event for event in events if event["event"] == "step"]
    assert [event["n"] for event in steps] == list(range(21, 36))
    assert events[-1]["event"] == "end"
    assert events[-1]["reason"] == "budget: pages"
    with SqliteStore.open(tmp_path / "p") as store:
        assert store.counts().steps == 35
        assert store.get("run")["reason"] == "budget: pages"


def test_finds_trained_spiders_in_the_current_and_the_project_folder(url, tmp_path):
    made = spider("house")
    site = World(seed=6, departments=1, pages=150).department(0)
    (tmp_path / "here").mkdir()
    file = tmp_path / "here" / "house.lyc"
    save_spider(file, made, "papers", made.train([site], "papers"), sites=[site.name])
    folder = tmp_path / "p"
    options = ("--spider", "wary(house.lyc)", "--pages", "12")
    first = begin(url, folder, *options, cwd=file.parent)
    assert first.returncode == 0, first.stderr
    assert Project.load(folder).spider == f"wary({file})"
    shutil.copy(file, folder)
    again = lycosa("crawl", folder, "--spider", "house.lyc", "--pages", "15")
    assert again.returncode == 0, again.stderr
    with SqliteStore.open(folder) as store:
        assert store.counts().steps == 15
    gone = run_here("crawl", folder, "--spider", "nowhere.lyc")
    assert gone.exit_code == 2
    assert "There is no file" in gone.stderr


def test_ctrl_c_finishes_requests_in_flight(url, tmp_path):
    assert begin(url, tmp_path / "p", "--pages", "5").returncode == 0
    text = (tmp_path / "p" / "lycosa.toml").read_text()
    assert "delay = 0" in text
    (tmp_path / "p" / "lycosa.toml").write_text(text.replace("delay = 0", "delay = 0.2"))
    crawl = subprocess.Popen(
        [*LYCOSA, "crawl", str(tmp_path / "p"), "--json"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert json.loads(crawl.stdout.readline())["event"] in ("step", "status")
    while json.loads(crawl.stdout.readline())["event"] != "step":
        pass
    crawl.send_signal(signal.SIGINT)
    out, err = crawl.communicate(timeout=300)
    assert crawl.returncode == 0
    assert json.loads(out.splitlines()[-1])["reason"] == "person"
    assert "Finishing the requests in flight" in out + err


def test_the_second_ctrl_c_stops_at_once_without_losses(url, tmp_path):
    """A host with a delay of a minute does not block the exit."""
    assert begin(url, tmp_path / "p", "--pages", "5").returncode == 0
    crawl = subprocess.Popen(
        [*LYCOSA, "crawl", str(tmp_path / "p"), "--json"], stdout=subprocess.PIPE, text=True
    )
    while json.loads(crawl.stdout.readline())["event"] != "step":
        pass
    began = time.monotonic()
    for _ in range(20):
        crawl.send_signal(signal.SIGINT)
        time.sleep(0.01)
        if crawl.poll() is not None:
            break
    crawl.communicate(timeout=300)
    assert crawl.returncode in (0, INTERRUPTED, -signal.SIGINT)
    assert time.monotonic() - began < 20
    with SqliteStore.open(tmp_path / "p") as store:
        assert store.lost == 0
        assert sum(1 for _ in store.replay()) == store.steps


def test_misuse_is_one_sentence(url, tmp_path):
    for words, complaint in (
        (["crawl", url], "--goal"),
        (["crawl", tmp_path / "none"], "lycosa new"),
        (["crawl", tmp_path, "--goal", "x"], "--goal"),
        (["crawl", url, "--goal", "x", "--contact", "nobody", "-o", tmp_path / "q"], "contact"),
    ):
        result = run_here(*words)
        assert result.exit_code == 2
        assert complaint in result.stderr
        assert result.stderr.startswith("lycosa: ")
        assert result.stderr.count("\n") == 1
    assert not (tmp_path / "q").exists()
    assert begin(url, tmp_path / "p", "--pages", "2").returncode == 0
    assert "already" in run_here(*arguments(url, tmp_path / "p")).stderr


def test_an_address_without_a_scheme_gets_a_suggestion(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    result = run_here("crawl", "www.example.org", "--goal", "x")
    assert result.exit_code == 2
    assert "write https://www.example.org/" in result.stderr


def test_the_delay_and_the_contact_of_a_project_can_be_overridden_for_a_run(url, tmp_path):
    folder = tmp_path / "p"
    assert begin(url, folder, "--pages", "1").returncode == 0
    text = (folder / "lycosa.toml").read_text()
    began = time.monotonic()
    options = ("--delay", "1.5", "--contact", "b@example.org", "--pages", "3")
    again = lycosa("crawl", folder, *options)
    assert again.returncode == 0, again.stderr
    assert time.monotonic() - began > 1.5
    assert (folder / "lycosa.toml").read_text() == text
    with SqliteStore.open(folder) as store:
        assert store.counts().steps == 3


def test_refuses_loopback_unless_allowed(url, tmp_path):
    result = lycosa("crawl", url, "--goal", "x", "--contact", "a@example.org", "-o", tmp_path / "p")
    assert result.returncode == NOTHING_FETCHED
    with SqliteStore.open(tmp_path / "p") as store:
        assert store.steps == 0, "without its robots.txt nothing is asked for"
        assert "robots-unreachable" in store.get("run")["skipped"]


def test_records_a_site_and_resumes_the_recording(url, tmp_path):
    command = ["record", url, "-o", tmp_path / "site", "--contact", "a@example.org", "--under",
               "--loopback", "--delay", "0", "--goal", f"documents={PDFS}"]  # fmt: skip
    first = lycosa(*command, "--pages", "60", "--json")
    assert first.returncode == 0, first.stderr
    made = json.loads(first.stdout)
    assert made["pages"] <= 60
    more = lycosa(*command, "--pages", "120", "--family", "departments", "--json")
    assert more.returncode == 0, more.stderr
    made = json.loads(more.stdout)
    assert made["pages"] > 60
    site = open_site(tmp_path / "site")
    assert site.damage is None
    assert (site.name, site.family, len(site)) == ("site", "departments", made["pages"])
    assert len(site.wanted("documents")) == made["targets"]["documents"] > 0
    with (tmp_path / "site" / "crawl" / "archive" / "00001.warc.gz").open("rb") as file:
        assert sum(record.rec_type == "response" for record in ArchiveIterator(file)) >= 120
    options = ("-o", tmp_path, "--contact", "a@example.org")
    assert "already" in run_here("record", url, *options).stderr


def test_commands_start_quickly_and_show_examples():
    for verb in ("crawl", "record", "new", "report"):
        result = lycosa(verb, "--help", env={**os.environ, "COLUMNS": "100"})
        assert result.returncode == 0
        assert "Examples:" in result.stdout
