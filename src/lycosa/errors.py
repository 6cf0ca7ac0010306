"""The exceptions of Lycosa.

    LycosaError
    ├── UsageError      the caller asked for something impossible
    │   └── UnknownName a name that does not exist; similar ones are suggested
    ├── SiteError       a recorded site that cannot be used
    │   └── ArchiveError  an archive of which nothing could be read
    ├── StoreError      the folder of a crawl that cannot be read or written
    ├── SeedError       a crawl of which no start page gave a page
    └── ContractError   an object that breaks the contract it claims to keep

A failed fetch or a damaged document is not an exception but data with a name
(`Page.error`); exceptions are for misuse, and the message of each is one
sentence that says what to do next.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Sequence


class LycosaError(Exception):
    """Base class of all exceptions of Lycosa."""


class UsageError(LycosaError):
    """The caller asked for something impossible."""


class UnknownName(UsageError):
    """A name that does not exist; the message suggests the most similar ones.

    `kind` says what the name is of, and `known` are the names that exist.

    >>> print(UnknownName("goal", "paper", ["papers", "courses"]))
    There is no goal 'paper'; did you mean 'papers'? Known: courses, papers.
    """

    def __init__(self, kind: str, name: str, known: Iterable[str]) -> None:
        choices = sorted(set(known))
        similar = difflib.get_close_matches(name, choices, n=2, cutoff=0.5)
        hint = "; did you mean " + " or ".join(repr(n) for n in similar) + "?" if similar else "."
        listing = f" Known: {', '.join(choices)}." if choices else ""
        super().__init__(f"There is no {kind} {name!r}{hint}{listing}")
        self._parts = (kind, name, choices)

    def __reduce__(self) -> tuple[type[UnknownName], tuple[str, str, list[str]]]:
        # Exceptions are pickled between processes.
        return type(self), self._parts


class SiteError(LycosaError):
    """A recorded site that cannot be used."""


class ArchiveError(SiteError):
    """An archive of which nothing could be read."""


class StoreError(LycosaError):
    """The folder of a crawl cannot be read or written; what was committed is not affected."""


class SeedError(LycosaError):
    """No start page of a crawl gave a page; `failures` has the cause of each."""

    def __init__(self, failures: Sequence[object]) -> None:
        super().__init__("No start page gave a page. " + " ".join(map(str, failures)))
        self.failures = tuple(failures)

    def __reduce__(self) -> tuple[type[SeedError], tuple[tuple[object, ...]]]:
        # Exceptions are pickled between processes.
        return type(self), (self.failures,)


class ContractError(LycosaError):
    """An object that breaks the contract it claims to keep."""
