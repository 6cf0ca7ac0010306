"""Test whether an object keeps the contract of a policy."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from lycosa.content import Content
from lycosa.core import Budget, Page, Policy, Scores, Site, Step
from lycosa.errors import ContractError

PAGES = 300


def check_policy(policy: Policy, site: Site, pages: int = PAGES) -> None:
    """Walk a policy over a site; raise a `ContractError` that says what is wrong.

    The first `pages` pages are shown in breadth-first order, twice, each time
    after `start`. The policy must give one finite number for every link, both
    times the same, and change nothing it is shown.
    """
    name = getattr(policy, "name", None)
    if not isinstance(name, str) or not name:
        raise ContractError(f"A spider needs a name, a string; {policy!r} has {name!r}.")
    if not isinstance(policy, Policy):
        raise ContractError(f"Spider {name!r} must have the methods start, observe and score.")
    first = _walk(policy, site, pages)
    second = _walk(policy, site, pages)
    for (url, one), (_, two) in zip(first, second, strict=True):
        if not np.array_equal(one, two):
            raise ContractError(
                f"Spider {name!r} gave {url} other scores after a second start; "
                "start must forget the last crawl, and chance must come from a seed."
            )


def _walk(policy: Policy, site: Site, pages: int) -> list[tuple[str, NDArray[np.float64]]]:
    policy.start(Budget(pages=pages))
    scores = []
    for step in _steps(site, pages):
        page = step.page
        before = _state(page)
        _check_new(policy, page, policy.observe(step))
        if len(page.targets):
            scores.append((page.url, _scored(policy, page)))
        if _state(page) != before:
            raise ContractError(f"Spider {policy.name!r} changed {page.url}; pages are read-only.")
    return scores


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
    who = f"Spider {policy.name!r}"
    answers = []
    for _ in range(2):
        answer: object = policy.score(page)
        if not isinstance(answer, np.ndarray) or answer.dtype.kind not in "fiu":
            raise ContractError(f"{who}: score must return an array of numbers, not {answer!r}.")
        if answer.shape != page.targets.shape:
            raise ContractError(
                f"{who} gave {page.url}, which has {len(page.targets)} links, "
                f"scores of shape {answer.shape}."
            )
        if not np.isfinite(answer).all():
            raise ContractError(f"{who} gave a link of {page.url} a score that is not finite.")
        answers.append(answer.astype(np.float64))
    if not np.array_equal(answers[0], answers[1]):
        raise ContractError(
            f"{who} scored {page.url} twice in a row and gave two answers; "
            "what it learns it must learn in observe."
        )
    return answers[0]


def _check_new(policy: Policy, page: Page, answer: object) -> None:
    if answer is None:
        return
    fine = isinstance(answer, Scores) and all(isinstance(part, np.ndarray) for part in answer)
    if fine and isinstance(answer, Scores):
        numbers, values = answer
        fine = (
            numbers.ndim == 1
            and numbers.shape == values.shape
            and (not len(numbers) or (numbers.dtype.kind in "iu" and numbers.min() >= 0))
            and bool(np.isfinite(values).all())
        )
    if not fine:
        raise ContractError(
            f"Spider {policy.name!r}: observe of {page.url} must return None, or Scores: "
            "two arrays of one length, URL numbers and finite values."
        )


def _state(page: Page) -> list[object]:
    """All that a policy could change, to be compared."""
    arrays = [page.targets]
    content = page.content
    arrays += [
        value
        for field in Content.__dataclass_fields__
        if isinstance(value := getattr(content, field), np.ndarray)
    ]
    return [page.number, page.status, page.type, page.error, *(a.tobytes() for a in arrays)]
