"""A crawl that is killed at any moment resumes, loses nothing and requests nothing twice."""

import os
import random
import signal
import time
from itertools import count, pairwise
from pathlib import Path
from tempfile import TemporaryDirectory
from urllib.parse import urlsplit

import pytest

from crawler.live.killed import LIMIT, Crawlers, Orders, archived, logged
from crawler.storage.writer import image
from lycosa.crawler.storage.checkpoints import STAGES as CHECKPOINT_STAGES
from lycosa.crawler.storage.sqlite import STAGES, SqliteStore
from lycosa.goals import Listed
from lycosa.project.sections import DEFAULT_SPIDER

PAGES = 150
MAX_PAGES = 100  # the calendar of the site has no end


@pytest.fixture(scope="module")
def crawlers():
    with Crawlers() as crawlers:
        yield crawlers


@pytest.fixture(scope="module")
def web():
    with logged(PAGES, seconds=0.001) as (world, log):
        yield world.department(0), log


@pytest.fixture
def ram():
    place = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None
    with TemporaryDirectory(dir=place) as folder:
        yield Path(folder)


class Trial:
    """A crawl that is killed repeatedly, and the invariants after each kill."""

    def __init__(self, crawlers, web, place, ram, **options):
        self.crawlers = crawlers
        self.site, self.log = web
        self.folder = place / "crawl"
        self.ram = ram
        base, targets = self.site.base, sorted(Listed.of(self.site, "papers").urls)
        self.orders = {
            "folder": str(self.folder),
            "base": base,
            "targets": targets,
            "most": MAX_PAGES,
        }
        self.orders |= options
        self.rows = []
        self.lost = 0
        self.asked = 0
        self.kills = 0
        place.mkdir(exist_ok=True)

    def begin(self, **options):
        self._mark = len(self.log.lines)
        return self.crawlers.start(Orders(**self.orders, **options))

    def told(self):
        path = self.folder.with_name("told")
        return int(path.read_text() or 0) if path.exists() else 0

    def end(self):
        """Wait for the end of a process, and check the folder it left."""
        status = self.crawlers.wait()
        self.log.settle(urlsplit(self.site.base).port)
        assert status in (0, -signal.SIGKILL)
        self.kills += status != 0
        asked = [self._url(path) for _, path in self.log.lines[self._mark :]]
        if not (self.folder / "crawl.db").exists():
            self.lost += len(asked)
            return status
        known = {url for row in self.rows for url in (row.url, row.final)}
        pages = [url for url in asked if not url.endswith("/robots.txt")]
        assert not known & set(pages), "what was committed is not requested again"
        assert len(pages) == len(set(pages))
        if self.rows:
            assert len(pages) == len(asked), "robots.txt is still valid"
        rows = self.look()
        assert [row.n for row in rows] == list(range(1, len(rows) + 1))
        assert rows[: len(self.rows)] == self.rows, "nothing that was committed is lost"
        assert len(rows) >= self.told(), "what was given out is committed"
        done = {url for row in rows for url in (row.url, row.final)}
        self.asked += len(pages)
        self.lost += sum(url not in done for url in pages)
        self.rows = rows
        return status

    def look(self):
        """Return the step log; assert that another program finds its records in the archive."""
        copy = image(self.folder, self.ram / "copy")
        with SqliteStore.open(copy, limit=LIMIT) as store:
            seen = list(store.replay())
            assert store.lost == 0
        for row, answer in seen:
            assert (answer is None) == (row.fault is not None)
        places = [(row.location.file, row.location.offset) for row, _ in seen if row.location]
        found = archived(copy)
        assert len(places) == len(set(places)) == len(set(places) & set(found))
        return [row for row, _ in seen]

    def _url(self, path):
        return self.site.base.rpartition("/")[0] + path


def key(row):
    return (row.url, row.final, row.status, row.fault, row.reward, row.source, row.score)


@pytest.fixture(scope="module")
def undisturbed(crawlers, web, tmp_path_factory):
    place = tmp_path_factory.mktemp("undisturbed")
    trial = Trial(crawlers, web, place / "x", place)
    trial.begin()
    assert trial.end() == 0
    assert len(trial.rows) == MAX_PAGES
    assert sum(row.reward for row in trial.rows) > 4
    assert any(row.final != row.url for row in trial.rows)
    return trial


def check(trial, undisturbed):
    """Finish the crawl; assert that its step log is that of an undisturbed crawl."""
    trial.begin()
    assert trial.end() == 0
    assert [key(row) for row in trial.rows] == [key(row) for row in undisturbed.rows]
    assert trial.asked <= undisturbed.asked + trial.lost


