"""Atom feeds (RFC 4287): the works of a query that were found last, or the newest of a topic.

The feed of a query is a saved search: its address is all that is kept of it.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime

from lycosa.portal.api.browsing import PATH, find_topic
from lycosa.portal.api.new_works import SINCE, parse_since
from lycosa.portal.api.operation import ApiRequest, Operation
from lycosa.portal.api.searching import FILTER_PARAMETERS, QUERY, active_filters
from lycosa.portal.api.xml import HEAD, element
from lycosa.portal.records import Work

ATOM = "application/atom+xml"
MAX_WORKS = 50
"""Works in one feed."""
_EPOCH = "1970-01-01T00:00:00Z"


def query_feed(request: ApiRequest) -> str:
    """Return the feed of the works that match a query and were found last."""
    found = request.engine.search(
        request["q"], size=MAX_WORKS, sort="found", filters=active_filters(request), facets=False
    )
    since = parse_since(request["since"])
    works = [
        work
        for work in request.catalogue.works([hit.id for hit in found.hits])
        if not since or work.found > since
    ]
    about = ", ".join([*filter(None, [request["q"]]), *_values(request)])
    here, html = request.url_with("/feed"), request.url_with("/search")
    return _feed(request, about or "newest", here, html, works)


def topic_feed(request: ApiRequest) -> str:
    """Return the feed of the newest works of a topic."""
    topic = find_topic(request)
    works = request.catalogue.topic_works(topic.id, "new", MAX_WORKS)
    here = f"/topic/{topic.id}"
    return _feed(request, topic.name, request.url(f"{here}/feed"), request.url(here), works)


def _values(request: ApiRequest) -> list[str]:
    return [value for values in active_filters(request).values() for value in values]


def _feed(request: ApiRequest, about: str, here: str, html: str, works: Sequence[Work]) -> str:
    meta = request.catalogue.meta
    built = rfc3339(meta.get("built", "")) or _EPOCH
    times = request.catalogue.times(work.document for work in works if work.document)
    home = meta.get("title") or request.url("/")
    entries = [
        _entry(request, work, rfc3339(work.found or times.get(work.document, "")) or built)
        for work in works
    ]
    feed = element(
        "feed",
        element("id", here),
        element("title", f"{home}: {about}"),
        *(element("subtitle", words) for words in [meta.get("description", "")] if words),
        element("updated", built),
        element("link", rel="self", type=ATOM, href=here),
        element("link", rel="alternate", type="text/html", href=html),
        # The publisher of the feed; each entry names the authors of its work.
        element("author", element("name", home), element("uri", request.url("/"))),
        element("generator", "Lycosa", version=request.context.version),
        *entries,
        xmlns="http://www.w3.org/2005/Atom",
    )
    return f"{HEAD}{feed}\n"


def _entry(request: ApiRequest, work: Work, updated: str) -> str:
    html = request.url(f"/work/{work.id}")
    published = rfc3339(work.date)
    return element(
        "entry",
        element("id", html),
        element("title", work.title.strip() or work.url or "Untitled"),
        element("updated", updated),
        *(element("published", time) for time in [published] if time),
        *(
            element("author", element("name", author.name))
            for author in work.authors
            if author.name
        ),
        element("link", rel="alternate", type="text/html", href=html),
        *(
            element("link", rel="via", href=url)
            for url in [work.url]
            if url.startswith(("http://", "https://"))
        ),
        *(element("category", term=each.topic, label=each.name) for each in work.topics),
        element("summary", work.abstract),
    )


def rfc3339(date: str) -> str:
    """Return a date in RFC 3339, to the second; empty if the text is no date.

    >>> rfc3339("1999"), rfc3339("1999-05"), rfc3339("2026-01-02T03:04:05+01:00"), rfc3339("soon")
    ('1999-01-01T00:00:00Z', '1999-05-01T00:00:00Z', '2026-01-02T02:04:05Z', '')
    """
    whole = {4: f"{date}-01-01", 7: f"{date}-01"}.get(len(date), date)
    try:
        found = datetime.fromisoformat(whole)
        found = found.replace(tzinfo=found.tzinfo or UTC).astimezone(UTC)
    except (ValueError, OverflowError):
        return ""
    return found.replace(microsecond=0, tzinfo=None).isoformat() + "Z"


OPERATIONS = (
    Operation(
        "/feed",
        "feed",
        "The works that match a query and were found last, as an Atom feed",
        query_feed,
        parameters=(QUERY, *FILTER_PARAMETERS, SINCE),
        media=ATOM,
        uses_index=True,
    ),
    Operation(
        "/topic/{path}/feed",
        "topicFeed",
        "The newest works of a topic, as an Atom feed",
        topic_feed,
        parameters=(PATH,),
        media=ATOM,
        slashed=frozenset({"path"}),
    ),
)
