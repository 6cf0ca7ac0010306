"""What the owner sees: how the crawl went, what came of its documents, and all corrections."""

from __future__ import annotations

import threading
from typing import NamedTuple

from markupsafe import Markup
from starlette.requests import Request
from starlette.responses import Response

from lycosa.crawler.storage.reader import CrawlReader
from lycosa.errors import LycosaError
from lycosa.portal.records import Work
from lycosa.portal.web.document_outcomes import OutcomeCount, count_outcomes
from lycosa.portal.web.portal import PRIVATE, Portal
from lycosa.portal.web.sign_in import redirect_to_sign_in
from lycosa.project.figures import Figures, figures
from lycosa.reporting.chart import bar_chart, growth_chart
from lycosa.reporting.text import plural

MAX_HOSTS = 15
"""Hosts that are shown."""
MIN_BARS = 8  # for which there is room in the picture: two bars alone would be two walls


class CrawlSummary(NamedTuple):
    """The crawl in figures and pictures."""

    figures: Figures
    curve: Markup
    hosts: Markup


class Dashboard:
    """Reads the journal of the crawl once for all who look, until it has grown."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._known: tuple[int, bool, CrawlSummary] | None = None
        self._outcomes: tuple[str, list[OutcomeCount]] | None = None

    def page(self, portal: Portal, request: Request) -> Response:
        """The page."""
        session = portal.owner_session(request)
        if not session:
            return redirect_to_sign_in(portal, request, "/dashboard")
        course, trouble = None, ""
        try:
            course = self._course(portal)
        except LycosaError as error:
            trouble = str(error)
        corrections = portal.corrections.history()[::-1]
        works: dict[str, Work] = {
            work.id: work for work in portal.catalogue.works([one.work for one in corrections])
        }
        return portal.render(
            request,
            "dashboard",
            cache_control=PRIVATE,
            course=course,
            trouble=trouble,
            counts=portal.catalogue.counts(),
            outcomes=self._counted(portal),
            corrections=corrections,
            works=works,
            hosts=MAX_HOSTS,
            mark=portal.owner.csrf_token(session),
        )

    def _course(self, portal: Portal) -> CrawlSummary:
        with self._lock, CrawlReader.open(portal.folder) as ledger:
            state = (ledger.steps, ledger.at_work)
            if self._known is None or self._known[:2] != state:
                self._known = (*state, _course(figures(ledger)))
            return self._known[2]

    def _counted(self, portal: Portal) -> list[OutcomeCount]:
        generation = portal.catalogue.generation
        with self._lock:
            if self._outcomes is None or self._outcomes[0] != generation:
                self._outcomes = (generation, count_outcomes(portal.folder))
            return self._outcomes[1]


def _course(found: Figures) -> CrawlSummary:
    likely = bounds = None
    if found.estimate is not None and found.estimate.found:
        estimate = found.estimate
        likely = estimate.total
        most = estimate.found / estimate.low if estimate.low > 0 else float("inf")
        bounds = (estimate.found / max(estimate.high, 1e-9), most)
    label = f"{plural(found.targets, 'target')} in {plural(found.steps, 'page')}"
    best = found.hosts[:MAX_HOSTS]
    heights = [host.targets for host in best] + [0] * (MIN_BARS - len(best))
    across = [((k + 0.5) / len(heights), str(k + 1)) for k in range(len(best))]
    bars = bar_chart(heights, across, "host", "Targets by host")
    # Charts escape what they are given.
    return CrawlSummary(
        found,
        Markup(growth_chart(found.curve, label, likely, bounds)),  # noqa: S704
        Markup(bars),  # noqa: S704
    )
