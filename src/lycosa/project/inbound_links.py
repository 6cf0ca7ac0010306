"""The links to one URL, collected while a crawl is replayed."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from lycosa.core import Page
from lycosa.crawler.storage.reader import LoggedStep
from lycosa.project.replay import ReplayedStep

MAX_LINKS = 10
"""Links that are kept, those with the best scores."""


class InboundLink(NamedTuple):
    """A link to the URL: the step of its page, the page, its place on the page, its score."""

    n: int
    page: Page
    place: int
    score: float

    @property
    def anchor(self) -> str:
        """The anchor text of the link."""
        return anchor_text(self.page, self.place)


class InboundLinks:
    """Collects the links to a URL from replayed steps; `visit` is the step that requested it."""

    def __init__(self, url: str, visit: LoggedStep | None) -> None:
        self.url = url
        self.count = 0
        self.best: list[InboundLink] = []
        self.first: tuple[int, str] | None = None
        # After a redirect, the links are those to the requested URL.
        self._wanted = visit.url if visit else url
        self._source = visit.source if visit else None
        self._number: int | None = None
        self._followed: InboundLink | None = None

    @property
    def followed(self) -> InboundLink | None:
        """The link that was followed, or else the best one."""
        return self._followed or (self.best[0] if self.best else None)

    def add(self, step: ReplayedStep) -> None:
        """Add the link of a step to the URL, if it has one."""
        page = step.page
        if step.scores is None:
            return
        if self._number is None:
            self._number = page.tables.urls.find(self._wanted)
            if self._number is None:
                return
        places = (page.targets == self._number).nonzero()[0]
        if not len(places):
            return
        place = int(places[0])
        link = InboundLink(step.n, page, place, float(np.asarray(step.scores)[place]))
        self.count += 1
        self.first = self.first or (step.n, page.url)
        self.best = sorted([*self.best, link], key=lambda link: (-link.score, link.n))[:MAX_LINKS]
        if step.n == self._source:
            self._followed = link


def anchor_text(page: Page, place: int) -> str:
    """Return the anchor text of a link of a page."""
    return " ".join(page.link(place).bags["anchor"])
