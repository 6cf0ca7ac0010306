"""Log output: its levels, its file, its workers, and no secret in any of it."""

import logging
import os
import subprocess
import sys

import pytest
from click.testing import CliRunner

from lycosa import logs
from lycosa.cli import main
from lycosa.errors import UsageError
from lycosa.processes import map_parallel


@pytest.fixture(autouse=True)
def restored(monkeypatch):
    """Leave the loggers as they were."""
    logger = logging.getLogger("lycosa")
    before = logger.handlers[:], logger.level, logger.propagate
    for variable in (logs.LEVEL_VARIABLE, logs.FILE_VARIABLE):
        monkeypatch.delenv(variable, raising=False)
    yield
    for handler in logger.handlers:
        handler.close()
    logger.handlers[:], logger.level, logger.propagate = before


@pytest.mark.parametrize(
    ("verbosity", "seen"),
    [(0, ["warning"]), (1, ["info", "warning"]), (2, ["debug", "info", "warning"])],
)
def test_verbosity_chooses_what_reaches_stderr(verbosity, seen, capsys):
    logs.configure(verbosity)
    log = logging.getLogger("lycosa.crawler")
    log.debug("a debug record")
    log.info("an info record")
    log.warning("a warning record")
    written = capsys.readouterr().err
    assert [name for name in ("debug", "info", "warning") if f"{name} record" in written] == seen
    assert logs.is_verbose() == (verbosity > 0)


def test_a_file_gets_everything_with_tracebacks(tmp_path, capsys):
    logs.configure(0, tmp_path / "lycosa.log")
    try:
        raise ValueError("the cause")
    except ValueError:
        logging.getLogger("lycosa.portal").debug("handled", exc_info=True)
    assert capsys.readouterr().err == ""
    text = (tmp_path / "lycosa.log").read_text()
    assert "DEBUG" in text
    assert "lycosa.portal: handled" in text
    assert "ValueError: the cause" in text


def test_a_file_that_cannot_be_written_is_named(tmp_path):
    with pytest.raises(UsageError, match="cannot be written"):
        logs.configure(0, tmp_path / "missing" / "lycosa.log")


def _log_in_worker(word: str) -> int:
    logging.getLogger("lycosa.papers").debug("a worker says %s", word)
    return os.getpid()


def test_workers_write_to_the_same_file(tmp_path):
    logs.configure(0, tmp_path / "lycosa.log")
    pids = set(map_parallel(_log_in_worker, ["one", "two", "three"], jobs=2))
    assert os.getpid() not in pids
    text = (tmp_path / "lycosa.log").read_text()
    assert all(f"a worker says {word}" in text for word in ("one", "two", "three"))


SECRETS = {
    "http://me:hunter2@proxy.example:3128/": "hunter2",
    "{'Authorization': 'Bearer hunter2'}": "hunter2",
    "authorization: Basic aHVudGVyMg==": "aHVudGVyMg==",
    "Cookie: session=hunter2; other=x": "hunter2",
    "set-cookie: a=hunter2": "hunter2",
    "http://a.example/owner?token=hunter2&x=1": "hunter2",
    "password = 'hunter2'": "hunter2",
    "api_key=hunter2": "hunter2",
}


@pytest.mark.parametrize("text", SECRETS)
def test_secrets_are_masked(text, tmp_path):
    logs.configure(0, tmp_path / "lycosa.log")
    log = logging.getLogger("lycosa.crawler")
    log.debug("asked %s", text)
    try:
        raise RuntimeError(text)
    except RuntimeError:
        log.exception("failed")
    written = (tmp_path / "lycosa.log").read_text()
    assert SECRETS[text] not in written
    assert "***" in written


def test_ordinary_texts_are_not_changed():
    for text in ("http://a.example/tokens/page?q=password+reset", "5 tokens: a, b", "ok"):
        assert logs.redacted(text) == text


@pytest.mark.parametrize("place", ["before", "after"])
def test_the_command_line_logs_what_it_translates(place, tmp_path):
    file = tmp_path / "lycosa.log"
    words = ["report", str(tmp_path / "nothing"), "--log-file", str(file)]
    found = CliRunner().invoke(main, words if place == "after" else [*words[2:], *words[:2]])
    assert found.exit_code == 2
    assert "Traceback" not in found.output
    assert "Traceback" in file.read_text()


def test_verbose_shows_tracebacks(tmp_path):
    command = [sys.executable, "-m", "lycosa.cli", "report", str(tmp_path / "no"), "-vv"]
    found = subprocess.run(command, capture_output=True, text=True, check=False)
    assert found.returncode == 2
    assert "Traceback" in found.stderr
