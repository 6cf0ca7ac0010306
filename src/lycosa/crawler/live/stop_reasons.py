"""The reasons for which a live crawl ends, in words."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

REASONS: Mapping[str, str] = MappingProxyType(
    {
        "budget: pages": "Stopped: the page budget is used up.",
        "budget: targets": "Stopped: the wanted number of targets was found.",
        "budget: seconds": "Stopped: the time budget is used up.",
        "budget: score": "Stopped: only links below the minimum score are left.",
        "frontier empty": "Stopped: every reachable page was requested.",
        "recall reached": "Stopped: by the estimate, at least the wanted share was found.",
        "person": "Stopped by Ctrl-C.",
        "signal": "Stopped by the signal SIGTERM.",
    }
)
"""A sentence for every reason."""


def stop_sentence(reason: str) -> str:
    """Return why a crawl ended, as a sentence; an unknown reason is quoted.

    >>> stop_sentence("person"), stop_sentence("out of memory")
    ('Stopped by Ctrl-C.', 'Stopped: out of memory.')
    """
    return REASONS.get(reason, f"Stopped: {reason}.")
