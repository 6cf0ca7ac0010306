"""`lycosa cluster`: start, watch and stop a cluster."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import TYPE_CHECKING

import click

from lycosa.reporting.text import printable

if TYPE_CHECKING:
    from lycosa.cluster.embedded.local_cluster import LocalCluster


@click.group()
def cluster() -> None:
    """Crawl and build with many processes, on one machine or on many.

    PostgreSQL keeps the state of the crawl, and Ray runs its workers. On one
    machine `up` starts both; docs/how-to/run-a-cluster.md has the rest.
    """


@cluster.command()
@click.argument("folder", metavar="DIR", type=Path)
@click.option(
    "--listen",
    multiple=True,
    metavar="ADDRESS",
    help="Let PostgreSQL listen on this address, too; can be given several times.",
)
@click.option(
    "--cpus",
    type=click.IntRange(min=1),
    default=None,
    help="Tasks of Ray at the same time.  [default: number of cores]",
)
def up(folder: Path, listen: tuple[str, ...], cpus: int | None) -> None:
    """Start a private PostgreSQL and a private Ray for the project in DIR.

    Both keep their files in DIR/cluster, listen on the loopback interface only,
    and ask for secrets that are in files which you alone can read. They run
    until `lycosa cluster down DIR`; what was committed survives a crash.

    \b
    Examples:
      lycosa cluster up robots
      lycosa cluster up robots --listen 10.0.0.5
    """  # noqa: D301
    from lycosa.cluster.embedded.local_cluster import LocalCluster

    local = LocalCluster(folder, listen=listen, cpus=cpus)
    local.up()
    for line in next_steps(local):
        click.echo(line)


@cluster.command()
@click.argument("folder", metavar="DIR", type=Path)
def down(folder: Path) -> None:
    """Stop the PostgreSQL and the Ray of the project in DIR; the data stays.

    \b
    Example:
      lycosa cluster down robots
    """  # noqa: D301
    from lycosa.cluster.embedded.local_cluster import LocalCluster

    local = LocalCluster(folder)
    if not local.exists:
        from lycosa.errors import UsageError

        raise UsageError(f"There is no cluster in {folder}: `lycosa cluster up` starts one.")
    local.down()
    click.echo(f"Stopped. The data is in {folder / 'cluster'}; `lycosa cluster up` goes on.")


def next_steps(local: LocalCluster) -> list[str]:
    """Return the lines that say what runs and what to type next."""
    name = printable(shlex.quote(str(local.folder)))
    url = shlex.quote(local.postgres.dsn)
    lines = [
        f"PostgreSQL: {local.postgres.dsn}",
        f"Ray: {local.ray.address}",
        "",
    ]
    if not (local.folder / "lycosa.toml").is_file():
        lines.append(f"Describe the crawl:  lycosa new {name} --start URL")
    lines += [
        f"Crawl:               lycosa crawl {name} --cluster {url} --ray auto",
        f"Watch:               lycosa cluster status {name}",
        f"Build the portal:    lycosa build {name} --ray auto",
        f"Stop:                lycosa cluster down {name}",
    ]
    return lines
