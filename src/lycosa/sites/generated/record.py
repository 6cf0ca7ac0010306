"""A generated site as a recorded one: the folder that all experiments read."""

from __future__ import annotations

import shutil
import tomllib
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple

from lycosa.archive.writer import WarcWriter
from lycosa.errors import UsageError
from lycosa.sites.generated.site import GeneratedSite
from lycosa.sites.generated.world import World

# One date for all records, so that the same world is the same bytes.
_DATE = datetime(2000, 1, 1, tzinfo=UTC)


class Recorded(NamedTuple):
    """One answer of a server, as an archive keeps it."""

    url: str
    status: int
    headers: dict[str, str]
    body: bytes


def pages(site: GeneratedSite) -> Iterator[Recorded]:
    """What the server says for every number of a site, in order."""
    urls = site.tables.urls
    for number in range(len(site)):
        answer = site.answer(number)
        yield Recorded(urls[number], answer.status, dict(answer.headers), answer.body)


def aliases(site: GeneratedSite) -> Iterator[tuple[str, str]]:
    """Every URL that redirects, with the one it leads to."""
    urls, plan = site.tables.urls, site.plan
    for number in range(len(site)):
        path = plan.alias(number)
        if path is not None:
            yield site.base + path, urls[number]


def about(world: World, site: GeneratedSite) -> str:
    """One line that says where a site comes from."""
    return f"generated: {site.family}, {len(site)} pages, seed {world.seed}"


def record(
    world: World, site: GeneratedSite, out: Path, done: Callable[[], None] = lambda: None
) -> Path:
    """Write a site to its folder in `out`; `done` is called after every page.

    A folder that already holds this very site is left as it is.
    """
    folder = out / site.name
    if folder.exists():
        if _about(folder) == about(world, site):
            return folder
        raise UsageError(f"{folder} is there already and is another site; choose another folder.")
    # Nobody finds half a site: the folder gets its name when it is complete.
    part = out / f".{site.name}.part"
    shutil.rmtree(part, ignore_errors=True)
    try:
        part.mkdir(parents=True)
        _write(world, site, part, done)
        part.rename(folder)
    except OSError as error:
        raise UsageError(f"{folder} cannot be written: {error.strerror}.") from error
    finally:
        shutil.rmtree(part, ignore_errors=True)
    return folder


def _write(world: World, site: GeneratedSite, folder: Path, done: Callable[[], None]) -> None:
    urls = site.tables.urls
    with WarcWriter(folder / "pages.warc.gz", date=_DATE) as writer:
        for url, status, headers, body in pages(site):
            writer.response(url, body, status=status, headers=headers, date=_DATE)
            done()
    (folder / "leaves.txt").write_text("")
    with (folder / "aliases.tsv").open("w", encoding="utf-8") as file:
        file.writelines(f"{other}\t{url}\n" for other, url in aliases(site))
    for goal in site.goals:
        with (folder / f"targets-{goal}.txt").open("w", encoding="utf-8") as file:
            file.writelines(f"{urls[number]}\n" for number in site.wanted(goal).tolist())
    seeds = ", ".join(f'"{urls[number]}"' for number in site.seeds.tolist())
    (folder / "site.toml").write_text(
        f'name = "{site.name}"\nfamily = "{site.family}"\nseeds = [{seeds}]\n'
        f'about = "{about(world, site)}"\n',
        encoding="utf-8",
    )


def _about(folder: Path) -> str | None:
    try:
        facts = tomllib.loads((folder / "site.toml").read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return None
    return str(facts.get("about"))
