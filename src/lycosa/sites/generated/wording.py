"""The wording of a site: titles, headings and the words around each link."""

from __future__ import annotations

from typing import NamedTuple, Protocol

from lycosa.sites.generated.random_stream import RandomStream


class LinkText(NamedTuple):
    """The text of one link: the words before it, its anchor, the words after it."""

    before: str
    anchor: str
    after: str


class Wording(Protocol):
    """The wording of a family of sites."""

    def title(self, number: int, stream: RandomStream) -> str:
        """Return the title of a page."""

    def link_text(self, role: str, source: int, number: int, stream: RandomStream) -> LinkText:
        """Return the text of the link from page `source` to page `number` in a part."""

    def heading(self, role: str, stream: RandomStream) -> str:
        """Return the heading of a part of a page; it may be empty."""

    def passage(self, role: str, number: int, stream: RandomStream) -> str:
        """Return the running text of a part without links."""

    def external_links(self, number: int, stream: RandomStream) -> list[tuple[str, str]]:
        """Return links that leave the site: URL and anchor."""

    def document(self, number: int) -> bytes:
        """Return the PDF of a page that is a document."""


def anchor_only(anchor: str) -> LinkText:
    """Return a link without words around it."""
    return LinkText("", anchor, "")
