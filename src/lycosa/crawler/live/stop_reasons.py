"""The reasons for which a live crawl ends, in words."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

REASONS: Mapping[str, str] = MappingProxyType(
    {
        "budget: pages": "the page budget is used up",
        "budget: targets": "the wanted number of targets was found",
        "budget: seconds": "the time budget is used up",
        "budget: score": "only links below the minimum score are left",
        "frontier empty": "every reachable page was requested",
        "recall reached": "the wanted share of the targets was found, by the estimate",
        "person": "it was stopped by the user",
    }
)


def reason_words(reason: str) -> str:
    """Return a reason as half a sentence; an unknown reason is returned as it is.

    >>> reason_words("frontier empty"), reason_words("out of memory")
    ('every reachable page was requested', 'out of memory')
    """
    return REASONS.get(reason, reason)
