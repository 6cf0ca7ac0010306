"""Neighbourhood text: the words around a link that a model reads.

A neighbourhood is a list of channels. Each channel has a vocabulary and reads one or more of
the bags of words of a link.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from lycosa.content import BAGS, NEAR
from lycosa.errors import UnknownName, UsageError


@dataclass(frozen=True, slots=True)
class Channel:
    """Bags of a link that share a vocabulary.

    `name` is the name in explanations; `bags` are names of bags, such as `anchor` or `near`.
    `near` is the number of words before and after the anchor in the bag of that name.
    """

    name: str
    bags: tuple[str, ...]
    near: int = NEAR

    def __post_init__(self) -> None:
        for bag in self.bags:
            if bag not in (*BAGS, "path"):
                raise UnknownName("bag", bag, (*BAGS, "path"))
        if not self.bags or ("path" in self.bags and len(self.bags) > 1):
            raise UsageError("A channel reads bags of words, or the tag path alone; give one kind.")

    @property
    def reads_paths(self) -> bool:
        """Whether the vocabulary holds tag paths instead of words."""
        return self.bags == ("path",)


@dataclass(frozen=True, slots=True)
class Neighbourhood:
    """The channels that a model reads of a link.

    `name` is the name in options of spiders and in model files.

    >>> mine = Neighbourhood("mine", (Channel("anchor", ("anchor",)), Channel("path", ("path",))))
    >>> [channel.name for channel in mine.channels]
    ['anchor', 'path']
    """

    name: str
    channels: tuple[Channel, ...]


def _each(name: str, *bags: str, near: int = NEAR) -> Neighbourhood:
    """Return a neighbourhood with one channel for each bag."""
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
        # Related text, and the tag path of the link in the page.
        "placed": _each("placed", "heads", "anchor", "url", "near", "path"),
    }
)


def neighbourhood(name: str) -> Neighbourhood:
    """Return the neighbourhood of that name."""
    if name not in NEIGHBOURHOODS:
        raise UnknownName("neighbourhood", name, NEIGHBOURHOODS)
    return NEIGHBOURHOODS[name]
