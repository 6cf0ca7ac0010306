"""The whole journey, as the command shows it: a web is made up, crawled, built and served."""

import subprocess
import sys


def test_the_demo_ends_with_a_working_portal(tmp_path):
    command = [sys.executable, "-m", "lycosa.cli", "demo", tmp_path / "demo", "--pages", "100"]
    done = subprocess.run(
        [*command, "--check"], check=False, capture_output=True, text=True, timeout=300
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert "The portal works: " in done.stdout
    for verb in ("generate", "train", "crawl", "build"):
        assert f"$ lycosa {verb} " in done.stdout
