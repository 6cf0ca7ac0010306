import os
import sqlite3
import tarfile
from threading import Event, Thread

import pytest

from lycosa.errors import UsageError
from lycosa.portal.backup import back_up
from lycosa.portal.catalogue import Catalogue
from lycosa.portal.search import Engine, Index, IndexEntry
from portal.web.portal_client import copy_portal

ENDINGS = ("lock", "-wal", "-shm")  # not copied


@pytest.fixture
def folder(tmp_path):
    found = copy_portal(tmp_path / "portal")
    (found / "owner.token").write_text("secret")
    return found


def restore(path, where):
    with tarfile.open(path) as tar:
        tar.extractall(where, filter="data")
    return where / "portal"


def contents(folder):
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file() and path.suffix != ".db"
    }


def test_a_restored_project_is_the_same(folder, tmp_path):
    done = back_up(folder, tmp_path / "backup.tar")
    restored = restore(tmp_path / "backup.tar", tmp_path / "restored")
    kept = {name: data for name, data in contents(folder).items() if not name.endswith(ENDINGS)}
    assert contents(restored) == kept
    assert done.files == sum(path.is_file() for path in restored.rglob("*"))
    assert os.stat(tmp_path / "backup.tar").st_mode & 0o077 == 0
    works = [work.id for work in Catalogue.open(folder).iter_works("paper")]
    assert [work.id for work in Catalogue.open(restored).iter_works("paper")] == works
    query = "spider"
    found = Engine.open(restored / "index").search(query).total
    assert found == Engine.open(folder / "index").search(query).total > 0
    assert not [path for path in folder.iterdir() if path.name.startswith(".backup")]


def test_a_database_with_a_write_ahead_log_is_copied_in_one_state(folder, tmp_path):
    with sqlite3.connect(folder / "notes.db") as database:
        database.execute("PRAGMA journal_mode = WAL")
        database.execute("CREATE TABLE pairs (a, b)")
        database.execute("INSERT INTO pairs VALUES (1, 1)")
        database.commit()
        back_up(folder, tmp_path / "backup.tar")
    database.close()
    restored = restore(tmp_path / "backup.tar", tmp_path / "restored")
    with sqlite3.connect(restored / "notes.db") as copy:
        assert copy.execute("SELECT * FROM pairs").fetchall() == [(1, 1)]
    copy.close()
    assert not list(restored.glob("*-wal"))


def test_backups_while_the_index_is_written(folder, tmp_path):
    over = Event()

    def write():
        index, number = Index.open(folder / "index"), 0
        while not over.is_set():
            number += 1
            index.update([IndexEntry(f"new{number}", "paper", "A new work on beetles")])
            index.commit()

    writer = Thread(target=write)
    writer.start()
    try:
        for number in range(3):
            path = tmp_path / f"{number}.tar"
            back_up(folder, path)
            restored = restore(path, tmp_path / str(number))
            assert Engine.open(restored / "index").search("spider").total > 0
    finally:
        over.set()
        writer.join()


@pytest.mark.parametrize(
    ("source", "target", "words"),
    [
        ("missing", "backup.tar", "There is no folder"),
        ("portal", "nowhere/backup.tar", "There is no folder"),
        ("portal", "taken.tar", "exists already"),
    ],
)
def test_misuse_is_one_sentence(folder, tmp_path, source, target, words):
    (tmp_path / "taken.tar").write_text("mine")
    with pytest.raises(UsageError, match=words):
        back_up(tmp_path / source, tmp_path / target)
    assert (tmp_path / "taken.tar").read_text() == "mine"


def test_a_backup_into_the_project_does_not_contain_itself(folder):
    back_up(folder, folder / "first.tar")
    with tarfile.open(folder / "first.tar") as tar:
        assert not [name for name in tar.getnames() if "first" in name or ".backup" in name]
