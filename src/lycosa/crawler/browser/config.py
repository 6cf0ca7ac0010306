"""The configuration of rendering, and the faults of it."""

from __future__ import annotations

from dataclasses import dataclass, fields
from enum import StrEnum
from math import isfinite
from typing import Self

from lycosa.errors import UsageError

MODES = ("never", "auto", "always")
"""When pages are rendered: never, where it pays, or always."""


@dataclass(frozen=True, slots=True)
class RenderConfig:
    """When pages are rendered, by which browser, and under which limits.

    >>> RenderConfig("auto").mode
    'auto'
    """

    mode: str = "never"
    """`never`; `auto`: the pages of hosts at which a sample shows that it gains links;
    `always`: every HTML page."""
    browser: str | None = None
    """The path of a Chromium; None: the first one found in the PATH."""
    seconds: float = 10.0
    """Maximum seconds that the scripts of a page may run; waits for requests do not count."""
    total: float = 120.0
    """Maximum seconds for a page, waits for requests included."""
    clock: float = 5.0
    """Seconds that pass on the page's own clock: timers beyond them do not fire."""
    requests: int = 32
    """Maximum requests for scripts and data of one page."""
    received: int = 16 << 20
    """Maximum bytes of the scripts and data of one page."""
    document: int = 8 << 20
    """Maximum characters of a rendered document; a larger page is not rendered either."""
    heap: int = 256 << 20
    """Maximum bytes of the JavaScript heap of a page."""
    process: int = 1 << 30
    """Maximum resident bytes of a process of the browser."""
    tabs: int = 2
    """Maximum pages that are rendered at a time."""

    def __post_init__(self) -> None:
        if self.mode not in MODES:
            raise UsageError(f"{self.mode!r} is no way to render: give never, auto or always.")
        for field in fields(self)[2:]:
            value = getattr(self, field.name)
            if not isfinite(value) or value <= 0:
                raise UsageError(f"RenderConfig.{field.name} is {value!r}: give more than 0.")


class RenderFault(StrEnum):
    """Why a page was not rendered, with a description; its response is used as it came.

    >>> print(RenderFault.TIMEOUT.words)
    The scripts of the page ran too long.
    """

    words: str
    """A description in one sentence."""

    def __new__(cls, name: str, words: str) -> Self:
        """Make the string and set its attribute."""
        fault = str.__new__(cls, name)
        fault._value_ = name
        fault.words = words
        return fault

    NO_BROWSER = "no-browser", "The browser does not start."
    BROWSER_CRASHED = "browser-crashed", "The browser ended twice while it rendered the page."
    PAGE_CRASHED = "page-crashed", "The page crashed, or used too much memory."
    TIMEOUT = "render-timeout", "The scripts of the page ran too long."
    TOO_LARGE = "render-too-large", "The rendered document is larger than the limit."
    REFUSED = "render-refused", "The browser does not show the page as a document."
