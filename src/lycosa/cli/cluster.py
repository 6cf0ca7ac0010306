"""`lycosa cluster`: start, watch and stop a cluster."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import TYPE_CHECKING

import click

from lycosa.cli.cluster_option import cluster_option
from lycosa.reporting.text import printable

if TYPE_CHECKING:
    from lycosa.cluster.embedded.local_cluster import LocalCluster


@click.group()
def cluster() -> None:
    """Crawl and build with many processes, on one machine or on many.

    PostgreSQL keeps the state of the crawl, and Ray runs its workers. On one
    machine `up` starts both; docs/how-to/run-a-cluster.md has the rest.

    \b
    Examples:
      lycosa cluster up robots
      lycosa cluster status robots
      lycosa cluster down robots
    """  # noqa: D301


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
@cluster_option("The PostgreSQL of the crawl, if it is not that of `lycosa cluster up DIR`.")
@click.option("--live", is_flag=True, help="Show it again and again, until Ctrl-C.")
@click.option(
    "--seconds",
    type=click.FloatRange(min=0.1),
    default=2.0,
    show_default=True,
    help="Time over which rates are measured, and between two screens.",
)
@click.option("--json", "as_json", is_flag=True, help="Print the state as a JSON object.")
def status(folder: Path, cluster: str | None, live: bool, seconds: float, as_json: bool) -> None:
    """Show workers, shards, rates, lag and hosts in trouble of a cluster crawl.

    \b
    Examples:
      lycosa cluster status robots
      lycosa cluster status robots --live
      lycosa cluster status robots --json | jq .totals
      lycosa cluster status robots --cluster postgresql://me@db.example.org/robots
    """  # noqa: D301
    import json
    import time

    from lycosa.cli.cluster_screen import status_json, status_lines
    from lycosa.cluster.database import Database
    from lycosa.cluster.embedded.local_cluster import LocalCluster, require_packages
    from lycosa.cluster.status import rates, read_status

    require_packages()
    with Database(cluster or LocalCluster(folder).postgres.dsn) as database:
        before = database.run(read_status)
        while True:
            time.sleep(seconds)
            now = database.run(read_status)
            shown = rates(before, now)
            before = now
            if as_json:
                click.echo(json.dumps(status_json(shown)))
            else:
                if live:
                    click.clear()
                click.echo("\n".join(status_lines(shown)))
            if not live:
                return


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
        lines.append(f"Describe the crawl:  lycosa new {name} --url URL --contact YOU")
    lines += [
        f"Crawl:               lycosa crawl {name} --cluster {url} --ray auto",
        f"Watch:               lycosa cluster status {name}",
        f"Build the portal:    lycosa build {name} --ray auto",
        f"Stop:                lycosa cluster down {name}",
    ]
    return lines
