"""The page of new works: those found since a day, or since the last visit of a reader.

The moment is part of the URL, so that the page needs neither a script nor a cookie. Every
page says when the latest work was found; the script of the portal keeps that in the browser,
and offers a link with the moment of the last visit.
"""

from __future__ import annotations

from datetime import date, timedelta

from starlette.requests import Request
from starlette.responses import Response

from lycosa.portal.api.new_works import parse_since
from lycosa.portal.web.portal import Portal
from lycosa.portal.web.search_request import page_numbers, parse_page_number

PATH = "/new"
PAGE_SIZE = 25
PERIODS = (1, 7, 30, 365)
"""Days before the latest work was found, which the page offers."""
DEFAULT_PERIOD = 7
MAX_PAGES = 400


def new_works(portal: Portal, request: Request) -> Response:
    """Render the works that were found since the moment in the URL; else in the last days."""
    catalogue, newest = portal.catalogue, portal.facts()["newest"]
    since = parse_since(request.query_params.get("since", "")) or _day_before(
        newest, DEFAULT_PERIOD
    )
    total = catalogue.found.count_since(since)
    last = min(max(1, -(-total // PAGE_SIZE)), MAX_PAGES)
    page = parse_page_number(request.query_params.get("page", ""), last)
    offered = page_numbers(page, last) if last > 1 else []
    days = [day for period in PERIODS if (day := _day_before(newest, period))]
    return portal.render(
        request,
        "new",
        since=since,
        total=total,
        works=catalogue.found.since(since, PAGE_SIZE, (page - 1) * PAGE_SIZE),
        page=page,
        pages=[(n, portal.links.to(PATH, since=since, page=n) if n else "") for n in offered],
        periods=[
            (day, portal.links.to(PATH, since=day), catalogue.found.count_since(day))
            for day in days
        ],
        feed=portal.links.to("/feed", since=since),
        json=portal.links.to("/api/new", since=since),
    )


def _day_before(time: str, days: int) -> str:
    """Return the day some days before a time; empty if there is none.

    >>> _day_before("2026-05-01T10:00:00+00:00", 1), _day_before("", 1)
    ('2026-04-30', '')
    """
    try:
        return (date.fromisoformat(time[:10]) - timedelta(days=days)).isoformat()
    except (ValueError, OverflowError):
        return ""
