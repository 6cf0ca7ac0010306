"""Atom feeds (RFC 4287): the newest works of a query or of a topic."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime

from lycosa.portal.api.browsing import PATH, wanted_topic
from lycosa.portal.api.operation import Asked, Operation
from lycosa.portal.api.searching import NARROWING, QUERY, narrowed
from lycosa.portal.api.xml import HEAD, element
from lycosa.portal.records import Work

ATOM = "application/atom+xml"
MOST = 50
"""Works in a feed."""
_EPOCH = "1970-01-01T00:00:00Z"


def of_query(asked: Asked) -> str:
    """The newest works that a query finds."""
    found = asked.engine.search(
        asked["q"], size=MOST, sort="date", filters=narrowed(asked), facets=False
    )
    works = asked.catalogue.works([hit.id for hit in found.hits])
    about = ", ".join([*filter(None, [asked["q"]]), *_values(asked)])
    return _feed(asked, about or "newest", asked.near("/feed"), asked.near("/search"), works)


def of_topic(asked: Asked) -> str:
    """The newest works of a topic."""
    topic = wanted_topic(asked)
    works = asked.catalogue.topic_works(topic.id, "new", MOST)
    here = f"/topic/{topic.id}"
    return _feed(asked, topic.name, asked.url(f"{here}/feed"), asked.url(here), works)


def _values(asked: Asked) -> list[str]:
    return [value for values in narrowed(asked).values() for value in values]


def _feed(asked: Asked, about: str, here: str, html: str, works: Sequence[Work]) -> str:
    meta = asked.catalogue.meta
    built = instant(meta.get("built", "")) or _EPOCH
    times = asked.catalogue.times(work.document for work in works if work.document)
    home = meta.get("title") or asked.url("/")
    entries = [
        _entry(asked, work, instant(times.get(work.document, "")) or built) for work in works
    ]
    feed = element(
        "feed",
        element("id", here),
        element("title", f"{home}: {about}"),
        *(element("subtitle", words) for words in [meta.get("description", "")] if words),
        element("updated", built),
        element("link", rel="self", type=ATOM, href=here),
        element("link", rel="alternate", type="text/html", href=html),
        # Whoever wrote a work is named with it; this is who answers for the feed.
        element("author", element("name", home), element("uri", asked.url("/"))),
        element("generator", "Lycosa", version=asked.sources.version),
        *entries,
        xmlns="http://www.w3.org/2005/Atom",
    )
    return f"{HEAD}{feed}\n"


def _entry(asked: Asked, work: Work, updated: str) -> str:
    html = asked.url(f"/work/{work.id}")
    published = instant(work.date)
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


def instant(date: str) -> str:
    """A date as feeds want it, to the second; empty if it is none.

    >>> instant("1999"), instant("1999-05"), instant("2026-01-02T03:04:05+01:00"), instant("soon")
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
        "The newest works that a query finds, as an Atom feed",
        of_query,
        parameters=(QUERY, *NARROWING),
        media=ATOM,
        searches=True,
    ),
    Operation(
        "/topic/{path}/feed",
        "topicFeed",
        "The newest works of a topic, as an Atom feed",
        of_topic,
        parameters=(PATH,),
        media=ATOM,
        deep=frozenset({"path"}),
    ),
)
