"""Works that were found since some moment, the latest first."""

from __future__ import annotations

from datetime import UTC, datetime

from lycosa.portal.api.operation import ApiRequest, Operation, Parameter
from lycosa.portal.api.paging import PAGE, SIZE, limit_and_offset, page_json
from lycosa.portal.api.shapes import Shape, work_json

_DAY_LENGTH = len("2026-05-01")
SINCE = Parameter(
    "since",
    "Only works that were found on this day or later (2026-05-01), or after this "
    "moment; all if it is neither.",
    {"type": "string", "maxLength": 40, "default": ""},
    example="2026-05-01",
)


def parse_since(text: str) -> str:
    """Return a day or a moment as the time that works are found after; empty if it is neither.

    As a text, a day comes before every moment of it. Days are those of UTC.

    >>> parse_since("2026-05-01"), parse_since("2026-05-01T12:00:00.5+02:00"), parse_since("x")
    ('2026-05-01', '2026-05-01T10:00:00.500000+00:00', '')
    """
    try:
        found = datetime.fromisoformat(text)
        found = found.replace(tzinfo=found.tzinfo or UTC).astimezone(UTC)
    except (ValueError, OverflowError):
        return ""
    return found.isoformat()[: _DAY_LENGTH if len(text) <= _DAY_LENGTH else None]


def new_works(request: ApiRequest) -> Shape:
    """Return a page of the works that were found since a moment."""
    since = parse_since(request["since"])
    catalogue = request.catalogue
    works = catalogue.found.since(since, *limit_and_offset(request["page"], request["size"]))
    links = {
        "html": request.url_with("/new", page="", size=""),
        "feed": request.url_with("/feed", page="", size=""),
    }
    items = [work_json(request, work) for work in works]
    return page_json(request, "/api/new", catalogue.found.count_since(since), items, links)


OPERATIONS = (
    Operation(
        "/api/new",
        "listNewWorks",
        "The works that were found since a day or a moment, the latest first",
        new_works,
        "NewWorks",
        (SINCE, PAGE, SIZE),
    ),
)
