"""The links to one URL, looked for while a crawl is told again."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from lycosa.core import Page
from lycosa.crawler.storage.reader import LoggedStep
from lycosa.project.replay import ReplayedStep

MAX_LINKS = 10
"""How many links are kept, the best ones."""


class InboundLink(NamedTuple):
    """A link: at which step its page came back, which of the page it is, and its score."""

    n: int
    page: Page
    place: int
    score: float

    @property
    def anchor(self) -> str:
        """The words of the link."""
        return anchor_text(self.page, self.place)


class InboundLinks:
    """The links to one URL, as the pages go by; the best are kept."""

    def __init__(self, url: str, visit: LoggedStep | None) -> None:
        self.url = url
        self.count = 0
        self.best: list[InboundLink] = []
        self.first: tuple[int, str] | None = None
        # After a redirect, the links are those to what was asked for.
        self._wanted = visit.url if visit else url
        self._source = visit.source if visit else None
        self._number: int | None = None
        self._taken: InboundLink | None = None

    @property
    def followed(self) -> InboundLink | None:
        """The link that was followed, or else the best."""
        return self._taken or (self.best[0] if self.best else None)

    def look(self, told: ReplayedStep) -> None:
        """Look for links to the URL."""
        page = told.page
        if told.scores is None:
            return
        if self._number is None:
            self._number = page.tables.urls.find(self._wanted)
            if self._number is None:
                return
        places = (page.targets == self._number).nonzero()[0]
        if not len(places):
            return
        place = int(places[0])
        seen = InboundLink(told.n, page, place, float(np.asarray(told.scores)[place]))
        self.count += 1
        self.first = self.first or (told.n, page.url)
        self.best = sorted([*self.best, seen], key=lambda one: (-one.score, one.n))[:MAX_LINKS]
        if told.n == self._source:
            self._taken = seen


def anchor_text(page: Page, place: int) -> str:
    """The words of a link of a page."""
    return " ".join(page.link(place).bags["anchor"])
