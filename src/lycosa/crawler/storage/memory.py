"""A store in memory: for tests, and for crawls that are resumed in the same process."""

from __future__ import annotations

import json
import math
import threading
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any, NamedTuple

from lycosa.closing import Closing
from lycosa.crawler.http.response import Response
from lycosa.crawler.storage.store import StoredStep
from lycosa.errors import ContractError


class MemoryResponse(NamedTuple):
    """A response in memory: the first header of each lower-case name, and the body."""

    headers: Mapping[str, str]
    body: bytes


class MemoryStore(Closing):
    """Keeps the steps, responses and notes of a crawl in memory.

    After `close` the object can be handed to another crawl, which resumes where
    the first one ended.

    >>> from datetime import UTC, datetime
    >>> store = MemoryStore()
    >>> page = Response("http://a.example/", datetime.now(UTC), 200, body=b"Hello")
    >>> store.add(1, "http://a.example/", page, reward=1.0)
    >>> store.steps, list(store.replay())
    (0, [])
    >>> store.commit()
    >>> [(step, response)] = store.replay()
    >>> store.steps, step.reward, response.body
    (1, 1.0, b'Hello')
    """

    def __init__(self) -> None:
        self.kept: list[Response] = []
        """The committed responses that are not steps."""
        self._steps: list[tuple[StoredStep, MemoryResponse | None]] = []
        self._notes: dict[str, str] = {}
        self._conversions: dict[str, bytes] = {}
        self._lock = threading.Lock()
        self._discard()

    @property
    def steps(self) -> int:
        """The number of the last step that is committed; 0 if there is none."""
        return len(self._steps)

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
        """Buffer step `n`, one more than the last."""
        step = StoredStep.of(n, url, response, reward=reward, source=source, score=score)
        stored = None
        if response.fault is None:
            stored = MemoryResponse(_headers(response), response.content)
        with self._lock:
            expected = len(self._steps) + len(self._new_steps) + 1
            if n != expected:
                raise ContractError(f"Step {n} was added, but the next step is {expected}.")
            self._new_steps.append((step, stored))

    def amend(self, n: int, reward: float) -> None:
        """Buffer a new reward of a step."""
        with self._lock:
            self._new_rewards[n] = float(reward)

    def keep(self, response: Response) -> None:
        """Buffer a response that is not a step."""
        if response.fault is None:
            with self._lock:
                self._new_kept.append(response)

    def put(self, key: str, value: object) -> None:
        """Buffer a note: any value that JSON can express."""
        text = json.dumps(value)
        with self._lock:
            self._new_notes[key] = text

    def get(self, key: str, default: Any = None) -> Any:
        """Return the value last put under a key, committed or not."""
        with self._lock:
            text = self._new_notes.get(key) or self._notes.get(key)
        return default if text is None else json.loads(text)

    def keep_conversion(self, key: str, value: bytes) -> None:
        """Buffer a conversion of a document."""
        with self._lock:
            self._new_conversions[key] = value

    def conversion(self, key: str) -> bytes | None:
        """Return the conversion kept under a key, committed or not."""
        with self._lock:
            return self._new_conversions.get(key) or self._conversions.get(key)

    def commit(self) -> None:
        """Move the buffer to what `replay` and later crawls see."""
        with self._lock:
            self._steps += self._new_steps
            self._notes |= self._new_notes
            self._conversions |= self._new_conversions
            self.kept += self._new_kept
            for n, reward in self._new_rewards.items():
                step, response = self._steps[n - 1]
                self._steps[n - 1] = replace(step, reward=reward), response
            self._discard()

    def replay(self) -> Iterator[tuple[StoredStep, MemoryResponse | None]]:
        """Yield the committed steps in order, each with its response."""
        yield from list(self._steps)

    def close(self, *, commit: bool = True) -> None:
        """Commit the buffer, or discard it; the store can be used again."""
        if commit:
            self.commit()
        else:
            with self._lock:
                self._discard()

    def _discard(self) -> None:
        self._new_steps: list[tuple[StoredStep, MemoryResponse | None]] = []
        self._new_rewards: dict[int, float] = {}
        self._new_kept: list[Response] = []
        self._new_notes: dict[str, str] = {}
        self._new_conversions: dict[str, bytes] = {}


def _headers(response: Response) -> dict[str, str]:
    headers: dict[str, str] = {}
    for name, value in response.stored:
        headers.setdefault(name.lower(), value)
    return headers | response.repeated_headers
