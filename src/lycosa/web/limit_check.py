"""Check of limits: whether `lycosa.web.html_limits` would leave a page as it is.

Nearly every page is within the limits. Compiled, this module finds that out without an
object for each tag; uncompiled it would be no faster than the limits themselves, and knows
nothing. `limit_check.pyx` is its source in C.
"""

from __future__ import annotations


def is_within_limits(html: str, depth: int, attributes: int, start_tags: int) -> bool:
    """Return True if the limits are known to change nothing; False also if that is unknown.

    `depth`, `attributes` and `start_tags` are the limits: of open elements, of the attributes
    of a tag, and of the start tags of the page.

    >>> is_within_limits("<div>" * 100_000 + "x", 256, 64, 200_000)
    False
    """
    return False
