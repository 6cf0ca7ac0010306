"""`lycosa demo`: the whole journey on a web that is made up, each step a command to type."""

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

_SITES = 4  # three to learn from, one to crawl
_SHARE = 3  # of so many pages one is asked for
_WEB = 8001  # the port of the made-up web, if it is free
_TITLE = "Papers of a department that does not exist"


@click.command()
@click.argument("folder", metavar="[DIR]", type=Path, default=Path("demo"))
@click.option("--pages", default=600, show_default=True, help="How many pages each site has.")
@click.option("--port", default=8000, show_default=True, help="Of the portal; 0 is any free port.")
@click.option("--open", "opening", is_flag=True, help="Open the portal in your browser.")
@click.option("--check", is_flag=True, help="Ask the portal some questions, then end.")
def demo(folder: Path, pages: int, port: int, opening: bool, check: bool) -> None:
    """From nothing to a search engine, on a web that is made up.

    Four departments are made up, with people, courses and real PDF papers that
    cite each other. A spider learns on recordings of three where links to
    papers are. The fourth is served on this machine and crawled as the real
    web is; what was found becomes a portal, and its address is printed. Every
    step is a command that is shown, to be typed again. All is kept in DIR.

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
        listener = bind(_WEB)
    except OSError:
        listener = bind()
    with listener:
        base = f"http://127.0.0.1:{listener.getsockname()[1]}"
        world = World(0, departments=_SITES, pages=pages, base=base)
        with _served(world, listener):
            _journey(folder, world, pages)
            click.echo()
            if check:
                _ask(folder / "portal")
                return
            more = ["--open"] if opening else []
            _say("serve", folder / "portal", "--port", port, *more)
            _serving(folder / "portal", "--port", str(port), *more)


def _journey(folder: Path, world: World, pages: int) -> None:
    """Everything up to the finished portal."""
    web, spider, portal = folder / "web", folder / "spider.lyc", folder / "portal"
    names = [site.name for site in world.sites]
    click.echo(f"A made-up web is at {world.sites[-1].base.rsplit('/', 1)[0]}/")
    _do("generate", web, "--sites", _SITES, "--pages", pages)
    _do("train", *(web / name for name in names[:-1]), "--goal", "papers", "-o", spider)
    _begin(portal, f"{world.sites[-1].base}/", spider, pages // _SHARE)
    _do("crawl", portal, "--quiet")
    _do("build", portal)


def _begin(portal: Path, seed: str, spider: Path, pages: int) -> None:
    """Write the lycosa.toml of the crawl, and leave nothing there of another web."""
    settings = portal / "lycosa.toml"
    text = (
        f"# Written by `lycosa demo`; `lycosa new` writes one for a crawl of your own.\n"
        f"seeds = {json.dumps([seed])}\n"
        f"goal = {{ paper = true }}\n"
        f"spider = {json.dumps(str(spider.resolve()))}\n\n"
        f"[budget]\npages = {pages}\n\n"
        f"[scope]\nprefixes = {json.dumps([seed])}\n\n"
        f'[politeness]\ncontact = "nobody@example.org"\ndelay = 0\n\n'
        f"[safety]\nloopback = true\n\n"
        f"[portal]\ntitle = {json.dumps(_TITLE)}\n"
        f'description = "Made up, crawled and built by lycosa demo."\ntopics = "computer-science"\n'
    )
    if settings.exists() and settings.read_text(encoding="utf-8") != text:
        shutil.rmtree(portal)
    portal.mkdir(parents=True, exist_ok=True)
    settings.write_text(text, encoding="utf-8")
    click.echo(f"\n{settings} says what is wanted: papers, from {seed}")


def _do(*words: object) -> None:
    """Run a command of ours as a person would, and show it."""
    _say(*words)
    start = time.monotonic()
    code = subprocess.run(_command(*words), check=False).returncode  # noqa: S603 - our own
    if code:
        raise LycosaError(f"`{_typed(words)}` ended with {code}; what it said stands above.")
    click.secho(f"({time.monotonic() - start:.0f} s)", dim=True)


def _say(*words: object) -> None:
    click.echo()
    click.secho(f"$ {_typed(words)}", bold=True)
    sys.stdout.flush()


def _typed(words: tuple[object, ...]) -> str:
    return shlex.join(["lycosa", *map(str, words)])


def _command(*words: object) -> list[str]:
    return [sys.executable, "-m", "lycosa.cli", *map(str, words)]


def _serving(*words: object) -> None:
    with subprocess.Popen(_command("serve", *words)) as server:  # noqa: S603 - our own
        try:
            server.wait()
        except KeyboardInterrupt:  # it was pressed for both
            server.wait()


def _ask(portal: Path) -> None:
    """Serve the portal, look whether it answers as it should, and say what it found."""
    command = _command("serve", portal, "--port", 0)
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server:  # noqa: S603
        try:
            assert server.stdout is not None  # noqa: S101 - it was asked for
            address = server.stdout.readline().strip().rstrip("/")
            if not address:
                raise LycosaError("The portal cannot be served; why stands above.")
            _check(address)
        finally:
            server.terminate()


def _check(address: str) -> None:
    def get(path: str) -> bytes:
        with urlopen(f"{address}{path}", timeout=30) as reply:  # noqa: S310 - our own
            body: bytes = reply.read()
        return body

    if _TITLE.encode() not in get("/"):
        raise LycosaError("The first page of the portal does not bear its title.")
    first = json.loads(get("/api/works?kind=paper&size=1"))["items"][0]
    word = max(first["title"].replace(":", " ").split(), key=len)
    found = json.loads(get(f"/api/search?q=title:{word}"))
    if first["id"] not in [one["work"]["id"] for one in found["items"]]:
        raise LycosaError(f"A search for {word!r} does not find {first['title']!r}.")
    for path in (f"/search?q={word}", f"/work/{first['id']}", "/topics"):
        get(path)
    click.echo(f"The portal answers: {found['total']} found for {word!r}. All is well.")


@contextmanager
def _served(world: World, listener: socket.socket) -> Iterator[None]:
    """A world that answers requests while something is done."""
    from lycosa.sites.generated.server import serve

    loop, ready = asyncio.new_event_loop(), threading.Event()
    task = loop.create_task(serve(world, listener, ready.set))

    def run() -> None:
        with suppress(asyncio.CancelledError):
            loop.run_until_complete(task)

    thread = threading.Thread(target=run, name="made-up web", daemon=True)
    thread.start()
    ready.wait(30)
    try:
        yield
    finally:
        loop.call_soon_threadsafe(task.cancel)
        thread.join(10)
        loop.close()
