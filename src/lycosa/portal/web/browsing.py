"""Pages for browsing: home, topics, authors, about."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from markupsafe import Markup
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from lycosa.portal.languages import Language
from lycosa.portal.message import Message
from lycosa.portal.records import TopicRecord, Work
from lycosa.portal.web.portal import Portal
from lycosa.portal.web.search_request import page_numbers, parse_page_number
from lycosa.reporting.chart import bar_chart

SHORT_LIST = 5
"""Works in a short list."""
PAGE_SIZE = 25
"""Works on a page of an author."""
MAX_COAUTHORS = 20
MAX_CHARTED_WORKS = 1000
"""Works of an author that the chart by year counts."""
MAX_CHARTED_YEARS = 200
"""With a wider range, one of the years is wrong and the chart is left out."""


def home(portal: Portal, request: Request) -> Response:
    """Render the home page."""
    catalogue = portal.catalogue
    topics = [topic for topic in catalogue.topics() if topic.works]
    return portal.render(
        request,
        "home",
        counts=catalogue.counts(),
        topics=[(topic, _subtopics(topics, topic.id)) for topic in topics if topic.parent is None],
        newest=catalogue.newest(SHORT_LIST),
        cited=[work for work in catalogue.most_cited(SHORT_LIST) if work.cited_by],
    )


def topics(portal: Portal, request: Request) -> Response:
    """Render the tree of topics, without empty ones, and some of the works in none of them."""
    catalogue = portal.catalogue
    found = [topic for topic in catalogue.topics() if topic.works]
    total, works = catalogue.unplaced(SHORT_LIST * 2) if found else (0, [])
    return portal.render(
        request,
        "topics",
        topics=found,
        unplaced=total,
        works=works,
    )


def topic(portal: Portal, request: Request) -> Response:
    """Render a topic with its subtopics and most important works."""
    found = portal.catalogue.topic(request.path_params["path"])
    if found is None:
        raise HTTPException(404)
    tree = portal.catalogue.topics()
    names = {each.id: each for each in tree}
    parts = found.id.split("/")
    paths = ["/".join(parts[:k]) for k in range(1, len(parts))]
    lists = [
        (order, title, portal.catalogue.topic_works(found.id, order, SHORT_LIST * 2))
        for order, title in (
            ("seminal", Message("Read these first")),
            ("cited", Message("Most cited")),
            ("new", Message("Newest")),
        )
    ]
    return portal.render(
        request,
        "topic",
        topic=found,
        above=[names[path] for path in paths if path in names],
        below=_subtopics(tree, found.id),
        lists=[(order, title, works) for order, title, works in lists if works],
        feed=portal.links.to(f"/topic/{found.id}/feed"),
    )


def author(portal: Portal, request: Request) -> Response:
    """Render an author with works, coauthors and a chart by year."""
    catalogue = portal.catalogue
    found = catalogue.author(request.path_params["id"])
    if found is None:
        raise HTTPException(404)
    total = catalogue.author_total(found.id)
    last = max(1, -(-total // PAGE_SIZE))
    page = parse_page_number(request.query_params.get("page", ""), last)
    path = f"/author/{found.id}"
    works = catalogue.author_works(found.id, MAX_CHARTED_WORKS)
    return portal.render(
        request,
        "author",
        author=found,
        works=catalogue.author_works(found.id, PAGE_SIZE, (page - 1) * PAGE_SIZE),
        total=total,
        cited=sum(work.cited_by for work in works),
        page=page,
        pages=[
            (n, portal.links.to(path, page=n) if n else "")
            for n in (page_numbers(page, last) if last > 1 else [])
        ],
        coauthors=catalogue.coauthors(found.id, MAX_COAUTHORS),
        years=_year_chart(works, portal.language(request)),
    )


def about(portal: Portal, request: Request) -> Response:
    """Render the page about the portal: how it was built, how to search, API, exports."""
    return portal.render(
        request,
        "about",
        counts=portal.catalogue.counts(),
        topics=portal.catalogue.topics(),
        base=portal.links.absolute(request, "/"),
    )


def _subtopics(topics: Sequence[TopicRecord], parent: str) -> list[TopicRecord]:
    return [topic for topic in topics if topic.parent == parent]


def _year_chart(works: Sequence[Work], language: Language) -> Markup:
    """Return a bar chart of works per year; empty if there is only one year."""
    counts = Counter(work.year for work in works if work.year is not None)
    if len(counts) < 2:
        return Markup()
    first, last = min(counts), max(counts)
    years = range(first, last + 1)
    if len(years) > MAX_CHARTED_YEARS:
        return Markup()
    step = max(1, -(-len(years) // 4))
    across = [((year - first + 0.5) / len(years), str(year)) for year in years[::step]]
    label = Message("Works by year, from %(first)s to %(last)s", first=str(first), last=str(last))
    below = language.show(Message("year"))
    # The chart escapes its arguments.
    chart = bar_chart([counts[year] for year in years], across, below, language.show(label))
    return Markup(chart)  # noqa: S704
