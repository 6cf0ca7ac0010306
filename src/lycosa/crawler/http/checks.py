"""The contract of a fetcher, as a test that any implementation can be put to."""

from __future__ import annotations

import asyncio
from itertools import pairwise

from lycosa.crawler.http.faults import Fault
from lycosa.crawler.http.fetcher import Fetcher
from lycosa.crawler.http.response import Response
from lycosa.errors import ContractError
from lycosa.web.urls import canonical

_CONCURRENT_REQUESTS = 8


async def check_fetcher(
    fetcher: Fetcher, page: str, *, redirect: str | None = None, unreachable: str | None = None
) -> None:
    """Raise a `ContractError` if a fetcher breaks its contract.

    `page` is a URL that the fetcher answers with status 200 and a body;
    `redirect`, if given, one that it answers with a redirect, and `unreachable`
    one that cannot be fetched at all. The fetcher is opened and closed once.

    >>> from lycosa.crawler.http.dict_fetcher import DictFetcher
    >>> asyncio.run(check_fetcher(DictFetcher({"http://a.example/": "Hi"}), "http://a.example/"))
    """
    _must(isinstance(fetcher, Fetcher), "a fetcher has the methods of lycosa.crawler.http.Fetcher")
    async with fetcher as opened:
        _must(opened is fetcher, "`async with` gives the fetcher itself")
        await _check_page(fetcher, page)
        await _check_conditions(fetcher, page)
        await _check_concurrency(fetcher, page)
        await _check_faults(fetcher, page, unreachable)
        if redirect is not None:
            response = await _fetch(fetcher, redirect)
            _must(response.location is not None, "a redirect is a response with its Location")
            _must(response.url == canonical(redirect), "a redirect is not followed")


async def _check_page(fetcher: Fetcher, page: str) -> None:
    response = await _fetch(fetcher, page)
    _must(response.status == 200, f"{page} is answered with status 200")
    _must(bool(response.body), f"{page} is answered with a body")
    _must(response.url == canonical(page), "a response bears the canonical form of its URL")
    address = await fetcher.address(page)
    _must(isinstance(address, str), "address() returns text, empty if the address is unknown")


async def _check_conditions(fetcher: Fetcher, page: str) -> None:
    """The body is aborted by `accept`, and may be left out by validators."""
    statuses: list[int] = []

    def refuse(status: int, type: str, length: int | None) -> str | None:
        statuses.append(status)
        return Fault.TYPE_NOT_WANTED

    refused = await fetcher.fetch(page, accept=refuse)
    _must(len(statuses) == 1, "accept is called once for a response")
    _must(statuses == [200], "accept is called with the status of the response")
    _must(refused.fault == Fault.TYPE_NOT_WANTED, "a response that accept refuses has its fault")
    _check_response(refused)
    first = await fetcher.fetch(page, accept=lambda status, kind, length: None)
    _must(first.status == 200, "a response that accept lets pass is downloaded")
    known = fetcher.known_address(page)
    _must(
        known is None or known == await fetcher.address(page),
        "known_address() returns what address() does, or None",
    )
    tags = {"etag": first.header("ETag"), "modified": first.header("Last-Modified")}
    again = await fetcher.fetch(page, etag=tags["etag"] or None, modified=tags["modified"] or None)
    _check_response(again)
    _must(again.status in (200, 304), "a page fetched again is answered with 200 or 304")
    _must(again.status != 304 or not again.body, "a response with status 304 has no body")


async def _check_concurrency(fetcher: Fetcher, page: str) -> None:
    found = await asyncio.gather(*(fetcher.fetch(page) for _ in range(_CONCURRENT_REQUESTS)))
    for one, other in pairwise(found):
        _must(one.status == other.status == 200, "several requests may be in flight at once")
    task = asyncio.create_task(fetcher.fetch(page))
    await asyncio.sleep(0)
    task.cancel()
    # A fetch that had ended already keeps its response.
    [outcome] = await asyncio.gather(task, return_exceptions=True)
    _must(
        isinstance(outcome, asyncio.CancelledError | Response),
        "a request that is cancelled raises CancelledError",
    )
    _must((await fetcher.fetch(page)).status == 200, "a cancelled request disturbs no other")


async def _check_faults(fetcher: Fetcher, page: str, unreachable: str | None) -> None:
    bad = await _fetch(fetcher, "no web address")
    _must(bad.fault == Fault.BAD_URL, f"text that is no URL is answered with {Fault.BAD_URL!r}")
    if unreachable is not None:
        failed = await _fetch(fetcher, unreachable)
        _must(failed.fault is not None, f"{unreachable} is answered with a fault")
        await fetcher.address(unreachable)
    _must((await fetcher.fetch(page)).status == 200, "a fault disturbs no later request")


async def _fetch(fetcher: Fetcher, url: str) -> Response:
    try:
        response = await fetcher.fetch(url)
    except Exception as error:
        raise ContractError(
            f"A fetcher returns a response with a fault instead of raising, but fetching {url} "
            f"raised {error!r}."
        ) from error
    _must(isinstance(response, Response), "fetch() returns a Response")
    _check_response(response)
    return response


def _check_response(response: Response) -> None:
    _must(
        (response.status == 0) == (response.fault is not None),
        "a response has a status or a fault, not both",
    )
    _must(response.fault is None or not response.body, "a response with a fault has no body")
    _must(response.when.tzinfo is not None, "the time of a response has a time zone")
    _must(response.seconds >= 0, "the duration of a response is not negative")
    _must(isinstance(response.body, bytes), "the body of a response is bytes")


def _must(holds: bool, rule: str) -> None:
    if not holds:
        raise ContractError(f"The fetcher breaks its contract: {rule}.")
