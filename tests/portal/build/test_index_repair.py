"""A lost or damaged index is rebuilt from portal.db, and searches find what they found."""

import shutil

import pytest

from lycosa.portal.build import build_portal
from lycosa.portal.build.index_repair import repair_index
from lycosa.portal.search.engine import Engine
from lycosa.portal.search.index import missing_files
from lycosa.project import Project
from portal.build.crawls import answers, crawl


@pytest.fixture(scope="module")
def built(tmp_path_factory):
    folder = tmp_path_factory.mktemp("portal") / "spiders"
    build_portal(crawl(folder, answers(6)))
    return folder


def lose(index):
    shutil.rmtree(index)


def forget(index):
    (index / "meta.json").unlink()


def scramble(index):
    (index / "meta.json").write_text("{")


def drop_segment(index):
    for path in index.glob("*.store"):
        path.unlink()


@pytest.mark.parametrize(
    ("damage", "state"),
    [(lose, "lost"), (forget, "lost"), (scramble, "damaged"), (drop_segment, "damaged")],
)
def test_the_index_is_rebuilt_and_the_old_one_kept(built, tmp_path, damage, state):
    folder = tmp_path / "portal"
    shutil.copytree(built, folder)
    before = Engine.open(folder / "index").search("*").total
    assert before
    damage(folder / "index")
    assert repair_index(folder) == state
    assert Engine.open(folder / "index").search("*").total == before
    assert (folder / "index.damaged").exists() == (damage is not lose)
    assert repair_index(folder) == "healthy"


def drop_positions(index):
    for path in index.glob("*.pos"):
        path.unlink()


@pytest.mark.parametrize("damage", [lose, forget, scramble, drop_segment, drop_positions])
def test_a_build_notices_missing_files(built, tmp_path, damage):
    folder = tmp_path / "portal"
    shutil.copytree(built, folder)
    before = Engine.open(folder / "index").search('"the web"').total
    damage(folder / "index")
    build_portal(Project.load(folder))
    assert not missing_files(folder / "index")
    assert Engine.open(folder / "index").search('"the web"').total == before
