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
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import quote
from urllib.request import urlopen

import click

from lycosa.cli.terminal import is_coloured, say
from lycosa.errors import LycosaError, UsageError

if TYPE_CHECKING:
    from lycosa.sites.generated import World

_SITES = 4  # three to train on, one to crawl
_PAGES_PER_REQUEST = 3  # the crawl may fetch one page in three
_PAGES_OF_ADDED_SITE = 100  # the crawl may fetch more of each site that the user adds
_PORTS_TRIED = 20  # from the one that was asked for
_WEB_PORT = 8001  # of the generated web, if it is free
_TITLE = "Papers of a department that does not exist"
_MIN_LETTERS = 5  # of a word to search for: shorter ones say little
_CONTACT = "demo@example.org"  # only servers on this machine see it


@click.command()
@click.argument("folder", metavar="[DIR]", type=Path, default=Path("demo"))
@click.option("--pages", default=600, show_default=True, help="How many pages each site has.")
@click.option(
    "--port", default=8000, show_default=True, help="Port of the portal; 0 is any free port."
)
@click.option(
    "--sites",
    "added",
    multiple=True,
    metavar="FOLDER|URL",
    help="A site of your own: a recorded one to train on too, or a URL to crawl too. Repeatable.",
)
@click.option("--contact", default="", help="Your email address, for the servers of --sites URLs.")
@click.option("--open", "opening", is_flag=True, help="Open the portal in your browser.")
@click.option("--check", is_flag=True, help="Send some requests to the portal, then exit.")
def demo(
    folder: Path,
    pages: int,
    port: int,
    added: tuple[str, ...],
    contact: str,
    opening: bool,
    check: bool,
) -> None:
    """Run every step from a generated web to a search portal.

    The demo generates four departments with people, courses and real PDF papers
    that cite each other. It trains a spider on recordings of three of them,
    serves the fourth on this machine, crawls it as it would crawl the real web,
    builds a portal from the papers found, and prints the portal's address.
    Every step is a command that is shown, so that you can run it yourself. All
    files are in DIR. With --sites the spider also learns from a site that you
    recorded, or the crawl also visits a URL, politely, and the portal has the
    papers of both.

    \b
    Examples:
      lycosa demo
      lycosa demo --open
      lycosa demo --sites https://www.cs.example.edu/ --contact you@example.org
      lycosa demo /tmp/demo --check
    """  # noqa: D301
    from lycosa.sites.generated import World
    from lycosa.sites.generated.server import bind

    if folder.exists() and not folder.is_dir():
        raise UsageError(f"{folder} is a file; give the name of a folder.")
    sites = AddedSites.of(added, contact)
    if not check:
        port = _free_port(port)
    try:
        listener = bind(_WEB_PORT)
    except OSError:
        listener = bind()
    with listener:
        base = f"http://127.0.0.1:{listener.getsockname()[1]}"
        world = World(0, departments=_SITES, pages=pages, base=base)
        with _serve_web(world, listener):
            _run_steps(folder, world, pages, sites)
            click.echo()
            if check:
                _check_portal(folder / "portal")
                return
            more = ["--open"] if opening else []
            _show_command("serve", folder / "portal", "--port", port, *more)
            _serve(folder / "portal", "--port", str(port), *more)


@dataclass(frozen=True, slots=True)
class AddedSites:
    """The sites that a user adds: recorded ones to learn from, and URLs to crawl."""

    recorded: tuple[Path, ...]
    urls: tuple[str, ...]
    contact: str
    """The user's email address; empty without URLs."""

    @classmethod
    def of(cls, added: tuple[str, ...], contact: str) -> AddedSites:
        """Return the sites of the command line, or raise an error that says what to do."""
        urls = tuple(name for name in added if "://" in name)
        recorded = tuple(Path(name) for name in added if "://" not in name)
        for path in recorded:
            if not (path / "site.toml").is_file():
                raise UsageError(
                    f"{path} is not a recorded site; `lycosa record URL -o {path}` makes one."
                )
        if urls and not contact:
            raise UsageError(
                "Add --contact with your email address: it is sent to the servers of --sites."
            )
        return cls(recorded, urls, contact)


def _free_port(port: int) -> int:
    """Return the first free port from `port` on, and say so if it is another one."""
    from lycosa.sites.generated.server import bind

    if not 0 <= port <= 65535:
        raise UsageError(f"A port is a number from 0 to 65535, not {port}.")
    for candidate in range(port, min(port + _PORTS_TRIED, 65536)):
        try:
            bind(candidate).close()
        except OSError:
            continue
        if candidate != port:
            click.echo(f"Port {port} is in use by another program; the portal gets {candidate}.")
        return candidate
    raise UsageError(
        f"The ports {port} to {port + _PORTS_TRIED - 1} are in use; choose another with --port."
    )


