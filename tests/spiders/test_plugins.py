"""Spiders of other packages: references `module:attribute` and entry points."""

import base64
import hashlib
import json
import logging
import os
import subprocess
import sys
import zipfile
from importlib.metadata import EntryPoint
from pathlib import Path

import pytest

from generated_departments import crawl_steps, department
from lycosa.errors import UnknownName, UsageError
from lycosa.spiders import BreadthFirst, DepthFirst, Setup, Spider, plugins, spider
from recorded_sites import record

SOURCE = '''
import numpy as np
from lycosa.errors import UsageError
from lycosa.spiders import BreadthFirst, Spider


class Shortest:
    """Follows the links with the shortest URLs first."""

    name = "shortest"

    def start(self, budget):
        pass

    def observe(self, step):
        return None

    def score(self, page):
        return np.array([-len(page.tables.urls[n]) for n in page.targets.tolist()], float)


class Seeded(Shortest):
    def __init__(self, setup):
        self.seed = setup.seed


def function(setup):
    return Seeded(setup)


SPIDER = Spider("mine", lambda setup, models: Shortest())
NUMBER = 3


def broken(setup):
    raise KeyError("weights")


def refusing(setup):
    raise UsageError("Give a site.")


def no_policy(setup):
    return "a string"


def returns_a_class(setup):
    return Shortest
'''


@pytest.fixture
def module(tmp_path, monkeypatch):
    """A module `thirdparty` that can be imported during one test."""
    (tmp_path / "thirdparty.py").write_text(SOURCE)
    (tmp_path / "failing.py").write_text("1 / 0\n")
    monkeypatch.syspath_prepend(tmp_path)
    yield "thirdparty"
    for name in ("thirdparty", "failing"):
        sys.modules.pop(name, None)


@pytest.mark.parametrize("attribute", ["Shortest", "Seeded", "function", "SPIDER"])
def test_finds_policies_by_reference(module, attribute):
    found = spider(f"{module}:{attribute}")
    policy = found(Setup(None, "papers", seed=7))
    assert isinstance(found, Spider)
    assert found.name == f"{module}:{attribute}"
    assert policy.name == "shortest"
    assert getattr(policy, "seed", 7) == 7
    assert len(list(crawl_steps(policy, department(), 30))) == 30


def test_references_can_be_arguments_of_other_spiders(module):
    policy = spider(f"wary({module}:Shortest)")(Setup(None, "papers"))
    assert policy.policy.name == "shortest"


@pytest.mark.parametrize(
    ("reference", "words"),
    [
        ("no.such.package:Class", r"cannot be imported \(ModuleNotFoundError"),
        ("thirdparty:Missing", r"cannot be imported \(AttributeError.*Missing"),
        ("failing:Class", r"cannot be imported \(ZeroDivisionError: division by zero\)"),
        ("thirdparty:NUMBER", "must be a policy class or a function of a Setup"),
    ],
)
def test_references_that_cannot_be_used_are_usage_errors(module, reference, words, caplog):
    with caplog.at_level(logging.DEBUG, "lycosa.plugins"), pytest.raises(UsageError, match=words):
        spider(reference)
    if "imported" in words:
        assert caplog.records[-1].exc_info


@pytest.mark.parametrize(
    ("attribute", "words"),
    [
        ("broken", r"failed while it was made \(KeyError: 'weights'\)"),
        ("refusing", "^Give a site.$"),
        ("no_policy", "is no policy: what it returned, 'a string', has no name"),
        ("returns_a_class", "is no policy"),
    ],
)
def test_factories_that_return_no_policy_are_usage_errors(module, attribute, words):
    found = spider(f"{module}:{attribute}")
    with pytest.raises(UsageError, match=words):
        found(Setup(None, "papers"))


def test_entry_points_are_found_by_name_and_named_in_errors(monkeypatch):
    points = [EntryPoint("deep", "lycosa.spiders.depth_first:DepthFirst", plugins.GROUP)]
    monkeypatch.setattr("lycosa.plugins.entry_points", lambda group: points)
    assert isinstance(spider("deep")(Setup(None, "papers")), DepthFirst)
    assert isinstance(spider("wary(deep)")(Setup(None, "papers")).policy, DepthFirst)
    with pytest.raises(UnknownName, match="did you mean 'deep'"):
        spider("dee")
    with pytest.raises(UsageError, match="takes no arguments"):
        spider("deep(3)")


def test_entry_points_do_not_replace_spiders_of_the_registry(monkeypatch):
    points = [EntryPoint("breadth-first", "lycosa.spiders.depth_first:DepthFirst", plugins.GROUP)]
    monkeypatch.setattr("lycosa.plugins.entry_points", lambda group: points)
    assert isinstance(spider("breadth-first")(Setup(None, "papers")), BreadthFirst)


def write_wheel(folder: Path) -> Path:
    """Write the wheel of a package with one module and one entry point."""
    info = "thirdparty-1.0.dist-info"
    files = {
        "thirdparty.py": SOURCE,
        f"{info}/METADATA": "Metadata-Version: 2.1\nName: thirdparty\nVersion: 1.0\n",
        f"{info}/WHEEL": "Wheel-Version: 1.0\nGenerator: test\nRoot-Is-Purelib: true\n"
        "Tag: py3-none-any\n",
        f"{info}/entry_points.txt": "[lycosa.spiders]\nshortest = thirdparty:Shortest\n",
    }
    lines = []
    for name, text in files.items():
        digest = base64.urlsafe_b64encode(hashlib.sha256(text.encode()).digest()).rstrip(b"=")
        lines.append(f"{name},sha256={digest.decode()},{len(text.encode())}")
    files[f"{info}/RECORD"] = "\n".join([*lines, f"{info}/RECORD,,", ""])
    wheel = folder / "thirdparty-1.0-py3-none-any.whl"
    with zipfile.ZipFile(wheel, "w") as archive:
        for name, text in files.items():
            archive.writestr(name, text)
    return wheel


def test_a_spider_installed_from_a_wheel_runs_in_the_benchmark(tmp_path):
    """The seam as users meet it: install a package, name its spider on the command line."""
    wheel, target = write_wheel(tmp_path), tmp_path / "installed"
    pip = ["pip", "install", "--quiet", "--no-deps", "--no-index", "--target", target, wheel]
    subprocess.run([sys.executable, "-m", *pip], check=True)
    pages = {
        "http://a.example/": "<a href=/long/way.html>x</a> <a href=/b>y</a>",
        "http://a.example/b": "b",
        "http://a.example/long/way.html": "c",
    }
    record(tmp_path / "a", pages, targets={"b": ("http://a.example/b",)})
    names = "shortest,thirdparty:Seeded,depth-first"
    command = ["bench", tmp_path / "a", "--goal", "b", "--spiders", names, "--train", "none"]
    paths = os.pathsep.join([str(target), *filter(None, [os.environ.get("PYTHONPATH")])])
    done = subprocess.run(
        [sys.executable, "-m", "lycosa.cli", *command, "--json", tmp_path / "results.json"],
        env=os.environ | {"PYTHONPATH": paths},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    results = json.loads((tmp_path / "results.json").read_text())
    requests = {run["spider"]: run["requests"] for run in results["runs"]}
    assert requests == {"shortest": 2, "thirdparty:Seeded": 2, "depth-first": 3}
