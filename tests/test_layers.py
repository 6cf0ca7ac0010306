"""The layers of the design, proven on the import statements themselves."""

import ast
from pathlib import Path

import pytest

SOURCE = Path(__file__).parents[1] / "src" / "lycosa"
# A package may import what stands on a line above its own, and itself.
LAYERS = [
    {"errors", "content", "closing"},
    {"core", "databases", "files", "processes"},
    {"web"},
    {"archive", "documents", "learn", "search", "reporting"},
    {"sites", "goals"},
    {"spiders", "crawler", "papers", "topics"},
    {"lab", "project"},
    {"portal"},
    {"cli", "integrations"},
]
LEVEL = {package: level for level, packages in enumerate(LAYERS) for package in packages}
MODULES = sorted(p for p in SOURCE.rglob("*.py") if p != SOURCE / "__init__.py")


def package_of(path: Path) -> str:
    return path.relative_to(SOURCE).parts[0].removesuffix(".py")


def imported(path: Path) -> set[str]:
    found = set()
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: a relative import hides its layer"
            names = [node.module or ""]
        elif isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        else:
            continue
        found |= {n.split(".")[1] for n in names if n.startswith("lycosa.")}
    return found


@pytest.mark.parametrize("path", MODULES, ids=lambda p: str(p.relative_to(SOURCE)))
def test_imports_point_one_way(path):
    mine = package_of(path)
    assert mine in LEVEL, f"{mine} has no place in the layers"
    for other in imported(path) - {mine}:
        allowed = LEVEL[other] < LEVEL[mine]
        assert allowed, f"{path.relative_to(SOURCE)} imports {other}, which is not below {mine}"


@pytest.mark.parametrize("path", MODULES, ids=lambda p: str(p.relative_to(SOURCE)))
def test_modules_are_short(path):
    assert len(path.read_text().splitlines()) <= 400
