"""From bytes to pages: URLs, character decoding, HTML, robots.txt, sitemaps, words."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lycosa.lazy import lazy_exports

if TYPE_CHECKING:
    from lycosa.web.decoding import decode
    from lycosa.web.directives import Directives, read_directives
    from lycosa.web.reader import Reader
    from lycosa.web.robots import Robots, RobotsOutcome, interpret_outcome
    from lycosa.web.sitemaps import Sitemap, SitemapEntry, read_sitemap
    from lycosa.web.url_shapes import UrlShapes, strip_session
    from lycosa.web.urls import Scope, canonical, host_of
    from lycosa.web.words import url_words

_HOMES = {
    "decoding": "decode",
    "directives": "Directives read_directives",
    "reader": "Reader",
    "robots": "Robots RobotsOutcome interpret_outcome",
    "sitemaps": "Sitemap SitemapEntry read_sitemap",
    "url_shapes": "UrlShapes strip_session",
    "urls": "Scope canonical host_of",
    "words": "url_words",
}

__all__ = [
    "Directives",
    "Reader",
    "Robots",
    "RobotsOutcome",
    "Scope",
    "Sitemap",
    "SitemapEntry",
    "UrlShapes",
    "canonical",
    "decode",
    "host_of",
    "interpret_outcome",
    "read_directives",
    "read_sitemap",
    "strip_session",
    "url_words",
]

__getattr__, __dir__ = lazy_exports(__name__, _HOMES)
