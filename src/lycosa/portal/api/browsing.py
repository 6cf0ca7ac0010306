"""Topics and people."""

from __future__ import annotations

from lycosa.portal.api.operation import Asked, Operation, Parameter
from lycosa.portal.api.paging import PAGE, SIZE, paged, window
from lycosa.portal.api.problems import Problem
from lycosa.portal.api.shapes import Shape, author_json, topic_json, work_json
from lycosa.portal.records import Topic

PATH = Parameter(
    "path", "Of a topic in the tree; slashes are part of it.",
    {"type": "string", "minLength": 1}, "path",
)  # fmt: skip
_COMPANY = 20


def wanted_topic(asked: Asked) -> Topic:
    """The topic that is asked for."""
    found = asked.catalogue.topic(asked["path"])
    if found is None:
        raise Problem(404, f"There is no topic {asked['path'][:50]!r}.")
    return found


def topics(asked: Asked) -> Shape:
    """The tree."""
    return {
        "items": [topic_json(asked, each) for each in asked.catalogue.topics()],
        "links": {"self": asked.url("/api/topics"), "html": asked.url("/topics")},
    }


def topic(asked: Asked) -> Shape:
    """A topic, and a page of its works."""
    found = wanted_topic(asked)
    size, offset = window(asked["page"], asked["size"])
    order = asked["order"]
    works = asked.catalogue.topic_works(found.id, order, size, offset)
    total = found.works
    if order == "seminal":
        total = len(asked.catalogue.topic_works(found.id, order, 1000))
    below = [each for each in asked.catalogue.topics() if each.parent == found.id]
    shape = topic_json(asked, found)
    items = [work_json(asked, work) for work in works]
    links = {name: shape["links"][name] for name in ("html", "feed")}
    return {
        "topic": shape,
        "below": [topic_json(asked, each) for each in below],
        **paged(asked, f"/api/topics/{found.id}", total, items, links),
    }


def author(asked: Asked) -> Shape:
    """Somebody, and a page of their works."""
    catalogue = asked.catalogue
    found = catalogue.author(asked["id"])
    if found is None:
        raise Problem(404, f"There is no author {asked['id'][:50]!r}.")
    works = catalogue.author_works(found.id, *window(asked["page"], asked["size"]))
    shape = author_json(asked, found)
    items = [work_json(asked, work) for work in works]
    path, total = f"/api/authors/{found.id}", catalogue.author_total(found.id)
    return {
        "author": shape,
        "coauthors": [
            {"author": author_json(asked, other), "count": count}
            for other, count in catalogue.coauthors(found.id, _COMPANY)
        ],
        **paged(asked, path, total, items, {"html": shape["links"]["html"]}),
    }


OPERATIONS = (
    Operation("/api/topics", "listTopics", "The tree of topics", topics, "Topics"),
    Operation(
        "/api/topics/{path}",
        "getTopic",
        "A topic, and the works in it and below it",
        topic,
        "TopicWorks",
        (
            PATH,
            Parameter(
                "order",
                "The most cited first, the newest first, or only those that matter most to it.",
                {"type": "string", "enum": ["cited", "new", "seminal"], "default": "cited"},
            ),
            PAGE,
            SIZE,
        ),
        deep=frozenset({"path"}),
    ),
    Operation(
        "/api/authors/{id}",
        "getAuthor",
        "Somebody, their works and with whom they wrote",
        author,
        "AuthorWorks",
        (
            Parameter("id", "Of an author.", {"type": "string", "minLength": 1}, "path"),
            PAGE,
            SIZE,
        ),
    ),
)
