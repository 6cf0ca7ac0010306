"""Neighbourhood text: which words around a link a model reads.

A neighbourhood is data: a list of channels, each with a vocabulary of its own
and one or more of the bags that a link carries. To define another, make one.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from lycosa.content import BAGS, NEAR
from lycosa.errors import UnknownName, UsageError


@dataclass(frozen=True, slots=True)
class Channel:
    """Bags that share a vocabulary; `near` is the width of that bag, `name` is for people."""

    name: str
    bags: tuple[str, ...]
    near: int = NEAR

    def __post_init__(self) -> None:
        for bag in self.bags:
            if bag not in (*BAGS, "path"):
                raise UnknownName("bag", bag, (*BAGS, "path"))
        if not self.bags or ("path" in self.bags and len(self.bags) > 1):
            raise UsageError("A channel reads bags of words, or the tag path alone.")

    @property
    def reads_paths(self) -> bool:
        """Whether its vocabulary is made of tag paths instead of words."""
        return self.bags == ("path",)


@dataclass(frozen=True, slots=True)
class Neighbourhood:
    """What is read of a link.

    >>> mine = Neighbourhood("mine", (Channel("anchor", ("anchor",)), Channel("path", ("path",))))
    >>> [channel.name for channel in mine.channels]
    ['anchor', 'path']
    """

    name: str
    channels: tuple[Channel, ...]


def _each(name: str, *bags: str, near: int = NEAR) -> Neighbourhood:
    """A vocabulary for every bag."""
    return Neighbourhood(name, tuple(Channel(bag, (bag,), near) for bag in bags))


NEIGHBOURHOODS: Mapping[str, Neighbourhood] = MappingProxyType(
    {
        # Rennie & McCallum 1999, section 3: two and four bags with separate vocabularies.
        "full-page": Neighbourhood(
            "full-page", (Channel("page", ("page",)), Channel("link", ("anchor", "url")))
        ),
        "related": _each("related", "heads", "anchor", "url", "near"),
        # Motahari Nezhad & Barfourosh 2003, section 4: one text for the URL and what surrounds it.
        "near": Neighbourhood("near", (Channel("near", ("anchor", "url", "near"), 100),)),
        "relative": Neighbourhood(
            "relative", (Channel("relative", ("anchor", "url", "near", "heads"), 100),)
        ),
        "full": Neighbourhood("full", (Channel("full", ("anchor", "url", "page")),)),
        # Ours: related, and where the link stands in the page.
        "placed": _each("placed", "heads", "anchor", "url", "near", "path"),
    }
)


def neighbourhood(name: str) -> Neighbourhood:
    """A neighbourhood by its name."""
    if name not in NEIGHBOURHOODS:
        raise UnknownName("neighbourhood", name, NEIGHBOURHOODS)
    return NEIGHBOURHOODS[name]
