"""The contract of a fetcher: every implementation keeps it, and the check finds what breaks it."""

import asyncio
from dataclasses import replace
from datetime import UTC, datetime

import pytest

from crawler.http.hostile import FakeNames, Hostile
from lycosa.crawler.http import (
    AddressPolicy,
    ClientConfig,
    DictFetcher,
    Fault,
    HttpFetcher,
    Limits,
    Response,
    check_fetcher,
)
from lycosa.errors import ContractError

PAGE = "http://a.example/"
MOVED = Response(PAGE, datetime.now(UTC), 302, raw_headers=((b"Location", b"/"),))
PAGES = {PAGE: "Hello", "http://a.example/moved": MOVED, "http://gone.example/": Fault.DNS}


def check(fetcher, **urls):
    asyncio.run(check_fetcher(fetcher, PAGE, **urls))


def test_dict_fetcher_keeps_the_contract():
    check(
        DictFetcher(PAGES),
        redirect="http://a.example/moved",
        unreachable="http://gone.example/",
    )


def test_dict_fetcher_answers_304_to_a_known_etag():
    headers = ((b"Content-Type", b"text/html"), (b"ETag", b'"v1"'))
    page = Response(PAGE, datetime.now(UTC), 200, "HTTP/1.1 200 OK", headers, b"Hello")
    fetcher = DictFetcher({PAGE: page})
    check(fetcher)
    again = asyncio.run(fetcher.fetch(PAGE, etag='"v1"'))
    assert (again.status, again.body) == (304, b"")
    assert asyncio.run(fetcher.fetch(PAGE, etag='"v2"')).status == 200


def test_http_fetcher_keeps_the_contract():
    async def run():
        names = FakeNames({"a.example": [["127.0.0.1"]]})
        limits = Limits(connect=60, read=60, total=120)
        here = AddressPolicy(allow_loopback=True)
        async with Hostile() as server:
            fetcher = HttpFetcher(ClientConfig("t@example.org"), limits, here, lookup=names)
            await check_fetcher(
                fetcher,
                server.url("/unchanged", "a.example"),
                redirect=server.url("/hop/3", "a.example"),
                unreachable="http://nowhere.example/",
            )

    asyncio.run(run())


class Raises(DictFetcher):
    async def fetch(self, url, **options):
        if not url.startswith("http"):
            raise ValueError(url)
        return await super().fetch(url, **options)


class Ignores(DictFetcher):
    async def fetch(self, url, *, accept=None, **options):
        return await super().fetch(url, **options)


class Both(DictFetcher):
    async def fetch(self, url, **options):
        return replace(await super().fetch(url, **options), fault="dns")


class Follows(DictFetcher):
    async def fetch(self, url, **options):
        response = await super().fetch(url, **options)
        return response if response.location is None else await self.fetch(response.location)


@pytest.mark.parametrize(
    ("fetcher", "sentence"),
    [
        (Raises(PAGES), "instead of raising"),
        (Ignores(PAGES), "accept is called once"),
        (Both(PAGES), "a status or a fault, not both"),
        (Follows(PAGES), "a redirect is a response with its Location"),
        (DictFetcher({}), "status 200"),
        (object(), "has the methods"),
    ],
)
def test_a_broken_contract_is_one_sentence(fetcher, sentence):
    with pytest.raises(ContractError, match=sentence):
        check(fetcher, redirect="http://a.example/moved")
