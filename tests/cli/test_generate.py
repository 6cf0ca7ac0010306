"""`lycosa generate` as a person types it."""

import json
import os
import signal
import subprocess
import sys
import urllib.request
from pathlib import Path

import pytest
from click.testing import CliRunner

from lycosa.cli import main


def run(*words: str) -> tuple[int, str, str]:
    result = CliRunner().invoke(main, ["generate", *words])
    return result.exit_code, result.stdout, result.stderr


def test_recording(tmp_path: Path) -> None:
    code, out, _ = run(str(tmp_path / "web"), "--sites", "2", "--pages", "150", "--seed", "4")
    assert code == 0
    folders = sorted((tmp_path / "web").iterdir())
    assert len(folders) == 2
    for folder in folders:
        assert f"{folder}: 150 pages" in out
        assert (folder / "pages.warc.gz").stat().st_size > 10_000


def test_recording_as_json(tmp_path: Path) -> None:
    words = [str(tmp_path), "--family", "organisations", "--sites", "1", "--pages", "120"]
    code, out, _ = run(*words, "--json")
    assert code == 0
    answer = json.loads(out)
    (site,) = answer["sites"]
    assert answer["seed"] == 0
    assert (site["family"], site["pages"]) == ("organisations", 120)
    assert site["targets"] == {"officers": 1}
    assert Path(site["place"]).is_dir()
    assert run(*words, "--json")[1] == out


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        ([], "or --serve"),
        (["OUT", "--serve"], "one of the two"),
        (["OUT", "--family", "department"], "did you mean 'departments'"),
        (["OUT", "--sites", "0"], "at least one site"),
        (["OUT", "--sites", "9999"], "0 to 500"),
        (["OUT", "--pages", "12"], "100 to 10,000,000 pages"),
        (["--serve", "--port", "70000"], "0 to 65535"),
    ],
)
def test_misuse_is_one_sentence(
    words: list[str], sentence: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    code, out, err = run(*words)
    assert code == 2
    assert sentence in err
    assert len(err.splitlines()) == 1
    assert out == ""
    assert list(tmp_path.iterdir()) == []


def test_out_is_a_file(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    code, _, err = run(str(tmp_path / "file"), "--pages", "100")
    assert code == 2
    assert "is a file" in err


def test_help_shows_examples() -> None:
    code, out, _ = run("--help")
    assert code == 0
    assert "lycosa generate web --sites 3 --pages 500" in out


def test_serving_until_interrupted() -> None:
    script = "import sys; from lycosa.cli import main; main(sys.argv[1:])"
    command = [sys.executable, "-c", script, "generate", "--serve", "--port", "0"]
    command += ["--sites", "2", "--pages", "1000000"]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as job:
        try:
            assert job.stdout is not None
            assert job.stderr is not None
            places = [job.stdout.readline().split()[0] for _ in range(2)]
            for place in places:
                with urllib.request.urlopen(place, timeout=60) as reply:
                    assert b"Department of Computer Science" in reply.read()
        finally:
            os.kill(job.pid, signal.SIGINT)
        assert job.wait(120) == 0
        assert "Traceback" not in job.stderr.read()


def test_a_port_that_is_taken() -> None:
    from lycosa.sites.generated.server import bind

    with bind() as listener:
        listener.listen()
        code, _, err = run("--serve", "--port", str(listener.getsockname()[1]))
    assert code == 2
    assert "choose another" in err
