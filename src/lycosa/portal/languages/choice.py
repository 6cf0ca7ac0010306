"""The choice of a language: by the reader, or else by the browser's settings.

A reader chooses with the parameter `lang` of any page, which the footer links
to; a cookie remembers it. Without a choice the Accept-Language header decides (RFC
9110, section 12.5.4; lookup as in RFC 4647, section 3.4).

>>> choose_language({}, {}, "es, de-CH;q=0.9, en;q=0.8").code
'de'
>>> choose_language({"lang": "fr"}, {"language": "de"}, "en").code
'fr'
>>> choose_language({}, {}, "").code
'en'
"""

from __future__ import annotations

from collections.abc import Mapping

from lycosa.portal.languages.language import ENGLISH, LANGUAGES, Language

PARAMETER = "lang"
"""Of a URL."""
COOKIE = "language"
MAX_RANGES = 20
"""Languages in a header that are considered."""


def choose_language(params: Mapping[str, str], cookies: Mapping[str, str], header: str) -> Language:
    """Return the language of a page, for the parameters of its URL, cookies and header."""
    return (
        named_language(params.get(PARAMETER, ""))
        or named_language(cookies.get(COOKIE, ""))
        or _accepted(header)
    )


def named_language(code: str) -> Language | None:
    """Return the language with a code; None if pages are not available in it."""
    return LANGUAGES.get(code)


def _accepted(header: str) -> Language:
    """Return the language that a browser prefers among those available, or else English."""
    wanted = []
    for position, part in enumerate(header.split(",")[:MAX_RANGES]):
        name, _, weight = part.partition(";")
        if quality := _quality(weight):
            wanted.append((-quality, position, name.strip().lower().partition("-")[0]))
    for _, _, code in sorted(wanted):
        if found := named_language(code):
            return found
    return ENGLISH


def _quality(weight: str) -> float:
    """Return the weight of a range from 0 to 1; 0 if it cannot be read.

    >>> _quality(""), _quality(" q=0.5"), _quality("q=x")
    (1.0, 0.5, 0.0)
    """
    name, _, value = weight.strip().partition("=")
    if not name:
        return 1.0
    digits = value.strip()
    is_number = name.strip().lower() == "q" and digits.replace(".", "", 1).isdecimal()
    return min(float(digits), 1.0) if is_number and digits.isascii() else 0.0
