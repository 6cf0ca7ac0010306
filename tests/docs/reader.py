"""A reader who types what a page says: every command and every Python block, in order."""

from __future__ import annotations

import asyncio
import contextlib
import io
import os
import re
import shlex
import signal
import socket
import subprocess
import sys
import time
from ast import PyCF_ALLOW_TOP_LEVEL_AWAIT
from pathlib import Path
from typing import Any
from urllib.request import urlopen

from docs.blocks import Block, blocks, commands, differs, edited, values

LYCOSA = f"{shlex.quote(sys.executable)} -m lycosa.cli"
_SERVER = re.compile(r"^lycosa (serve|generate .*--serve)\b")
MAX_PAGES = 120
"""Of a crawl: there are papers among them, and it ends within seconds."""
MAX_SECONDS = 300
"""For one command."""


class Reader:
    """Runs the blocks of a page in a folder, and says where the page is wrong.

    `replacements` are made in everything that is run: addresses of the web
    become those of a server on this machine. `names` are the variables that
    Python blocks take for granted. `max_pages` is the budget of new projects.
    """

    def __init__(
        self,
        page: Path,
        folder: Path,
        replacements: dict[str, str],
        names: dict[str, Any] | None = None,
        max_pages: int = MAX_PAGES,
    ) -> None:
        self.page = page
        self.folder = folder
        self.replacements = dict(replacements)
        self.max_pages = max_pages
        self.ran: set[int] = set()
        """The lines of the blocks that were run."""
        self._names: dict[str, Any] = dict(names or {})
        self._servers: list[subprocess.Popen[str]] = []
        self._output = ""
        # Modules that the page saves are importable, as it tells the reader to make them.
        path = os.pathsep.join([str(folder), os.environ.get("PYTHONPATH", "")])
        self._environment = {**os.environ, "PYTHONPATH": path, "COLUMNS": "200"}

    def read(self, languages: tuple[str, ...] = ("console", "python")) -> None:
        """Run the page from its beginning to its end, the blocks of these languages."""
        with contextlib.chdir(self.folder):
            try:
                for block in blocks(self.page):
                    if block.language in languages or block.directives:
                        self._run(block)
            finally:
                self._stop_servers()

    def _run(self, block: Block) -> None:
        directives = block.directives
        if "not run" in directives:
            return
        if "output" in directives:
            self._compare(block, tuple(block.text.splitlines()), self._output)
        elif "edit" in directives:
            file = self.folder / directives["edit"]
            file.write_text(edited(file.read_text(), self._replaced(block.text)))
        elif "write" in directives:
            self._write(directives["write"], block)
        elif block.language == "console":
            self._run_console(block)
        elif block.language == "python":
            if "save" in directives:
                self._write(directives["save"], block)
            self._run_python(block)

    def _write(self, name: str, block: Block) -> None:
        file = self.folder / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(self._replaced(block.text) + "\n")

    def _run_console(self, block: Block) -> None:
        typed = commands(block)
        for command in typed:
            text = self._replaced(command.text)
            self.ran.add(block.line)
            if _SERVER.match(text):
                self._serve(text)
                if command.output:
                    self._compare(block, command.output, self._output)
                continue
            expected_code = int(block.directives.get("exit", 0)) if command is typed[-1] else 0
            done = subprocess.run(
                ["bash", "-c", _runnable(text)],
                capture_output=True,
                text=True,
                timeout=MAX_SECONDS,
                check=False,
                env=self._environment,
            )
            self._output = done.stdout + done.stderr
            where = f"{self.page.name}, line {block.line}: `{command.text}`"
            assert done.returncode == expected_code, f"{where}\n{self._output}"
            if command.output:
                self._compare(block, command.output, self._output)
            self._allow_loopback()

    def _compare(self, block: Block, expected: tuple[str, ...], actual: str) -> None:
        for there, here in self.replacements.items():
            actual = actual.replace(here, there)
        wrong = differs(expected, actual, figures_vary="figures vary" in block.directives)
        assert not wrong, f"{self.page.name}, line {block.line}: {wrong}"

    def _run_python(self, block: Block) -> None:
        self.ran.add(block.line)
        printed = io.StringIO()
        where = f"{self.page.name}, line {block.line}"
        code = compile(self._replaced(block.text), where, "exec", PyCF_ALLOW_TOP_LEVEL_AWAIT)
        with contextlib.redirect_stdout(printed):
            running = eval(code, self._names)  # the project's own pages
            if running is not None:
                asyncio.run(running)
        self._output = printed.getvalue()
        for expression, shown in values(block):
            value = eval(expression, self._names)
            assert value == shown, f"{where}: {expression} is {value!r}, not {shown!r}"

    def _serve(self, text: str) -> None:
        """Start a server and wait until it answers."""
        port = re.search(r"--port (\d+)", text)
        number = int(port[1]) if port else free_port()
        if not port:
            text += f" --port {number}"
            self.replacements["127.0.0.1:8000"] = f"127.0.0.1:{number}"
        text = text.replace(" --open", "")
        output = self.folder / f"server-{number}.log"
        with output.open("w") as file:
            server = subprocess.Popen(
                ["bash", "-c", f"exec {_runnable(text)}"],
                stdout=file,
                stderr=subprocess.STDOUT,
                env={**self._environment, "PYTHONUNBUFFERED": "1"},
                text=True,
                start_new_session=True,
            )
        self._servers.append(server)
        deadline = time.monotonic() + MAX_SECONDS
        while time.monotonic() < deadline and server.poll() is None:
            with contextlib.suppress(OSError), urlopen(f"http://127.0.0.1:{number}/"):
                self._output = output.read_text()
                if "Ctrl-C" in self._output:
                    return
            time.sleep(0.05)
        raise AssertionError(f"{self.page.name}: `{text}` does not answer")

    def _allow_loopback(self) -> None:
        """Let new projects ask this machine, without a pause."""
        for file in self.folder.glob("*/lycosa.toml"):
            text = file.read_text()
            if "loopback = true" not in text:
                file.write_text(edited(text, on_this_machine(self.max_pages)))

    def _replaced(self, text: str) -> str:
        for there, here in self.replacements.items():
            text = text.replace(there, here)
        return text

    def _stop_servers(self) -> None:
        for server in self._servers:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(server.pid, signal.SIGKILL)
            server.wait()


def on_this_machine(max_pages: int) -> str:
    """Return the settings of a project that crawls a server on this machine without a pause."""
    return f"""
[budget]
pages = {max_pages}
[politeness]
delay = 0
[safety]
loopback = true
"""


def _runnable(text: str) -> str:
    """Return a command line with the program of this checkout in the place of `lycosa`."""
    if re.match(r"lycosa (crawl|record) http://127", text):
        text += " --loopback --delay 0"
    return re.sub(r"(^|[;&|] *)lycosa\b", lambda m: f"{m[1]}{LYCOSA}", text)


def free_port() -> int:
    """Return a port that nothing listens to."""
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        port: int = one.getsockname()[1]
        return port
