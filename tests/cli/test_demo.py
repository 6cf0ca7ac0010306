"""The whole journey, as the command shows it: a web is made up, crawled, built and served."""

import subprocess
import sys
import tomllib

from lycosa.cli.demo import AddedSites, _free_port, _write_project
from lycosa.sites.generated.server import bind


def test_the_demo_ends_with_a_working_portal(tmp_path):
    command = [sys.executable, "-m", "lycosa.cli", "demo", tmp_path / "demo", "--pages", "100"]
    done = subprocess.run(
        [*command, "--check"], check=False, capture_output=True, text=True, timeout=300
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert "The portal works: " in done.stdout
    for verb in ("generate", "train", "crawl", "build"):
        assert f"$ lycosa {verb} " in done.stdout
    assert "Three things to try:" in done.stdout


def run(*words):
    command = [sys.executable, "-m", "lycosa.cli", "demo", *map(str, words)]
    return subprocess.run(command, check=False, capture_output=True, text=True, timeout=120)


def test_a_site_of_ones_own_needs_an_address_to_send(tmp_path):
    done = run(tmp_path / "demo", "--sites", "https://www.cs.example.edu/")
    assert done.returncode == 2
    assert "--contact" in done.stderr
    assert not (tmp_path / "demo").exists()


def test_a_folder_that_is_no_recorded_site_is_refused(tmp_path):
    done = run(tmp_path / "demo", "--sites", tmp_path)
    assert done.returncode == 2
    assert "lycosa record" in done.stderr


def test_a_port_in_use_is_passed_over(capsys):
    with bind() as listener:
        listener.listen()
        port = listener.getsockname()[1]
        assert _free_port(port) > port
    assert f"Port {port} is in use" in capsys.readouterr().out


def test_servers_elsewhere_get_the_polite_delay(tmp_path):
    added = AddedSites.of(("https://www.cs.example.edu/",), "you@example.org")
    seed = "http://127.0.0.1:1/cs/"
    _write_project(tmp_path / "own", seed, tmp_path / "s.lyc", 10, added)
    _write_project(tmp_path / "none", seed, tmp_path / "s.lyc", 10, AddedSites((), (), ""))
    own = tomllib.loads((tmp_path / "own" / "lycosa.toml").read_text())
    none = tomllib.loads((tmp_path / "none" / "lycosa.toml").read_text())
    assert own["seeds"] == [seed, "https://www.cs.example.edu/"]
    assert own["politeness"] == {"contact": "you@example.org"}
    assert own["budget"]["pages"] > none["budget"]["pages"]
    assert none["politeness"]["delay"] == 0
