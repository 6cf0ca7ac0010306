"""The facts of a company: numbers of pages, products, officers and topics."""

from __future__ import annotations

from lycosa.sites.generated.layout import Layout, check_size, pages_of
from lycosa.sites.generated.names import Namer
from lycosa.sites.generated.random_stream import RandomStream, Shuffle, Split, key, mix
from lycosa.sites.generated.words import PRODUCTS, PROJECT_NAMES

FIXED = (
    "front", "about", "products", "news", "investors", "careers", "contact", "support",
    "team", "advisors", "locations", "legal", "inner1", "inner2", "inner3", "officers", "blog",
)  # fmt: skip
# The numbers of some fixed pages.
ABOUT_PAGE, INVESTORS_PAGE, INNER_PAGE, OFFICERS_PAGE, BLOG_PAGE = 1, 4, 12, 15, 16

LISTED = ("category", "release", "job", "office", "filing", "post")

# The names of the three pages between the hub and the officers: path and title.
INNER = (
    ("company", "Our company"), ("governance", "Corporate governance"),
    ("organisation", "How we are organised"), ("people", "Our people"),
    ("overview", "Corporate overview"), ("structure", "Group structure"), ("story", "Our story"),
)  # fmt: skip

# The names of the page of the officers: path and title.
OFFICERS = (
    ("leadership", "Leadership"), ("board", "Board of directors"),
    ("management", "Management team"), ("officers", "Executive officers"),
    ("executives", "Our executives"), ("directors", "Directors and officers"),
)  # fmt: skip


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
    for name in LISTED:
        result[f"{name}-list"] = pages_of(result[name])
    result["article"] = pages - sum(result.values())
    return result


class OrganisationFacts:
    """The facts of one company of `pages` pages, from which URLs and links are computed.

    `seed` determines all of them.
    """

    def __init__(self, seed: int, pages: int) -> None:
        check_size(pages)
        self.seed = seed
        self.layout = layout = Layout(sizes(pages, key(seed, "sizes")))
        size = layout.sizes
        self._codes = key(seed, "outline")
        self._styles = key(seed, "style")
        self._company = code = key(seed, "company")
        self.depth = 3 + code % 3
        self._hub = (  # The numbers of some fixed pages.
            ABOUT_PAGE,
            INVESTORS_PAGE,
        )[(code >> 8) & 1]
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
        self.products = Namer(PROJECT_NAMES, size["product"], key(seed, "products"))

    def topic(self, number: int) -> int:
        """Return the index of the line of business of a page."""
        section, index = self.layout.where(number)
        if section in ("product", "feature"):
            return (self.line + self.categories.owner(index)) % len(PRODUCTS)
        if section == "category":
            return (self.line + index) % len(PRODUCTS)
        return (self.line + mix(self._codes, number) % 3) % len(PRODUCTS)
