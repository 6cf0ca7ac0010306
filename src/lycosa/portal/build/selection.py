"""Selection of the steps that become documents: the latest of each URL that was rewarded.

A crawl rewards a target once, however often it is fetched. A later response from
its URL is its new version if its status is 200 and its type is the same. Otherwise
the earlier one stays, also when the page is gone: the archive has it.
"""

from __future__ import annotations

from collections.abc import Callable

from lycosa.crawler.storage.reader import CrawlReader, LoggedStep

_OK = 200


def select_steps(
    crawl: CrawlReader, is_excluded: Callable[[str], bool] = lambda url: False
) -> dict[str, LoggedStep]:
    """Return the steps by their final URLs, in the order of steps, without excluded ones."""
    found: dict[str, LoggedStep] = {}
    for entry in crawl.entries():
        if entry.file is None:
            continue
        last = found.get(entry.final)
        newer = last is not None and entry.status == _OK and entry.type == last.type
        if entry.reward > 0 or newer:
            found.pop(entry.final, None)  # so that it is at its new place
            found[entry.final] = entry
    return {url: entry for url, entry in found.items() if not is_excluded(url)}
