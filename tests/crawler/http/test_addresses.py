"""The address policy, and the resolver that enforces it."""

import asyncio
from ipaddress import IPv4Address, IPv6Address, ip_network

import aiohttp
import pytest
from aiohttp.abc import AbstractResolver
from hypothesis import given
from hypothesis import strategies as st

from crawler.http.hostile import FakeNames, Hostile
from lycosa.crawler.http.addresses import AddressPolicy, ForbiddenAddress, system_lookup
from lycosa.crawler.http.aiohttp_connector import AiohttpResolver, connector
from lycosa.crawler.http.fetcher import ClientConfig
from lycosa.crawler.http.http_fetcher import HttpFetcher
from lycosa.crawler.http.resolver import NameResolver

LOOPBACK = ["127.0.0.0/8", "::1/128"]
PRIVATE = ["10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "100.64.0.0/10", "fc00::/7"]
# What the IANA registries of special addresses call not globally reachable, and multicast.
NEVER = [
    "0.0.0.0/8", "169.254.0.0/16", "192.0.0.0/29", "192.0.2.0/24", "198.18.0.0/15",
    "198.51.100.0/24", "203.0.113.0/24", "224.0.0.0/4", "240.0.0.0/4", "255.255.255.255/32",
    "::/128", "64:ff9b:1::/48", "100::/64", "2001:2::/48", "2001:db8::/32", "fe80::/10",
    "fec0::/10", "ff00::/8", "::7f00:0/104", "2002:7f00::/24", "2002:a00::/24",
    "64:ff9b::7f00:0/104", "64:ff9b::a9fe:0/112", "4000::/3",
]  # fmt: skip
PUBLIC = ["1.1.1.1", "93.184.215.14", "172.15.255.255", "172.32.0.0", "100.63.255.255",
          "100.128.0.0", "2606:4700:4700::1111", "2a00:1450::1", "64:ff9b::101:101",
          "2002:101:101::1", "::ffff:1.1.1.1"]  # fmt: skip
POLICIES = [AddressPolicy(a, b) for a in (False, True) for b in (False, True)]


def some(networks):
    """Addresses of networks: their ends and some between."""
    nets = [ip_network(n) for n in networks]
    ends = [str(n[k]) for n in nets for k in (0, -1)]
    inside = st.sampled_from(nets).flatmap(
        lambda n: st.integers(0, n.num_addresses - 1).map(lambda k: str(n[k]))
    )
    return st.sampled_from(ends) | inside


@given(some(NEVER), st.sampled_from(POLICIES))
def test_special_addresses_are_never_allowed(address, policy):
    assert not policy.allows(address)


@given(some(LOOPBACK), st.sampled_from(POLICIES))
def test_loopback_is_allowed_only_by_allow_loopback(address, policy):
    assert policy.allows(address) == policy.allow_loopback


@given(some(PRIVATE), st.sampled_from(POLICIES))
def test_private_networks_are_allowed_only_by_allow_private(address, policy):
    assert policy.allows(address) == policy.allow_private


@pytest.mark.parametrize("address", PUBLIC)
def test_public_addresses_are_allowed(address):
    assert all(policy.allows(address) for policy in POLICIES)


@given(st.integers(0, 2**32 - 1))
def test_an_embedded_ipv4_address_is_judged_itself(number):
    bare = str(IPv4Address(number))
    for policy in POLICIES:
        assert policy.allows(f"::ffff:{bare}") == policy.allows(bare)
    nat64 = IPv6Address((0x64FF9B << 96) | number)
    relay = IPv6Address((0x2002 << 112) | (number << 80) | 1)
    for outer in (nat64, relay):
        assert AddressPolicy().allows(str(outer)) == AddressPolicy().allows(bare)


@given(st.text(max_size=20))
def test_text_that_is_no_address_is_not_allowed(text):
    try:
        IPv4Address(text)
    except ValueError:
        if ":" not in text:
            assert not AddressPolicy(True, True).allows(text)


def fetched(urls, lookup, addresses=AddressPolicy()):  # noqa: B008
    """What comes of fetching from a hostile server, and how often it was connected to."""

    async def run():
        async with (
            Hostile() as server,
            HttpFetcher(ClientConfig("a@b.example"), addresses=addresses, lookup=lookup) as fetcher,
        ):
            results = [await fetcher.fetch(url.replace("PORT", str(server.port))) for url in urls]
            return results, server.connections

    return asyncio.run(run())


ODD = [
    "http://127.0.0.1:PORT/page/1",
    "http://2130706433:PORT/page/1",
    "http://0x7f.1:PORT/page/1",
    "http://0177.0.0.1:PORT/page/1",
    "http://127.1:PORT/page/1",
    "http://①②⑦.0.0.1:PORT/page/1",
    "http://[::ffff:127.0.0.1]:PORT/page/1",
    "http://[::ffff:7f00:1]:PORT/page/1",
    "http://0:PORT/page/1",
    "http://a.example:PORT/page/1",
    "http://A.EXAMPLE.:PORT/page/1",
    "http://mapped.example:PORT/page/1",
    "http://public.example@a.example:PORT/page/1",
]
NAMES = {
    "a.example": [["127.0.0.1"]],
    "a.example.": [["127.0.0.1"]],
    "mapped.example": [["::ffff:127.0.0.1", "10.0.0.1"]],
}


def test_no_spelling_of_loopback_is_dialled():
    results, connections = fetched(ODD, FakeNames(NAMES))
    assert [r.fault for r in results] == ["private-address"] * len(ODD)
    assert connections == 0


def test_every_spelling_of_loopback_is_dialled_if_allowed():
    urls = [url for url in ODD if "//0:" not in url and "mapped" not in url]
    results, connections = fetched(urls, FakeNames(NAMES), AddressPolicy(allow_loopback=True))
    assert [(r.fault, r.status) for r in results] == [(None, 200)] * len(urls)
    assert connections > 0
    assert {r.address for r in results} <= {"127.0.0.1", "::ffff:127.0.0.1"}


def test_an_unknown_name_is_a_dns_fault():
    results, _ = fetched(["http://nowhere.example/", "http://nowhere.example/"], FakeNames({}))
    assert [r.fault for r in results] == ["dns", "dns"]


def test_dns_rebinding_is_refused():
    async def run():
        lookup = FakeNames({"r.example": [["127.0.0.1"], ["10.0.0.1"], ["169.254.169.254"]]})
        policy = AddressPolicy(allow_loopback=True)
        names = AiohttpResolver(NameResolver(policy, lookup, lifetime=0))
        options = {"force_close": True}
        async with (
            Hostile() as server,
            aiohttp.ClientSession(connector=connector(names, policy, **options)) as session,
        ):
            url = server.url("/page/1", "r.example")
            async with session.get(url) as reply:
                assert reply.status == 200
            for _ in range(2):
                with pytest.raises(aiohttp.ClientConnectorDNSError) as caught:
                    await session.get(url)
                assert isinstance(caught.value.os_error, ForbiddenAddress)
            assert server.connections == 1
        assert len(lookup.asked) == 3

    asyncio.run(run())


def test_the_socket_refuses_forbidden_addresses_of_any_resolver():
    class Traitor(AbstractResolver):
        async def resolve(self, host, port=0, family=0):
            return [{"hostname": host, "host": "127.0.0.1", "port": port, "family": 2,
                     "proto": 0, "flags": 0}]  # fmt: skip

        async def close(self):
            pass

    async def run():
        async with (
            Hostile() as server,
            aiohttp.ClientSession(connector=connector(Traitor(), AddressPolicy())) as session,
        ):
            with pytest.raises(aiohttp.ClientConnectorError) as caught:
                await session.get(server.url("/page/1", "a.example"))
            assert isinstance(caught.value.os_error, ForbiddenAddress)
            assert server.connections == 0

    asyncio.run(run())


def test_only_the_allowed_addresses_of_a_name_are_dialled():
    async def run():
        lookup = FakeNames({"a.example": [["10.0.0.1", "1.1.1.1", "fe80::1%eth0", "::1"]]})
        names = NameResolver(AddressPolicy(), lookup)
        assert await names.addresses("a.example") == ("1.1.1.1",)
        (result,) = await AiohttpResolver(names).resolve("a.example", 80)
        assert (result["host"], result["port"]) == ("1.1.1.1", 80)

    asyncio.run(run())


def test_names_are_cached_for_their_lifetime():
    async def run():
        lookup = FakeNames({"a.example": [["1.1.1.1"], ["2.2.2.2"]]})
        now = 0.0
        names = NameResolver(
            AddressPolicy(), lookup, lifetime=60, failed_lifetime=5, clock=lambda: now
        )
        assert await names.addresses("a.example") == ("1.1.1.1",)
        now = 59.0
        assert await names.addresses("a.example") == ("1.1.1.1",)
        assert len(lookup.asked) == 1
        now = 60.0
        assert await names.addresses("a.example") == ("2.2.2.2",)
        assert len(lookup.asked) == 2
        for time, asked in ((100.0, 3), (104.0, 3), (105.0, 4)):
            now = time
            with pytest.raises(OSError, match="has no address"):
                await names.addresses("nowhere.example")
            assert len(lookup.asked) == asked

    asyncio.run(run())


def test_the_cache_of_names_is_bounded():
    async def run():
        lookup = FakeNames({f"{n}.example": [["1.1.1.1"]] for n in range(50)})
        names = NameResolver(AddressPolicy(), lookup, capacity=10)
        for n in range(50):
            await names.addresses(f"{n}.example")
        assert len(names) == 10
        await names.addresses("49.example")
        await names.addresses("40.example")
        assert len(lookup.asked) == 50

    asyncio.run(run())


def test_requests_share_one_lookup_and_one_may_be_cancelled():
    async def run():
        go = asyncio.Event()
        asked = []

        async def lookup(name):
            asked.append(name)
            await go.wait()
            return ["1.1.1.1"]

        names = NameResolver(AddressPolicy(), lookup)
        tasks = [asyncio.create_task(names.addresses("a.example")) for _ in range(5)]
        await asyncio.sleep(0)
        tasks[0].cancel()
        await asyncio.sleep(0)
        go.set()
        results = await asyncio.gather(*tasks, return_exceptions=True)
        assert isinstance(results[0], asyncio.CancelledError)
        assert results[1:] == [("1.1.1.1",)] * 4
        assert asked == ["a.example"]

    asyncio.run(run())


def test_lookups_are_limited_in_number_and_time():
    async def run():
        busy = most = 0

        async def lookup(name):
            nonlocal busy, most
            busy += 1
            most = max(most, busy)
            try:
                await asyncio.sleep(60 if name == "slow.example" else 0)
            finally:
                busy -= 1
            return ["1.1.1.1"]

        names = NameResolver(AddressPolicy(), lookup, max_lookups=3, timeout=0.5)
        wanted = ["slow.example", *(f"{n}.example" for n in range(20))]
        results = await asyncio.gather(*map(names.addresses, wanted), return_exceptions=True)
        assert isinstance(results[0], OSError)
        assert results[1:] == [("1.1.1.1",)] * 20
        assert most == 3
        unfinished = asyncio.create_task(names.addresses("slow2.example"))
        await asyncio.sleep(0)
        await names.close()
        with pytest.raises(asyncio.CancelledError):
            await unfinished
        assert busy == 0

    asyncio.run(run())


def test_the_system_lookup_resolves_localhost():
    assert {"127.0.0.1", "::1"} & set(asyncio.run(system_lookup("localhost")))
