"""The links of a sitemap, as the process that reads it hands them to the crawl."""

from __future__ import annotations

from typing import NamedTuple

from lycosa.web.sitemaps import read_sitemap
from lycosa.web.urls import canonical


class SitemapLinks(NamedTuple):
    """The canonical URLs that a sitemap lists: pages, or further sitemaps."""

    targets: tuple[str, ...]

    @classmethod
    def read(cls, url: str, body: bytes) -> SitemapLinks | None:
        """Parse the sitemap at a URL; None if it lists nothing."""
        found = read_sitemap(body)
        locations = [*found.sitemaps, *(entry.loc for entry in found.urls)]
        targets = tuple(target for loc in locations if (target := canonical(loc, url)))
        return cls(targets) if targets else None

    def to_text(self) -> str:
        """Serialise: a line for each URL."""
        return "\n".join(("sitemap", *self.targets))

    @classmethod
    def from_text(cls, text: str) -> SitemapLinks | None:
        """Return the links that `to_text` serialised; None if the text is anything else."""
        first, *targets = text.split("\n")
        return cls(tuple(targets)) if first == "sitemap" else None
