"""The option `--cluster`: the URL of the PostgreSQL of a cluster crawl."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar
from urllib.parse import urlsplit

import click
from click.core import ParameterSource

from lycosa.errors import UsageError

_F = TypeVar("_F", bound=Callable[..., Any])

VARIABLE = "LYCOSA_CLUSTER"
"""The environment variable in the place of the option."""


def cluster_option(help: str) -> Callable[[_F], _F]:
    """Return the decorator that adds the option to a command."""
    return click.option(
        "--cluster", metavar="URL", envvar=VARIABLE, callback=_checked, help=help, show_envvar=True
    )


def copy_from_cluster(url: str, folder: Path, archive: str | None = None) -> int:
    """Copy what a cluster crawl has committed to the folder of its project; return its steps."""
    from lycosa.cluster.archive_volumes import ArchiveFolder
    from lycosa.cluster.crawl_folder import write_folder
    from lycosa.cluster.database import Database
    from lycosa.project import Project

    place = ArchiveFolder(archive or str(folder.absolute() / "archive"))
    with Database(url) as database:
        return write_folder(database, folder, place, Project.load(folder).job.seeds)


def _checked(context: click.Context, option: click.Parameter, value: str | None) -> str | None:
    """Refuse a URL whose password others could read in the list of processes."""
    if value is None:
        return None
    if not value.startswith(("postgresql://", "postgres://")):
        raise UsageError("--cluster needs a URL such as postgresql://user@host/name.")
    name = str(option.name)
    is_typed = context.get_parameter_source(name) is ParameterSource.COMMANDLINE
    if is_typed and urlsplit(value).password:
        raise UsageError(
            "Everyone on this machine can read a password that is typed in a command: leave it "
            f"out of the URL and set PGPASSWORD, write ~/.pgpass, or set {VARIABLE} to the URL."
        )
    return value
