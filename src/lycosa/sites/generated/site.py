"""A generated site: every page is computed from its number, none is stored."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

import numpy as np

from lycosa.content import NO_INTS, Content, Ints, Table, Tables
from lycosa.core import Page
from lycosa.sites.generated.layout import Plan
from lycosa.sites.generated.renderer import GeneratedResponse, Renderer
from lycosa.sites.generated.templates import MENU_FIRST
from lycosa.web.decoding import decode
from lycosa.web.html import parse_html
from lycosa.web.numberer import Numberer, UrlNumberer
from lycosa.web.url_resolver import Resolver


class GeneratedUrls:
    """The URLs of a generated site: computed from numbers, and numbers from URLs.

    `plan` has the path of every page; `base` is the URL of the site, without a slash
    at the end.
    """

    __slots__ = ("_base", "_plan")

    def __init__(self, plan: Plan, base: str) -> None:
        self._plan = plan
        self._base = base

    def __len__(self) -> int:
        return len(self._plan.layout)

    def __getitem__(self, number: int, /) -> str:
        return self._base + self._plan.path(number)

    def __iter__(self) -> Iterator[str]:
        return (self[number] for number in range(len(self)))

    def find(self, text: str, /) -> int | None:
        """Return the number of the page of a canonical URL, or None if it is not on the site."""
        base = self._base
        if not text.startswith(base) or text[len(base) : len(base) + 1] != "/":
            return None
        return self._plan.locate(text[len(base) :])


class GeneratedSite:
    """A site of a generated world; `World` makes them.

    `name` is its name in results, `plan` its structure, `renderer` writes its pages,
    and `base` is its URL, without a slash at the end.
    """

    def __init__(self, name: str, plan: Plan, renderer: Renderer, base: str) -> None:
        self._name = name
        self.plan = plan
        self.base = base
        self._renderer = renderer
        self._urls = GeneratedUrls(plan, base)
        self._words = Table()
        self._paths = Table()
        self._tables = Tables(self._words, self._urls, self._paths)
        self._numberer = Numberer(self._words)
        self._url_numberer = UrlNumberer(self._numberer, self._urls)
        self._resolver = Resolver()
        self._seeds = np.zeros(1, np.int32)

    def __repr__(self) -> str:
        return f"<GeneratedSite {self.base} {len(self):,} pages>"

    def __len__(self) -> int:
        return len(self.plan.layout)

    @property
    def name(self) -> str:
        """Return the name of the site."""
        return self._name

    @property
    def family(self) -> str:
        """Return the family of the site."""
        return self.plan.family

    @property
    def tables(self) -> Tables:
        """Return the tables of the words, URLs and tag paths of its pages."""
        return self._tables

    @property
    def seeds(self) -> Ints:
        """Return the number of the front page."""
        return self._seeds

    @property
    def goals(self) -> tuple[str, ...]:
        """Return the goals whose targets are known."""
        return self.plan.goals

    def wanted(self, goal: str, /) -> Ints:
        """Return the numbers of the URLs that one of the `goals` rewards."""
        numbers = self.plan.wanted(goal)
        return np.arange(numbers.start, numbers.stop, dtype=np.int32)

    def page(self, number: int, /) -> Page:
        """Return the page of a URL; its content is rendered on first use."""
        plan = self.plan
        kind = plan.type(number)
        if kind != "text/html":
            return Page(number, self._tables, type=kind)
        targets = self._targets(number)
        if not targets and plan.kind(number) == "dead":
            return Page(number, self._tables, status=404)
        array: Ints = np.array(targets, np.int32) if targets else NO_INTS
        return Page(number, self._tables, array, partial(self._content, number))

    def response(self, number: int) -> GeneratedResponse:
        """Return the response to a request for a page: status, headers, body."""
        return self._renderer.response(number)

    def request(self, url: str) -> GeneratedResponse:
        """Return the response to a request for any canonical URL under `base`."""
        number = self._urls.find(url)
        if number is not None:
            target = self._urls[number]
            return (
                self.response(number) if target == url else self._renderer.redirect(number, target)
            )
        path = url[len(self.base) :]
        page = self.plan.unnumbered_page(path)
        return self._renderer.unnumbered(page) if page else self._renderer.not_found(path)

    def links(self, number: int) -> list[int]:
        """Return the targets of a page as a list, without making a `Page`."""
        return self._targets(number)

    def read(self, number: int) -> tuple[Ints, Content]:
        """Return the targets and the content of a page, parsed from its HTML."""
        response = self._renderer.response(number)
        if response.status != 200 or not response.type.startswith("text/html"):
            return NO_INTS, Content()
        return parse_html(
            decode(response.body, response.type),
            self._urls[number],
            self._numberer,
            self._paths,
            self._urls.find,
            self._resolver,
            url_words=self._url_numberer,
        )

    def _content(self, number: int) -> Content:
        return self.read(number)[1]

    def _targets(self, number: int) -> list[int]:
        plan = self.plan
        outline = plan.outline(number)
        if not outline:
            return []
        if outline[0][0] == "frames":
            return list(outline[0][1])
        targets: list[int] = []
        for _, numbers in outline:
            targets += numbers
        menu = plan.menu(number)
        targets = [*menu, *targets] if MENU_FIRST[plan.style(number)] else [*targets, *menu]
        merged = dict.fromkeys(targets)
        merged.pop(number, None)
        return list(merged)
