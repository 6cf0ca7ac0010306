"""`lycosa new`: create a project."""

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
    help="The template of the file: papers, officers or topic.",
)
@click.option("--url", "urls", multiple=True, help="A start URL; may be repeated.")
@click.option("--goal", help="The pages to find, as a query; for the template topic.")
@click.option("--contact", help="Your e-mail address, or the URL of a page about your crawl.")
def new(
    folder: Path,
    template: str,
    urls: tuple[str, ...],
    goal: str | None,
    contact: str | None,
) -> None:
    """Create a project: write DIR/lycosa.toml, which defines a crawl.

    Comments in the file describe every setting. Values that you do not give as
    options are marked TODO, and their lines are listed; all other settings have
    defaults that you can change. An existing lycosa.toml is never overwritten.

    Templates: papers finds research papers of departments, officers finds the
    page with the officers of an organisation, topic finds pages on any subject.

    \b
    Examples:
      lycosa new papers --template papers --url https://www.cs.example.edu/
      lycosa new firms --template officers
      lycosa new robots --goal 'robot* AND (lab OR group)' --contact you@example.org
    """  # noqa: D301
    from lycosa.project.template import FILE, create_project_file

    missing = create_project_file(folder, template, seeds=urls, goal=goal, contact=contact)
    click.echo(f"Wrote {folder / FILE}. Next:")
    for line, what in missing:
        click.echo(f"  on line {line} write {what}")
    click.echo(f"  lycosa crawl {shlex.quote(str(folder))}")
