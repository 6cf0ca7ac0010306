"""The plan of a company: products, news, investor documents, and one page of its officers."""

from __future__ import annotations

from collections.abc import Sequence

from lycosa.errors import UnknownName
from lycosa.sites.generated.layout import (
    Outliner,
    PagedList,
    Part,
    UnnumberedPage,
    children,
    style_of,
)
from lycosa.sites.generated.organisation_facts import (
    BLOG_PAGE,
    FIXED,
    INNER_PAGE,
    LISTED,
    OFFICERS_PAGE,
)
from lycosa.sites.generated.organisation_paths import OrganisationPaths
from lycosa.sites.generated.random_stream import mix

_KINDS = {
    "bio": "officers", "category": "product", "product": "product", "feature": "product",
    "sheet": "document", "release": "press", "job": "job", "office": "company",
    "filing": "investor", "statement": "document", "post": "press", "dead": "dead",
    "article": "product",
}  # fmt: skip

_FIXED_KINDS = {"investors": "investor", "careers": "job", "news": "press", "officers": "officers"}


class Organisation(OrganisationPaths):
    """The plan of one company of `pages` pages, computed from a seed.

    The one target, the page of the officers, is `depth` links away from the front page.

    >>> plan = Organisation(seed=0, pages=100)
    >>> len(plan.wanted("officers")), 3 <= plan.depth <= 5
    (1, True)
    """

    family = "organisations"
    goals: tuple[str, ...] = ("officers",)

    def __init__(self, seed: int, pages: int) -> None:
        super().__init__(seed, pages)
        size, starts = self.layout.sizes, self.layout.starts
        self._lists = {
            name: PagedList(starts[f"{name}-list"], starts[name], size[name]) for name in LISTED
        }
        self._outlines: dict[str, Outliner] = {
            "fixed": self._fixed, "bio": self._bio, "category": self._category,
            "product": self._product, "feature": self._feature, "release": self._release,
            "job": self._job, "office": self._office, "filing": self._filing, "post": self._post,
            "article": self._article, "sheet": _no_links, "statement": _no_links, "dead": _no_links,
        }  # fmt: skip

    # Kinds of pages

    def kind(self, number: int) -> str:
        """Return the kind of a page."""
        section, index = self.layout.where(number)
        if section == "fixed":
            return _FIXED_KINDS.get(FIXED[index], "company")
        return _KINDS[section.removesuffix("-list")]

    def type(self, number: int) -> str:
        """Return the media type of a page."""
        section, _ = self.layout.where(number)
        return "application/pdf" if section in ("sheet", "statement") else "text/html"

    def wanted(self, goal: str) -> range:
        """Return the pages that a goal rewards."""
        if goal not in self.goals:
            raise UnknownName("goal", goal, self.goals)
        return range(OFFICERS_PAGE, OFFICERS_PAGE + 1)

    def style(self, number: int) -> int:
        """Return the template of a page."""
        return style_of(self._site_styles, mix(self._styles, number))

    def menu(self, number: int) -> Sequence[int]:
        """Return the pages that the menu of a page links to."""
        return self._menu

    def next_unnumbered_path(self, number: int) -> str | None:
        """Return None: a company has no endless calendar."""
        return None

    def unnumbered_page(self, path: str) -> UnnumberedPage | None:
        """Return None: a company has no endless calendar."""
        return None

    # Outlines

    def outline(self, number: int) -> list[Part]:
        """Return the parts of a page between its menus, in reading order."""
        section, index = self.layout.where(number)
        outliner = self._outlines.get(section)
        if outliner is None:
            listing = self._lists[section[:-5]]
            return [("entries", listing.entries(index)), ("more", listing.more(index))]
        return outliner(index)

    def _fixed(self, index: int) -> list[Part]:
        starts, sizes = self.layout.starts, self.layout.sizes

        def first(section: str, count: int) -> range:
            return range(starts[section], starts[section] + min(count, sizes[section]))

        deeper: list[Part] = []
        if index == self._hub:
            deeper = [("see", (INNER_PAGE,))]
        match FIXED[index]:
            case "front":
                return [("text", ()), ("entries", first("category", 4)),
                        ("entries", first("release", 3)), ("see", (BLOG_PAGE, 11))]  # fmt: skip
            case "about":
                return [("text", ()), *deeper, ("see", (8, 10, 9))]
            case "products":
                return [("text", ()), ("list", (starts["category-list"],))]
            case "news":
                return [("entries", first("release", 5)), ("list", (starts["release-list"],)),
                        ("see", (BLOG_PAGE,))]  # fmt: skip
            case "investors":
                return [("text", ()), ("list", (starts["filing-list"],)), *deeper]
            case "careers":
                return [("text", ()), ("list", (starts["job-list"],)), ("see", (8,))]
            case "contact" | "locations":
                return [("text", ()), ("list", (starts["office-list"],))]
            case "support":
                return [("text", ()), ("entries", first("article", 6))]
            case "blog":
                return [("text", ()), ("list", (starts["post-list"],))]
            case "inner1" | "inner2" | "inner3":
                level = index - INNER_PAGE
                onward = [INNER_PAGE + level + 1] if level < 2 else []
                if self.depth == 3 + level:
                    onward.insert(mix(self._codes, 1) % (len(onward) + 1), OFFICERS_PAGE)
                return [("text", ()), ("see", onward), ("see", (8, 9, 10))]
            case "officers":
                return [("text", ()), ("entries", self.layout.range("bio"))]
            case "team" | "advisors":
                return [("text", ()), ("people", ()), ("see", (5,))]
        return [("text", ())]

    def _bio(self, index: int) -> list[Part]:
        return [("text", ()), ("see", (OFFICERS_PAGE,))]

    def _category(self, index: int) -> list[Part]:
        start = self.layout.starts["product"]
        return [("text", ()), ("entries", [start + p for p in self.categories.of(index)])]

    def _product(self, index: int) -> list[Part]:
        starts = self.layout.starts
        sheets = [starts["sheet"] + s for s in self._sheets.of(index)]
        code = mix(self._codes, starts["product"] + index)
        related = starts["product"] + (code >> 8) % self.layout.sizes["product"]
        category = starts["category"] + self.categories.owner(index)
        return [("text", ()), ("entries", (starts["feature"] + index,)), ("entries", sheets),
                ("entries", (related, category))]  # fmt: skip

    def _feature(self, index: int) -> list[Part]:
        starts, sizes = self.layout.starts, self.layout.sizes
        code = mix(self._codes, starts["feature"] + index)
        parts: list[Part] = [("text", ()), ("entries", (starts["product"] + index,))]
        if sizes["article"] and code % 3 == 0:
            parts.append(("entries", (starts["article"] + (code >> 8) % sizes["article"],)))
        return parts

    def _release(self, index: int) -> list[Part]:
        starts, sizes = self.layout.starts, self.layout.sizes
        code = mix(self._codes, starts["release"] + index)
        section = ("product", "category", "office", "filing", "product")[code % 5]
        about = starts[section] + (code >> 8) % sizes[section]
        return [
            ("text", ()),
            ("entries", (about,)),
            ("near", self._near("release", index)),
        ]

    def _job(self, index: int) -> list[Part]:
        starts, sizes = self.layout.starts, self.layout.sizes
        code = mix(self._codes, starts["job"] + index)
        return [("text", ()), ("entries", (starts["office"] + (code >> 8) % sizes["office"],)),
                ("see", (5,))]  # fmt: skip

    def _office(self, index: int) -> list[Part]:
        return [("text", ()), ("see", (6, 10))]

    def _filing(self, index: int) -> list[Part]:
        starts = self.layout.starts
        papers = [starts["statement"] + s for s in self._statements.of(index)]
        return [("text", ()), ("entries", papers), ("near", self._near("filing", index))]

    def _post(self, index: int) -> list[Part]:
        starts, sizes = self.layout.starts, self.layout.sizes
        code = mix(self._codes, starts["post"] + index)
        dead = [starts["dead"] + d for d in self._dead.of(index)]
        other = starts["post"] + (code >> 8) % sizes["post"]
        return [("text", ()), ("entries", (other,)), ("gone", dead),
                ("outside", ())]  # fmt: skip

    def _article(self, index: int) -> list[Part]:
        start, size = self.layout.starts["article"], self.layout.sizes["article"]
        below = [start + i for i in children(index, size, 4, 6)]
        return [("text", ()), ("entries", below), ("near", self._near("article", index))]

    def _near(self, section: str, index: int) -> list[int]:
        start, size = self.layout.starts[section], self.layout.sizes[section]
        return [start + i for i in (index + 1, index - 1) if 0 <= i < size]


def _no_links(index: int) -> list[Part]:
    return []
