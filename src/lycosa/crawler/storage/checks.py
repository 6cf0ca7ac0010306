"""The contract of a store, as a test that any implementation can be put to."""

from __future__ import annotations

import math
import threading
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

from lycosa.crawler.http.faults import Fault
from lycosa.crawler.http.response import Response
from lycosa.crawler.storage.store import ConversionStore, Store, StoredStep
from lycosa.errors import ContractError

_URL = "http://a.example/"
_NOTE = {"text": "é", "numbers": [1, 2.5, None], "flag": True}
_THREADED_STEPS = 200


def check_store(make_store: Callable[[], Store]) -> None:
    """Raise a `ContractError` if a store breaks its contract.

    `make_store` opens the store: at first an empty one, and each time after the
    previous one was closed the same one again, with all that was committed.

    >>> from lycosa.crawler.storage.memory import MemoryStore
    >>> store = MemoryStore()
    >>> check_store(lambda: store)
    """
    store = make_store()
    _must(isinstance(store, Store), "a store has the members of lycosa.crawler.storage.Store")
    _check_empty(store)
    _check_buffer(store)
    expected = _check_steps(store)
    _close(store)
    store = make_store()
    _check_reopened(store, expected)
    _check_threads(store)
    if isinstance(store, ConversionStore):
        store.keep_conversion("kept", b"\0text")
        _must(store.conversion("kept") == b"\0text", "conversion() returns what was kept")
        _must(store.conversion("missing") is None, "conversion() returns None for another key")
        store.commit()
        store.keep_conversion("discarded", b"text")
    committed = store.steps
    store.put("discarded", 1)
    store.add(committed + 1, _URL, _page(b"discarded"))
    store.close(commit=False)
    store = make_store()
    _must(store.steps == committed, "close(commit=False) discards buffered steps")
    _must(store.get("discarded") is None, "close(commit=False) discards buffered notes")
    if isinstance(store, ConversionStore):
        _must(store.conversion("kept") == b"\0text", "conversions are kept by a commit")
        _must(store.conversion("discarded") is None, "close(commit=False) discards conversions")
    store.add(committed + 1, _URL, _page(b"closed"))
    _close(store)
    store = make_store()
    _must(store.steps == committed + 1, "close() commits the buffer")
    store.close()


def _check_empty(store: Store) -> None:
    _must(store.steps == 0, "a new store has no steps")
    _must(list(store.replay()) == [], "a new store has nothing to replay")
    _must(store.get("missing", 7) == 7, "get() returns the default for a key that was never put")
    store.commit()


def _check_buffer(store: Store) -> None:
    store.put("note", 1)
    store.put("note", _NOTE)
    _must(store.get("note") == _NOTE, "get() returns what was put, before it is committed")
    store.add(1, _URL, _page(b"first"), reward=1.0)
    _must(store.steps == 0, "a step does not count before it is committed")
    _must(list(store.replay()) == [], "a step is not replayed before it is committed")
    for n in (1, 3):
        _must(_refuses(store, n, 0.0), f"add() refuses step {n} where step 2 is next")
    _must(_refuses(store, 2, math.nan), "add() refuses a reward that is NaN")


def _check_steps(store: Store) -> list[tuple[StoredStep, bytes | None]]:
    """Commit three steps; return what a replay must give."""
    moved = replace(_page(b"plain"), url=f"{_URL}moved", status=404, rendered=b"second")
    failed = Response(f"{_URL}3", _NOW, fault=Fault.DNS)
    store.add(2, f"{_URL}2", moved, source=1, score=-0.25)
    store.keep(_page(b"robots"))
    store.keep(failed)
    store.add(3, f"{_URL}3", failed, source=1, score=0.5)
    store.commit()
    _must(store.steps == 3, "steps counts what is committed")
    store.commit()
    html = "text/html; charset=utf-8"
    rows = [
        (StoredStep(1, _URL, _URL, 200, html, None, 1.0, 0, math.inf, _NOW), b"first"),
        (
            StoredStep(2, f"{_URL}2", moved.url, 404, html, None, 0.0, 1, -0.25, _NOW),
            b"second",
        ),
        (StoredStep(3, failed.url, failed.url, 0, "", "dns", 0.0, 1, 0.5, _NOW), None),
    ]
    _check_replay(store, rows)
    # The crawl amends rewards, and reads notes, while it replays.
    for step, _ in store.replay():
        store.amend(step.n, step.reward + 0.5)
        _must(store.get("note") == _NOTE, "get() works during a replay")
    store.commit()
    amended = [(replace(step, reward=step.reward + 0.5), body) for step, body in rows]
    _check_replay(store, amended)
    return amended


def _check_reopened(store: Store, expected: list[tuple[StoredStep, bytes | None]]) -> None:
    _must(store.steps == len(expected), "a store that is opened again has its steps")
    _must(store.get("note") == _NOTE, "a store that is opened again has its notes")
    _check_replay(store, expected)
    _must(_refuses(store, 1, 0.0), "step numbers go on in a store that is opened again")


def _check_replay(store: Store, expected: list[tuple[StoredStep, bytes | None]]) -> None:
    found = list(store.replay())
    _must([step.n for step, _ in found] == [1, 2, 3], "replay() yields every step once, in order")
    for (step, response), (wanted, body) in zip(found, expected, strict=True):
        for name in StoredStep.__dataclass_fields__:
            same = getattr(step, name) == getattr(wanted, name)
            _must(same, f"replay() yields the {name} of step {step.n} as it was added")
        if body is None or response is None:
            both = body is None and response is None
            _must(both, "replay() yields a response unless there is a fault")
            continue
        _must(response.body == body, "replay() yields the body of a response")
        _must(response.headers.get("etag") == '"v1"', "replay() yields headers in lower case")


def _check_threads(store: Store) -> None:
    """The crawl adds steps while another thread commits."""
    first, errors = store.steps + 1, list[BaseException]()
    done = threading.Event()

    def commit() -> None:
        try:
            while not done.is_set():
                store.commit()
        except BaseException as error:
            errors.append(error)

    thread = threading.Thread(target=commit)
    thread.start()
    try:
        for n in range(first, first + _THREADED_STEPS):
            store.add(n, f"{_URL}{n}", _page(b"%d" % n))
            store.put("last", n)
            _must(store.get("last") == n, "get() returns what was put while another thread commits")
    finally:
        done.set()
        thread.join()
    _must(not errors, f"commit() in another thread raises nothing, but raised {errors[:1]}")
    store.commit()
    numbers = [step.n for step, _ in store.replay()]
    _must(
        numbers == list(range(1, first + _THREADED_STEPS)),
        "steps that are added during a commit are committed once, in order",
    )


def _refuses(store: Store, n: int, reward: float) -> bool:
    try:
        store.add(n, _URL, _page(b"refused"), reward=reward)
    except ContractError:
        return True
    return False


def _close(store: Store) -> None:
    store.close()
    store.close()


def _page(body: bytes, **fields: Any) -> Response:
    headers = ((b"Content-Type", b"text/html; charset=utf-8"), (b"ETag", b'"v1"'))
    return Response(_URL, _NOW, 200, "HTTP/1.1 200 OK", headers, body, **fields)


_NOW = datetime(2026, 1, 1, 12, tzinfo=UTC)


def _must(holds: bool, rule: str) -> None:
    if not holds:
        raise ContractError(f"The store breaks its contract: {rule}.")
