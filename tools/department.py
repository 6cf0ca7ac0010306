"""A portal of generated departments, built with the commands that users type."""

from __future__ import annotations

import asyncio
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from lycosa.sites.generated import World
from lycosa.sites.generated.server import bind, serve

WORLD = World(seed=7, departments=3, pages=150)

_LYCOSA = (sys.executable, "-m", "lycosa.cli")
_PROJECT = """\
seeds = [{seeds}]
goal = {{ paper = true }}
words = "papers"
spider = "wary(house)"

[budget]
pages = 700

[politeness]
contact = "you@example.org"
delay = 0
slowness = 0
per-host = 4
per-address = 12

[requests]
proxy = "http://127.0.0.1:{port}"  # which serves all hosts of the generated web

[portal]
title = "Papers of three departments"
description = "What a spider found at the departments of three universities."
topics = "computer-science"
"""


def make_portal(folder: Path) -> Path:
    """Crawl the departments and build the portal in a new folder."""
    folder.mkdir(parents=True)
    with proxy_of(WORLD) as port:
        seeds = ", ".join(f'"{site.base}/"' for site in WORLD.sites)
        text = _PROJECT.format(seeds=seeds, port=port)
        (folder / "lycosa.toml").write_text(text, encoding="utf-8")
        run("crawl", str(folder))
    run("build", str(folder))
    return folder


@contextmanager
def proxy_of(world: World) -> Iterator[int]:
    """Run a proxy on loopback that serves a generated web during the block; yield its port."""
    ready = threading.Event()
    loop = asyncio.new_event_loop()
    with bind() as listener:
        task = loop.create_task(serve(world, listener, ready.set))
        thread = threading.Thread(target=_until_cancelled, args=(loop, task))
        thread.start()
        try:
            ready.wait(300)
            yield listener.getsockname()[1]
        finally:
            loop.call_soon_threadsafe(task.cancel)
            thread.join()
            loop.close()


def _until_cancelled(loop: asyncio.AbstractEventLoop, task: asyncio.Task[None]) -> None:
    loop.run_until_complete(asyncio.wait([task]))


def run(*arguments: str) -> None:
    """Run a lycosa command; raise with its output if it fails."""
    command = [*_LYCOSA, *arguments]
    done = subprocess.run(command, check=False, capture_output=True, text=True)  # noqa: S603
    if done.returncode:
        raise RuntimeError(f"lycosa {' '.join(arguments)}:\n{done.stdout}{done.stderr}")


@contextmanager
def serve_portal(folder: Path) -> Iterator[str]:
    """Run `lycosa serve` on a free port during the block; yield its URL without trailing slash."""
    command = [*_LYCOSA, "serve", str(folder), "--port", "0", "--rate", "0"]
    pipe = subprocess.PIPE
    with subprocess.Popen(command, stdout=pipe, stderr=subprocess.STDOUT, text=True) as process:  # noqa: S603
        try:
            assert process.stdout is not None  # noqa: S101 - it is a pipe
            address = process.stdout.readline().strip()
            if not address.startswith("http"):
                raise RuntimeError(f"lycosa serve: {address}{process.stdout.read()}")
            yield address.rstrip("/")
        finally:
            process.terminate()
            process.wait(300)
