"""The public names, and that they cost nothing until they are used."""

import ast
import importlib
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest

import lycosa

SOURCE = Path(lycosa.__file__).parent


PUBLIC = sorted(
    path.parent.relative_to(SOURCE.parent).as_posix().replace("/", ".")
    for path in SOURCE.rglob("__init__.py")
    if "lazy_exports(" in path.read_text(encoding="utf-8")
)


@pytest.mark.parametrize("package", PUBLIC)
def test_exported_names_exist_and_are_documented(package):
    module = importlib.import_module(package)
    assert sorted(module.__all__) == dir(module)
    for name in module.__all__:
        value = getattr(module, name)
        assert value.__doc__ or isinstance(value, Mapping), f"{package}.{name}"


@pytest.mark.parametrize("package", PUBLIC)
def test_type_checkers_see_the_same_names(package):
    """The table of lazy exports and the imports under TYPE_CHECKING agree."""
    module = importlib.import_module(package)
    imports = {}
    for node in ast.walk(ast.parse(Path(module.__file__).read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.module.startswith(f"{package}."):
            imports |= {alias.name: node.module for alias in node.names}
    for used_here in ("lazy_exports", "prefer_source"):
        imports.pop(used_here, None)
    table = {
        name: f"{package}.{home}" for home, names in module._HOMES.items() for name in names.split()
    }
    assert imports == table


@pytest.mark.parametrize("package", PUBLIC)
def test_no_exported_name_is_a_module_too(package):
    """Else what `from package import name` gives would depend on what was imported before."""
    folder = Path(importlib.import_module(package).__file__).parent
    modules = {path.stem for path in folder.iterdir()}
    assert modules & set(importlib.import_module(package).__all__) == set()


def test_an_unknown_name_is_an_attribute_error():
    assert not hasattr(lycosa, "nothing")


def test_the_command_line_loads_nothing_heavy():
    heavy = "numpy scipy sklearn aiohttp selectolax rich".split()
    code = f"import lycosa, lycosa.cli, sys; print([m for m in {heavy} if m in sys.modules])"
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert found.stdout.strip() == "[]"


def test_every_site_and_goal_keeps_its_contract(tmp_path):
    """Contract checks over each kind of site and goal; `spiders/test_registry.py` has policies."""
    from lycosa.lab.labelled import LabelledSite
    from recorded_sites import record

    world = lycosa.World(seed=3, departments=2, organisations=1, pages=150)
    pages = {"http://a.example/": "<a href=x>x</a>", "http://a.example/x": "<a href=/>home</a>"}
    folder = record(tmp_path / "a", pages, targets={"x": ("http://a.example/x",)})
    sites = [*world.sites, lycosa.open_site(folder)]
    for site in sites:
        lycosa.check_site(site)
        for goal in site.goals:
            listed = lycosa.Listed.of(site, goal)
            lycosa.check_goal(listed, [site.page(n) for n in range(min(50, len(site)))])
    department = world.department(0)
    robots = LabelledSite(department, lycosa.Query("robot* OR title:home"))
    lycosa.check_site(robots)
    lycosa.check_goal(robots.goal, [robots.page(n) for n in range(50)])
