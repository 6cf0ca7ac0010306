"""The plan of a company: products, news, investor documents, and one page of its officers."""

from __future__ import annotations

import re
from collections.abc import Sequence

from lycosa.errors import UnknownName
from lycosa.sites.generated.layout import (
    Layout,
    Outliner,
    PagedList,
    Part,
    UnnumberedPage,
    check_size,
    children,
    pages_of,
    style_of,
)
from lycosa.sites.generated.names import Namer
from lycosa.sites.generated.random_stream import RandomStream, Shuffle, Split, key, mix
from lycosa.sites.generated.words import PRODUCTS

FIXED = (
    "front", "about", "products", "news", "investors", "careers", "contact", "support",
    "team", "advisors", "locations", "legal", "inner1", "inner2", "inner3", "officers", "blog",
)  # fmt: skip
_ABOUT, _INVESTORS, _INNER, _OFFICERS, _BLOG = 1, 4, 12, 15, 16

_LISTED = ("category", "release", "job", "office", "filing", "post")

_KINDS = {
    "bio": "officers", "category": "product", "product": "product", "feature": "product",
    "sheet": "document", "release": "press", "job": "job", "office": "company",
    "filing": "investor", "statement": "document", "post": "press", "dead": "dead",
    "article": "product",
}  # fmt: skip

_FIXED_KINDS = {"investors": "investor", "careers": "job", "news": "press", "officers": "officers"}

INNER = (
    ("company", "Our company"), ("governance", "Corporate governance"),
    ("organisation", "How we are organised"), ("people", "Our people"),
    ("overview", "Corporate overview"), ("structure", "Group structure"), ("story", "Our story"),
)  # fmt: skip

OFFICERS = (
    ("leadership", "Leadership"), ("board", "Board of directors"),
    ("management", "Management team"), ("officers", "Executive officers"),
    ("executives", "Our executives"), ("directors", "Directors and officers"),
)  # fmt: skip

_DIGITS = re.compile(r"(\d+)$")


