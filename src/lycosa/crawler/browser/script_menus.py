"""Detection of pages whose menus may be written by script, for a crawl that does not render."""

from __future__ import annotations

from lycosa.core import Page
from lycosa.crawler.browser.links import MAX_PLAIN_LINKS, has_script_menu
from lycosa.crawler.http.response import Response

MIN_SHARE = 0.1
"""Of the HTML pages, those with few links and many scripts that are worth a notice."""


class ScriptMenus:
    """Counts the pages of a crawl that have few links and many scripts.

    >>> menus = ScriptMenus()
    >>> menus.notice is None
    True
    """

    def __init__(self) -> None:
        self.pages = 0
        """HTML pages."""
        self.suspected = 0
        """Of them, those whose menus may be written by script."""

    def observe(self, page: Page, response: Response) -> bool:
        """Count a page; return whether its menu may be written by script."""
        if response.status != 200 or "html" not in page.type or response.rendered is not None:
            return False
        self.pages += 1
        # The scan is left out where the parser has found enough links.
        found = len(page.targets) <= MAX_PLAIN_LINKS and has_script_menu(response.body)
        self.suspected += found
        return found

    @property
    def notice(self) -> str | None:
        """What to say of them; None if there are too few."""
        if not self.suspected or self.suspected < MIN_SHARE * self.pages:
            return None
        pages = "1 page has" if self.suspected == 1 else f"{self.suspected:,} pages have"
        return f"{pages} few links and menus that may be written by script: try --render auto."
