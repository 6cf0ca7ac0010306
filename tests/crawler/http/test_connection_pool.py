"""Connections on real sockets: reuse, limits, several addresses, servers that hang up."""

import asyncio

from crawler.http.hostile import PATIENT, FakeNames, Hostile, answer
from lycosa.crawler.http.addresses import AddressPolicy
from lycosa.crawler.http.connection_pool import ConnectionPool, Origin
from lycosa.crawler.http.fetcher import ClientConfig
from lycosa.crawler.http.http_fetcher import HttpFetcher
from lycosa.crawler.http.resolver import NameResolver

CLIENT = ClientConfig("spider@example.org")
HERE = AddressPolicy(allow_loopback=True)


def test_a_connection_that_the_server_closed_meanwhile_is_replaced():
    connections = []

    async def greet(reader, writer):
        connections.append(writer)
        with_next = b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"
        await reader.readuntil(b"\r\n\r\n")
        writer.write(with_next)
        await reader.read(1)  # of the next request, which is not answered
        writer.close()

    async def run():
        server = await asyncio.start_server(greet, "127.0.0.1", 0)
        url = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}/"
        async with server:
            async with HttpFetcher(CLIENT, PATIENT, HERE) as fetcher:
                found = [(await fetcher.fetch(url)).status for _ in range(3)]
            await asyncio.sleep(0.05)
        return found

    assert asyncio.run(run()) == [200, 200, 200]
    assert len(connections) == 3


def test_a_new_connection_that_is_closed_at_once_is_not_tried_again():
    async def run():
        async with Hostile() as server, HttpFetcher(CLIENT, PATIENT, HERE) as fetcher:
            found = await fetcher.fetch(server.url("/drop"))
            return found.fault, server.seen

    assert asyncio.run(run()) == ("reset", ["/drop"])


def test_another_address_is_tried_when_the_first_one_refuses():
    async def run():
        names = FakeNames({"a.example": [["127.0.0.99", "127.0.0.1"]]})
        async with Hostile() as server, HttpFetcher(CLIENT, PATIENT, HERE, lookup=names) as fetcher:
            found = await fetcher.fetch(server.url("/page/1", "a.example"))
            return found.status, found.address

    assert asyncio.run(run()) == (200, "127.0.0.1")


def test_connections_in_all_are_limited_and_idle_ones_make_room():
    async def run():
        names = FakeNames({f"{n}.example": [["127.0.0.1"]] for n in range(6)})
        async with Hostile() as server:
            options = {"lookup": names, "max_connections": 2, "per_host": 2}
            async with HttpFetcher(CLIENT, PATIENT, HERE, **options) as fetcher:
                urls = [server.url(f"/page/{n}", f"{n % 6}.example") for n in range(24)]
                found = await asyncio.gather(*map(fetcher.fetch, urls))
                assert {page.status for page in found} == {200}
                await asyncio.sleep(0.05)
                assert server.open <= 2
            await asyncio.sleep(0.05)
            assert server.open == 0

    asyncio.run(run())


def test_requests_that_are_cancelled_while_they_wait_leave_their_slots():
    async def run():
        async with Hostile() as server, HttpFetcher(CLIENT, PATIENT, HERE, per_host=1) as fetcher:
            first = asyncio.create_task(fetcher.fetch(server.url("/silent")))
            while not server.seen:
                await asyncio.sleep(0.01)
            waiting = [asyncio.create_task(fetcher.fetch(server.url("/page/1"))) for _ in range(5)]
            await asyncio.sleep(0.01)
            for task in (*waiting[:3], first):
                task.cancel()
            await asyncio.gather(first, *waiting, return_exceptions=True)
            return [task.cancelled() or task.result().status for task in waiting]

    assert asyncio.run(run()) == [True, True, True, 200, 200]


def test_a_server_that_speaks_unasked_loses_its_connection():
    async def greet(reader, writer):
        await reader.readuntil(b"\r\n\r\n")
        writer.write(answer())
        await asyncio.sleep(0.01)
        writer.write(answer("500 Surprise"))
        await reader.read()  # until the client closes
        writer.close()

    async def run():
        server = await asyncio.start_server(greet, "127.0.0.1", 0)
        url = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}/"
        async with server, HttpFetcher(CLIENT, PATIENT, HERE) as fetcher:
            found = []
            for _ in range(2):
                found.append((await fetcher.fetch(url)).status)
                await asyncio.sleep(0.1)
            return found

    assert asyncio.run(run()) == [200, 200]


def test_origins_without_connections_are_forgotten():
    async def run():
        async with Hostile() as server:
            limits = {"per_origin": 1, "in_all": 1, "verify": True}
            pool = ConnectionPool(NameResolver(HERE), HERE, PATIENT, **limits)
            origins = [Origin("http", f"127.0.0.{n}", server.port) for n in (1, 1)]
            for origin in origins:
                connection = await pool.open(origin)
                pool.release(origin, connection, keep=False)
            assert not pool._origins
            pool.close()

    asyncio.run(run())
