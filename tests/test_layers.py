"""The layers of the design hold, and the check that says so finds what breaks them."""

import shutil

import pytest
from tools.layers import LEVELS, SOURCE, violations

MODULES = sorted(SOURCE.rglob("*.py"))


def test_imports_point_one_way():
    assert [str(violation) for violation in violations()] == []


def test_every_package_has_a_layer():
    here = {path.stem for path in SOURCE.iterdir() if path.suffix in ("", ".py")}
    assert here - {"__init__", "__pycache__", "py"} == set(LEVELS)


PLANTED = {
    "an upward import of the package": (
        {"web/urls.py": "from lycosa import cli"},
        "web.urls, line 1: imports cli, but cli is not below web",
    ),
    "an upward import of an exported name": (
        {"web/urls.py": "from lycosa import simulate"},
        "web.urls, line 1: imports crawler.simulation, but crawler is not below web",
    ),
    "a lazy upward import": (
        {"learn/bins.py": "def late():\n    import lycosa.portal.catalogue"},
        "learn.bins, line 2: imports portal.catalogue, but portal is not below learn",
    ),
    "a lazy upward import by name": (
        {"learn/bins.py": 'import importlib\nimportlib.import_module("lycosa.lab.results")'},
        "learn.bins, line 2: imports lab.results, but lab is not below learn",
    ),
    "a sibling": (
        {"goals/listed.py": "from lycosa.sites.graph import Graph"},
        "goals.listed, line 1: imports sites.graph, but sites is not below goals",
    ),
    "a relative import": (
        {"web/urls.py": "from . import words"},
        "web.urls, line 1: relative import hides its layer",
    ),
    "a type-only upward import": (
        {"core.py": "if TYPE_CHECKING:\n    from lycosa.goals import Query"},
        "core, line 2: imports goals, but goals is not below core",
    ),
    "a circle of sub-packages": (
        {
            "portal/search/results.py": "from lycosa.portal.api import problems",
            "portal/api/problems.py": "def late():\n    from lycosa.portal.search import results",
        },
        "portal: its parts import each other: ",
    ),
    "a circle of modules": (
        {
            "learn/bins.py": "import lycosa.learn.ridge",
            "learn/ridge.py": "def late():\n    from lycosa.learn.bins import Bins",
        },
        "learn: its parts import each other: ",
    ),
    "a part that imports its package": (
        {"goals/listed.py": "from lycosa.goals import Query"},
        "goals.listed, line 1: imports its own package goals",
    ),
    "a package without a layer": (
        {"helpers/__init__.py": "", "cli/new.py": "from lycosa.helpers import x"},
        "cli.new, line 1: helpers has no layer",
    ),
}


@pytest.fixture(scope="module")
def copy(tmp_path_factory):
    folder = tmp_path_factory.mktemp("source") / "lycosa"
    return shutil.copytree(SOURCE, folder, ignore=lambda _, names: {"__pycache__", "models"})


@pytest.fixture(scope="module")
def before(copy):
    """What is found in the copy while nothing is planted."""
    return {str(v) for v in violations(copy)}


@pytest.mark.parametrize(("files", "expected"), PLANTED.values(), ids=PLANTED)
def test_a_planted_violation_is_found(copy, before, files, expected):
    existed_before = {name: (SOURCE / name).exists() for name in files}
    for name, text in files.items():
        (copy / name).parent.mkdir(exist_ok=True)
        (copy / name).write_text(f"{text}\n", encoding="utf-8")
    new = {str(v) for v in violations(copy)} - before
    for name, existed in existed_before.items():
        if existed:
            shutil.copy(SOURCE / name, copy / name)
        else:
            (copy / name).unlink()
    assert any(line.startswith(expected) for line in new), new


def test_modules_are_short():
    sources = (*MODULES, *SOURCE.rglob("*.pyx"), *SOURCE.rglob("*.pxd"))
    lines = {path: len(path.read_text(encoding="utf-8").splitlines()) for path in sources}
    assert {str(path): n for path, n in lines.items() if n > 400} == {}
