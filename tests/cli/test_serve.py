import socket
import subprocess
import sys
import urllib.error
import urllib.request

import pytest
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
