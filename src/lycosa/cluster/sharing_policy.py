"""The interface of policies that learn from the crawls of other shards."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol, runtime_checkable

from numpy.typing import NDArray

from lycosa.core import Policy, WrappingPolicy


@runtime_checkable
class SharingPolicy(Policy, Protocol):
    """A policy that learns from crawls of other parts of the same web, and lets them learn.

    What is exchanged are bytes, which another policy of the same name and version reads. A
    crawl that is replayed gets what it got at the same places.
    """

    def take_examples(self) -> Sequence[bytes]:
        """Return what was learned since the last call, a bounded number of labelled examples."""

    def learn_examples(self, examples: Sequence[bytes], /) -> None:
        """Learn from examples of others."""

    def describe_links(self, numbers: NDArray[Any], /) -> Sequence[bytes]:
        """Return what is known of links that others will follow, by the numbers of their URLs."""

    def adopt_links(self, numbers: NDArray[Any], descriptions: Sequence[bytes], /) -> None:
        """Take in links that others have found; an empty description says nothing."""


def sharing_policy(policy: Policy) -> SharingPolicy | None:
    """Return the policy, or the one inside it, that shares what it learns; None if none does."""
    while not isinstance(policy, SharingPolicy):
        if not isinstance(policy, WrappingPolicy):
            return None
        policy = policy.policy
    return policy
