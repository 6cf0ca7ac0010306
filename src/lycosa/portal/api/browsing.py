"""Operations on topics and authors."""

from __future__ import annotations

from lycosa.portal.api.operation import ApiRequest, Operation, Parameter
from lycosa.portal.api.paging import PAGE, SIZE, limit_and_offset, page_json
from lycosa.portal.api.problems import MovedPermanently, Problem
from lycosa.portal.api.shapes import Shape, author_json, topic_json, work_json
from lycosa.portal.records import TopicRecord

PATH = Parameter(
    "path", "The path of a topic; slashes are part of it.",
    {"type": "string", "minLength": 1}, "path",
)  # fmt: skip
MAX_COAUTHORS = 20


def find_topic(request: ApiRequest) -> TopicRecord:
    """Return the topic that a request names; raise `Problem` (404) if there is none."""
    found = request.catalogue.topic(request["path"])
    if found is None:
        raise Problem(404, f"There is no topic {request['path'][:50]!r}.")
    return found


def topics(request: ApiRequest) -> Shape:
    """Return the tree of topics."""
    return {
        "items": [topic_json(request, each) for each in request.catalogue.topics()],
        "links": {"self": request.url("/api/topics"), "html": request.url("/topics")},
    }


def topic(request: ApiRequest) -> Shape:
    """Return a topic and a page of its works."""
    found = find_topic(request)
    size, offset = limit_and_offset(request["page"], request["size"])
    order = request["order"]
    works = request.catalogue.topic_works(found.id, order, size, offset)
    total = found.works
    if order == "seminal":
        total = len(request.catalogue.topic_works(found.id, order, 1000))
    below = [each for each in request.catalogue.topics() if each.parent == found.id]
    shape = topic_json(request, found)
    items = [work_json(request, work) for work in works]
    links = {name: shape["links"][name] for name in ("html", "feed")}
    return {
        "topic": shape,
        "below": [topic_json(request, each) for each in below],
        **page_json(request, f"/api/topics/{found.id}", total, items, links),
    }


def author(request: ApiRequest) -> Shape:
    """Return an author and a page of their works."""
    catalogue = request.catalogue
    found = catalogue.author(request["id"])
    if found is None:
        if new := catalogue.moved(request["id"]):
            raise MovedPermanently(request.url_with(f"/api/authors/{new}"))
        raise Problem(404, f"There is no author {request['id'][:50]!r}.")
    works = catalogue.author_works(found.id, *limit_and_offset(request["page"], request["size"]))
    shape = author_json(request, found)
    items = [work_json(request, work) for work in works]
    path, total = f"/api/authors/{found.id}", catalogue.author_total(found.id)
    return {
        "author": shape,
        "coauthors": [
            {"author": author_json(request, other), "count": count}
            for other, count in catalogue.coauthors(found.id, MAX_COAUTHORS)
        ],
        **page_json(request, path, total, items, {"html": shape["links"]["html"]}),
    }


OPERATIONS = (
    Operation("/api/topics", "listTopics", "The tree of topics", topics, "Topics"),
    Operation(
        "/api/topics/{path}",
        "getTopic",
        "A topic, and the works in it and in its subtopics",
        topic,
        "TopicWorks",
        (
            PATH,
            Parameter(
                "order",
                "The most cited first, the newest first, or only the seminal works of the topic.",
                {"type": "string", "enum": ["cited", "new", "seminal"], "default": "cited"},
            ),
            PAGE,
            SIZE,
        ),
        slashed=frozenset({"path"}),
    ),
    Operation(
        "/api/authors/{id}",
        "getAuthor",
        "An author, their works and coauthors",
        author,
        "AuthorWorks",
        (
            Parameter("id", "The id of an author.", {"type": "string", "minLength": 1}, "path"),
            PAGE,
            SIZE,
        ),
        may_redirect=True,
    ),
)
