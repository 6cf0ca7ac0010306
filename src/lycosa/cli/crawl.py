"""`lycosa crawl`: find pages on the web."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from lycosa.cli.spider_option import complete_spiders
from lycosa.errors import UsageError

if TYPE_CHECKING:
    from lycosa.project import Project


@click.command()
@click.argument("places", nargs=-1, required=True, metavar="DIR | URL...")
@click.option(
    "--goal",
    help="What is wanted: a query, e.g. 'robot* AND (lab OR group)', or package.module:function.",
)
@click.option("--contact", help="Your e-mail address, or that of a page about your crawl.")
@click.option("-o", "--out", "folder", type=Path, metavar="DIR", help="Where all is kept.")
@click.option(
    "--spider",
    shell_complete=complete_spiders,
    help="How links are chosen: a name, a .lyc file or package.module:Class.",
)
@click.option("--delay", type=float, help="Seconds between two requests to a host.")
@click.option("--pages", type=click.IntRange(min=1), help="Stop after so many pages in all.")
@click.option("--targets", type=click.IntRange(min=1), help="Stop when so many were found.")
@click.option("--seconds", type=float, help="Stop after so many seconds.")
@click.option("--recall", type=float, help="Stop when this share is found, e.g. 0.9 (estimated).")
@click.option("--refresh", is_flag=True, help="Ask again for known pages, if they changed.")
@click.option("--loopback", is_flag=True, help="Allow requests to this machine, for local tests.")
@click.option("--json", "as_json", is_flag=True, help="Print events, one JSON object a line.")
@click.option("-q", "--quiet", is_flag=True, help="Print the summary only.")
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
    loopback: bool,
    as_json: bool,
    quiet: bool,
) -> None:
    """Find the pages you want on the web, politely, and keep them.

    With DIR, the folder of a project that `lycosa new` began, its lycosa.toml
    says all; options change it for this run. With URLs, the goal and where to
    keep things are said here, and a lycosa.toml is written for the next run.
    Run again, a crawl goes on where it ended, however it ended.

    Ctrl-C finishes what is under way. `lycosa report DIR` shows what was
    found, `lycosa why DIR URL` why a page was visited or not.

    \b
    Examples:
      lycosa crawl robots
      lycosa crawl robots --pages 5000
      lycosa crawl https://www.cs.example.edu/ --goal 'robot* AND lab' \\
          --contact you@example.org -o robots
      lycosa crawl robots --json | jq 'select(.reward > 0).url'
    """  # noqa: D301
    from lycosa.cli.crawl_runner import run_crawl
    from lycosa.cli.view import view

    budget = {"pages": pages, "targets": targets, "seconds": seconds}
    spider = None if spider is None else _from_here(spider)
    if all(_is_url(place) for place in places):
        project = _begun(places, folder, goal, contact, spider, delay, loopback)
    else:
        known = {"--goal": goal, "--contact": contact, "--out": folder, "--delay": delay}
        given = [name for name, value in known.items() if value is not None]
        if len(places) > 1 or given:
            raise UsageError(
                f"Give the folder of one project, without {' and '.join(given or ['others'])}: "
                "its lycosa.toml says the rest. Or give URLs, which begin with http."
            )
        project = _loaded(Path(places[0]), spider)
    job = project.job
    changed: dict[str, Any] = {name: n for name, n in budget.items() if n is not None}
    job = replace(
        job,
        budget=replace(job.budget, **changed),
        recall=job.recall if recall is None else recall,
        refresh=job.refresh or refresh,
        addresses=replace(job.addresses, allow_loopback=job.addresses.allow_loopback or loopback),
    )
    live = replace(project, job=job).open()
    code = run_crawl(live, view(as_json, quiet, project.folder, job.budget))
    if code:
        raise SystemExit(code)


def _is_url(place: str) -> bool:
    return place.lower().startswith(("http://", "https://"))


def _from_here(text: str) -> str:
    """The name of a spider with the files that are here by their full paths.

    Those that are not here are left for the folder of the project.
    """
    from lycosa.spiders.names import parse

    name = parse(text)
    path = Path(name.kind)
    if path.suffix and path.is_file():
        return str(path.absolute())
    return str(name._replace(arguments=tuple(map(_from_here, name.arguments))))


def _loaded(folder: Path, spider: str | None) -> Project:
    from lycosa.project import Project

    project = Project.load(folder)
    return project if spider is None else replace(project, spider=spider)


def _begun(
    seeds: tuple[str, ...],
    folder: Path | None,
    goal: str | None,
    contact: str | None,
    spider: str | None,
    delay: float | None,
    loopback: bool,
) -> Project:
    """The project in that folder; its file is written if there is none."""
    from lycosa.project import Project
    from lycosa.project.template import FILE

    if folder is None or goal is None or contact is None:
        raise UsageError(
            "To crawl from a URL say what is wanted, who you are and where to keep things: "
            "--goal 'robot* AND lab' --contact you@example.org -o robots."
        )
    if (folder / FILE).exists():
        raise UsageError(
            f"{folder} is a project already; go on with `lycosa crawl {folder}`, "
            "or choose another folder."
        )
    project = Project.of_urls(folder, seeds, goal, contact=contact, delay=delay)
    addresses = replace(project.job.addresses, allow_loopback=loopback)
    job = replace(project.job, addresses=addresses)
    project = replace(project, job=job, spider=spider or project.spider)
    project.policy()  # to complain about its name before anything is written
    project.write()
    return project
