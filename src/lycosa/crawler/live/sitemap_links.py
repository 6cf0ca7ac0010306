"""The links of a sitemap, as the process that reads it hands them to the crawl."""

from __future__ import annotations

from typing import NamedTuple

from lycosa.web.sitemaps import read_sitemap
from lycosa.web.urls import canonical

_FIRST_LINE = "sitemap"


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

    def to_bytes(self) -> bytes:
        """Serialise: a line for each URL."""
        return "\n".join((_FIRST_LINE, *self.targets)).encode()

    @classmethod
    def from_bytes(cls, data: bytes) -> SitemapLinks | None:
        """Return the links that `to_bytes` serialised; None if they are anything else."""
        if not data.startswith(_FIRST_LINE.encode()):
            return None
        first, *targets = data.decode(errors="replace").split("\n")
        return cls(tuple(targets)) if first == _FIRST_LINE else None
