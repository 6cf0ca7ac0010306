"""A build that is killed at any moment and run again builds the same portal."""

import shutil
import signal
import time
from pathlib import Path

import pytest
from tests.portal.build import killed
from tests.portal.build.crawls import answers, crawl, query, rows, searchable

from lycosa.portal.build import build_portal
from lycosa.portal.corrections import Corrections
from lycosa.project import Project

KILLED = -signal.SIGKILL


@pytest.fixture(scope="module")
def early(tmp_path_factory) -> Path:
    """The first part of a crawl."""
    folder = tmp_path_factory.mktemp("early") / "crawl"
    crawl(folder, answers(8)[:9])
    return folder


@pytest.fixture(scope="module")
def whole(tmp_path_factory) -> Path:
    """The whole crawl."""
    folder = tmp_path_factory.mktemp("whole") / "crawl"
    crawl(folder, answers(8))
    return folder


def copied(folder: Path, to: Path) -> Path:
    shutil.copytree(folder, to / "crawl")
    return to / "crawl"


@pytest.fixture(scope="module")
def undisturbed(whole, tmp_path_factory):
    folder = copied(whole, tmp_path_factory.mktemp("undisturbed"))
    watcher = killed.Counting()
    build_portal(Project.load(folder), progress=watcher)
    return rows(folder), searchable(folder), watcher.events


def test_the_portal_is_not_empty(undisturbed):
    tables, index, _ = undisturbed
    assert not [
        table for table, some in tables.items() if not some and table not in ("moved", "reindex")
    ]
    assert len(index) == len(tables["indexed"]) == 11


def test_continues_after_a_kill_at_every_stage(whole, undisturbed, tmp_path):
    tables, index, events = undisturbed
    folder = copied(whole, tmp_path)
    stages = [n + 1 for n, stage in enumerate(events) if stage]
    assert len(stages) == 5
    # At the beginning of each stage and in the midst of it, one after the other.
    for stage in stages:
        before = len(query(folder, "SELECT id FROM works")) if stage > 1 else 0
        for at in (stage, stage + 3):
            code = killed.run(killed.at_event, folder, at)
            assert code in (KILLED, 0)
        if stage == stages[0]:
            assert not before
    assert killed.run(killed.at_event, folder, 10_000) == 0
    assert rows(folder) == tables
    assert searchable(folder) == index


@pytest.mark.parametrize("when", ["before", "after"])
def test_continues_after_a_kill_around_the_commit_of_the_index(whole, undisturbed, tmp_path, when):
    tables, index, _ = undisturbed
    folder = copied(whole, tmp_path)
    code = killed.run(killed.around_the_commit_of_the_index, folder, when)
    assert code == KILLED
    assert rows(folder)["indexed"] != tables["indexed"], (
        "it was killed before the marks became hashes"
    )
    assert build_portal(Project.load(folder)).added == len(index)
    assert rows(folder) == tables
    assert searchable(folder) == index


def test_continues_after_kills_at_random_moments(whole, undisturbed, tmp_path):
    tables, index, _ = undisturbed
    folder = copied(whole, tmp_path)
    other = copied(whole, tmp_path / "measured")
    began = time.process_time()
    build_portal(Project.load(other))
    cpu_seconds = time.process_time() - began
    codes = [killed.run(killed.after_a_while, folder, seed, cpu_seconds) for seed in range(6)]
    assert codes[0] == KILLED  # later builds find work done, and may end before their kill
    assert set(codes) <= {KILLED, 0}
    build_portal(Project.load(folder))
    assert rows(folder) == tables
    assert searchable(folder) == index


def test_continues_a_killed_update(early, tmp_path):
    """Works are merged and moved, there are corrections, and the index was ahead of the tables."""
    calm, rough = copied(early, tmp_path / "calm"), copied(early, tmp_path / "rough")
    for folder in (calm, rough):
        build_portal(Project.load(folder))
        first, second = query(folder, "SELECT id FROM works WHERE kind = 'paper' LIMIT 2")
        crawl(folder, answers(8)[9:14])
        with Corrections.open(folder) as corrections:
            corrections.add("same", first[0], second[0])
            corrections.add("topic", first[0], "systems/databases")
    build_portal(Project.load(calm))
    for when in ("after", "before"):
        assert killed.run(killed.around_the_commit_of_the_index, rough, when) == KILLED
    build_portal(Project.load(rough))
    assert rows(rough) == rows(calm)
    assert searchable(rough) == searchable(calm)
    # Now the index of a build that was killed knows works that are no more.
    for folder in (calm, rough):
        with Corrections.open(folder) as corrections:
            for one in corrections.all():
                corrections.undo(one.id)
            corrections.add("different", *_copies(folder))
    assert killed.run(killed.around_the_commit_of_the_index, rough, "after") == KILLED
    for folder in (calm, rough):
        with Corrections.open(folder) as corrections:
            corrections.undo(corrections.all()[-1].id)
        crawl(folder, answers(8)[14:])
        build_portal(Project.load(folder))
    different = ("built", "generation", "indexed")  # one has been built more often
    assert rows(rough, but=different)["works"] == rows(calm, but=different)["works"]
    assert rows(rough, but=different)["indexed"] == rows(calm, but=different)["indexed"]
    assert searchable(rough) == searchable(calm)


def test_an_update_continues_after_a_kill_at_every_stage(early, tmp_path):
    calm, rough = copied(early, tmp_path / "calm"), copied(early, tmp_path / "rough")
    for folder in (calm, rough):
        build_portal(Project.load(folder))
        crawl(folder, answers(8)[9:14])
        work = query(folder, "SELECT id FROM works WHERE kind = 'paper' LIMIT 1")[0][0]
        with Corrections.open(folder) as corrections:
            corrections.add("title", work, "Spiders with another title")
    watcher = killed.Counting()
    build_portal(Project.load(calm), progress=watcher)
    for at in [n + 1 for n, stage in enumerate(watcher.events) if stage]:
        assert killed.run(killed.at_event, rough, at) in (KILLED, 0)
    build_portal(Project.load(rough))
    assert rows(rough) == rows(calm)
    assert searchable(rough) == searchable(calm)
    assert len([*(rough / "matching").iterdir()]) == 1, "older states are removed"


def test_a_build_without_the_state_of_the_last_one_is_the_same(early, tmp_path):
    calm, bare = copied(early, tmp_path / "calm"), copied(early, tmp_path / "bare")
    for folder in (calm, bare):
        build_portal(Project.load(folder))
        crawl(folder, answers(8)[9:])
    for path in (bare / "matching").iterdir():
        path.write_bytes(b"damaged")
    for folder in (calm, bare):
        build_portal(Project.load(folder))
    assert rows(bare) == rows(calm)
    assert searchable(bare) == searchable(calm)


def _copies(folder: Path) -> tuple[str, str]:
    (work,) = query(folder, "SELECT work FROM copies GROUP BY work HAVING count(*) > 1 LIMIT 1")[0]
    one, two = query(folder, "SELECT document FROM copies WHERE work = ?", work)[:2]
    return one[0], two[0]
