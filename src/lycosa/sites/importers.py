"""Recorded sites from what other tools left: mirrors on disk, and WARC files."""

from __future__ import annotations

import mimetypes
import re
import shutil
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote

from lycosa.archive.archive import Archive
from lycosa.archive.writer import WarcWriter
from lycosa.errors import SiteError, UsageError
from lycosa.sites.recording import Recording
from lycosa.web.urls import canonical

# What a page is shown with, and what nobody crawls for.
_SKIPPED = ("image/", "audio/", "video/", "font/", "text/css", "text/javascript",
            "application/javascript", "application/x-javascript")  # fmt: skip
_HTTRACK = re.compile(rb"<!-- Mirrored from ([^\s]{1,2000}) by HTTrack")
_INDEX = re.compile(r"/index\.(?:html?|php|shtml)$", re.IGNORECASE)

_Seen = Callable[[int], None]


@dataclass(frozen=True, slots=True)
class Imported:
    """What an import made: the site, how many pages, and what was lost."""

    recording: Recording
    pages: int
    aliases: int
    damage: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _Found:
    url: str
    body: bytes
    type: str


def import_folder(
    source: Path,
    out: Path,
    base: str,
    *,
    family: str = "",
    seeds: Sequence[str] = (),
    seen: _Seen | None = None,
) -> Imported:
    """A folder of files as wget or HTTrack leave it; `base` is the URL of the folder.

    `x/index.html` is also known as `x/`, and a page that HTTrack signed also by
    the address it was mirrored from.
    """
    if not source.is_dir():
        raise UsageError(f"There is no folder {source}.")
    root = canonical(base if base.endswith("/") else base + "/")
    if root is None:
        raise UsageError(f"{base!r} is not a web address; say for example http://www.example.org/.")
    aliases: dict[str, str] = {}

    def found() -> Iterator[_Found]:
        for file in sorted(source.rglob("*")):
            if not file.is_file() or file.is_symlink():
                continue
            kind = mimetypes.guess_type(file.name)[0] or "text/html"
            if kind.startswith(_SKIPPED) or file.name.startswith("."):
                continue
            url = canonical(
                root + quote(file.relative_to(source).as_posix(), safe="/~+,;=@&$!*'()")
            )
            if url is None:
                continue
            body = file.read_bytes()
            if _INDEX.search(url):
                aliases[url[: url.rindex("/") + 1]] = url
            signed = _HTTRACK.search(body, 0, 4096)
            original = canonical("http://" + signed[1].decode("latin-1")) if signed else None
            if original and original != url:
                aliases[original] = url
            yield _Found(url, body, kind)

    return _write(out, found(), aliases, [], family, seeds, seen)


def import_warcs(
    sources: Sequence[Path],
    out: Path,
    *,
    family: str = "",
    seeds: Sequence[str] = (),
    seen: _Seen | None = None,
) -> Imported:
    """WARC files of other tools; redirects become aliases, failures are left out."""
    aliases: dict[str, str] = {}
    archives = [Archive(path) for path in sources]

    def found() -> Iterator[_Found]:
        for archive in archives:
            for url, answer in archive:
                if 300 <= answer.status < 400:
                    place = canonical(answer.headers.get("location", ""), url)
                    if place and place != url:
                        aliases[url] = place
                elif answer.status == 200 and not answer.type.lower().startswith(_SKIPPED):
                    yield _Found(url, answer.body, answer.type)

    accounts = [(str(archive.path), archive) for archive in archives]
    return _write(out, found(), aliases, accounts, family, seeds, seen)


def _write(
    out: Path,
    found: Iterator[_Found],
    aliases: dict[str, str],
    archives: Sequence[tuple[str, Archive]],
    family: str,
    seeds: Sequence[str],
    seen: _Seen | None,
) -> Imported:
    if out.exists() and any(out.iterdir() if out.is_dir() else (out,)):
        raise UsageError(f"{out} is there already; choose a new folder.")
    out.mkdir(parents=True, exist_ok=True)
    urls: dict[str, None] = {}
    first_page: str | None = None
    with WarcWriter(out / "pages.warc.gz") as writer:
        for page in found:
            if page.url in urls:
                continue
            urls[page.url] = None
            if first_page is None and "html" in page.type:
                first_page = page.url
            writer.response(page.url, page.body, headers={"Content-Type": page.type or "text/html"})
            if seen:
                seen(len(urls))
    if first_page is None:
        shutil.rmtree(out)
        raise SiteError("There was no page to import.")
    aliases = {alias: url for alias, url in aliases.items() if alias not in urls}
    chosen = tuple(_seed(seed, urls, aliases) for seed in seeds) or (_front(urls, first_page),)
    recording = Recording(out, out.resolve().name, family, chosen)
    recording.write()
    recording.write_lists(aliases=aliases)
    damage = tuple(d for name, a in archives if (d := a.report.damage(name)))
    return Imported(recording, len(urls), len(aliases), damage)


def _seed(seed: str, urls: dict[str, None], aliases: dict[str, str]) -> str:
    url = canonical(seed)
    if url is None or (url not in urls and aliases.get(url) not in urls):
        raise UsageError(f"The seed {seed} is not among the pages that were imported.")
    return url


def _front(urls: dict[str, None], first_page: str) -> str:
    """The page nearest to the root: the best guess for a front page."""
    fronts = [url for url in urls if _INDEX.search(url) or url.endswith("/")]
    return min(fronts, key=lambda url: (url.count("/"), len(url)), default=first_page)
