"""Everything Lycosa raises on purpose.

    LycosaError
    ├── UsageError      the caller asked for something that cannot be
    │   └── UnknownName a name that is not there; near matches are suggested
    ├── SiteError       a recorded site that cannot be used
    │   └── ArchiveError  an archive of which nothing could be read
    ├── StoreError      the folder of a crawl that cannot be read or written
    └── ContractError   an object that breaks the contract it claims to keep

A failed fetch or a broken document is not an exception but data with a name
(`Page.error`); exceptions are for misuse, and each is one sentence that says
what to do next.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable


class LycosaError(Exception):
    """The root of the tree: catch this to catch all of ours."""


class UsageError(LycosaError):
    """The caller asked for something that cannot be."""


class UnknownName(UsageError):
    """A name that is not there, with the nearest ones that are.

    >>> print(UnknownName("goal", "paper", ["papers", "courses"]))
    There is no goal 'paper'; did you mean 'papers'? Known: courses, papers.
    """

    def __init__(self, kind: str, name: str, known: Iterable[str]) -> None:
        choices = sorted(set(known))
        near = difflib.get_close_matches(name, choices, n=2, cutoff=0.5)
        hint = "; did you mean " + " or ".join(repr(n) for n in near) + "?" if near else "."
        listing = f" Known: {', '.join(choices)}." if choices else ""
        super().__init__(f"There is no {kind} {name!r}{hint}{listing}")
        self._parts = (kind, name, choices)

    def __reduce__(self) -> tuple[type[UnknownName], tuple[str, str, list[str]]]:
        # Errors cross process borders.
        return type(self), self._parts


class SiteError(LycosaError):
    """A recorded site that cannot be used."""


class ArchiveError(SiteError):
    """An archive of which nothing could be read."""


class StoreError(LycosaError):
    """The folder of a crawl cannot be read or written; what was committed is unharmed."""


class ContractError(LycosaError):
    """An object that breaks the contract it claims to keep."""
