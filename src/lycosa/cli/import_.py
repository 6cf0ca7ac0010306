"""`lycosa import`: convert the output of other tools to a recorded site."""

from __future__ import annotations

import json
from pathlib import Path

import click


@click.command("import")
@click.argument("sources", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option(
    "-o", "--out", required=True, type=click.Path(path_type=Path), help="The site folder to create."
)
@click.option("--base", help="The URL of the mirrored folder, if SOURCES is a mirror.")
@click.option("--seed", "seeds", multiple=True, help="A start URL; may be repeated.")
@click.option("--family", default="", help="The kind of site; spiders are trained within a family.")
@click.option("--json", "as_json", is_flag=True, help="Print the result as JSON.")
def import_(
    sources: tuple[Path, ...],
    out: Path,
    base: str | None,
    seeds: tuple[str, ...],
    family: str,
    as_json: bool,
) -> None:
    """Convert WARC files or a mirror on disk to a recorded site.

    SOURCES are WARC files of any tool (.warc, .gz, .xz, .zst), or one folder of
    files as written by wget or HTTrack, with --base. List the targets of a goal
    in a file targets-GOAL.txt of the new folder, one URL per line.

    \b
    Examples:
      lycosa import crawl-1.warc.gz crawl-2.warc.gz -o sites/example
      lycosa import mirror/www.example.org -o sites/example --base http://www.example.org/
    """  # noqa: D301
    from lycosa.cli.console import progress_bars
    from lycosa.errors import UsageError
    from lycosa.sites.importers import import_folder, import_warcs

    folders = [source for source in sources if source.is_dir()]
    if folders and (len(sources) > 1 or base is None):
        raise UsageError("Import a mirror as one folder, with its URL as --base.")
    with progress_bars() as progress:
        task = progress.add_task(f"importing into {out.name}", total=None)
        seen = lambda done, total: progress.update(task, completed=done, total=total)  # noqa: E731
        if folders and base is not None:
            done = import_folder(folders[0], out, base, family=family, seeds=seeds, progress=seen)
        else:
            done = import_warcs(sources, out, family=family, seeds=seeds, progress=seen)
    summary = {
        "site": str(out),
        "pages": done.pages,
        "aliases": done.aliases,
        "seeds": list(done.recording.seeds),
        "damage": list(done.damage),
    }
    if as_json:
        click.echo(json.dumps(summary, indent=1))
    else:
        click.echo(f"{out}: {done.pages:,} pages, starting from {', '.join(done.recording.seeds)}")
    for sentence in done.damage:
        click.echo(f"lycosa: {sentence}", err=True)
    if done.damage:
        raise SystemExit(2)
