import json
import sys

import pytest
from click.testing import CliRunner

from lycosa.cli import main
from portal.sample import sample


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return sample(tmp_path_factory.mktemp("portal"))


def run(*arguments):
    return CliRunner().invoke(main, ["export", *map(str, arguments)])


@pytest.mark.parametrize(("name", "start"), [
    ("works.jsonl", b'{"id":"w'), ("WORKS.BIB", b"@"), ("works.csv", b"id,kind,title"),
    ("works.parquet", b"PAR1"),
])  # fmt: skip
def test_the_suffix_selects_the_format(folder, tmp_path, name, start):
    if name.endswith("parquet"):
        pytest.importorskip("pyarrow")
    found = run(folder, "-o", tmp_path / name)
    assert found.exit_code == 0, found.output
    assert found.stdout == f"{tmp_path / name}\n"
    assert (tmp_path / name).read_bytes().startswith(start)
    assert [path.name for path in tmp_path.iterdir()] == [name]


def test_stdout_gets_json_lines(folder):
    found = run(folder, "--kind", "paper", "--kind", "page", "-o", "-")
    kinds = [json.loads(line)["kind"] for line in found.stdout.splitlines()]
    assert (kinds.count("paper"), kinds.count("page"), len(kinds)) == (40, 10, 50)


@pytest.mark.parametrize(
    ("out", "words"),
    [
        ("works.xml", "There is no format 'xml'"),
        ("works", "There is no format ''"),
        ("missing/works.jsonl", "cannot be written; give a file in a folder that exists"),
        ("folder.jsonl", "is a folder"),
    ],
)
def test_refuses_files_that_cannot_be_written(folder, tmp_path, out, words):
    (tmp_path / "folder.jsonl").mkdir()
    found = run(folder, "-o", tmp_path / out)
    assert found.exit_code == 2
    assert words in found.stderr
    assert [path.name for path in tmp_path.iterdir()] == ["folder.jsonl"]


def test_refuses_a_folder_without_a_portal(tmp_path):
    found = run(tmp_path, "-o", tmp_path / "works.jsonl")
    assert found.exit_code == 2
    assert "lycosa build" in found.stderr


def test_keeps_the_old_file_if_pyarrow_is_missing(folder, tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    (tmp_path / "works.parquet").write_text("mine")
    found = run(folder, "-o", tmp_path / "works.parquet")
    assert found.exit_code == 2
    assert "pip install 'lycosa[parquet]'" in found.stderr
    assert (tmp_path / "works.parquet").read_text() == "mine"
    assert len(list(tmp_path.iterdir())) == 1
