"""A private PostgreSQL server whose files all lie in one folder.

It listens on the loopback interface, or on addresses that are named, and asks
for a password that was generated and is kept in a file which only its owner
can read. What was committed survives a crash of the server or of the machine:
nothing that makes PostgreSQL durable is switched off.

    server = EmbeddedPostgres(Path("cluster/postgresql"))
    server.start()
    connection = await asyncpg.connect(server.dsn)

The data source name carries the path of the password file, never a password,
so it may be printed, logged and stored.
"""

from __future__ import annotations

import asyncio
import logging
import os
import secrets
import shutil
import socket
import time
from collections.abc import Coroutine
from pathlib import Path
from typing import Any, Final, Literal, Self
from urllib.parse import quote

from lycosa.cluster.embedded.binaries import ServerUser, find_binaries
from lycosa.errors import LycosaError, UsageError
from lycosa.files import replace_file

StopMode = Literal["smart", "fast", "immediate"]
"""How `pg_ctl` stops a server; after `immediate`, as after a crash, it recovers at its start."""

LOOPBACK: Final = "127.0.0.1"
USER: Final = "lycosa"
START_SECONDS: Final = 60
"""How long a server may take to start, recovery after a crash included."""

_START_ATTEMPTS = 4
_RETRY_SECONDS = 1.0
_SETTINGS = "lycosa.conf"
_MAX_CONNECTIONS = 200
_log = logging.getLogger("lycosa.cluster")


