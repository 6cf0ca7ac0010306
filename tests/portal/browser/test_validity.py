"""Every page is valid HTML according to the Nu checker."""

import json
import shutil
import subprocess
from pathlib import Path

import httpx
import pytest

from portal.browser.pages import PAGES

CHECKER = Path(__file__).parent / "node_modules" / "vnu-jar" / "build" / "dist" / "vnu.jar"

pytestmark = [
    pytest.mark.skipif(
        not CHECKER.is_file(), reason="There is no vnu-jar here: .ci/run installs it with npm."
    ),
    pytest.mark.skipif(
        shutil.which("java") is None, reason="There is no java here to run the checker."
    ),
]


def test_pages_are_valid_and_the_checker_detects_planted_errors(
    nasty_address, nasty_folder, tmp_path
):
    wrong = tmp_path / "wrong.html"
    wrong.write_text("<!doctype html><html lang=en><title>x</title><p><div></p></div>")
    token = (nasty_folder / "owner.token").read_text().strip()
    with httpx.Client(base_url=nasty_address, headers={"Origin": nasty_address}) as client:
        client.post("/sign-in", data={"token": token})
        for number, (name, path) in enumerate(PAGES.items()):
            answer = client.get(path)
            assert answer.status_code == (404 if name == "404" else 200)
            (tmp_path / f"{number:02}-{name.replace(' ', '-')}.html").write_bytes(answer.content)
    found = {name for name, *_ in complaints(tmp_path)}
    assert wrong.name in found
    wrong.unlink()
    assert found == {wrong.name}, complaints(tmp_path)


def complaints(folder):
    """Return the errors of the pages in a folder."""
    command = ["java", "-Xss2m", "-jar", CHECKER, "--format", "json", "--stdout", folder]
    done = subprocess.run(command, check=False, capture_output=True, text=True, timeout=200)
    return [
        (Path(each["url"]).name, each["message"], each.get("extract", ""))
        for each in json.loads(done.stdout)["messages"]
        if each["type"] != "info" or each.get("subType") == "warning"
    ]
