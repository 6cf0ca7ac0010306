"""The units of systemd and the container file that run `lycosa keep`."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest

DEPLOY = Path(__file__).parents[2] / "deploy"


@pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="there is no systemd here")
def test_systemd_accepts_the_units(tmp_path):
    for path in DEPLOY.glob("*@.*"):  # neither the user nor the program are on this machine
        text = path.read_text().replace("/opt/lycosa/bin/lycosa", "/bin/true")
        (tmp_path / path.name).write_text(text.replace("User=lycosa", "User=root"))
    units = [tmp_path / f"lycosa-keep@robots.{kind}" for kind in ("service", "socket")]
    found = subprocess.run(
        ["systemd-analyze", "verify", *map(str, units)],
        env={**os.environ, "SYSTEMD_UNIT_PATH": f"{tmp_path}:"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (found.returncode, found.stderr) == (0, "")


def test_the_container_runs_the_keeper_of_its_volume():
    lines = (DEPLOY / "Containerfile").read_text().splitlines()
    [entry] = [line for line in lines if line.startswith("ENTRYPOINT")]
    assert entry == 'ENTRYPOINT ["lycosa", "keep", "/project", "--host", "0.0.0.0"]'
    assert "VOLUME /project" in lines
