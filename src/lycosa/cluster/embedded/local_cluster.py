"""A cluster on this machine, kept in the folder of a project: `lycosa cluster up`.

local = LocalCluster(Path("robots"))
local.up()
local.postgres.dsn  # the URL of its database, without a password
"""

from __future__ import annotations

import importlib.util
from concurrent.futures import ThreadPoolExecutor, wait
from pathlib import Path
from typing import Final

from lycosa.cluster.embedded.postgres import EmbeddedPostgres
from lycosa.cluster.embedded.ray_head import EmbeddedRay
from lycosa.errors import UsageError

FOLDER: Final = "cluster"
"""The folder of the cluster in that of its project."""
PACKAGES: Final = ("asyncpg", "fsspec", "pyarrow", "ray")


class LocalCluster:
    """A private PostgreSQL and a private Ray for one project.

    Parameters
    ----------
    folder
        The folder of the project.
    listen
        Addresses, besides loopback, on which PostgreSQL listens.
    cpus
        How many tasks of Ray may run at a time; by default one for each core.
    """

    def __init__(
        self, folder: Path, *, listen: tuple[str, ...] = (), cpus: int | None = None
    ) -> None:
        self.folder = folder
        self.postgres = EmbeddedPostgres(folder / FOLDER / "postgresql", listen=listen)
        self.ray = EmbeddedRay(folder / FOLDER / "ray", cpus=cpus)

    def up(self) -> None:
        """Start what does not run."""
        require_packages()
        self.postgres.check()  # before anything is started
        self.folder.mkdir(parents=True, exist_ok=True)
        # Each takes seconds, most of which it waits for its own processes.
        with ThreadPoolExecutor(1) as pool:
            starting = pool.submit(self.ray.start)
            try:
                self.postgres.start()
                starting.result()
            except BaseException:
                wait([starting])
                self.down()
                raise

    def down(self) -> None:
        """Stop what runs; the data stays."""
        self.ray.stop()
        self.postgres.stop()

    @property
    def exists(self) -> bool:
        """Whether a cluster was started in the folder before."""
        return (self.folder / FOLDER / "postgresql").is_dir()


def require_packages() -> None:
    """Raise a `UsageError` if the packages of the extra `cluster` are not installed."""
    missing = [name for name in PACKAGES if importlib.util.find_spec(name) is None]
    if missing:
        raise UsageError(
            f"A cluster needs {', '.join(missing)}: pip install 'lycosa[cluster]' installs it."
        )
