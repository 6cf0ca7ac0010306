"""The contract check of policies, for tests of new ones."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from lycosa.content import Content
from lycosa.core import (
    Budget,
    DeferringPolicy,
    ExplainingPolicy,
    Page,
    Policy,
    ScoreContribution,
    Scores,
    Site,
    SnapshottingPolicy,
    Step,
    can_save,
)
from lycosa.errors import ContractError
from lycosa.snapshots import StateReader, StateWriter

PAGES = 300
"""Pages that a policy is checked on by default."""


def check_policy(policy: Policy, site: Site, pages: int = PAGES) -> None:
    """Run a policy over a site; raise a `ContractError` that says what is wrong.

    The policy sees the first `pages` pages in breadth-first order, twice, each
    time after `start`. It must return one finite number for every link, both
    times the same, and change nothing it is shown. The optional contracts,
    `ExplainingPolicy`, `DeferringPolicy`, `WrappingPolicy` and `SnapshottingPolicy`,
    are checked for the hooks that the policy has.
    """
    name = getattr(policy, "name", None)
    if not isinstance(name, str) or not name:
        raise ContractError(f"A spider needs a name, a string; {policy!r} has {name!r}.")
    if not isinstance(policy, Policy):
        raise ContractError(f"Spider {name!r} must have the methods start, observe and score.")
    for hook in ("explain", "deferral_reason"):
        if not callable(getattr(policy, hook, print)):
            raise ContractError(f"Spider {name!r}: {hook} must be a method.")
    if not isinstance(getattr(policy, "policy", policy), Policy):
        raise ContractError(f"Spider {name!r}: its attribute `policy` must be the policy inside.")
    first = _walk(policy, site, pages)
    second = _walk(policy, site, pages)
    for (url, one), (_, two) in zip(first, second, strict=True):
        if not np.array_equal(one, two):
            raise ContractError(
                f"Spider {name!r} gave {url} other scores after a second start; "
                "start must forget the last crawl, and chance must come from a seed."
            )
    if isinstance(policy, SnapshottingPolicy) and can_save(policy):
        _check_snapshot(policy, site, pages, first)


def _walk(policy: Policy, site: Site, pages: int) -> list[tuple[str, NDArray[np.float64]]]:
    policy.start(Budget(pages=pages))
    scores = []
    for step in _steps(site, pages):
        page = step.page
        before = _state(page)
        _check_rescored(policy, page, policy.observe(step))
        if len(page.targets):
            scores.append((page.url, _scored(policy, page)))
            _check_hooks(policy, page)
        if _state(page) != before:
            raise ContractError(f"Spider {policy.name!r} changed {page.url}; pages are read-only.")
    return scores


def _check_snapshot(
    policy: SnapshottingPolicy,
    site: Site,
    pages: int,
    expected: Sequence[tuple[str, NDArray[np.float64]]],
) -> None:
    """Save the policy after half of the pages, restore it, and compare the other half."""
    budget, steps = Budget(pages=pages), list(_steps(site, pages))
    policy.start(budget)
    for step in steps[: len(steps) // 2]:
        policy.observe(step)
        if len(step.page.targets):
            policy.score(step.page)
    state = StateWriter()
    policy.save(state)
    policy.start(budget)
    policy.restore(StateReader.of(state))
    scores = []
    for step in steps[len(steps) // 2 :]:
        policy.observe(step)
        if len(step.page.targets):
            scores.append(_scored(policy, step.page))
    for (url, one), two in zip(expected[len(expected) - len(scores) :], scores, strict=True):
        if not np.array_equal(one, two):
            raise ContractError(
                f"Spider {policy.name!r} gave {url} other scores after it was restored; "
                "save must save everything that it has learned."
            )


def _steps(site: Site, pages: int) -> Iterator[Step]:
    rewards = {n for goal in site.goals[:1] for n in site.wanted(goal).tolist()}
    sources = dict.fromkeys(site.seeds.tolist(), -1)
    queue = list(sources)
    for n, number in enumerate(queue, 1):  # the queue grows while it is read
        if n > pages:
            return
        page = site.page(number)
        score = np.inf if sources[number] < 0 else 0.0
        yield Step(n, page, float(number in rewards), sources[number], score)
        for target in page.targets.tolist():
            if target not in sources:
                sources[target] = number
                queue.append(target)


def _scored(policy: Policy, page: Page) -> NDArray[np.float64]:
    """Return the scores of a page's links, checked; score is called twice."""
    name = f"Spider {policy.name!r}"
    results = []
    for _ in range(2):
        scores: object = policy.score(page)
        if not isinstance(scores, np.ndarray) or scores.dtype.kind not in "fiu":
            raise ContractError(f"{name}: score must return an array of numbers, not {scores!r}.")
        if scores.shape != page.targets.shape:
            raise ContractError(
                f"{name} gave {page.url}, which has {len(page.targets)} links, "
                f"scores of shape {scores.shape}."
            )
        if not np.isfinite(scores).all():
            raise ContractError(f"{name} gave a link of {page.url} a score that is not finite.")
        results.append(scores.astype(np.float64))
    if not np.array_equal(results[0], results[1]):
        raise ContractError(
            f"{name} scored {page.url} twice in a row with different results; "
            "what it learns it must learn in observe."
        )
    return results[0]


def _check_hooks(policy: Policy, page: Page) -> None:
    """Check the results of the optional hooks for the first link of a page."""
    name = f"Spider {policy.name!r}"
    if isinstance(policy, ExplainingPolicy):
        parts: object = policy.explain(page, 0)
        if not isinstance(parts, Sequence) or not all(
            isinstance(part, ScoreContribution) and np.isfinite(part.value) for part in parts
        ):
            raise ContractError(
                f"{name}: explain must return a sequence of ScoreContribution with finite values, "
                f"not {parts!r}."
            )
    if isinstance(policy, DeferringPolicy):
        reason: object = policy.deferral_reason(int(page.targets[0]))
        if reason is not None and not (isinstance(reason, str) and reason):
            raise ContractError(
                f"{name}: deferral_reason must return a reason in words or None, not {reason!r}."
            )


def _check_rescored(policy: Policy, page: Page, rescored: object) -> None:
    if rescored is None:
        return
    valid = isinstance(rescored, Scores) and all(isinstance(part, np.ndarray) for part in rescored)
    if valid and isinstance(rescored, Scores):
        numbers, values = rescored
        valid = (
            numbers.ndim == 1
            and numbers.shape == values.shape
            and (not len(numbers) or (numbers.dtype.kind in "iu" and numbers.min() >= 0))
            and bool(np.isfinite(values).all())
        )
    if not valid:
        raise ContractError(
            f"Spider {policy.name!r}: observe of {page.url} must return None, or Scores: "
            "two arrays of one length, URL numbers and finite values."
        )


def _state(page: Page) -> list[object]:
    """Return all of a page that a policy could change, to be compared."""
    arrays = [page.targets]
    content = page.content
    arrays += [
        value
        for field in Content.__dataclass_fields__
        if isinstance(value := getattr(content, field), np.ndarray)
    ]
    return [page.number, page.status, page.type, page.error, *(a.tobytes() for a in arrays)]
