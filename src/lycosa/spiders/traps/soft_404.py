"""Soft 404s: pages that say "not found" under the status 200.

Bar-Yossef, Broder, Kumar & Tomkins, "Sic Transit Gloria Telae" (2004), ask the
server for nonsense to learn what its answer looks like. A policy cannot ask;
it goes by what the page says, and by which pages many addresses lead to.
"""

from __future__ import annotations

import re

from lycosa.content import Strings
from lycosa.core import Page

SHORT = 100
"""On a page of at most so many words it may stand in the text; else in the title."""
SAME = 3
"""So many URLs of one shape in a row that lead to one and the same page lead nowhere."""

_SAYS = re.compile(
    r"\b(?:(?:not|never|cannot be|couldn t be|can t be) found|(?:404|http) error|error 404|"
    r"(?:does not|doesn t|no longer) exists?|no longer available|"
    r"no such (?:page|file|document|url|address|user)|"
    r"(?:page|file|document) (?:is )?(?:missing|unavailable))\b|^404$"
)
# A phrase above has one of these words.
_HINTS = "found exist exists available error such 404 missing unavailable".split()


class Soft404:
    """Knows such pages by what they say.

    >>> import numpy as np
    >>> from lycosa.content import Content, Table, Tables
    >>> tables = Tables(Table(), Table(), Table())
    >>> def page(text):
    ...     words = np.array(tables.words.numbers(text.split()), np.int32)
    ...     return Page(0, tables, content=Content(words, title_size=len(words)))
    >>> soft = Soft404()
    >>> soft.says(page("404 not found")), soft.says(page("cs 404 compilers"))
    (True, False)
    """

    def __init__(self) -> None:
        self._hints: set[int] = set()
        self._missing = list(_HINTS)
        self._size = 0

    def says(self, page: Page) -> bool:
        """Whether the page says that nothing is there."""
        content = page.content
        whole = len(content.tokens) <= SHORT
        tokens = content.tokens if whole else content.tokens[: content.title_size]
        self._look_at(page.tables.words)
        if self._hints.isdisjoint(tokens.tolist()):
            return False
        return bool(_SAYS.search(page.title) or (whole and _SAYS.search(page.text)))

    def _look_at(self, words: Strings) -> None:
        """Look for hints that are new in the table."""
        if self._missing and self._size != len(words):
            self._size = len(words)
            found = {word: words.find(word) for word in self._missing}
            self._missing = [word for word, number in found.items() if number is None]
            self._hints.update(number for number in found.values() if number is not None)
