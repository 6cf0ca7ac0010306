import os
import threading

import pytest

from lycosa.cli.output_files import check_writable, write_file
from lycosa.errors import UsageError


def test_keeps_the_old_file_after_an_error(tmp_path):
    file = tmp_path / "out.txt"
    file.write_text("old")
    with pytest.raises(TypeError), write_file(file) as part:
        part.write_text(b"new")
    assert file.read_text() == "old"
    assert list(tmp_path.iterdir()) == [file]


def test_writes_to_a_pipe_without_replacing_it(tmp_path):
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    received = []
    reader = threading.Thread(target=lambda: received.append(pipe.read_text()), daemon=True)
    reader.start()
    with write_file(pipe) as part:
        part.write_text("text")
    reader.join(300)
    assert received == ["text"]
    assert pipe.is_fifo()


def test_writes_through_a_symbolic_link(tmp_path):
    link, file = tmp_path / "link", tmp_path / "file"
    file.write_text("old")
    link.symlink_to(file)
    with write_file(link) as part:
        part.write_text("new")
    assert link.is_symlink()
    assert file.read_text() == "new"


def test_refuses_folders_and_missing_folders(tmp_path):
    for path in (tmp_path, tmp_path / "missing" / "file"):
        with pytest.raises(UsageError):
            check_writable(path)
    with pytest.raises(UsageError, match="cannot be written"), write_file(tmp_path / "no" / "x"):
        pass
