import os

import pytest

from lycosa.portal.search import readable_folder
from lycosa.portal.search.readable_folder import ReadableFolder


@pytest.fixture
def index(tmp_path):
    (tmp_path / "meta.json").write_text("first")
    (tmp_path / "old.idx").write_text("old")
    return tmp_path


def test_a_writable_folder_is_read_itself(index):
    assert ReadableFolder(index).path == index


def test_links_follow_commits(index, monkeypatch):
    monkeypatch.setattr(readable_folder, "_is_writable", lambda _: False)  # root may write anywhere
    folder = ReadableFolder(index)
    assert folder.path != index
    (index / "new.idx").write_text("new")
    (index / "old.idx").unlink()
    (index / "next.json").write_text("second")
    os.replace(index / "next.json", index / "meta.json")
    folder.refresh()
    found = {each.name: each.read_text() for each in folder.path.iterdir()}
    assert found == {"meta.json": "second", "new.idx": "new"}


def test_a_missing_folder_is_an_error(tmp_path):
    with pytest.raises(FileNotFoundError):
        ReadableFolder(tmp_path / "missing")
