"""Goal: pages in a language, as `lycosa.documents.language` detects it."""

from __future__ import annotations

from lycosa.core import Page
from lycosa.documents.language import LANGUAGES, language_of_numbers, word_number
from lycosa.errors import UnknownName
from lycosa.goals.combined import Combinable, failed
from lycosa.goals.lexicon import Lexicon


class Language(Combinable):
    """Reward 1 for every page in a language; a page whose language is not clear has none.

    `code` is an ISO 639-1 code of `lycosa.documents.language.LANGUAGES`, such as en.

    >>> from lycosa.web.reader import Reader
    >>> page = Reader().page("http://a.edu/", b"We teach what the web is and how to read it.")
    >>> Language("en")(page), Language("fr")(page), Language("en").of(page)
    (1.0, 0.0, 'en')
    """

    needs_text = True

    def __init__(self, code: str) -> None:
        if code not in LANGUAGES:
            raise UnknownName("language", code, LANGUAGES)
        self.code = code
        self.name = f"language:{code}"
        self._numbers = Lexicon(word_number)

    def __repr__(self) -> str:
        return f"Language({self.code!r})"

    def __call__(self, page: Page) -> float:
        """Return 1 for a page in the language, else 0."""
        return 1.0 if not failed(page) and self.of(page) == self.code else 0.0

    def of(self, page: Page) -> str:
        """Return the language of a page, "" where it is not clear."""
        return language_of_numbers(self._numbers.values(page))
