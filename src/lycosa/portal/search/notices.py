"""Parts of a query as a notice to the reader names them."""

from __future__ import annotations

from collections.abc import Sequence

from lycosa.portal.message import Message

MAX_LISTED = 5
"""Parts of a query that a notice lists."""
MAX_CHARACTERS = 40
"""Of each part."""


def list_parts(parts: Sequence[str]) -> str:
    """Return parts of a query in quotation marks; of many, the first.

    >>> list_parts(["a*", "b*"])
    '“a*”, “b*”'
    >>> list_parts(["robot", *map(str, range(9))])
    '“robot”, “0”, “1”, “2”, “3” and 5 more'
    """
    shown = [part if len(part) <= MAX_CHARACTERS else part[:MAX_CHARACTERS] + "…" for part in parts]
    more = len(parts) - MAX_LISTED
    listed = ", ".join(f"“{part}”" for part in shown[:MAX_LISTED])
    return Message("%(parts)s and %(more)s more", parts=listed, more=more) if more > 0 else listed
