"""The pages that lead to works: home, topics, authors, and what the portal is."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from markupsafe import Markup
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from lycosa.portal.records import Topic, Work
from lycosa.portal.web.portal import Portal
from lycosa.portal.web.search_request import page_numbers, parse_page_number
from lycosa.reporting.chart import bar_chart

SOME, WORKS = 5, 25
"""Works in a short list, and on a page of them."""
_MOST = 1000  # works of somebody that are looked at for the chart


def home(portal: Portal, request: Request) -> Response:
    """Where readers begin."""
    catalogue = portal.catalogue
    topics = [topic for topic in catalogue.topics() if topic.works]
    return portal.render(
        request,
        "home",
        counts=catalogue.counts(),
        topics=[(topic, _below(topics, topic.id)) for topic in topics if topic.parent is None],
        newest=catalogue.newest(SOME),
        cited=[work for work in catalogue.most_cited(SOME) if work.cited_by],
    )


def topics(portal: Portal, request: Request) -> Response:
    """The tree, without topics that have no works; below those there are none either."""
    found = [topic for topic in portal.catalogue.topics() if topic.works]
    return portal.render(request, "topics", topics=found)


def topic(portal: Portal, request: Request) -> Response:
    """A topic: what it is about, and the works to begin with."""
    found = portal.catalogue.topic(request.path_params["path"])
    if found is None:
        raise HTTPException(404)
    tree = portal.catalogue.topics()
    names = {each.id: each for each in tree}
    parts = found.id.split("/")
    paths = ["/".join(parts[:k]) for k in range(1, len(parts))]
    lists = [
        (order, title, portal.catalogue.topic_works(found.id, order, SOME * 2))
        for order, title in (
            ("seminal", "Read these first"),
            ("cited", "Most cited"),
            ("new", "Newest"),
        )
    ]
    return portal.render(
        request,
        "topic",
        topic=found,
        above=[names[path] for path in paths if path in names],
        below=_below(tree, found.id),
        lists=[(order, title, works) for order, title, works in lists if works],
        feed=portal.links.to(f"/topic/{found.id}/feed"),
    )


def author(portal: Portal, request: Request) -> Response:
    """Somebody's works, and with whom."""
    catalogue = portal.catalogue
    found = catalogue.author(request.path_params["id"])
    if found is None:
        raise HTTPException(404)
    total = catalogue.author_total(found.id)
    last = max(1, -(-total // WORKS))
    page = parse_page_number(request.query_params.get("page", ""), last)
    address = f"/author/{found.id}"
    works = catalogue.author_works(found.id, _MOST)
    return portal.render(
        request,
        "author",
        author=found,
        works=catalogue.author_works(found.id, WORKS, (page - 1) * WORKS),
        total=total,
        cited=sum(work.cited_by for work in works),
        page=page,
        pages=[
            (n, portal.links.to(address, page=n) if n else "")
            for n in (page_numbers(page, last) if last > 1 else [])
        ],
        coauthors=catalogue.coauthors(found.id, 20),
        years=_years(works),
    )


def about(portal: Portal, request: Request) -> Response:
    """What this is, how it was made, and what can be done with it."""
    return portal.render(
        request,
        "about",
        counts=portal.catalogue.counts(),
        topics=portal.catalogue.topics(),
        base=portal.links.absolute(request, "/"),
    )


def _below(topics: Sequence[Topic], parent: str) -> list[Topic]:
    return [topic for topic in topics if topic.parent == parent]


def _years(works: Sequence[Work]) -> Markup:
    """How many works there are of each year, as a chart; nothing for a single year."""
    counts = Counter(work.year for work in works if work.year is not None)
    if len(counts) < 2:
        return Markup()
    first, last = min(counts), max(counts)
    years = range(first, last + 1)
    if len(years) > 200:  # one of them is a mistake
        return Markup()
    step = max(1, -(-len(years) // 4))
    across = [((year - first + 0.5) / len(years), str(year)) for year in years[::step]]
    label = f"Works by year, from {first} to {last}"
    # The chart escapes what it is given, and all of it is numbers.
    return Markup(bar_chart([counts[year] for year in years], across, "year", label))  # noqa: S704
