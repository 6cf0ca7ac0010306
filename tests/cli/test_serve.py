import os
import re
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request

import pytest
from bench.portal_connections import serving_processes
from click.testing import CliRunner

from ctrl_c import press
from lycosa.cli import main
from portal.web.portal_client import copy_portal


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return copy_portal(tmp_path_factory.mktemp("portal"))


def run(*args):
    result = CliRunner().invoke(main, ["serve", *map(str, args)])
    return result.exit_code, result.stdout, result.stderr


@pytest.mark.parametrize("processes", ["1", "2"])
def test_serving_until_interrupted(folder, processes):
    script = "import sys; from lycosa.cli import main; main(sys.argv[1:])"
    command = [sys.executable, "-c", script, "serve", str(folder), "--port", "0"]
    command += ["--processes", processes]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as job:
        try:
            address = job.stdout.readline().strip()
            with urllib.request.urlopen(address, timeout=60) as reply:
                assert b"Spider papers" in reply.read()
                assert "server" not in {name.lower() for name in reply.headers}
            # Requests for another host name, as after DNS rebinding, are refused.
            request = urllib.request.Request(address, headers={"Host": "rebound.example"})
            with pytest.raises(urllib.error.HTTPError, match="400"):
                urllib.request.urlopen(request, timeout=60)
        finally:
            press(job)
        assert job.wait(120) == 0
        said = job.stdout.read() + job.stderr.read()
    token = (folder / "owner.token").read_text().strip()
    assert "owner.token" in said
    assert token not in said
    assert "Traceback" not in said
    assert "GET /" not in said


def test_refuses_a_folder_without_a_portal(tmp_path):
    code, out, err = run(tmp_path)
    assert (code, out) == (2, "")
    assert f"lycosa build {tmp_path}" in err
    assert not (tmp_path / "owner.token").exists()


def test_a_port_that_is_taken(folder):
    with socket.create_server(("127.0.0.1", 0)) as listener:
        code, _, err = run(folder, "--port", listener.getsockname()[1])
    assert code == 2
    assert "choose another port" in err


@pytest.mark.parametrize(
    ("args", "words"),
    [
        (("--port", "70000"), "from 0 to 65535"),
        (("--base-url", "portal.example"), "is not a base URL"),
        (("--rate", "-1"), "requests per second"),
        (("--host", "no.such.host.invalid"), "is not an address"),
    ],
)
def test_misuse_is_one_sentence(folder, args, words):
    if "--port" not in args:
        args = (*args, "--port", "0")
    code, _, err = run(folder, *args)
    assert code == 2
    assert words in err


def test_help_shows_examples():
    code, out, _ = run("--help")
    assert code == 0
    assert "lycosa serve robots --open" in out


def test_a_killed_server_process_is_started_again(folder):
    script = "import sys; from lycosa.cli import main; main(sys.argv[1:])"
    command = [sys.executable, "-c", script, "serve", str(folder), "--port", "0"]
    with subprocess.Popen(
        [*command, "--processes", "2"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as job:
        try:
            address = job.stdout.readline().strip()
            before = serving_processes(job.pid)
            assert len(before) == 2
            os.kill(min(before), signal.SIGKILL)
            while len(now := serving_processes(job.pid)) < 2 or min(before) in now:
                time.sleep(0.05)
            os.kill(max(before), signal.SIGKILL)  # only the new process is left
            with urllib.request.urlopen(address, timeout=60) as reply:
                assert b"Spider papers" in reply.read()
            with urllib.request.urlopen(f"{address}metrics", timeout=60) as reply:
                restarts = re.search(rb"lycosa_server_restarts_total ([0-9.]+)", reply.read())
                assert float(restarts[1]) >= 1
        finally:
            press(job)
        assert job.wait(120) == 0
        assert "Traceback" not in job.stderr.read()


@pytest.fixture
def read_only(tmp_path):
    """A portal on a read-only disk: a mount for root, who may write anywhere else."""
    folder = copy_portal(tmp_path / "portal")
    if os.geteuid():
        pytest.skip("only root can mount a folder read-only")
    for command in (["--bind", folder, folder], ["-o", "remount,ro,bind", folder]):
        if subprocess.run(["mount", *command], check=False, capture_output=True).returncode:
            pytest.skip("this system does not let root mount folders")
    yield folder
    subprocess.run(["umount", "--lazy", folder], check=True)


def test_serving_from_a_read_only_disk(read_only):
    script = "import sys; from lycosa.cli import main; main(sys.argv[1:])"
    command = [sys.executable, "-c", script, "serve", str(read_only), "--port", "0"]
    with subprocess.Popen(
        [*command, "--processes", "1"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as job:
        try:
            address = job.stdout.readline().strip()
            with urllib.request.urlopen(f"{address}search?q=spider", timeout=60) as reply:
                assert b"spider" in reply.read()
        finally:
            press(job)
        assert job.wait(120) == 0
        said = job.stderr.read()
    assert "is read-only: nobody can sign in" in said
    assert "Traceback" not in said
