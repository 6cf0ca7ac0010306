"""Which steps of a crawl become documents: the latest of each URL that the goal rewarded.

A target is rewarded once, however often it is asked for; so what came later from
its URL is its new version, if it came well and is of the same type. Else what was
wanted stays, also when the page is gone: the archive has it.
"""

from __future__ import annotations

from lycosa.crawler.storage.reader import CrawlReader, LoggedStep

_OK = 200


def wanted(ledger: CrawlReader) -> dict[str, LoggedStep]:
    """The steps by the URLs where redirects led, in order of steps."""
    found: dict[str, LoggedStep] = {}
    for entry in ledger.entries():
        if entry.file is None:
            continue
        last = found.get(entry.final)
        newer = last is not None and entry.status == _OK and entry.type == last.type
        if entry.reward > 0 or newer:
            found.pop(entry.final, None)  # to stand at its new place
            found[entry.final] = entry
    return found
