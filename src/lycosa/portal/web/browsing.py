"""Pages for browsing: home, topics, authors, about."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import partial
from typing import NamedTuple

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
READABLE_KINDS = ("paper", "page")
"""The kinds of works that have a copy here."""
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
    below = _subtopics(tree, found.id)
    return portal.render(
        request,
        "topic",
        topic=found,
        above=[names[path] for path in paths if path in names],
        below=[each for each in below if each.works],
        empty=[each for each in below if not each.works],
        lists=_topic_lists(portal, found.id),
        feed=portal.links.to(f"/topic/{found.id}/feed"),
    )


def _topic_lists(portal: Portal, topic: str) -> list[tuple[str, Message, list[Work]]]:
    """Return the lists of works of a topic that differ: without citations, only the newest."""
    seminal, cited, newest = (
        portal.catalogue.topic_works(topic, order, SHORT_LIST * 2)
        for order in ("seminal", "cited", "new")
    )
    cited = [work for work in cited if work.cited_by]
    found = [("new", Message("Newest"), newest)]
    if cited:
        found.insert(0, ("cited", Message("Most cited"), cited))
        # What is read first is chosen by citations, so without any it would be chance.
        if {work.id for work in seminal} != {work.id for work in cited}:
            found.insert(0, ("seminal", Message("Read these first"), seminal))
    return [each for each in found if each[2]]


class WorkList(NamedTuple):
    """A page of a list of works."""

    works: list[Work]
    total: int
    """On all pages."""
    page: int
    pages: list[tuple[int, str]]
    """The pages that a pager offers, with their URLs; 0 is a gap. None if there is one page."""


def author(portal: Portal, request: Request) -> Response:
    """Render an author with works, coauthors and a chart by year."""
    catalogue = portal.catalogue
    found = catalogue.author(request.path_params["id"])
    if found is None:
        raise HTTPException(404)
    works = catalogue.author_works(found.id, MAX_CHARTED_WORKS)
    return portal.render(
        request,
        "author",
        author=found,
        readable=_author_works(portal, request, found.id, "page", READABLE_KINDS),
        only_cited=_author_works(portal, request, found.id, "cited", ("cited",)),
        cited=sum(work.cited_by for work in works),
        coauthors=catalogue.coauthors(found.id, MAX_COAUTHORS),
        years=_year_chart(works, portal.language(request)),
    )


def _author_works(
    portal: Portal, request: Request, author: str, parameter: str, kinds: Sequence[str]
) -> WorkList:
    """Return works of some kinds of an author, the page of which a parameter of the URL names."""
    total = portal.catalogue.author_total(author, kinds)
    last = max(1, -(-total // PAGE_SIZE))
    page = parse_page_number(request.query_params.get(parameter, ""), last)
    works = portal.catalogue.author_works(author, PAGE_SIZE, (page - 1) * PAGE_SIZE, kinds)
    offered = page_numbers(page, last) if last > 1 else []
    url = partial(portal.links.to, f"/author/{author}")
    pages = [(n, f"{url(**{parameter: n})}#{parameter}" if n else "") for n in offered]
    return WorkList(works, total, page, pages)


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
