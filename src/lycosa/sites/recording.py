"""A recorded site: a folder of files in open formats.

    site.toml            name, family, seeds
    pages.warc.*         the responses
    leaves.txt           URLs known to exist whose body was not kept
    aliases.tsv          another URL of a page, a tab, the URL it is recorded under
    targets-<goal>.txt   the URLs that a goal rewards, one per line

Only site.toml and the archive are required.
"""

from __future__ import annotations

import os
import stat
import tomllib
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import xxhash

from lycosa.content import Ints
from lycosa.errors import ArchiveError, SiteError
from lycosa.web.urls import canonical

Progress = Callable[[int, int], None]
"""Called with the bytes (or files) done and those in total."""

_ARCHIVES = ("pages.warc.gz", "pages.warc.xz", "pages.warc.zst", "pages.warc")
_MAX_DEPTH = 3  # of folders searched for sites


@dataclass(frozen=True, slots=True)
class Recording:
    """The folder of a recorded site, and the content of its site.toml."""

    folder: Path
    name: str
    """The name of the site; that of the folder if site.toml has none."""
    family: str
    """The kind of site, such as "departments": spiders train on its family. Empty: none."""
    seeds: tuple[str, ...]
    """URLs to start from, as written in site.toml."""

    @classmethod
    def open(cls, folder: Path) -> Recording:
        """Read the description of a recorded site."""
        if not folder.is_dir():
            raise SiteError(f"There is no folder {folder}.")
        file = folder / "site.toml"
        try:
            about = tomllib.loads(file.read_text(encoding="utf-8"))
        except FileNotFoundError:
            raise SiteError(f"{folder} is not a recorded site: it has no site.toml.") from None
        except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
            raise SiteError(f"{file} cannot be read: {error}.") from error
        seeds = about.get("seeds")
        if not isinstance(seeds, list) or not all(isinstance(s, str) for s in seeds) or not seeds:
            raise SiteError(f'{file} names no seeds; add a line such as seeds = ["http://…/"].')
        name = str(about.get("name", folder.resolve().name))
        return cls(folder, name, str(about.get("family", "")), tuple(seeds))

    def write(self) -> None:
        """Write site.toml."""
        lines = [f"name = {_quoted(self.name)}", f"family = {_quoted(self.family)}"]
        lines.append(f"seeds = [{', '.join(map(_quoted, self.seeds))}]")
        (self.folder / "site.toml").write_text("\n".join(lines) + "\n", encoding="utf-8")

    @property
    def archive(self) -> Path:
        """Return the path of the archive with the pages."""
        for name in _ARCHIVES:
            if (self.folder / name).is_file():
                return self.folder / name
        raise ArchiveError(f"{self.folder} has no pages: it needs one of {', '.join(_ARCHIVES)}.")

    @property
    def cache(self) -> Path:
        """Return the folder for derived files: in the site, or in the home if that is read-only.

        The environment variable LYCOSA_CACHE names another folder for all sites.
        """
        chosen = os.environ.get("LYCOSA_CACHE")
        # root may write anywhere, but a folder marked read-only is to stay unchanged.
        marked = stat.S_IMODE(self.folder.stat().st_mode) & 0o222
        if not chosen and marked and os.access(self.folder, os.W_OK):
            return self.folder / ".lycosa"
        home = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
        root = Path(chosen) if chosen else Path(home) / "lycosa"
        digest = xxhash.xxh3_64_hexdigest(os.fsencode(self.folder.resolve()))
        return root / f"{self.folder.resolve().name}-{digest[:8]}"

    def leaves(self) -> list[str]:
        """Return the canonical URLs that are known to exist but whose body was not kept."""
        return _urls(_lines(self.folder / "leaves.txt"))

    def write_lists(
        self,
        *,
        leaves: Iterable[str] = (),
        aliases: Mapping[str, str] | None = None,
        targets: Mapping[str, Iterable[str]] | None = None,
    ) -> None:
        """Write the lists beside the archive; `aliases` maps other URLs to recorded ones."""
        _write_lines(self.folder / "leaves.txt", leaves)
        rows = [f"{other}\t{url}" for other, url in (aliases or {}).items()]
        _write_lines(self.folder / "aliases.tsv", rows)
        for goal, urls in (targets or {}).items():
            _write_lines(self.folder / f"targets-{goal}.txt", urls)

    def aliases(self) -> dict[str, str]:
        """Return the canonical URLs with the canonical URLs that they are recorded under."""
        pairs: dict[str, str] = {}
        for line in _lines(self.folder / "aliases.tsv"):
            other, tab, url = line.partition("\t")
            if not tab:
                raise SiteError(f"{self.folder / 'aliases.tsv'}: no tab in {line!r}.")
            if (a := canonical(other)) and (b := canonical(url)):
                pairs[a] = b
        return pairs

    def targets(self, number: Callable[[str], int | None]) -> dict[str, Ints]:
        """Return the numbers of the targets of each goal; `number` gives that of a URL, or None."""
        aliases = self.aliases()
        found: dict[str, Ints] = {}
        for file in sorted(self.folder.glob("targets-*.txt")):
            numbers = {number(aliases.get(url, url)) for url in _urls(_lines(file))}
            known = sorted(n for n in numbers if n is not None)
            found[file.stem.removeprefix("targets-")] = np.array(known, np.int32)
        return found


def _lines(file: Path) -> list[str]:
    if not file.is_file():
        return []
    text = file.read_text(encoding="utf-8", errors="surrogateescape")
    return [line for line in text.split("\n") if line.strip()]


def _write_lines(file: Path, lines: Iterable[str]) -> None:
    file.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")


def _urls(lines: Iterable[str]) -> list[str]:
    return [url for line in lines if (url := canonical(line)) is not None]


def _quoted(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return '"' + "".join(c if c.isprintable() else f"\\u{ord(c):04x}" for c in escaped) + '"'


def find_sites(paths: Sequence[Path | str]) -> list[Path]:
    """Return the recorded sites at or below some folders, in order, each once."""
    found: dict[Path, None] = {}
    for path in map(Path, paths):
        if not path.is_dir():
            raise SiteError(f"There is no folder {path}.")
        below = [path] if (path / "site.toml").is_file() else _below(path, _MAX_DEPTH)
        if not below:
            raise SiteError(f"There is no recorded site (a folder with a site.toml) in {path}.")
        found.update(dict.fromkeys(below))
    return list(found)


def _below(folder: Path, depth: int) -> list[Path]:
    if depth == 0:
        return []
    sites = []
    for child in sorted(folder.iterdir()):
        if child.is_dir() and not child.name.startswith("."):
            is_site = (child / "site.toml").is_file()
            sites += [child] if is_site else _below(child, depth - 1)
    return sites
