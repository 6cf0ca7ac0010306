"""The private server: one folder, a password, and nothing lost by a crash."""

import asyncio
import os
import shutil
import signal
import stat
import tempfile
import time
from pathlib import Path

import pytest

from lycosa.errors import UsageError

asyncpg = pytest.importorskip("asyncpg", reason="asyncpg is not installed")

from lycosa.cluster.embedded.postgres import EmbeddedPostgres  # noqa: E402


def query(dsn, *statements, **connect):
    async def ask():
        connection = await asyncpg.connect(dsn, **connect)
        try:
            for statement in statements:
                value = await connection.fetchval(statement)
        finally:
            await connection.close()
        return value

    return asyncio.run(ask())


@pytest.fixture
def server(postgres):
    """A second server, which a test may kill."""
    folder = Path(tempfile.mkdtemp(prefix="lycosa-postgresql-"))
    folder.chmod(0o711)
    server = EmbeddedPostgres(folder, sync=False)
    yield server
    server.stop("immediate")
    shutil.rmtree(folder)


def test_the_password_is_in_a_file_of_its_owner_and_nowhere_else(postgres):
    file = postgres.folder / "pgpass"
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    password = file.read_text().strip().rpartition(":")[2]
    assert len(password) >= 32
    assert password not in postgres.dsn
    for path in postgres.folder.rglob("*"):
        if path.is_file() and path != file and path.stat().st_size < 100_000:
            assert password.encode() not in path.read_bytes(), path


def test_a_wrong_password_is_refused(postgres):
    with pytest.raises(asyncpg.InvalidPasswordError):
        query(postgres.dsn.partition("?")[0], "SELECT 1", password="guess")


def test_every_test_has_an_empty_database(database):
    assert query(database, "CREATE TABLE seen (n int)", "SELECT count(*) FROM seen") == 0


def test_it_listens_on_loopback_alone(postgres):
    assert query(postgres.dsn, "SHOW listen_addresses") == "127.0.0.1"
    assert query(postgres.dsn, "SHOW fsync") == "on"


def test_what_was_committed_survives_kill_and_stale_lock(server):
    server.start()
    before = server.dsn
    query(server.dsn, "CREATE TABLE kept AS SELECT 7 AS n")
    lock = server.folder / "data" / "postmaster.pid"
    process = lock.read_text().partition("\n")[0]
    os.kill(int(process), signal.SIGKILL)
    deadline = time.monotonic() + 30
    while server.is_running() and time.monotonic() < deadline:
        time.sleep(0.02)
    # As after a restart of the machine: the process id belongs to another program now.
    lock.write_text(lock.read_text().replace(process, str(os.getpid()), 1))
    assert not server.is_running()
    EmbeddedPostgres(server.folder).start()  # as another process would
    assert server.is_running()
    assert server.dsn == before
    assert query(server.dsn, "SELECT n FROM kept") == 7


def test_names_that_need_quoting_are_refused(postgres):
    with pytest.raises(UsageError, match="cannot be the name"):
        postgres.create_database('x"; DROP DATABASE lycosa; --')


def test_a_folder_without_a_server_says_how_to_start_one(tmp_path):
    with pytest.raises(UsageError, match="lycosa cluster up"):
        _ = EmbeddedPostgres(tmp_path).dsn


@pytest.mark.skipif(os.geteuid() != 0, reason="only root has to run PostgreSQL as another user")
def test_a_folder_that_is_closed_to_the_server_says_so(tmp_path):
    tmp_path.chmod(0o700)
    with pytest.raises(UsageError, match=r"cannot\s+enter"):
        EmbeddedPostgres(tmp_path / "pg").start()
    assert not (tmp_path / "pg").exists()
