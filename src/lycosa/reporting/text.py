"""Format text from the web, and amounts, for terminals and reports."""

from __future__ import annotations

MAX_CHARACTERS = 2000
"""Characters of a text that are kept."""

_UNITS = ("KB", "MB", "GB", "TB", "PB")
# Variation selectors may widen the character before them; terminals disagree about it.
_SELECTORS = dict.fromkeys([*range(0xFE00, 0xFE10), *range(0xE0100, 0xE01F0)])


def printable(text: str) -> str:
    r"""Return a text without characters that could control a terminal.

    Escape and control characters, characters that change the direction of writing and lone
    surrogates become dots; runs of white space become one space.

    >>> printable("A\n  title \x1b[2J\u202egpj.exe")
    'A title ·[2J·gpj.exe'
    """
    text = " ".join(text[:MAX_CHARACTERS].split()).translate(_SELECTORS)
    return text if text.isprintable() else "".join(c if c.isprintable() else "·" for c in text)


def size(number: float) -> str:
    """Format a number of bytes.

    >>> size(999), size(45_300_000), size(1_200_000_000_000)
    ('999 bytes', '45.3 MB', '1.2 TB')
    """
    if number < 1000:
        return f"{number:.0f} bytes"
    unit = 0
    number /= 1000
    while number >= 999.95 and unit < len(_UNITS) - 1:
        number /= 1000
        unit += 1
    return f"{number:,.1f} {_UNITS[unit]}"


def duration(seconds: float) -> str:
    """Format a duration.

    >>> duration(4.2), duration(724), duration(7320), duration(200_000)
    ('4.2 s', '12 min 4 s', '2 h 2 min', '2 d 7 h')
    """
    if seconds < 59.95:
        return f"{seconds:.1f} s"
    minutes, rest = divmod(round(seconds), 60)
    if minutes < 60:
        return f"{minutes} min {rest} s"
    hours, minutes = divmod(minutes, 60)
    if hours < 48:
        return f"{hours} h {minutes} min"
    return f"{hours // 24:,} d {hours % 24} h"


def plural(number: int, noun: str) -> str:
    """Format a number of things.

    >>> plural(1, "page"), plural(1200, "page")
    ('1 page', '1,200 pages')
    """
    return f"{number:,} {noun}" + ("" if number == 1 else "s")
