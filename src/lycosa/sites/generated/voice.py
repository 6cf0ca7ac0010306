"""What a page says: its title, its headings and the words around each link."""

from __future__ import annotations

from typing import NamedTuple, Protocol

from lycosa.sites.generated.chance import Stream


class Item(NamedTuple):
    """One link in its line: the words before it, its anchor, the words after it."""

    before: str
    anchor: str
    after: str


class Voice(Protocol):
    """The words of a family of sites."""

    def title(self, number: int, stream: Stream) -> str:
        """The title of a page."""

    def topic(self, number: int) -> int:
        """The index of the topic of a page."""

    def item(self, role: str, source: int, number: int, stream: Stream) -> Item:
        """The words around a link in a part of a page."""

    def heading(self, role: str, stream: Stream) -> str:
        """The heading of a part of a page; it may be empty."""

    def passage(self, role: str, number: int, stream: Stream) -> str:
        """The text of a part without links of its own, or nothing for plain prose."""

    def outside(self, number: int, stream: Stream) -> list[tuple[str, str]]:
        """Links that leave the site: address and anchor."""

    def document(self, number: int) -> bytes:
        """The PDF of a page that is a document."""


def plain(anchor: str) -> Item:
    """A link with nothing around it."""
    return Item("", anchor, "")
