"""Soft 404 detection: pages that say "not found" with status 200.

Bar-Yossef, Broder, Kumar & Tomkins, "Sic Transit Gloria Telae" (2004), request
nonsense URLs to learn the server's error page. A policy cannot send requests; it
goes by the text of the page, and by how many URLs lead to the same page.
"""

from __future__ import annotations

import re

from lycosa.content import Strings
from lycosa.core import Page

MAX_SHORT_PAGE_WORDS = 100
"""Of a longer page only the title is searched."""
REPEATS_OF_ERROR_PAGE = 3
"""So many consecutive URLs of one shape with the same page make that page an error page."""

_ERROR_PHRASE = re.compile(
    r"\b(?:(?:not|never|cannot be|couldn t be|can t be) found|(?:404|http) error|error 404|"
    r"(?:does not|doesn t|no longer) exists?|no longer available|"
    r"no such (?:page|file|document|url|address|user)|"
    r"(?:page|file|document) (?:is )?(?:missing|unavailable))\b|^404$"
)
# Every phrase above contains one of these words.
_HINT_WORDS = "found exist exists available error such 404 missing unavailable".split()


class Soft404:
    """A detector of error pages by their text.

    >>> import numpy as np
    >>> from lycosa.content import Content, Table, Tables
    >>> tables = Tables(Table(), Table(), Table())
    >>> def page(text):
    ...     words = np.array(tables.words.numbers(text.split()), np.int32)
    ...     return Page(0, tables, content=Content(words, title_size=len(words)))
    >>> soft = Soft404()
    >>> soft.matches(page("404 not found")), soft.matches(page("cs 404 compilers"))
    (True, False)
    """

    def __init__(self) -> None:
        self._hints: set[int] = set()
        self._missing = list(_HINT_WORDS)
        self._size = 0

    def matches(self, page: Page) -> bool:
        """Return whether the page says that there is nothing at its URL."""
        content = page.content
        whole = len(content.tokens) <= MAX_SHORT_PAGE_WORDS
        tokens = content.tokens if whole else content.tokens[: content.title_size]
        self._find_hints(page.tables.words)
        if self._hints.isdisjoint(tokens.tolist()):
            return False
        if _ERROR_PHRASE.search(page.title_words):
            return True
        return whole and bool(_ERROR_PHRASE.search(page.text))

    def _find_hints(self, words: Strings) -> None:
        """Look up the hint words that were not in the table before."""
        if self._missing and self._size != len(words):
            self._size = len(words)
            found = {word: words.find(word) for word in self._missing}
            self._missing = [word for word, number in found.items() if number is None]
            self._hints.update(number for number in found.values() if number is not None)
