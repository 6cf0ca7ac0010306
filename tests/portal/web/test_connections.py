import asyncio
import socket
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from functools import partial
from types import SimpleNamespace

import pytest
import uvicorn
from hypothesis import given
from hypothesis import strategies as st

from lycosa.portal.web.connections import ConnectionTable, LimitedConnection

LARGE = b"x" * 20_000_000  # more than the buffers of a socket take
LONG = 60.0


async def app(scope, receive, send):
    if scope["type"] != "http":
        return
    message = await receive()
    while message.get("more_body"):
        message = await receive()
    body = LARGE if scope["path"] == "/large" else b"answer"
    length = str(len(body)).encode()
    await send(
        {
            "type": "http.response.start",
            "status": 200,
            "headers": [(b"content-length", length)],
        }
    )
    await send({"type": "http.response.body", "body": body})


@asynccontextmanager
async def served(table=None, request=LONG, reading=LONG):
    table = ConnectionTable() if table is None else table
    protocol = partial(
        LimitedConnection, table=table, request_seconds=request, reading_seconds=reading
    )
    config = uvicorn.Config(app, http=protocol, lifespan="off", log_level="critical")
    server = uvicorn.Server(config)
    with socket.create_server(("127.0.0.1", 0)) as listener:
        task = asyncio.create_task(server.serve([listener]))
        yield listener.getsockname()
        server.should_exit = True
        await task
        await asyncio.sleep(0)  # transports close


@asynccontextmanager
async def connected(address):
    stream = await asyncio.open_connection(*address)
    try:
        yield stream
    finally:
        stream[1].close()
        with suppress(ConnectionError):
            await stream[1].wait_closed()


async def ask(stream, path="/"):
    reader, writer = stream
    writer.write(f"GET {path} HTTP/1.1\r\nHost: portal.example\r\n\r\n".encode())
    head = await reader.readuntil(b"\r\n\r\n")
    return head.split(b" ")[1], await reader.readexactly(6)


async def ended(stream):
    """Read until the server closes the connection; the test times out if it never does."""
    with suppress(ConnectionError):
        while await stream[0].read(1_000_000):
            pass
    return True


@pytest.mark.parametrize(
    "sent",
    [
        b"",
        b"GET / HTTP/1.1\r\nHost: portal",
        b"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\npart",
    ],
)
def test_a_request_that_does_not_arrive_in_time_ends_its_connection(sent):
    async def run():
        async with served(request=0.1) as address, connected(address) as stream:
            stream[1].write(sent)
            return await ended(stream)

    assert asyncio.run(run())


def test_a_second_request_on_a_connection_has_a_deadline_too():
    async def run():
        async with served(request=0.1) as address, connected(address) as stream:
            first = await ask(stream)
            stream[1].write(b"GET / HTTP/1.1\r\n")
            return first, await ended(stream)

    assert asyncio.run(run()) == ((b"200", b"answer"), True)


def test_an_answered_request_cancels_its_deadline():
    async def run():
        async with served(request=2.0) as address, connected(address) as stream:
            found = [await ask(stream)]
            await asyncio.sleep(2.2)
            return [*found, await ask(stream)]

    assert asyncio.run(run()) == [(b"200", b"answer")] * 2


class CountingTable(ConnectionTable):
    admitted = 0

    def admit(self, client, connection):
        self.admitted += 1
        return super().admit(client, connection)


def test_a_reader_that_does_not_read_loses_its_connection():
    async def run():
        table = CountingTable()
        async with served(table, reading=0.1) as address:
            with socket.create_connection(address) as client:
                client.sendall(b"GET /large HTTP/1.1\r\nHost: a\r\n\r\n")
                while not table.admitted or len(table):
                    await asyncio.sleep(0.01)
        return True

    assert asyncio.run(run())


def test_half_open_connections_of_one_client_do_not_close_the_portal():
    async def run():
        table = ConnectionTable(total=20, each=10)
        async with served(table) as address, AsyncExitStack() as open_ones:
            for _ in range(60):
                await open_ones.enter_async_context(connected(address))
            fresh = await open_ones.enter_async_context(connected(address))
            return await ask(fresh), len(table) <= 10

    assert asyncio.run(run()) == ((b"200", b"answer"), True)


def test_a_client_whose_connections_are_all_in_use_is_refused():
    async def run():
        table = ConnectionTable(total=20, each=2)
        async with served(table) as address:
            with (
                socket.create_connection(address) as one,
                socket.create_connection(address) as two,
            ):
                for busy in (one, two):
                    busy.sendall(b"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\n1")
                await asyncio.sleep(0.2)
                async with connected(address) as (reader, _):
                    return await reader.read()

    reply = asyncio.run(run())
    head, _, body = reply.partition(b"\r\n\r\n")
    assert head.startswith(b"HTTP/1.1 503")
    assert f"Content-Length: {len(body)}".encode() in head
    assert b"too many connections" in body


clients = st.sampled_from("abc")
actions = st.lists(st.tuples(st.sampled_from(("open", "close", "use")), clients), max_size=60)


@given(actions)
def test_no_client_exceeds_its_share_and_connections_in_use_are_never_closed(steps):
    table = ConnectionTable(total=6, each=3)
    alive = {}

    def make(client):
        def abort():
            assert connection.is_idle
            del alive[id(connection)]

        connection = SimpleNamespace(is_idle=True, abort=abort, client=client)
        return Hashed(connection)

    class Hashed:
        def __init__(self, of):
            self.of = of

        is_idle = property(lambda self: self.of.is_idle)

        def abort(self):
            self.of.abort()

    for action, client in steps:
        mine = [each for each in alive.values() if each.of.client == client]
        if action == "open":
            new = make(client)
            before = len(mine), all(not each.is_idle for each in mine)
            alive[id(new.of)] = new
            admitted = table.admit(client, new)
            assert admitted == (before != (3, True))
            if not admitted:
                del alive[id(new.of)]
        elif mine and action == "close":
            table.remove(client, mine[0])
            del alive[id(mine[0].of)]
        elif mine:
            mine[0].of.is_idle = False
        assert len(table) == len(alive)
        for each in "abc":
            assert sum(found.of.client == each for found in alive.values()) <= 3
        if len(alive) > 6:  # only because all others are in use
            assert sum(each.is_idle for each in alive.values()) <= 1