class EmbeddedPostgres:
    """A private PostgreSQL server.

    Parameters
    ----------
    folder
        Where it keeps its data, log, port and password; created when the server first starts.
        One server runs in a folder; objects of other processes see the same one.
    listen
        Addresses to listen on. The loopback interface is always among them. Hosts of the
        same network may connect, with the password.
    sync
        Whether files are synced to the disk while they are created. A test saves a second
        without it. Later commits are synced in any case.
    """

    def __init__(self, folder: Path, *, listen: tuple[str, ...] = (), sync: bool = True) -> None:
        self.folder = folder.absolute()
        self._listen = tuple(dict.fromkeys((LOOPBACK, *listen)))
        self._sync = sync
        self._data = self.folder / "data"
        self._password_file = self.folder / "pgpass"

    @property
    def dsn(self) -> str:
        """The data source name of its database `lycosa`, without the password."""
        return self.database_dsn(USER)

    @property
    def port(self) -> int:
        """The port that it listens on."""
        try:
            return int((self.folder / "port").read_text())
        except (OSError, ValueError) as error:
            _log.debug("No port in %s.", self.folder, exc_info=True)
            raise UsageError(
                f"There is no PostgreSQL in {self.folder}: start one with `lycosa cluster up`."
            ) from error

    @property
    def log(self) -> Path:
        """The file that the server logs to."""
        return self._data / "server.log"

    def database_dsn(self, database: str, host: str = LOOPBACK) -> str:
        """Return the data source name of one of its databases."""
        passfile = quote(str(self._password_file), safe="/")
        return f"postgresql://{USER}@{host}:{self.port}/{quote(database)}?passfile={passfile}"

    def check(self) -> None:
        """Raise a `UsageError` if a server cannot be started in the folder."""
        ServerUser(self.folder)
        find_binaries(self._version())

    def start(self) -> None:
        """Start the server unless it runs; create it first if the folder has none."""
        user = ServerUser(self.folder)
        self._create(user)
        if self.is_running():
            return
        self._remove_stale_lock()
        for attempt in range(_START_ATTEMPTS):
            try:
                self._start()
                break
            except LycosaError:
                if attempt == _START_ATTEMPTS - 1:
                    raise
                _log.debug("PostgreSQL did not start.", exc_info=True)
                if _is_free(self.port):
                    # Processes of a killed server may still use its shared memory.
                    time.sleep(_RETRY_SECONDS)
                else:
                    _log.info("Port %d is in use; PostgreSQL gets another one.", self.port)
                    self._set_port(user)
        _run(self._create_database())

    def stop(self, mode: StopMode = "fast") -> None:
        """Stop the server if it runs."""
        if self.is_running():
            self._control("stop", "-w", "-m", mode)

    def is_running(self) -> bool:
        """Return whether the server runs."""
        process = self._postmaster()
        return process is not None and _is_postgres(process)

    def create_database(self, name: str) -> str:
        """Create an empty database and return its data source name."""
        if not name.isidentifier():
            raise UsageError(f"{name!r} cannot be the name of a database: use letters and digits.")
        _run(_execute(self.dsn, f'CREATE DATABASE "{name}" TEMPLATE template0'))
        return self.database_dsn(name)

    def drop_database(self, name: str) -> None:
        """Remove a database; its connections are closed."""
        if not name.isidentifier():
            raise UsageError(f"{name!r} is not the name of a database.")
        _run(_execute(self.dsn, f'DROP DATABASE IF EXISTS "{name}" WITH (FORCE)'))

    def _create(self, user: ServerUser) -> None:
        """Create data, password and settings; what was begun and not finished is begun again."""
        if (self.folder / "port").exists():
            return
        self.folder.mkdir(parents=True, exist_ok=True)
        shutil.rmtree(self._data, ignore_errors=True)
        self._data.mkdir(mode=0o700)
        user.own(self._data)
        password = secrets.token_urlsafe(32)
        _write_secret(self._password_file, f"*:*:*:{USER}:{password}\n")
        once = self.folder / "initial-password"
        _write_secret(once, f"{password}\n")
        user.own(once)
        try:
            initdb = self._binaries(user) / "initdb"
            options = ["--auth=scram-sha-256", f"--pwfile={once}", f"--username={USER}"]
            options += ["--encoding=UTF8", "--locale=C", *([] if self._sync else ["--no-sync"])]
            user.run([initdb, "-D", self._data, *options])
        finally:
            once.unlink()
        with (self._data / "postgresql.conf").open("a", encoding="utf-8") as settings:
            settings.write(f"include '{_SETTINGS}'\n")
        self._set_port(user)

    def _set_port(self, user: ServerUser) -> None:
        port = _free_port()
        settings = [
            f"listen_addresses = '{','.join(self._listen)}'",
            f"port = {port}",
            "unix_socket_directories = ''",  # the path of a socket has at most 107 bytes
            f"max_connections = {_MAX_CONNECTIONS}",
            # A client that vanished without a word must not hold its locks for hours.
            "tcp_keepalives_idle = 10",
            "tcp_keepalives_interval = 2",
            "tcp_keepalives_count = 3",
            "tcp_user_timeout = 15000",
        ]
        (self._data / _SETTINGS).write_text("\n".join(settings) + "\n", encoding="utf-8")
        user.own(self._data / _SETTINGS)
        if len(self._listen) > 1:
            with (self._data / "pg_hba.conf").open("a", encoding="utf-8") as hosts:
                hosts.write("host all all samenet scram-sha-256\n")
        with replace_file(self.folder / "port") as part:
            part.write_text(f"{port}\n")

    def _binaries(self, user: ServerUser) -> Path:
        return user.reachable(find_binaries(self._version()), self.folder)

    def _version(self) -> str | None:
        """Return the major version of the server that wrote the data; None if there is none."""
        try:
            return (self._data / "PG_VERSION").read_text().strip()
        except FileNotFoundError:
            return None

    def _start(self) -> None:
        command = ["start", "-w", "-t", str(START_SECONDS), "-l", str(self.log)]
        try:
            self._control(*command)
        except LycosaError as error:
            raise LycosaError(f"{error} Its log is {self.log}.") from error

    def _control(self, *command: str) -> None:
        user = ServerUser(self.folder)
        user.run([self._binaries(user) / "pg_ctl", "-D", self._data, *command])

    def _postmaster(self) -> int | None:
        """Return the process that says it serves the folder."""
        try:
            first = (self._data / "postmaster.pid").read_text().partition("\n")[0]
        except OSError:
            return None
        return int(first) if first.isdigit() else None

    def _remove_stale_lock(self) -> None:
        """Remove the lock file of a server that died and whose process id another program has.

        PostgreSQL does not start if the process in its lock file exists. After a
        restart of the machine, and in containers, that may be any program.
        """
        process = self._postmaster()
        if process is not None and not _is_postgres(process):
            _log.info("PostgreSQL in %s was not stopped; it recovers.", self.folder)
            (self._data / "postmaster.pid").unlink(missing_ok=True)

    async def _create_database(self) -> None:
        """Create the database `lycosa` if this is the first start."""
        import asyncpg

        connection = await asyncpg.connect(self.database_dsn("postgres"))
        try:
            found = await connection.fetchval("SELECT 1 FROM pg_database WHERE datname = $1", USER)
            if not found:
                await connection.execute(f'CREATE DATABASE "{USER}"')
        finally:
            await connection.close()

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()


def _is_postgres(process: int) -> bool:
    """Return whether a process is a PostgreSQL server; where it cannot be known, if it exists."""
    try:
        # "12 (postgres) S …"; a dead process that was not waited for has the state Z.
        name, _, state = Path(f"/proc/{process}/stat").read_text().rpartition(") ")
        return name.endswith("(postgres") and not state.startswith("Z")
    except OSError:
        if Path("/proc/self").exists():
            return False
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind((LOOPBACK, 0))
        port: int = probe.getsockname()[1]
        return port


def _is_free(port: int) -> bool:
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((LOOPBACK, port))
        except OSError:
            return False
        return True


def _write_secret(path: Path, text: str) -> None:
    """Write a file that only its owner may read, from its first byte on."""
    path.unlink(missing_ok=True)
    with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as file:
        file.write(text)


async def _execute(dsn: str, statement: str) -> None:
    import asyncpg

    connection = await asyncpg.connect(dsn)
    try:
        await connection.execute(statement)
    finally:
        await connection.close()


def _run(work: Coroutine[Any, Any, None]) -> None:
    asyncio.run(work)
