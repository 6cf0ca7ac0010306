"""Why a live crawl stopped, in words."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

REASONS: Mapping[str, str] = MappingProxyType(
    {
        "budget: pages": "it has the number of pages it was allowed",
        "budget: targets": "it has the number of targets it was asked for",
        "budget: seconds": "its time is up",
        "budget: score": "only links that are not worth following are left",
        "frontier empty": "every page within reach was asked for",
        "recall reached": "the wanted share of the targets was found, as far as can be told",
        "person": "somebody stopped it",
    }
)


def reason_words(reason: str) -> str:
    """Half a sentence; a reason that nobody knows speaks for itself.

    >>> reason_words("frontier empty"), reason_words("out of coffee")
    ('every page within reach was asked for', 'out of coffee')
    """
    return REASONS.get(reason, reason)
