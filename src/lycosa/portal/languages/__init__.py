"""Languages of a portal's pages: their texts, how they write numbers and dates, their choice."""

from lycosa.portal.languages.choice import COOKIE, PARAMETER, choose_language, named_language
from lycosa.portal.languages.language import ENGLISH, LANGUAGES, Language

__all__ = [
    "COOKIE",
    "ENGLISH",
    "LANGUAGES",
    "PARAMETER",
    "Language",
    "choose_language",
    "named_language",
]
