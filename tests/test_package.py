"""What would be uploaded: the wheel has every file of the package, the readme works elsewhere."""

import os
import re
import shutil
import subprocess
import sys
from email.parser import Parser
from pathlib import Path
from zipfile import ZipFile

import pytest

ROOT = Path(__file__).parents[1]


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    """Return a wheel without compiled modules, which takes a second to build."""
    if shutil.which("git") is None:
        pytest.skip("git is not installed")
    folder = tmp_path_factory.mktemp("dist")
    copy = tmp_path_factory.mktemp("source") / "lycosa"
    tracked = subprocess.run(
        "git ls-files -z src docs/lycosa.1 *.toml *.py *.md LICENSE NOTICE".split(),
        cwd=ROOT, capture_output=True, text=True, check=False,
    )  # fmt: skip
    if tracked.returncode:
        pytest.skip("not in a checkout of git")
    for name in filter(None, tracked.stdout.split("\0")):
        needed = name == "tools/version.py" or not name.startswith(("tests/", "bench/", "tools/"))
        if (ROOT / name).is_file() and needed:
            (copy / name).parent.mkdir(parents=True, exist_ok=True)
            (copy / name).write_bytes((ROOT / name).read_bytes())
    subprocess.run(
        [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder)],
        cwd=copy, env={**os.environ, "LYCOSA_PURE": "1"}, check=True, capture_output=True,
    )  # fmt: skip
    with ZipFile(next(folder.glob("*.whl"))) as found:
        yield found, copy


def test_the_wheel_has_every_file_of_the_package(wheel):
    found, copy = wheel
    source = copy / "src"
    expected = {str(path.relative_to(source)) for path in source.rglob("*") if path.is_file()}
    names = set(found.namelist())
    assert expected <= names
    assert len(expected) > 500
    assert any(name.endswith("share/man/man1/lycosa.1") for name in names)


def test_the_readme_of_the_package_has_absolute_links_only(wheel):
    found, _ = wheel
    name = next(name for name in found.namelist() if name.endswith(".dist-info/METADATA"))
    metadata = Parser().parsestr(found.read(name).decode())
    links = re.findall(r"\]\(([^)]+)\)", metadata.get_payload())
    assert len(links) > 5
    assert not [link for link in links if not link.startswith(("https://", "#"))]
    assert {"Homepage", "Documentation", "Source", "Issues", "Changelog"} <= {
        url.partition(",")[0] for url in metadata.get_all("Project-URL")
    }
    assert metadata["Description-Content-Type"].startswith("text/markdown")
