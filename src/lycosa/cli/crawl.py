"""`lycosa crawl`: crawl the web for target pages."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from lycosa.cli.cluster_option import cluster_option
from lycosa.cli.spider_option import complete_spiders
from lycosa.errors import UsageError
from lycosa.web.suggestions import suggested_url

if TYPE_CHECKING:
    from lycosa.project import Project


@click.command()
@click.argument("places", nargs=-1, required=True, metavar="DIR | URL...")
@click.option(
    "--goal",
    help="The goal: a query, e.g. 'robot* AND (lab OR group)', or package.module:function.",
)
@click.option("--contact", help="Your e-mail address, or the URL of a page about your crawl.")
@click.option(
    "-o", "--out", "folder", type=Path, metavar="DIR", help="The project folder to create."
)
@click.option(
    "--spider",
    shell_complete=complete_spiders,
    help="How links are chosen: a name, a .lyc file or package.module:Class.",
)
@click.option("--delay", type=float, help="Seconds between two requests to a host.")
@click.option("--pages", type=click.IntRange(min=1), help="Stop after this many pages in total.")
@click.option(
    "--targets", type=click.IntRange(min=1), help="Stop when this many targets are found."
)
@click.option("--seconds", type=float, help="Stop after this many seconds.")
@click.option(
    "--recall", type=float, help="Stop when at least this share is found, e.g. 0.9 (estimated)."
)
@click.option(
    "--refresh", is_flag=True, help="Request known pages again, to see whether they changed."
)
@click.option(
    "--revisits",
    type=click.IntRange(min=1),
    metavar="N",
    help="Request again only the N pages of which it is worth most.",
)
@click.option(
    "--render",
    type=click.Choice(["never", "auto", "always"]),
    help="Render pages in a browser: never, where it finds more links, or always.",
)
@click.option(
    "--seed",
    type=click.IntRange(min=0),
    help="Seed of random spiders; other than 0 it also shakes the order of equal scores.",
)
@click.option("--loopback", is_flag=True, help="Allow requests to this machine, for local tests.")
@cluster_option("Crawl with many workers; the URL is that of a PostgreSQL database.")
@click.option(
    "--ray",
    default="none",
    show_default=True,
    metavar="auto|none|ADDRESS",
    help="With --cluster: run the workers in this Ray, or without Ray on this machine.",
)
@click.option(
    "--workers",
    type=click.IntRange(min=1),
    help="With --cluster: the number of workers.  [default: number of cores]",
)
@click.option(
    "--shards",
    type=click.IntRange(min=1, max=256),
    help="With --cluster: the parts of a new crawl, several for each worker.  [default: 16]",
)
@click.option(
    "--archive",
    metavar="URL",
    help="With --cluster: a folder or object store for the archive.  [default: DIR/archive]",
)
@click.option("--json", "as_json", is_flag=True, help="Print events, one JSON object per line.")
def crawl(
    places: tuple[str, ...],
    goal: str | None,
    contact: str | None,
    folder: Path | None,
    spider: str | None,
    delay: float | None,
    pages: int | None,
    targets: int | None,
    seconds: float | None,
    recall: float | None,
    refresh: bool,
    revisits: int | None,
    render: str | None,
    seed: int | None,
    loopback: bool,
    cluster: str | None,
    ray: str,
    workers: int | None,
    shards: int | None,
    archive: str | None,
    as_json: bool,
) -> None:
    """Find the pages you want on the web, politely, and store them.

    With DIR, a project folder that `lycosa new` created, its lycosa.toml defines
    the crawl; options override it for this run, except --goal and --out, which
    are for URLs. With URLs, options give the goal and the folder, and a
    lycosa.toml is written there for the next run. Run again, a crawl resumes
    where it ended, even after a crash.

    The exit code is 3 if no start page gave a page; the last lines say why.

    Ctrl-C stops the crawl after the requests in flight. `lycosa report DIR`
    shows what was found, `lycosa why DIR URL` why a page was fetched or not.

    With --cluster the crawl is divided among workers, on this machine or on
    many; at the end it is copied to DIR. See docs/explanation/cluster.md.

    \b
    Examples:
      lycosa crawl robots
      lycosa crawl robots --pages 5000 --delay 2
      lycosa crawl https://www.cs.example.edu/ --goal 'robot* AND lab' \\
          --contact you@example.org -o robots
      lycosa crawl robots --json | jq 'select(.reward > 0).url'
      lycosa crawl robots --cluster postgresql://crawler@db/robots --workers 4
    """  # noqa: D301
    from lycosa.cli.crawl_runner import run_crawl
    from lycosa.cli.view import view

    budget = {"pages": pages, "targets": targets, "seconds": seconds}
    spider = None if spider is None else _resolve_files(spider)
    if all(_is_url(place) for place in places):
        project = _create_project(
            places, folder, goal, contact, spider, delay, loopback, render, seed
        )
    else:
        project = _load_project(_project_folder(places, goal, folder), spider)
    job = project.job
    changed: dict[str, Any] = {name: n for name, n in budget.items() if n is not None}
    job = replace(
        job,
        budget=replace(job.budget, **changed),
        random_seed=job.random_seed if seed is None else seed,
        recall=job.recall if recall is None else recall,
        refresh=job.refresh or refresh or revisits is not None,
        revisits=None if revisits is None else _due(project.folder, revisits),
        rendering=job.rendering if render is None else replace(job.rendering, mode=render),
        addresses=replace(job.addresses, allow_loopback=job.addresses.allow_loopback or loopback),
        pace=job.pace if delay is None else replace(job.pace, delay=delay),
        client=job.client if contact is None else replace(job.client, contact=contact),
    )
    if cluster is not None:
        from lycosa.cli.cluster_crawl import crawl_on_cluster

        crawl_on_cluster(
            replace(project, job=job).without_blocked_seeds(),
            cluster,
            ray=ray,
            workers=workers,
            shards=shards,
            archive=archive,
            as_json=as_json,
        )
        return
    live = replace(project, job=job).open()
    code = run_crawl(live, view(as_json, project.folder, job.budget))
    if code:
        raise SystemExit(code)


def _due(folder: Path, count: int) -> frozenset[str]:
    """Return the pages of a crawl to request again; none if there is no crawl yet."""
    from lycosa.project.revisits import due_urls

    if not (folder / "crawl.db").is_file():
        return frozenset()
    return frozenset(due_urls(folder, count))


def _is_url(place: str) -> bool:
    return place.lower().startswith(("http://", "https://"))


def _project_folder(places: tuple[str, ...], goal: str | None, out: Path | None) -> Path:
    """Return the project folder among the arguments; raise a `UsageError` if it is none."""
    for place in places:
        if not _is_url(place) and not Path(place).exists() and (url := suggested_url(place)):
            raise UsageError(f"There is no folder {place}; for a web address write {url}.")
    known = {"--goal": goal, "--out": out}
    given = [name for name, value in known.items() if value is not None]
    if len(places) > 1 or given:
        raise UsageError(
            f"Give one project folder, without {' and '.join(given or ['others'])}: its "
            "lycosa.toml defines the rest. Or give URLs, which begin with http."
        )
    return Path(places[0])


def _resolve_files(text: str) -> str:
    """Return the name of a spider with the absolute paths of files in the current folder.

    Other file names refer to the folder of the project.
    """
    from lycosa.spiders.names import parse

    name = parse(text)
    path = Path(name.kind)
    if path.suffix and path.is_file():
        return str(path.absolute())
    return str(name._replace(arguments=tuple(map(_resolve_files, name.arguments))))


def _load_project(folder: Path, spider: str | None) -> Project:
    from lycosa.project import Project

    project = Project.load(folder)
    return project if spider is None else replace(project, spider=spider)


def _create_project(
    seeds: tuple[str, ...],
    folder: Path | None,
    goal: str | None,
    contact: str | None,
    spider: str | None,
    delay: float | None,
    loopback: bool,
    render: str | None,
    seed: int | None,
) -> Project:
    """Create a project in a folder and write its lycosa.toml."""
    from lycosa.project import Project
    from lycosa.project.template import FILE

    if folder is None or goal is None or contact is None:
        raise UsageError(
            "A crawl from URLs needs a goal, a contact address and a folder, as in "
            "--goal 'robot* AND lab' --contact you@example.org -o robots."
        )
    if (folder / FILE).exists():
        raise UsageError(
            f"{folder} is already a project; resume it with `lycosa crawl {folder}`, "
            "or choose another folder."
        )
    project = Project.of_urls(folder, seeds, goal, contact=contact, delay=delay)
    addresses = replace(project.job.addresses, allow_loopback=loopback)
    rendering = replace(project.job.rendering, mode=render or "never")
    job = replace(project.job, addresses=addresses, rendering=rendering, random_seed=seed or 0)
    project = replace(project, job=job, spider=spider or project.spider)
    project.policy()  # refuses a bad spider before anything is written
    project.write()
    return project
