"""Importers: recorded sites from mirrors on disk and from WARC files."""

from __future__ import annotations

import logging
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
from lycosa.sites.recording import Progress, Recording
from lycosa.web.urls import canonical

# Resources that a page embeds, which are not pages.
_SKIPPED = ("image/", "audio/", "video/", "font/", "text/css", "text/javascript",
            "application/javascript", "application/x-javascript")  # fmt: skip
_HTTRACK = re.compile(rb"<!-- Mirrored from ([^\s]{1,2000}) by HTTrack")
_INDEX = re.compile(r"/index\.(?:html?|php|shtml)$", re.IGNORECASE)

_log = logging.getLogger("lycosa.sites")


@dataclass(frozen=True, slots=True)
class ImportReport:
    """The result of an import."""

    recording: Recording
    """The recorded site that was written."""
    pages: int
    """The number of pages."""
    aliases: int
    """The number of URLs that are other names of a page."""
    damage: tuple[str, ...]
    """A sentence for every damaged archive."""


@dataclass(frozen=True, slots=True)
class _ImportedPage:
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
    progress: Progress | None = None,
) -> ImportReport:
    """Import a mirror made by wget or HTTrack; `base` is the URL of the folder `source`.

    `x/index.html` gets the alias `x/`, and a page with HTTrack's comment the URL
    that it was mirrored from. `progress` is called with the number of files read so far
    and of all files.
    """
    if not source.is_dir():
        raise UsageError(f"There is no folder {source}.")
    root = canonical(base if base.endswith("/") else base + "/")
    if root is None:
        raise UsageError(
            f"{base!r} is not a web address; write for example http://www.example.org/."
        )
    aliases: dict[str, str] = {}

    files = sorted(source.rglob("*"))
    read = 0

    def pages() -> Iterator[_ImportedPage]:
        nonlocal read
        for file in files:
            read += 1
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
            yield _ImportedPage(url, body, kind)

    def report() -> None:
        if progress:
            progress(read, len(files))

    return _write(out, pages(), aliases, [], family, seeds, report)


def import_warcs(
    sources: Sequence[Path],
    out: Path,
    *,
    family: str = "",
    seeds: Sequence[str] = (),
    progress: Progress | None = None,
) -> ImportReport:
    """Import WARC files; redirects become aliases, error responses are left out.

    `progress` is called with the number of bytes read so far and of all bytes.
    """
    aliases: dict[str, str] = {}
    archives = [Archive(path) for path in sources]

    def pages() -> Iterator[_ImportedPage]:
        for archive in archives:
            for url, response in archive:
                if 300 <= response.status < 400:
                    target = canonical(response.headers.get("location", ""), url)
                    if target and target != url:
                        aliases[url] = target
                elif response.status == 200 and not response.type.lower().startswith(_SKIPPED):
                    yield _ImportedPage(url, response.body, response.type)

    total = sum(path.stat().st_size for path in sources)

    def report() -> None:
        if progress:
            progress(sum(archive.report.reached for archive in archives), total)

    return _write(out, pages(), aliases, archives, family, seeds, report)


def _write(
    out: Path,
    pages: Iterator[_ImportedPage],
    aliases: dict[str, str],
    archives: Sequence[Archive],
    family: str,
    seeds: Sequence[str],
    progress: Callable[[], None],
) -> ImportReport:
    if out.exists() and any(out.iterdir() if out.is_dir() else (out,)):
        raise UsageError(f"{out} exists already; choose a new folder.")
    out.mkdir(parents=True, exist_ok=True)
    urls: dict[str, None] = {}
    first_page: str | None = None
    with WarcWriter(out / "pages.warc.gz") as writer:
        for page in pages:
            if page.url in urls:
                continue
            urls[page.url] = None
            if first_page is None and "html" in page.type:
                first_page = page.url
            writer.response(page.url, page.body, headers={"Content-Type": page.type or "text/html"})
            progress()
    if first_page is None:
        shutil.rmtree(out)
        raise SiteError("There is no HTML page to import.")
    aliases = {alias: url for alias, url in aliases.items() if alias not in urls}
    chosen = tuple(_seed(seed, urls, aliases) for seed in seeds) or (_front(urls, first_page),)
    recording = Recording(out, out.resolve().name, family, chosen)
    recording.write()
    recording.write_lists(aliases=aliases)
    _log.info("Imported %d pages and %d aliases into %s", len(urls), len(aliases), out)
    damage = tuple(d for a in archives if (d := a.report.damage(str(a.path))))
    return ImportReport(recording, len(urls), len(aliases), damage)


def _seed(seed: str, urls: dict[str, None], aliases: dict[str, str]) -> str:
    url = canonical(seed)
    if url is None or (url not in urls and aliases.get(url) not in urls):
        raise UsageError(f"The seed {seed} is not among the pages that were imported.")
    return url


def _front(urls: dict[str, None], first_page: str) -> str:
    """Return the page nearest to the root: the best guess for a front page."""
    fronts = [url for url in urls if _INDEX.search(url) or url.endswith("/")]
    return min(fronts, key=lambda url: (url.count("/"), len(url)), default=first_page)