def kill_at_random(trials, undisturbed, least, chance):
    """Kill crawls at random moments so often at least, and finish each; return how many."""
    kills = []
    for trial in trials:
        for _ in range(8):
            process = trial.begin()
            time.sleep(chance.random() * 0.5)
            os.kill(process, signal.SIGKILL)
            if trial.end() == 0:
                break
        kills.append(trial.kills)
        check(trial, undisturbed)
        if sum(kills) >= least:
            break
    return len(kills)


def test_kills_at_random_moments_lose_nothing_and_repeat_nothing(
    crawlers, web, undisturbed, tmp_path, ram
):
    trials = (Trial(crawlers, web, tmp_path / str(turn), ram) for turn in count())
    assert kill_at_random(trials, undisturbed, 35, random.Random(7)) > 1


@pytest.mark.parametrize("stage", STAGES)
def test_kills_between_stages_of_a_commit_lose_nothing_and_repeat_nothing(
    crawlers, web, undisturbed, tmp_path, ram, stage
):
    trial = Trial(crawlers, web, tmp_path / "x", ram)
    for nth in (2, 1, 3) if stage != "begun" else (1, 1, 2):
        trial.begin(stage=stage, nth=nth)
        trial.end()
    assert trial.kills == 3
    check(trial, undisturbed)


@pytest.fixture(scope="module")
def undisturbed_default(crawlers, web, tmp_path_factory):
    place = tmp_path_factory.mktemp("undisturbed-default")
    trial = Trial(crawlers, web, place / "x", place, spider=DEFAULT_SPIDER)
    trial.begin()
    assert trial.end() == 0
    assert len(list((trial.folder / "checkpoints").glob("*.state"))) == 2
    return trial


def test_kills_at_random_moments_with_checkpoints_lose_nothing_and_repeat_nothing(
    crawlers, web, undisturbed_default, tmp_path, ram
):
    given = {"spider": DEFAULT_SPIDER}
    trials = (Trial(crawlers, web, tmp_path / str(turn), ram, **given) for turn in count())
    kill_at_random(trials, undisturbed_default, 20, random.Random(8))


@pytest.mark.parametrize("stage", CHECKPOINT_STAGES)
def test_kills_inside_a_checkpoint_lose_nothing_and_repeat_nothing(
    crawlers, web, undisturbed_default, tmp_path, ram, stage
):
    trial = Trial(crawlers, web, tmp_path / "x", ram, spider=DEFAULT_SPIDER)
    for nth in (2, 1, 3):
        trial.begin(stage=stage, nth=nth)
        trial.end()
    assert trial.kills == 3
    check(trial, undisturbed_default)


def test_requests_in_flight_at_a_kill_do_not_change_what_is_found(crawlers, web, tmp_path, ram):
    options = {"most": None, "exclude": ["calendar"]}
    quiet = Trial(crawlers, web, tmp_path / "quiet", ram, **options)
    trial = Trial(crawlers, web, tmp_path / "killed", ram, per_host=4, **options)
    quiet.begin()
    assert quiet.end() == 0
    for nth in (2, 3, 2):
        trial.begin(stage="written", nth=nth)
        trial.end()
    assert trial.kills
    trial.begin()
    assert trial.end() == 0
    for found in (finals, targets):
        assert found(trial.rows) == found(quiet.rows)
    assert trial.asked <= quiet.asked + trial.lost


def finals(rows):
    return {row.final for row in rows if row.status}


def targets(rows):
    return {row.final for row in rows if row.reward}


def test_delays_hold_across_kills(crawlers, web, tmp_path, ram):
    trial = Trial(crawlers, web, tmp_path / "x", ram, delay=0.2, most=12)
    chance = random.Random(3)
    begin = len(trial.log.lines)
    for _ in range(6):
        if len(trial.rows) > 8:  # on a busy machine a kill may come late
            break
        before = len(trial.log.lines)
        process = trial.begin()
        while len(trial.log.lines) == before:
            time.sleep(0.01)
        time.sleep(chance.random() * 0.25)  # in the request, or in the delay after it
        os.kill(process, signal.SIGKILL)
        trial.end()
    trial.begin()
    assert trial.end() == 0
    assert len(trial.rows) == 12
    times = [when for when, _ in trial.log.lines[begin:]]
    gaps = [b - a for a, b in pairwise(times)]
    assert len(gaps) >= 12  # between robots.txt and 12 pages at least
    assert min(gaps) > 0.19
