"""`lycosa new`: begin a project."""

from __future__ import annotations

import shlex
from pathlib import Path

import click


@click.command()
@click.argument("folder", metavar="DIR", type=Path)
@click.option(
    "--template",
    default="topic",
    show_default=True,
    help="What to begin with: papers, officers or topic.",
)
@click.option("--url", "urls", multiple=True, help="Where to begin; may be repeated.")
@click.option("--goal", help="What is wanted, a query; for the template topic.")
@click.option("--contact", help="Your e-mail address, or that of a page about your crawl.")
def new(
    folder: Path,
    template: str,
    urls: tuple[str, ...],
    goal: str | None,
    contact: str | None,
) -> None:
    """Begin a project: write DIR/lycosa.toml, which says what to crawl.

    The file explains itself. What is not said here is marked TODO in it, and
    the lines are named; all else is as usual and can be changed there. A
    lycosa.toml that is there is never written over.

    Templates: papers finds research papers of departments, officers the page
    with the officers of an organisation, topic pages on any subject.

    \b
    Examples:
      lycosa new papers --template papers --url https://www.cs.example.edu/
      lycosa new firms --template officers
      lycosa new robots --goal 'robot* AND (lab OR group)' --contact you@example.org
    """  # noqa: D301
    from lycosa.project.template import FILE, create_project_file

    missing = create_project_file(folder, template, seeds=urls, goal=goal, contact=contact)
    click.echo(f"{folder / FILE} is there. Now:")
    for line, what in missing:
        click.echo(f"  on line {line} write {what}")
    click.echo(f"  lycosa crawl {shlex.quote(str(folder))}")
