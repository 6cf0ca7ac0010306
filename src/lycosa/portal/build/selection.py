"""Selection of the steps that become documents: the latest of each URL that was rewarded.

A crawl rewards a target once, however often it is fetched. A later response from its URL is
its new version if its status is 200 and its type is the same. Otherwise the earlier one
stays. A document is known by the URL where it was first found: if that has moved for good
(a permanent redirect), the document has another URL from then on and stays the same one. If
it has moved to where another document is, it is part of that one.

A document whose URL answers 404 or 410 is gone since then, until it is back. The archive
has it, so it is shown for a while, with that date.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from lycosa.crawler.http.faults import Fault
from lycosa.crawler.storage.reader import CrawlReader, LoggedStep

_OK = 200
_GONE = (404, 410)


@dataclass
class Selection:
    """The documents of a crawl, by the URLs where they were first found."""

    steps: dict[str, LoggedStep] = field(default_factory=dict)
    """The steps with their latest versions, in the order of steps."""
    gone: dict[str, LoggedStep] = field(default_factory=dict)
    """For those that are gone, the step that first found it."""
    merged: dict[str, LoggedStep] = field(default_factory=dict)
    """Those that have moved to where another document is, with the step that found it."""


def select_steps(
    crawl: CrawlReader, is_excluded: Callable[[str], bool] = lambda url: False
) -> Selection:
    """Return the documents of a crawl, without those at excluded URLs."""
    found = Selection()
    first_urls: dict[str, str] = {}  # of documents that have moved, by where they are now
    for entry in crawl.entries():
        asked = first_urls.get(entry.url, entry.url)
        elsewhere = entry.final != entry.url or entry.fault == Fault.KNOWN_PAGE
        if elsewhere and asked in found.steps and crawl.has_moved(entry):
            _move(found, first_urls, asked, entry)
            continue
        name = first_urls.get(entry.final, entry.final)
        last = found.steps.get(name)
        if last is not None and entry.status in _GONE:
            found.gone.setdefault(name, entry)
        elif last is not None and entry.status in (_OK, 304):
            found.gone.pop(name, None)
        if entry.digest is None:  # there was no response; one that was dropped has a digest
            continue
        newer = last is not None and entry.status == _OK and entry.type == last.type
        back = name in found.merged and entry.status == _OK
        if entry.reward > 0 or newer or back:
            _put(found, name, entry)
    for name, entry in list(found.steps.items()):
        if is_excluded(name) or is_excluded(entry.final):
            found.steps.pop(name)
            found.gone.pop(name, None)
    return found


def _move(found: Selection, first_urls: dict[str, str], asked: str, entry: LoggedStep) -> None:
    """Let a document have another URL, or be part of the document there."""
    there = first_urls.get(entry.final, entry.final)
    if entry.fault == Fault.KNOWN_PAGE or (there in found.steps and there != asked):
        found.merged[asked] = entry
        found.steps.pop(asked)
        found.gone.pop(asked, None)
    elif entry.digest is not None and entry.status == _OK:
        first_urls[entry.final] = asked
        found.gone.pop(asked, None)
        _put(found, asked, entry)
    elif entry.status in _GONE:
        found.gone.setdefault(asked, entry)


def _put(found: Selection, name: str, entry: LoggedStep) -> None:
    found.merged.pop(name, None)
    found.steps.pop(name, None)  # so that it is at its new place
    found.steps[name] = entry