def sizes(pages: int, code: int) -> dict[str, int]:
    """Return the number of pages of each section; companies of one size differ."""
    rest = pages - len(FIXED)
    stream = RandomStream(code)

    def share(mille: int, least: int) -> int:
        part = 75 + stream.below(46) if pages >= 400 else 100
        return max(least, rest * mille * part // 100_000)

    product = share(120, 6)
    result = {
        "fixed": len(FIXED), "bio": 6,
        "category": share(10, 2), "product": product, "feature": product, "sheet": share(100, 3),
        "release": share(200, 6), "job": share(60, 3), "office": share(20, 2),
        "filing": share(30, 3), "statement": share(30, 3), "post": share(150, 4),
        "dead": share(20, 1),
    }  # fmt: skip
    for name in _LISTED:
        result[f"{name}-list"] = pages_of(result[name])
    result["article"] = pages - sum(result.values())
    return result


class Organisation:
    """The plan of one company of `pages` pages, computed from a seed.

    The one target, the page of the officers, is `depth` links away from the front page.

    >>> plan = Organisation(seed=0, pages=100)
    >>> len(plan.wanted("officers")), 3 <= plan.depth <= 5
    (1, True)
    """

    family = "organisations"
    goals: tuple[str, ...] = ("officers",)

    def __init__(self, seed: int, pages: int) -> None:
        check_size(pages)
        self.seed = seed
        self.layout = layout = Layout(sizes(pages, key(seed, "sizes")))
        size, starts = layout.sizes, layout.starts
        self._codes = key(seed, "outline")
        self._styles = key(seed, "style")
        self._aliases = key(seed, "aliases")
        self._paths = key(seed, "paths")
        code = key(seed, "company")
        self.depth = 3 + code % 3
        self._hub = (_ABOUT, _INVESTORS)[(code >> 8) & 1]
        order = Shuffle(3, len(INNER), code >> 16)
        self.inner = [INNER[order.encode(n)] for n in range(3)]
        self.officers = OFFICERS[(code >> 24) % len(OFFICERS)]
        self.line = (code >> 32) % len(PRODUCTS)
        main = 1 + (code >> 40) % 3
        self._menu = (0, *RandomStream(key(seed, "menu")).sample(range(1, 8), 7))
        self._site_styles = (main, main, main, main, (main + 1) % 4)
        self.categories = Split(size["product"], size["category"], key(seed, "categories"))
        self._sheets = Split(size["sheet"], size["product"], key(seed, "sheets"))
        self._statements = Split(size["statement"], size["filing"], key(seed, "statements"))
        self._dead = Split(size["dead"], size["post"], key(seed, "dead"))
        self.products = Namer(size["product"], key(seed, "products"))
        self._lists = {
            name: PagedList(starts[f"{name}-list"], starts[name], size[name]) for name in _LISTED
        }
        page = ("/", ".html", ".htm", ".aspx")[(code >> 48) % 4]
        names = list(FIXED)
        names[_INNER : _INNER + 3] = [name for name, _ in self.inner]
        names[_OFFICERS] = self.officers[0]
        # Pages about the company are in a folder, as on real sites.
        folders = dict.fromkeys(range(_INNER, _OFFICERS + 1), "corporate/")
        self._fixed_paths = ["/"] + [
            f"/{folders.get(n, '')}{name}{page}" for n, name in enumerate(names) if n
        ]
        self._fixed_numbers = {path: n for n, path in enumerate(self._fixed_paths)}
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
        return range(_OFFICERS, _OFFICERS + 1)

    def style(self, number: int) -> int:
        """Return the template of a page."""
        return style_of(self._site_styles, mix(self._styles, number))

    def menu(self, number: int) -> Sequence[int]:
        """Return the pages that the menu of a page links to."""
        return self._menu

    def topic(self, number: int) -> int:
        """Return the index of the line of business of a page."""
        section, index = self.layout.where(number)
        if section in ("product", "feature"):
            return (self.line + self.categories.owner(index)) % len(PRODUCTS)
        if section == "category":
            return (self.line + index) % len(PRODUCTS)
        return (self.line + mix(self._codes, number) % 3) % len(PRODUCTS)

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
            deeper = [("see", (_INNER,))]
        match FIXED[index]:
            case "front":
                return [("text", ()), ("entries", first("category", 4)),
                        ("entries", first("release", 3)), ("see", (_BLOG, 11))]  # fmt: skip
            case "about":
                return [("text", ()), *deeper, ("see", (8, 10, 9))]
            case "products":
                return [("text", ()), ("list", (starts["category-list"],))]
            case "news":
                return [("entries", first("release", 5)), ("list", (starts["release-list"],)),
                        ("see", (_BLOG,))]  # fmt: skip
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
                level = index - _INNER
                onward = [_INNER + level + 1] if level < 2 else []
                if self.depth == 3 + level:
                    onward.insert(mix(self._codes, 1) % (len(onward) + 1), _OFFICERS)
                return [("text", ()), ("see", onward), ("see", (8, 9, 10))]
            case "officers":
                return [("text", ()), ("entries", self.layout.range("bio"))]
            case "team" | "advisors":
                return [("text", ()), ("people", ()), ("see", (5,))]
        return [("text", ())]

    def _bio(self, index: int) -> list[Part]:
        return [("text", ()), ("see", (_OFFICERS,))]

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
        return [("text", ()), ("text", ()), ("entries", (other,)), ("gone", dead),
                ("outside", ())]  # fmt: skip

    def _article(self, index: int) -> list[Part]:
        start, size = self.layout.starts["article"], self.layout.sizes["article"]
        below = [start + i for i in children(index, size, 4, 6)]
        return [("text", ()), ("entries", below), ("near", self._near("article", index))]

    def _near(self, section: str, index: int) -> list[int]:
        start, size = self.layout.starts[section], self.layout.sizes[section]
        return [start + i for i in (index + 1, index - 1) if 0 <= i < size]

    # Paths

    def path(self, number: int) -> str:
        """Return the path of a page's URL, with its query."""
        section, index = self.layout.where(number)
        match section:
            case "fixed":
                return self._fixed_paths[index]
            case "bio":
                return f"/corporate/bios/person{index}.html"
            case "category":
                return f"/products/{PRODUCTS[self.topic(number)].short}-{index}/"
            case "product" | "feature":
                page = "features.html" if section == "feature" else ""
                return f"/products/{self.products[index]}/{page}"
            case "sheet":
                return f"/downloads/{('datasheet', 'brochure', 'manual')[index % 3]}{index}.pdf"
            case "statement":
                return f"/investors/{('annual', 'quarterly', 'proxy')[index % 3]}-report{index}.pdf"
            case "release":
                return f"/news/{2001 + index % 20}/release{index}.html"
            case "job":
                return f"/careers/job.php?id={index}"
            case "filing":
                return f"/investors/{2001 + index % 20}/filing{index}.html"
            case "post":
                word = self._word(number)
                return f"/blog/{word}-{index}.html"
        if section.endswith("-list"):
            return f"/index/{section[:-5]}{f'-{index + 1}' if index else ''}.html"
        return f"/{_FOLDERS[section]}/{self._word(number)}{index}.html"

    def _word(self, number: int) -> str:
        code = mix(self._paths, number)
        if code % 5 == 0:
            return ("leadership", "team", "board", "people", "management")[(code >> 8) % 5]
        words = PRODUCTS[(code >> 12) % len(PRODUCTS)].words
        return words[(code >> 20) % len(words)]

    def alias(self, number: int) -> str | None:
        """Return a path that redirects to the page, or None."""
        if number == 0:
            return "/home"
        code = mix(self._aliases, number)
        section, _ = self.layout.where(number)
        if code & 7 or section in ("dead", "article"):
            return None
        return "/go" + self.path(number)

    def locate(self, path: str) -> int | None:
        """Return the page of a path, directly or through a redirect; None if there is none."""
        if path == "/home":
            return 0
        if path.startswith("/go/"):
            number = self._exact(path[3:])
            return number if number is not None and self.alias(number) == path else None
        return self._exact(path)

    def _exact(self, path: str) -> int | None:
        number = self._guess(path)
        if number is None or not 0 <= number < len(self.layout) or self.path(number) != path:
            return None
        return number

    def _guess(self, path: str) -> int | None:
        fixed = self._fixed_numbers.get(path)
        if fixed is not None:
            return fixed
        starts = self.layout.starts
        folder, _, rest = path[1:].partition("/")
        if folder == "index":
            stem, _, page = rest.removesuffix(".html").partition("-")
            if stem not in _LISTED:
                return None
            return starts[f"{stem}-list"] + (int(page) - 1 if page.isdecimal() else 0)
        if folder == "products" and "-" not in rest:
            name, _, file = rest.partition("/")
            product = self.products.find(name)
            section = "feature" if file else "product"
            return starts[section] + product if product is not None else None
        section = _SECTIONS.get(folder, "")
        if folder == "investors" and path.endswith(".pdf"):
            section = "statement"
        stem = path.rstrip("/") if folder in ("products", "careers") else path.rpartition(".")[0]
        digits = _DIGITS.search(stem)
        if not section or digits is None or len(digits[1]) > 9:
            return None
        index = int(digits[1])
        return starts[section] + index if index < self.layout.sizes[section] else None


_FOLDERS = {"office": "offices", "article": "kb", "dead": "archive"}
_SECTIONS = {
    "corporate": "bio", "products": "category", "downloads": "sheet", "investors": "filing",
    "news": "release", "careers": "job", "blog": "post", "offices": "office", "kb": "article",
    "archive": "dead",
}  # fmt: skip


def _no_links(index: int) -> list[Part]:
    return []
