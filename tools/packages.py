"""The readme of each package: a hand-written introduction, and a generated map.

Everything above the marker is written by hand: what the package is and how one
object lives in it. Below stand its neighbours, from the import statements, and
its modules with the first line of their docstrings. `make docs` writes them.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from tools.layers import LAYERS, SOURCE, imports

MARKER = "<!-- Generated below this line by `make docs`. -->"


def packages() -> list[str]:
    """Return the top-level packages, lowest layer first."""
    return [name for layer in LAYERS for name in sorted(layer) if (SOURCE / name).is_dir()]


def readme(package: str) -> str:
    """Return the text of a package's readme as it should be."""
    path = SOURCE / package / "README.md"
    introduction = path.read_text(encoding="utf-8").partition(MARKER)[0].rstrip()
    return "\n".join([introduction, "", MARKER, "", *_neighbours(package), *_map(package)]) + "\n"


def _neighbours(package: str) -> Iterator[str]:
    below = {other for mine, other in _imported_packages() if mine == package}
    above = {mine for mine, other in _imported_packages() if other == package}
    yield f"Imports: {_listing(below)}. Imported by: {_listing(above)}."


@cache
def _imported_packages() -> frozenset[tuple[str, str]]:
    """Return the pairs of packages of which the first imports the second; all modules are read."""
    pairs = ((a.partition(".")[0], b.partition(".")[0]) for a, b, _ in imports())
    return frozenset((mine, other) for mine, other in pairs if mine != other)


def _listing(names: set[str]) -> str:
    return ", ".join(f"`{name}`" for name in sorted(names)) or "nothing"


def _map(package: str) -> Iterator[str]:
    yield from ("", "| module | what it is |", "|---|---|")
    for path in sorted((SOURCE / package).rglob("*.py"), key=_order):
        name = path.relative_to(SOURCE / package).as_posix()
        if name.removesuffix("__init__.py") in ("", "__main__.py"):
            continue
        summary = (ast.get_docstring(ast.parse(path.read_text(encoding="utf-8"))) or "").split("\n")
        shown = f"**{name.removesuffix('__init__.py')}**" if "__init__" in name else f"`{name}`"
        yield f"| {shown} | {summary[0].replace('|', chr(92) + '|')} |"


def _order(path: Path) -> tuple[bool, str]:
    """Modules of the package first, then its sub-packages, each led by its own docstring."""
    return len(path.relative_to(SOURCE).parts) > 2, path.as_posix().replace("__init__", "")


def write() -> None:
    """Write every readme."""
    for package in packages():
        (SOURCE / package / "README.md").write_text(readme(package), encoding="utf-8")


if __name__ == "__main__":
    write()
