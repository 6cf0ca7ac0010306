"""The outline of a page: its title, and its text with marks where links and headings are.

A walk over a page writes the text into a buffer, with a mark wherever an anchor or a
heading begins or ends. The buffer is then split into words once, and the positions of
the marks among them are the ranges that make up every bag.

>>> outline = Outline()
>>> link = outline.open_link("tr.ps", "/html/body/a")
>>> outline.text += (SPACED_MARK, "paper", SPACED_MARK)
>>> outline.close_link(link)
>>> outline.starts, outline.stops
([1], [2])
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Protocol

from lycosa.web.words import SPACED_MARK

LINKS = ("area", "frame", "iframe", "link", "meta", "base")
"""Elements beside `a` that may link, or say where links lead."""
SKIPPED = ("script", "style", "template", "noframes", "noembed", "object")
"""Elements whose content is not read."""
INLINE = (
    "b i u s em strong font span small big tt code sub sup nobr abbr mark kbd samp var cite q "
    "ins del bdi bdo wbr"
).split()
"""Elements that may occur inside a word, and are no links; all others separate words."""
HEADINGS = ("h1", "h2", "h3", "h4", "h5", "h6")
"""From the highest level to the lowest."""

MAX_ID_CHARACTERS, MAX_CLASS_CHARACTERS = 40, 80
"""Of an element, that are in tag paths."""

_DIGITS = re.compile(r"\d+")
_MAX_PATH_CHARACTERS = 400
# Possessive: three runs of blanks in a row would be tried in every division.
_REFRESH = re.compile(
    r"""^\s*+[\d.]*+\s*+[;,]?+\s*+url\s*+=\s*+["']?+\s*+([^"'>\s]++)""", re.IGNORECASE
)


class Attributes(Protocol):
    """The attributes of an element."""

    def get(self, name: str, /) -> str | None:
        """Return a value; None if there is no such attribute, or it has no value."""


class Outline:
    """What a walk over a page collects.

    Link k is `hrefs[k]` at the path `paths[k]`, under the heading `headings[k]` (-1:
    none), between the marks `starts[k]` and `stops[k]` of the text. Heading h is between
    the marks `head_starts[h]` and `head_stops[h]`, and under the heading `head_above[h]`.
    Marks are numbered from 1; mark 0 is at the end of the title. Links and headings count
    their marks, and the walk writes each into the text where they begin and end.
    """

    __slots__ = (
        "_chain", "base", "head_above", "head_starts", "head_stops", "headings", "hrefs", "marks",
        "paths", "starts", "stops", "text", "title",
    )  # fmt: skip

    def __init__(self) -> None:
        self.title: str | None = None
        self.base: str | None = None
        self.text: list[str] = []
        self.marks = 1
        self.hrefs: list[str] = []
        self.paths: list[str] = []
        self.headings: list[int] = []
        self.starts: list[int] = []
        self.stops: list[int] = []
        self.head_above: list[int] = []
        self.head_starts: list[int] = []
        self.head_stops: list[int] = []
        # The levels and numbers of the headings that the current position is under.
        self._chain: list[tuple[int, int]] = []

    def marked_text(self) -> str:
        """Return the title and the text, with all marks."""
        return "".join((self.title or "", SPACED_MARK, *self.text))

    def open_link(self, href: str, path: str) -> int:
        """Begin a link; return its number."""
        mark = self.marks
        self.marks = mark + 1
        self.starts.append(mark)
        self.stops.append(mark)
        self.headings.append(self._chain[-1][1] if self._chain else -1)
        self.paths.append(path)
        hrefs = self.hrefs
        hrefs.append(href)
        return len(hrefs) - 1

    def close_link(self, link: int) -> None:
        """End a link."""
        self.stops[link] = self.marks
        self.marks += 1

    def add_link(self, url: str) -> None:
        """Add a link that has no element, and no words."""
        self._chain.clear()
        self.text.append(SPACED_MARK)
        self.open_link(url, "")

    def clear_links(self) -> None:
        """Drop all links; their words stay."""
        for values in (self.hrefs, self.paths, self.headings, self.starts, self.stops):
            values.clear()

    def open_heading(self, level: int) -> int:
        """Begin a heading; return its number."""
        chain = self._chain
        while chain and chain[-1][0] >= level:
            chain.pop()
        heading = len(self.head_above)
        self.head_above.append(chain[-1][1] if chain else -1)
        self.head_starts.append(self.marks)
        self.head_stops.append(self.marks)
        self.marks += 1
        chain.append((level, heading))
        return heading

    def close_heading(self, heading: int) -> None:
        """End a heading."""
        self.head_stops[heading] = self.marks
        self.marks += 1


def is_nofollow(attributes: Attributes) -> bool:
    """Return whether a link asks crawlers not to follow it.

    The relations `ugc` and `sponsored` say what a link is, and do not ask for anything.
    """
    return "nofollow" in (attributes.get("rel") or "").lower().split()


def href_of(tag: str | None, attributes: Attributes) -> str | None:
    """Return the target of an element as it is written; None if it links to nothing.

    >>> href_of("meta", {"http-equiv": "Refresh", "content": "5; url=next.html"})
    'next.html'
    """
    match tag:
        case "a" | "area":
            return attributes.get("href")
        case "frame" | "iframe":
            return attributes.get("src")
        case "link":
            relations = (attributes.get("rel") or "").lower().split()
            return attributes.get("href") if "next" in relations else None
        case "meta" if (attributes.get("http-equiv") or "").lower() == "refresh":
            found = _REFRESH.match(attributes.get("content") or "")
            return found[1] if found else None
    return None


def path_label(tag: str, attributes: Attributes) -> str:
    """Return an element's step in tag paths: `div#main.wide`; every number becomes 0."""
    identifier = (attributes.get("id") or "")[:MAX_ID_CHARACTERS]
    classes = (attributes.get("class") or "")[:MAX_CLASS_CHARACTERS]
    return label_of(tag, identifier, classes)


@lru_cache(maxsize=65_536)
def label_of(tag: str, identifier: str, classes: str) -> str:
    """Return the step of an element with this id and these classes."""
    label = tag
    if identifier:
        label += "#" + identifier
    if classes:
        label += "." + ".".join(classes.split())
    return _DIGITS.sub("0", label)


@lru_cache(maxsize=65_536)
def extend_path(path: str, label: str) -> str:
    """Return a tag path with one step more, unless it is long already."""
    return path if len(path) > _MAX_PATH_CHARACTERS else f"{path}/{label}"
