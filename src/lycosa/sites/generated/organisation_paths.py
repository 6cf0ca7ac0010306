"""The URL paths of a company: from a page's number to its path, and back."""

from __future__ import annotations

import re

from lycosa.sites.generated.organisation_facts import (
    FIXED,
    INNER_PAGE,
    LISTED,
    OFFICERS_PAGE,
    OrganisationFacts,
)
from lycosa.sites.generated.random_stream import key, mix
from lycosa.sites.generated.words import PRODUCTS

_DIGITS = re.compile(r"(\d+)$")
_FOLDERS = {"office": "offices", "article": "kb", "dead": "archive"}
_SECTIONS = {
    "corporate": "bio", "products": "category", "downloads": "sheet", "investors": "filing",
    "news": "release", "careers": "job", "blog": "post", "offices": "office", "kb": "article",
    "archive": "dead",
}  # fmt: skip


class OrganisationPaths(OrganisationFacts):
    """The path of every page; `seed` and `pages` are those of `OrganisationFacts`."""

    def __init__(self, seed: int, pages: int) -> None:
        super().__init__(seed, pages)
        self._aliases = key(seed, "aliases")
        self._paths = key(seed, "paths")
        page = ("/", ".html", ".htm", ".aspx")[(self._company >> 48) % 4]
        names = list(FIXED)
        names[INNER_PAGE : INNER_PAGE + 3] = [name for name, _ in self.inner]
        names[OFFICERS_PAGE] = self.officers[0]
        # Pages about the company are in a folder, as on real sites.
        folders = dict.fromkeys(range(INNER_PAGE, OFFICERS_PAGE + 1), "corporate/")
        self._fixed_paths = ["/"] + [
            f"/{folders.get(n, '')}{name}{page}" for n, name in enumerate(names) if n
        ]
        self._fixed_numbers = {path: n for n, path in enumerate(self._fixed_paths)}

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
            if stem not in LISTED:
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
