"""The crawl by crawlee-python that `bench.live` measures, in an environment of its own.

`make bench-live` installs crawlee there, because nothing else of the project needs it. This
file imports nothing of Lycosa. Argument: what it is given, as JSON; it prints JSON.
"""

from __future__ import annotations

import json
import logging
import sys
from datetime import timedelta

from bench.clock import Clock

AT_ONCE = 32


async def crawl(seed: str) -> dict[str, float]:
    """Crawl everything below a URL with crawlee's fastest parser, and state in memory."""
    from crawlee import ConcurrencySettings, Glob
    from crawlee.crawlers import ParselCrawler, ParselCrawlingContext
    from crawlee.storage_clients import MemoryStorageClient

    crawler = ParselCrawler(
        storage_client=MemoryStorageClient(),
        concurrency_settings=ConcurrencySettings(
            min_concurrency=AT_ONCE, max_concurrency=AT_ONCE, desired_concurrency=AT_ONCE
        ),
        max_request_retries=0,
        retry_on_blocked=False,
        use_session_pool=False,
        configure_logging=False,
        ignore_http_error_status_codes=[404, 403, 410, 500],
        statistics_log_format="inline",
        request_handler_timeout=timedelta(minutes=5),
    )
    found = 0

    @crawler.router.default_handler
    async def handle(context: ParselCrawlingContext) -> None:
        nonlocal found
        for attribute, selector in (("href", "a, area"), ("src", "frame, iframe")):
            links = await context.extract_links(
                selector=selector, attribute=attribute, include=[Glob(f"{seed}**")]
            )
            found += len(links)
            await context.add_requests(links)

    clock = Clock()
    await crawler.run([seed])
    return {**clock.read(), "links": found}


if __name__ == "__main__":
    import uvloop

    logging.disable(logging.CRITICAL)
    print(json.dumps(uvloop.run(crawl(**json.loads(sys.argv[1])))))
