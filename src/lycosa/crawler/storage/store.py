"""The store interface: what the live crawl needs of anything that keeps its state.

`Store` is the protocol. `SqliteStore` implements it in a folder, `MemoryStore`
in memory; `check_store` puts an implementation to the contract.

The frontier is not stored with the steps. A crawl that is resumed replays them: it
parses the stored responses again and shows them to policy and goal, in order. A
store with checkpoints (`CheckpointStore`) spares the crawl all but the last steps.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, Protocol, Self, runtime_checkable

from lycosa.crawler.http.response import Response
from lycosa.errors import ContractError

if TYPE_CHECKING:
    from lycosa.crawler.storage.checkpoints import CheckpointFolder

LOST = "lost"
"""The fault of a step whose record in the archive is damaged."""

PAGE_RULES = "page-rules"
"""The key of the note that has the rules of pages, each with the step from which it is valid."""
UNKNOWN_RULES = "unknown"
"""That note, if the notes were lost."""

MOVED = "moved"
"""Begins the key, followed by a colon and the number of a step, of the note that says that a page
which had been fetched before has moved for good."""

UNKNOWN_URL = "http://lost.invalid/"
"""Begins the URL, followed by its number, of a lost step whose own URL is lost, too."""


@dataclass(frozen=True, slots=True)
class StoredStep:
    """One step of a crawl as a store keeps it."""

    n: int
    """The number of the step, from 1."""
    url: str
    """The URL that was requested."""
    final: str
    """The URL at which redirects ended."""
    status: int
    """The HTTP status; 0 with a fault."""
    type: str
    """The Content-Type header as sent."""
    fault: str | None
    """Why there is no response; None if there is one."""
    reward: float
    """The reward of the page by the goal."""
    source: int
    """The step whose page had the link; 0 for a seed."""
    score: float
    """The score of the link by the policy; infinite for a seed."""
    when: datetime
    """When the request was made, in UTC."""

    @classmethod
    def of(
        cls, n: int, url: str, response: Response, *, reward: float, source: int, score: float
    ) -> Self:
        """Make the step of a response; raise a `ContractError` if a number is NaN."""
        if math.isnan(reward) or math.isnan(score):
            raise ContractError(f"Step {n} has a reward or score that is not a number.")
        return cls(
            int(n), _encodable(url), _encodable(response.url), response.status,
            _encodable(response.type), None if response.fault is None else str(response.fault),
            float(reward), int(source), float(score), response.when.astimezone(UTC),
        )  # fmt: skip


class StoredResponse(Protocol):
    """A response as a store gives it back."""

    @property
    def headers(self) -> Mapping[str, str]:
        """The first header of each name, in lower case; all of the `REPEATED_HEADERS`, a line each.

        These are in `lycosa.archive.http_message`.
        """

    @property
    def body(self) -> bytes:
        """The decoded body; that of the rendered document, if the page was rendered."""


@runtime_checkable
class Store(Protocol):
    """Keeps the steps, responses and notes of one crawl.

    `add`, `amend`, `keep` and `put` only buffer; `commit` makes the buffer
    durable, all of it or nothing. `commit` runs in another thread while the
    crawl buffers more. A commit that fails raises a `StoreError`, keeps its
    buffer and can be repeated.
    """

    @property
    def steps(self) -> int:
        """The number of the last step that is committed; 0 if there is none."""

    def add(
        self,
        n: int,
        url: str,
        response: Response,
        *,
        reward: float = 0.0,
        source: int = 0,
        score: float = math.inf,
    ) -> None:
        """Buffer step `n`, one more than the last: the URL, the final response, its reward.

        `source` is the step whose page had the link, 0 for a seed. The response
        may be a fault. Raises a `ContractError` for any other `n`, or for NaN.
        """

    def amend(self, n: int, reward: float) -> None:
        """Buffer a new reward of a step."""

    def keep(self, response: Response) -> None:
        """Buffer a response that is not a step, such as a robots.txt or a redirect.

        It is kept for the archive: the crawl never reads it back.
        """

    def put(self, key: str, value: object) -> None:
        """Buffer a note: any value that JSON can express."""

    def get(self, key: str, default: Any = None) -> Any:
        """Return the value last put under a key, committed or not."""

    def commit(self) -> None:
        """Make the buffer durable."""

    def replay(self) -> Iterator[tuple[StoredStep, StoredResponse | None]]:
        """Yield the committed steps in order, each with its response.

        The response is None if the step has a fault, or if it was damaged. The
        crawl may `amend` and `get` while it iterates.
        """

    def close(self, *, commit: bool = True) -> None:
        """Commit the buffer, or discard it, and release the store; a second call does nothing."""


@runtime_checkable
class ConversionReader(Protocol):
    """A source of the conversions of documents that a crawl has made.

    With it a document is not converted again when the crawl is resumed or a
    portal is built. Keys and values are those of `lycosa.documents.conversion`.
    """

    def conversion(self, key: str) -> bytes | None:
        """Return the conversion kept under a key, committed or not; None if there is none.

        It may be called from any thread.
        """


@runtime_checkable
class ConversionStore(ConversionReader, Protocol):
    """A store that also keeps conversions of documents: an optional extension of `Store`."""

    def keep_conversion(self, key: str, value: bytes) -> None:
        """Buffer a conversion; `commit` makes it durable. It may be called from any thread."""


@runtime_checkable
class ArchivingStore(Protocol):
    """A store that writes a web archive: an optional extension of `Store`."""

    def describe(self, facts: Mapping[str, str], *, revisits: bool = False) -> None:
        """Note how the pages of this run are fetched, for readers of the archive.

        `revisits` says that pages of earlier runs are requested again: the store may
        then keep those that have not changed as references to their first copy.
        """


@runtime_checkable
class CheckpointStore(Store, Protocol):
    """A store that also keeps checkpoints of the crawl: an optional extension of `Store`."""

    @property
    def checkpoints(self) -> CheckpointFolder:
        """The checkpoints of the crawl."""

    def replay(self, after: int = 0) -> Iterator[tuple[StoredStep, StoredResponse | None]]:
        """Yield the committed steps after step `after`, as `Store.replay` does."""


@runtime_checkable
class RevisitStore(CheckpointStore, Protocol):
    """A store that finds the latest response of a URL: an optional extension of `Store`.

    With it a crawl that requests some pages again restores its checkpoint, and reads from
    the archive only those pages.
    """

    def latest(self, url: str) -> StoredResponse | None:
        """Return the last response of a final URL with status 200; None if there is none.

        `describe` was called with `revisits`.
        """


def _encodable(text: str) -> str:
    """Replace lone surrogates, which cannot be encoded as UTF-8."""
    return text if text.isascii() else text.encode("utf-8", "replace").decode()
