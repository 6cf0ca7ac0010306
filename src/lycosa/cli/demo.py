"""`lycosa demo`: run every step from a generated web to a served portal."""

from __future__ import annotations

import asyncio
import json
import shlex
import shutil
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.request import urlopen

import click

from lycosa.errors import LycosaError, UsageError

if TYPE_CHECKING:
    from lycosa.sites.generated import World

_SITES = 4  # three to train on, one to crawl
_PAGES_PER_REQUEST = 3  # the crawl may fetch one page in three
_WEB_PORT = 8001  # of the generated web, if it is free
_TITLE = "Papers of a department that does not exist"


@click.command()
@click.argument("folder", metavar="[DIR]", type=Path, default=Path("demo"))
@click.option("--pages", default=600, show_default=True, help="How many pages each site has.")
@click.option(
    "--port", default=8000, show_default=True, help="Port of the portal; 0 is any free port."
)
@click.option("--open", "opening", is_flag=True, help="Open the portal in your browser.")
@click.option("--check", is_flag=True, help="Send some requests to the portal, then exit.")
def demo(folder: Path, pages: int, port: int, opening: bool, check: bool) -> None:
    """Run every step from a generated web to a search portal.

    The demo generates four departments with people, courses and real PDF papers
    that cite each other. It trains a spider on recordings of three of them,
    serves the fourth on this machine, crawls it as it would crawl the real web,
    builds a portal from the papers found, and prints the portal's address.
    Every step is a command that is shown, so that you can run it yourself. All
    files are in DIR.

    \b
    Examples:
      lycosa demo
      lycosa demo --open
      lycosa demo /tmp/demo --check
    """  # noqa: D301
    from lycosa.sites.generated import World
    from lycosa.sites.generated.server import bind

    if folder.exists() and not folder.is_dir():
        raise UsageError(f"{folder} is a file; give the name of a folder.")
    try:
        listener = bind(_WEB_PORT)
    except OSError:
        listener = bind()
    with listener:
        base = f"http://127.0.0.1:{listener.getsockname()[1]}"
        world = World(0, departments=_SITES, pages=pages, base=base)
        with _serve_web(world, listener):
            _run_steps(folder, world, pages)
            click.echo()
            if check:
                _check_portal(folder / "portal")
                return
            more = ["--open"] if opening else []
            _show_command("serve", folder / "portal", "--port", port, *more)
            _serve(folder / "portal", "--port", str(port), *more)


def _run_steps(folder: Path, world: World, pages: int) -> None:
    """Run the commands up to the finished portal."""
    web, spider, portal = folder / "web", folder / "spider.lyc", folder / "portal"
    names = [site.name for site in world.sites]
    click.echo(f"The generated web is at {world.sites[-1].base.rsplit('/', 1)[0]}/")
    _run_command("generate", web, "--sites", _SITES, "--pages", pages)
    _run_command("train", *(web / name for name in names[:-1]), "--goal", "papers", "-o", spider)
    _write_project(portal, f"{world.sites[-1].base}/", spider, pages // _PAGES_PER_REQUEST)
    _run_command("crawl", portal, "--quiet")
    _run_command("build", portal)


def _write_project(portal: Path, seed: str, spider: Path, pages: int) -> None:
    """Write the lycosa.toml of the crawl; delete a crawl of another generated web."""
    settings = portal / "lycosa.toml"
    text = (
        f"# Written by `lycosa demo`; `lycosa new` writes one for a crawl of your own.\n"
        f"seeds = {json.dumps([seed])}\n"
        f"goal = {{ paper = true }}\n"
        f"spider = {json.dumps(str(spider.resolve()))}\n\n"
        f"[budget]\npages = {pages}\n\n"
        f"[scope]\nprefixes = {json.dumps([seed])}\n\n"
        f'[politeness]\ncontact = "demo@example.org"\ndelay = 0\n\n'
        f"[safety]\nloopback = true\n\n"
        f"[portal]\ntitle = {json.dumps(_TITLE)}\n"
        f'description = "Made up, crawled and built by lycosa demo."\ntopics = "computer-science"\n'
    )
    if settings.exists() and settings.read_text(encoding="utf-8") != text:
        shutil.rmtree(portal)
    portal.mkdir(parents=True, exist_ok=True)
    settings.write_text(text, encoding="utf-8")
    click.echo(f"\n{settings} defines the crawl: papers, from {seed}")


def _run_command(*words: object) -> None:
    """Show a lycosa command, run it, and raise an error if it fails."""
    _show_command(*words)
    start = time.monotonic()
    code = subprocess.run(_command(*words), check=False).returncode  # noqa: S603 - our own
    if code:
        raise LycosaError(
            f"`{_command_line(words)}` failed with exit code {code}; its message is above."
        )
    click.secho(f"({time.monotonic() - start:.0f} s)", dim=True)


def _show_command(*words: object) -> None:
    click.echo()
    click.secho(f"$ {_command_line(words)}", bold=True)
    sys.stdout.flush()


def _command_line(words: tuple[object, ...]) -> str:
    return shlex.join(["lycosa", *map(str, words)])


def _command(*words: object) -> list[str]:
    return [sys.executable, "-m", "lycosa.cli", *map(str, words)]


def _serve(*words: object) -> None:
    with subprocess.Popen(_command("serve", *words)) as server:  # noqa: S603 - our own
        try:
            server.wait()
        except KeyboardInterrupt:  # the server gets the same Ctrl-C
            server.wait()


def _check_portal(portal: Path) -> None:
    """Serve the portal, send it requests, and check the responses."""
    command = _command("serve", portal, "--port", 0)
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server:  # noqa: S603
        try:
            assert server.stdout is not None  # noqa: S101 - it is a pipe
            address = server.stdout.readline().strip().rstrip("/")
            if not address:
                raise LycosaError("The portal cannot be served; the message above says why.")
            _check(address)
        finally:
            server.terminate()


def _check(address: str) -> None:
    def get(path: str) -> bytes:
        with urlopen(f"{address}{path}", timeout=30) as reply:  # noqa: S310 - our own
            body: bytes = reply.read()
        return body

    if _TITLE.encode() not in get("/"):
        raise LycosaError("The home page of the portal does not show its title.")
    first = json.loads(get("/api/works?kind=paper&size=1"))["items"][0]
    word = max(first["title"].replace(":", " ").split(), key=len)
    found = json.loads(get(f"/api/search?q=title:{word}"))
    if first["id"] not in [item["work"]["id"] for item in found["items"]]:
        raise LycosaError(f"A search for {word!r} does not find {first['title']!r}.")
    for path in (f"/search?q={word}", f"/work/{first['id']}", "/topics"):
        get(path)
    click.echo(f"The portal works: {found['total']} results for {word!r}.")


@contextmanager
def _serve_web(world: World, listener: socket.socket) -> Iterator[None]:
    """Serve a generated web in a thread."""
    from lycosa.sites.generated.server import serve

    loop, ready = asyncio.new_event_loop(), threading.Event()
    task = loop.create_task(serve(world, listener, ready.set))

    def run() -> None:
        with suppress(asyncio.CancelledError):
            loop.run_until_complete(task)

    thread = threading.Thread(target=run, name="generated web", daemon=True)
    thread.start()
    ready.wait(30)
    try:
        yield
    finally:
        loop.call_soon_threadsafe(task.cancel)
        thread.join(10)
        loop.close()
