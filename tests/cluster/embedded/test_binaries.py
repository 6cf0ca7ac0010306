"""The programs of PostgreSQL: found, and run as a user that PostgreSQL accepts."""

import os
import tempfile
from pathlib import Path

import pytest

from lycosa.cluster.embedded import binaries
from lycosa.cluster.embedded.binaries import PROGRAMS, ServerUser, find_binaries
from lycosa.errors import LycosaError, UsageError

OPEN = Path(tempfile.gettempdir()) / "lycosa-never-created"
"""A folder that every user could enter."""
AS_ROOT = pytest.mark.skipif(os.geteuid() != 0, reason="only root runs PostgreSQL as another user")


@pytest.fixture
def nowhere(monkeypatch, tmp_path):
    """A machine without PostgreSQL."""
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr(binaries, "_DEBIAN", tmp_path)
    monkeypatch.setattr(binaries.importlib.util, "find_spec", lambda name: None)
    return tmp_path


def install(folder, version="15.3"):
    folder.mkdir(parents=True)
    for name in PROGRAMS:
        path = folder / name
        path.write_text(f"#!/bin/sh\necho 'postgres (PostgreSQL) {version}'\n")
        path.chmod(0o755)
    return folder


def test_a_machine_without_postgresql_is_told_what_to_install(nowhere):
    with pytest.raises(UsageError, match=r"pip install 'lycosa\[cluster\]'"):
        find_binaries()


def test_the_newest_of_debian_is_found_and_links_are_followed(nowhere):
    install(nowhere / "9" / "bin", "9.6")
    newest = install(nowhere / "15" / "bin")
    assert find_binaries() == newest
    (nowhere / "initdb").symlink_to(newest / "initdb")  # not all programs: not used
    assert find_binaries() == newest


def test_data_is_served_by_the_version_that_wrote_it(nowhere):
    install(nowhere / "15" / "bin")
    older = install(nowhere / "13" / "bin", "13.1")
    assert find_binaries("13") == older
    with pytest.raises(UsageError, match="install PostgreSQL 14"):
        find_binaries("14")


def test_a_program_that_fails_says_why():
    with pytest.raises(LycosaError, match="sh failed: no such thing"):
        ServerUser(OPEN).run(["/bin/sh", "-c", "echo no such thing; exit 3"])


@AS_ROOT
def test_programs_that_the_user_cannot_reach_are_copied_with_their_libraries(tmp_path):
    closed = tmp_path / "closed"
    programs = install(closed / "site" / "wheel" / "pginstall" / "bin")
    libraries = closed / "site" / "wheel.libs"
    libraries.mkdir()
    (libraries / "libpq.so").write_text("x")
    closed.chmod(0o700)
    copies = tmp_path / "copies"
    found = ServerUser(OPEN).reachable(programs, copies)
    assert found.is_relative_to(copies)
    assert (found / "postgres").is_file()
    assert (found / "../../../wheel.libs/libpq.so").resolve().is_file()
