"""The layers of the package, checked on its import statements.

A package imports only what stands in a layer below its own. The check reads
every import there is: at the top of a module, inside a function, under
`TYPE_CHECKING`, `from lycosa import name` (which is traced to the module the
name comes from) and `import_module("lycosa…")`. Inside a package its parts,
modules and sub-packages alike, must not import each other in a circle, and no
part imports its own package, whose `__init__` imports the part.

`python -m tools.layers` prints the violations; `tests/test_layers.py` plants
some in a copy of the package and sees that each is found.
"""

from __future__ import annotations

import ast
import re
import sys
from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from graphlib import CycleError, TopologicalSorter
from pathlib import Path
from typing import NamedTuple

SOURCE = Path(__file__).parents[1] / "src" / "lycosa"
LAYERS = (
    {"errors", "content", "closing", "compiled", "lazy", "parent_death", "snapshots", "splitmix"},
    {"logs"},
    {"core", "databases", "files", "plugins", "processes", "scratch"},
    {"lazy_database"},
    {"web"},
    {"archive", "documents", "learn", "search", "reporting"},
    {"sites", "goals"},
    {"spiders", "crawler", "papers", "topics"},
    {"lab", "project"},
    {"portal"},
    {"cluster", "keep"},
    {"cli", "integrations"},
)
"""From the lowest to the highest; packages of one layer do not import each other."""

LEVELS = {package: level for level, packages in enumerate(LAYERS) for package in packages}
_MODULE_NAME = re.compile(r"lycosa(\.[a-z_0-9]+)+")


class Import(NamedTuple):
    """One import of a module by a module, both as dotted names without `lycosa.`."""

    importer: str
    imported: str
    line: int


@dataclass(frozen=True)
class Violation:
    """An import, or a circle of them, that breaks the layers."""

    where: str
    what: str

    def __str__(self) -> str:
        return f"{self.where}: {self.what}"


def violations(source: Path = SOURCE) -> list[Violation]:
    """Return everything that breaks the layers in a copy of the package."""
    modules = _modules(source)
    found = imports(source)
    return [*_upward(found), *_own_package(found, modules), *_circles(found, modules)]


def imports(source: Path = SOURCE) -> list[Import]:
    """Return every import of one module of the package by another."""
    modules = _modules(source)
    return [found for name, path in modules.items() for found in _imports(name, path, modules)]


def _modules(source: Path) -> dict[str, Path]:
    """Return every module below `source` by its dotted name; a package by that of its folder."""
    found = {}
    for path in sorted(source.rglob("*.py")):
        parts = path.relative_to(source).with_suffix("").parts
        name = ".".join(parts[:-1] if parts[-1] == "__init__" else parts)
        if name:
            found[name] = path
    return found


def _imports(name: str, path: Path, modules: Mapping[str, Path]) -> Iterator[Import]:
    for node in _nodes(path.read_text(encoding="utf-8")):
        for target in _targets(node, modules):
            yield Import(name, target, node.lineno)


@cache
def _nodes(text: str) -> list[ast.ImportFrom | ast.Import | ast.Call]:
    """Return the nodes of a module that may import something; parsing is what takes time."""
    kinds = (ast.ImportFrom, ast.Import, ast.Call)
    return [node for node in ast.walk(ast.parse(text)) if isinstance(node, kinds)]


def _targets(node: ast.AST, modules: Mapping[str, Path]) -> Iterator[str]:
    """Yield the modules that one node imports; "?" stands for one that cannot be traced."""
    match node:
        case ast.ImportFrom(module=module, names=names, level=level):
            if level:
                yield "?relative import"
            elif module == "lycosa":
                for alias in names:
                    yield _home(alias.name, modules)
            elif module and module.startswith("lycosa."):
                package = module.removeprefix("lycosa.")
                for alias in names:
                    inner = f"{package}.{alias.name}"
                    yield inner if inner in modules else package
        case ast.Import(names=names):
            for alias in names:
                if alias.name.startswith("lycosa."):
                    yield alias.name.removeprefix("lycosa.")
                elif alias.name == "lycosa":
                    yield "?import lycosa"
        case ast.Call(func=function, args=[ast.Constant(value=str(text)), *_]):
            called = function.attr if isinstance(function, ast.Attribute) else ast.unparse(function)
            if called in ("import_module", "__import__") and _MODULE_NAME.fullmatch(text):
                yield text.removeprefix("lycosa.")


def _home(name: str, modules: Mapping[str, Path]) -> str:
    """Return the module that a name of the package `lycosa` comes from."""
    if name in modules:
        return name
    init = next(iter(modules.values())).parents[0]
    while init.name != "lycosa":
        init = init.parent
    exported = (init / "__init__.py").read_text(encoding="utf-8")
    for node in _nodes(exported):
        if isinstance(node, ast.ImportFrom) and any(a.name == name for a in node.names):
            return (node.module or "").removeprefix("lycosa.")
    return f"?lycosa has no {name}"


def _upward(imports: list[Import]) -> Iterator[Violation]:
    for importer, imported, line in imports:
        mine, other = importer.partition(".")[0], imported.partition(".")[0]
        where = f"{importer}, line {line}"
        if imported.startswith("?"):
            yield Violation(where, f"{imported[1:]} hides its layer")
        elif mine not in LEVELS or other not in LEVELS:
            package = mine if mine not in LEVELS else other
            yield Violation(where, f"{package} has no layer")
        elif mine != other and LEVELS[other] >= LEVELS[mine]:
            yield Violation(where, f"imports {imported}, but {other} is not below {mine}")


def _own_package(imports: list[Import], modules: Mapping[str, Path]) -> Iterator[Violation]:
    for importer, imported, line in imports:
        is_package = imported in modules and modules[imported].name == "__init__.py"
        if is_package and importer.startswith(f"{imported}.") and "__main__" not in importer:
            yield Violation(f"{importer}, line {line}", f"imports its own package {imported}")


def _circles(imports: list[Import], modules: Mapping[str, Path]) -> Iterator[Violation]:
    """Yield one circle of each package whose parts import each other."""
    packages = [name for name, path in modules.items() if path.name == "__init__.py"]
    for package in ["", *packages]:
        prefix = f"{package}." if package else ""
        graph: dict[str, set[str]] = defaultdict(set)
        for importer, imported, _ in imports:
            if importer.startswith(prefix) and imported.startswith(prefix):
                mine = importer.removeprefix(prefix).partition(".")[0]
                other = imported.removeprefix(prefix).partition(".")[0]
                if mine not in (other, "__main__"):
                    graph[mine].add(other)
        try:
            TopologicalSorter(graph).prepare()
        except CycleError as error:
            circle = " -> ".join(reversed(error.args[1]))
            yield Violation(package or "lycosa", f"its parts import each other: {circle}")


if __name__ == "__main__":
    found = violations()
    print(*found, sep="\n")
    sys.exit(bool(found))
