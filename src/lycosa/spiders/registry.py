"""All spiders by name, and what is needed to make one."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import TypeAlias

from lycosa.core import Policy, Site
from lycosa.errors import UnknownName, UsageError
from lycosa.spiders.breadth_first import BreadthFirst
from lycosa.spiders.depth_first import DepthFirst
from lycosa.spiders.names import Name, parse
from lycosa.spiders.optimal import Optimal
from lycosa.spiders.random import Random


@dataclass(frozen=True, slots=True, eq=False)
class Setup:
    """What a spider is made from.

    `site` is the one to be crawled: only oracles may look at it. The others,
    those it may learn from, are `training`, and may be opened only when read.
    """

    site: Site
    goal: str
    seed: int = 0
    training: Sequence[Site] = ()


Factory: TypeAlias = Callable[[Setup], Policy]


def _plain(make: Factory) -> Callable[[Name], Factory]:
    """A spider that takes no arguments."""

    def factory(name: Name) -> Factory:
        if name.arguments or name.options:
            raise UsageError(f"The spider {name.kind!r} takes no arguments; write just its name.")
        return make

    return factory


SPIDERS: Mapping[str, Callable[[Name], Factory]] = MappingProxyType(
    {
        "breadth-first": _plain(lambda _: BreadthFirst()),
        "depth-first": _plain(lambda _: DepthFirst()),
        "optimal": _plain(lambda setup: Optimal(setup.site, setup.goal)),
        "random": _plain(lambda setup: Random(setup.seed)),
    }
)


def factory(text: str) -> Factory:
    """What makes the spider of that name; the name and its arguments are checked now.

    >>> factory("optimal(3)")
    Traceback (most recent call last):
    lycosa.errors.UsageError: The spider 'optimal' takes no arguments; write just its name.
    """
    name = parse(text)
    if name.kind not in SPIDERS:
        raise UnknownName("spider", name.kind, SPIDERS)
    return SPIDERS[name.kind](name)
