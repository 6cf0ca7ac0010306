"""Dependencies: the default install suffices, and each package is accounted for."""

import re
import subprocess
import sys
from pathlib import Path

import pytest
from tools import dependencies, numpy_baseline

ROOT = Path(__file__).parents[1]

DECLARED = [name for names in dependencies.declared().values() for name in names]


def test_default_install_works_without_optional_packages(tmp_path):
    script = ROOT / "tests" / "default_install.py"
    done = subprocess.run(
        [sys.executable, script, tmp_path], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("name", DECLARED)
def test_each_dependency_has_a_purpose_and_a_row_in_the_documentation(name):
    assert name in dependencies.PURPOSES
    assert f"| {name} " in dependencies.PAGE.read_text()


def test_no_purpose_is_left_from_a_dropped_dependency():
    assert set(dependencies.PURPOSES) == set(DECLARED)


def test_baseline_features_are_those_that_numpy_accepts():
    code = "import warnings; warnings.simplefilter('error'); import numpy"
    features = " ".join(numpy_baseline.dispatched_features())
    subprocess.run(
        [sys.executable, "-c", code], env={"NPY_DISABLE_CPU_FEATURES": features}, check=True
    )


def test_tests_left_out_of_the_baseline_run_exist():
    listed = re.search(
        r"^NOT_NUMERICAL := \\\n((?:\t.*\n)+)", (ROOT / "Makefile").read_text(), re.M
    )
    names = listed[1].replace("\\", "").split()
    assert names
    for name in names:
        file, _, test = name.partition("::")
        assert f"def {test}" in (ROOT / file).read_text(), name