def _run_steps(folder: Path, world: World, pages: int, added: AddedSites) -> None:
    """Run the commands up to the finished portal."""
    web, spider, portal = folder / "web", folder / "spider.lyc", folder / "portal"
    names = [site.name for site in world.sites]
    click.echo(f"The generated web is at {world.sites[-1].base.rsplit('/', 1)[0]}/")
    _run_command("generate", web, "--sites", _SITES, "--pages", pages)
    training = [*(web / name for name in names[:-1]), *added.recorded]
    _run_command("train", *training, "--goal", "papers", "-o", spider)
    _write_project(portal, f"{world.sites[-1].base}/", spider, pages // _PAGES_PER_REQUEST, added)
    _run_command("crawl", portal)
    _run_command("build", portal)


def _write_project(portal: Path, seed: str, spider: Path, pages: int, added: AddedSites) -> None:
    """Write the lycosa.toml of the crawl; delete a crawl of another generated web."""
    settings = portal / "lycosa.toml"
    seeds = [seed, *added.urls]
    pages += _PAGES_OF_ADDED_SITE * len(added.urls)
    # Without a delay only on this machine; other servers get the polite default.
    delay = "" if added.urls else "delay = 0\n"
    text = (
        f"# Written by `lycosa demo`; `lycosa new` writes one for a crawl of your own.\n"
        f"seeds = {json.dumps(seeds)}\n"
        f"goal = {{ paper = true }}\n"
        f"spider = {json.dumps(str(spider.resolve()))}\n\n"
        f"[budget]\npages = {pages}\n\n"
        f"[scope]\nprefixes = {json.dumps(seeds)}\n\n"
        f"[politeness]\ncontact = {json.dumps(added.contact or _CONTACT)}\n{delay}\n"
        f"[safety]\nloopback = true\n\n"
        f"[portal]\ntitle = {json.dumps(_TITLE)}\n"
        f'description = "Made up, crawled and built by lycosa demo."\ntopics = "computer-science"\n'
    )
    if settings.exists() and settings.read_text(encoding="utf-8") != text:
        shutil.rmtree(portal)
    portal.mkdir(parents=True, exist_ok=True)
    settings.write_text(text, encoding="utf-8")
    click.echo(f"\n{settings} defines the crawl: papers, from {' and '.join(seeds)}")


def _run_command(*words: object) -> None:
    """Show a lycosa command, run it, and raise an error if it fails."""
    _show_command(*words)
    start = time.monotonic()
    code = subprocess.run(_command(*words), check=False).returncode  # noqa: S603 - our own
    if code:
        raise LycosaError(
            f"`{_command_line(words)}` failed with exit code {code}; its message is above."
        )
    _echo_styled(f"({time.monotonic() - start:.0f} s)", dim=True)


def _show_command(*words: object) -> None:
    click.echo()
    _echo_styled(f"$ {_command_line(words)}", bold=True)
    sys.stdout.flush()


def _echo_styled(text: str, **style: bool) -> None:
    click.echo(click.style(text, **style) if is_coloured() else text)


def _command_line(words: tuple[object, ...]) -> str:
    return shlex.join(["lycosa", *map(str, words)])


def _command(*words: object) -> list[str]:
    return [sys.executable, "-m", "lycosa.cli", *map(str, words)]


def _serve(*words: object) -> None:
    """Serve the portal until Ctrl-C, and say what to try."""
    command = _command("serve", *words)
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server:  # noqa: S603
        try:
            address = _address(server)
            click.echo(address)
            say(*things_to_try(address))
            sys.stdout.flush()
            server.wait()
        except KeyboardInterrupt:  # the server gets the same Ctrl-C
            server.wait()


def _address(server: subprocess.Popen[str]) -> str:
    """Return the address that a server prints first."""
    assert server.stdout is not None  # noqa: S101 - it is a pipe
    address = server.stdout.readline().strip().rstrip("/")
    if not address:
        raise LycosaError("The portal cannot be served; the message above says why.")
    return address


def _check_portal(portal: Path) -> None:
    """Serve the portal, send it requests, and check the responses."""
    command = _command("serve", portal, "--port", 0)
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server:  # noqa: S603
        try:
            address = _address(server)
            _check(address)
            say(*things_to_try(address))
        finally:
            server.terminate()


def _get(url: str) -> bytes:
    with urlopen(url, timeout=30) as reply:  # noqa: S310 - our own
        body: bytes = reply.read()
    return body


def things_to_try(address: str) -> list[str]:
    """Return three addresses of a portal with something to see, each with a line about it."""
    listed = json.loads(_get(f"{address}/api/works?kind=paper&size=100"))["items"]
    ranked = json.loads(_get(f"{address}/api/search?sort=cited&size=100"))["items"]
    known = {work["id"] for work in listed}
    works = [item["work"] for item in ranked if item["work"]["id"] in known] or listed
    if not works:
        return []
    best = works[0]
    words = Counter(
        word
        for work in works
        for word in {part.strip(":?,.").lower() for part in work["title"].split()}
        if len(word) > _MIN_LETTERS
    )
    word, _ = words.most_common(1)[0]
    total = json.loads(_get(f"{address}/api/search?q={quote(word)}&size=1"))["total"]
    author = best["authors"][0]["name"] if best["authors"] else ""
    query = quote(f'author:"{author}"')
    return [
        "",
        "Three things to try:",
        f"  {address}/search?q={quote(word)}",
        f"      {total} works about {word}; narrow them by topic, year or author on the left",
        f"  {address}/work/{best['id']}",
        f"      {best['title']}: what it cites, what cites it, the citation graph",
        f"  {address}/search?q={query}",
        f"      everything by {author}, and where each fact about it comes from",
        "",
        "A site of your own: lycosa demo --sites https://www.cs.example.edu/ --contact YOU",
    ]


def _check(address: str) -> None:
    if _TITLE.encode() not in _get(f"{address}/"):
        raise LycosaError("The home page of the portal does not show its title.")
    first = json.loads(_get(f"{address}/api/works?kind=paper&size=1"))["items"][0]
    word = max(first["title"].replace(":", " ").split(), key=len)
    found = json.loads(_get(f"{address}/api/search?q=title:{quote(word)}"))
    if first["id"] not in [item["work"]["id"] for item in found["items"]]:
        raise LycosaError(f"A search for {word!r} does not find {first['title']!r}.")
    for path in (f"/search?q={quote(word)}", f"/work/{first['id']}", "/topics"):
        _get(f"{address}{path}")
    total = found["total"]
    click.echo(f"The portal works: {total} {'result' if total == 1 else 'results'} for {word!r}.")


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
