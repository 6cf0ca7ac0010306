"""Recorder of generated sites: writes one as the folder of a recorded site."""

from __future__ import annotations

import logging
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

_log = logging.getLogger("lycosa.sites")

# One date for all records, so that the same world gives the same bytes.
_DATE = datetime(2000, 1, 1, tzinfo=UTC)


class RecordedResponse(NamedTuple):
    """A URL with its HTTP status, headers and body, which has no content coding."""

    url: str
    status: int
    headers: dict[str, str]
    body: bytes


def pages(site: GeneratedSite) -> Iterator[RecordedResponse]:
    """Yield the response of every page of a site, in the order of the numbers."""
    urls = site.tables.urls
    for number in range(len(site)):
        response = site.response(number)
        yield RecordedResponse(urls[number], response.status, dict(response.headers), response.body)


def aliases(site: GeneratedSite) -> Iterator[tuple[str, str]]:
    """Yield every URL that redirects, with its target."""
    urls, plan = site.tables.urls, site.plan
    for number in range(len(site)):
        path = plan.alias(number)
        if path is not None:
            yield site.base + path, urls[number]


def about(world: World, site: GeneratedSite) -> str:
    """Return one line about the origin of a site."""
    return f"generated: {site.family}, {len(site)} pages, seed {world.seed}"


def record(
    world: World, site: GeneratedSite, out: Path, on_page: Callable[[], None] = lambda: None
) -> Path:
    """Write a site to its folder in `out`; `on_page` is called after every page.

    A folder that already holds this site is not changed.
    """
    folder = out / site.name
    if folder.exists():
        if _about(folder) == about(world, site):
            return folder
        raise UsageError(f"{folder} exists and holds another site; choose another folder.")
    # The folder gets its name when it is complete, so that half a site is never read.
    part = out / f".{site.name}.part"
    shutil.rmtree(part, ignore_errors=True)
    try:
        part.mkdir(parents=True)
        _write(world, site, part, on_page)
        part.rename(folder)
    except OSError as error:
        raise UsageError(f"{folder} cannot be written: {error.strerror}.") from error
    finally:
        shutil.rmtree(part, ignore_errors=True)
    return folder


def _write(world: World, site: GeneratedSite, folder: Path, on_page: Callable[[], None]) -> None:
    urls = site.tables.urls
    with WarcWriter(folder / "pages.warc.gz", date=_DATE) as writer:
        for url, status, headers, body in pages(site):
            writer.response(url, body, status=status, headers=headers, date=_DATE)
            on_page()
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
        _log.debug("%s holds no generated site", folder, exc_info=True)
        return None
    return str(facts.get("about"))
