"""The owner's dashboard: figures of the crawl, outcomes of documents, corrections."""

from __future__ import annotations

import logging
import threading
from typing import NamedTuple

from markupsafe import Markup
from starlette.requests import Request
from starlette.responses import Response

from lycosa.crawler.storage.reader import CrawlReader
from lycosa.errors import LycosaError
from lycosa.portal.languages import Language
from lycosa.portal.message import Message
from lycosa.portal.records import Work
from lycosa.portal.web.document_outcomes import OutcomeCount, count_outcomes
from lycosa.portal.web.portal import PRIVATE, Portal
from lycosa.portal.web.sign_in import redirect_to_sign_in
from lycosa.project.crawl_figures import Figures, figures
from lycosa.reporting.chart import bar_chart, growth_chart

MAX_HOSTS = 15
"""Hosts in the table and in the chart."""
MIN_BARS = 8
"""Bars that a chart has room for: two alone would fill all of its width."""

_log = logging.getLogger("lycosa.portal")


class CrawlSummary(NamedTuple):
    """The figures of the crawl, and charts of them."""

    figures: Figures
    curve: Markup
    """Chart of targets over steps, with the estimated total, as SVG."""
    hosts: Markup
    """Chart of targets by host, as SVG."""


class Dashboard:
    """The dashboard; it reads the crawl again only after the crawl has advanced."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._known: tuple[int, bool, Figures] | None = None
        self._outcomes: tuple[str, list[OutcomeCount]] | None = None

    def page(self, portal: Portal, request: Request) -> Response:
        """Render the dashboard; redirect to the sign-in page without a session."""
        session = portal.owner_session(request)
        if not session:
            return redirect_to_sign_in(portal, request, "/dashboard")
        summary, trouble = None, ""
        try:
            summary = self._summary(portal, portal.language(request))
        except LycosaError as error:
            _log.debug("the dashboard cannot read the crawl", exc_info=True)
            trouble = str(error)
        corrections = portal.corrections.history()[::-1]
        works: dict[str, Work] = {
            work.id: work for work in portal.catalogue.works([one.work for one in corrections])
        }
        return portal.render(
            request,
            "dashboard",
            cache_control=PRIVATE,
            summary=summary,
            trouble=trouble,
            counts=portal.catalogue.counts(),
            outcomes=self._count_outcomes(portal),
            corrections=corrections,
            works=works,
            hosts=MAX_HOSTS,
            csrf_token=portal.owner.csrf_token(session),
        )

    def _summary(self, portal: Portal, language: Language) -> CrawlSummary:
        with self._lock, CrawlReader.open(portal.folder) as crawl:
            state = (crawl.steps, crawl.at_work)
            if self._known is None or self._known[:2] != state:
                self._known = (*state, figures(crawl))
            return _summary(self._known[2], language)

    def _count_outcomes(self, portal: Portal) -> list[OutcomeCount]:
        generation = portal.catalogue.generation
        with self._lock:
            if self._outcomes is None or self._outcomes[0] != generation:
                self._outcomes = (generation, count_outcomes(portal.folder))
            return self._outcomes[1]


def _summary(found: Figures, language: Language) -> CrawlSummary:
    likely = bounds = None
    if found.estimate is not None and found.estimate.found:
        estimate = found.estimate
        likely = estimate.total
        most = estimate.found / estimate.low if estimate.low > 0 else float("inf")
        bounds = (estimate.found / max(estimate.high, 1e-9), most)
    targets = Message("%(count)s target", "%(count)s targets", count=found.targets)
    pages = Message("%(count)s page", "%(count)s pages", count=found.steps)
    label = language.show(Message("%(targets)s in %(pages)s", targets=targets, pages=pages))
    best = found.hosts[:MAX_HOSTS]
    heights = [host.targets for host in best] + [0] * (MIN_BARS - len(best))
    across = [((k + 0.5) / len(heights), str(k + 1)) for k in range(len(best))]
    title = language.show(Message("Targets by host"))
    bars = bar_chart(heights, across, language.show(Message("host")), title)
    # Charts escape their arguments.
    return CrawlSummary(
        found,
        Markup(growth_chart(found.curve, label, likely, bounds)),  # noqa: S704
        Markup(bars),  # noqa: S704
    )
