"""A small web in a thread, with addresses at which connections fail in every way."""

from __future__ import annotations

import asyncio
import shutil
import socket
import ssl
import subprocess
import threading
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

from crawler.live.small import Web

HERE, CLOSED, DEAF, SILENT, TLS, RUDE = (f"127.0.0.{n}" for n in range(1, 7))
"""Addresses: one serves the web; one refuses connections, one never takes them, one never
answers, one has a certificate that nobody has signed, and one hangs up."""


@contextmanager
def served_web(folder: Path, answers: dict[str, object]) -> Iterator[Web]:
    """Serve a small web, and what fails, all at one port; `folder` gets a certificate."""
    ready, loop, web = threading.Event(), asyncio.new_event_loop(), Web(answers)
    stop = asyncio.Event()
    context = _certificate(folder)

    async def main() -> None:
        async with web:
            servers = [
                await asyncio.start_server(_keep_silent, SILENT, web.port),
                await asyncio.start_server(_hang_up, RUDE, web.port),
            ]
            if context is not None:
                servers.append(
                    await asyncio.start_server(web._connected, TLS, web.port, ssl=context)
                )
            with _deaf(web.port):
                ready.set()
                await stop.wait()
            for server in servers:
                server.close()

    def run() -> None:
        asyncio.set_event_loop(loop)
        loop.run_until_complete(main())
        for task in asyncio.all_tasks(loop):
            task.cancel()
        loop.run_until_complete(asyncio.sleep(0.05))
        loop.close()

    thread = threading.Thread(target=run)
    thread.start()
    ready.wait(60)
    try:
        yield web
    finally:
        loop.call_soon_threadsafe(stop.set)
        thread.join()


async def _keep_silent(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    await reader.read()
    writer.close()


async def _hang_up(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    writer.transport.abort()
    writer.close()


@contextmanager
def _deaf(port: int) -> Iterator[None]:
    with ExitStack() as opened:
        listener = opened.enter_context(socket.socket())
        listener.bind((DEAF, port))
        listener.listen(0)
        for _ in range(8):  # its queue is full
            client = opened.enter_context(socket.socket())
            client.setblocking(False)
            client.connect_ex((DEAF, port))
        yield


def _certificate(folder: Path) -> ssl.SSLContext | None:
    if shutil.which("openssl") is None:
        return None
    command = "openssl req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=a.example".split()
    files = ["-keyout", "key.pem", "-out", "certificate.pem"]
    subprocess.run([*command, *files], cwd=folder, check=True, capture_output=True)
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    context.load_cert_chain(folder / "certificate.pem", folder / "key.pem")
    return context
