"""Goals by simple properties of a page: its type, its number of links, its number of words.

They are small on purpose; `&`, `|` and `~` combine them:
`OfType("text/*") & WordCount(least=200) & ~LinkCount(least=50)`.
"""

from __future__ import annotations

import re
from abc import ABC, abstractmethod

from lycosa.core import Page
from lycosa.errors import UsageError
from lycosa.goals.combined import Combinable, failed

_MEDIA_TYPE = re.compile(r"[\w.+-]+/([\w.+-]+|\*)")


class OfType(Combinable):
    """Reward 1 for every page of a MIME type, such as application/pdf or image/*.

    >>> from lycosa.content import Table, Tables
    >>> page = Page(0, Tables(Table(), Table(["a"]), Table()), type="application/pdf")
    >>> OfType("application/pdf")(page), OfType("application/*")(page), OfType("text/*")(page)
    (1.0, 1.0, 0.0)
    """

    def __init__(self, type: str) -> None:
        if not _MEDIA_TYPE.fullmatch(type):
            raise UsageError(
                f"{type!r} is not a MIME type; write it like application/pdf or image/*."
            )
        self.name = self.type = type.lower()

    def __repr__(self) -> str:
        return f"OfType({self.type!r})"

    def __call__(self, page: Page) -> float:
        """Return 1 for a page of the type, else 0."""
        whole = not self.type.endswith("*")
        fits = page.type == self.type if whole else page.type.startswith(self.type[:-1])
        return 1.0 if fits and not failed(page) else 0.0


class CountGoal(Combinable, ABC):
    """Base class: reward 1 where a count of the page is from `least` to `most`, ends included.

    Without `most` there is no upper end. Subclasses name what is `counted`.
    """

    counted: str

    def __init__(self, least: int = 0, most: int | None = None) -> None:
        if least < 0 or (most is not None and most < least):
            raise UsageError(
                f"No page has from {least} to {most} {self.counted}; "
                "give a least that is not negative and a most that is not less."
            )
        self.least = least
        self.most = most
        self.name = f"{self.counted}:{least}-{'' if most is None else most}"

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.least}, {self.most})"

    def __call__(self, page: Page) -> float:
        """Return 1 for a page within the range, else 0."""
        if failed(page):
            return 0.0
        count = self.count(page)
        return 1.0 if self.least <= count and (self.most is None or count <= self.most) else 0.0

    @abstractmethod
    def count(self, page: Page) -> int:
        """Return the count of a page."""


class LinkCount(CountGoal):
    """Reward 1 for every page with so many distinct links; its words are not parsed.

    >>> import numpy as np
    >>> from lycosa.content import Table, Tables
    >>> tables = Tables(Table(), Table(["hub", "leaf"]), Table())
    >>> hubs = LinkCount(least=2)
    >>> hubs(Page(0, tables, np.array([3, 4], np.int32))), hubs(Page(1, tables)), hubs.name
    (1.0, 0.0, 'links:2-')
    """

    counted = "links"

    def count(self, page: Page) -> int:
        """Return the number of links."""
        return len(page.targets)


class WordCount(CountGoal):
    """Reward 1 for every page with so many words, its title included.

    >>> from lycosa.content import Table, Tables
    >>> page = Page(0, Tables(Table(), Table(["empty"]), Table()))
    >>> WordCount(most=10)(page), WordCount(1, 10)(page), WordCount(1, 10).name
    (1.0, 0.0, 'words:1-10')
    """

    counted = "words"

    @property
    def needs_text(self) -> bool:
        """Whether a page without words is no target."""
        return self.least > 0

    def count(self, page: Page) -> int:
        """Return the number of words."""
        return len(page.content.tokens)
