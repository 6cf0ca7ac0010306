"""All spiders by name."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from types import MappingProxyType

from lycosa.core import Policy
from lycosa.errors import UnknownName, UsageError
from lycosa.spiders.breadth_first import BreadthFirst
from lycosa.spiders.cold import COLD
from lycosa.spiders.default.named import house
from lycosa.spiders.depth_first import DepthFirst
from lycosa.spiders.learned import LEARNED, FindSpider
from lycosa.spiders.names import SUFFIX, SpiderName, parse
from lycosa.spiders.optimal import Optimal
from lycosa.spiders.published import RIVALS
from lycosa.spiders.random import Random
from lycosa.spiders.spider import PolicyFactory, Setup, Spider
from lycosa.spiders.traps import wary


def _plain(make: PolicyFactory) -> Callable[[SpiderName, FindSpider], Spider]:
    """A spider that takes no arguments and learns nothing."""

    def spider(name: SpiderName, find: FindSpider) -> Spider:
        if name.arguments or name.options:
            raise UsageError(f"The spider {name.kind!r} takes no arguments; write just its name.")
        return Spider(name.kind, make)

    return spider


def _optimal(setup: Setup, models: object) -> Policy:
    if setup.site is None:
        raise UsageError(
            "The spider 'optimal' knows the whole site beforehand, so it runs in "
            "simulations only; choose another for a live crawl."
        )
    return Optimal(setup.site, setup.goal)


SPIDERS: Mapping[str, Callable[[SpiderName, FindSpider], Spider]] = MappingProxyType(
    {
        "house": house,
        "breadth-first": _plain(lambda setup, _: BreadthFirst()),
        "depth-first": _plain(lambda setup, _: DepthFirst()),
        "optimal": _plain(_optimal),
        "random": _plain(lambda setup, _: Random(setup.seed)),
        **COLD,
        **{name: _plain(make) for name, make in RIVALS.items()},
        **LEARNED,
        "wary": wary,
    }
)


def spider(text: str) -> Spider:
    """The spider of that name; the name and its arguments are checked now.

    A name that ends with .lyc is that of a file that `lycosa train` made.

    >>> spider("optimal(3)")
    Traceback (most recent call last):
    lycosa.errors.UsageError: The spider 'optimal' takes no arguments; write just its name.
    >>> spider("rl(svm, bins=4)").recipes[0].bins
    4
    """
    name = parse(text)
    if name.kind.endswith(SUFFIX):
        return _from_file(Path(name.kind))
    if name.kind not in SPIDERS:
        raise UnknownName("spider", name.kind, SPIDERS)
    return SPIDERS[name.kind](name, spider)


def _from_file(path: Path) -> Spider:
    from lycosa.spiders.model_file import load  # which knows spiders by their names, as we do

    return load(path).finished(path.name)
