"""The syntax of spider names: `breadth-first`, `rl(nb, related, bins=4)`."""

from __future__ import annotations

import re
from typing import NamedTuple

from lycosa.errors import UsageError

SUFFIX = ".lyc"
"""The suffix of the files of trained spiders; such a name is not parsed further."""

_CALL = re.compile(r"([^()]+?)\s*\((.*)\)", re.DOTALL)


class SpiderName(NamedTuple):
    """A parsed spider name: `kind(arguments, key=value)`."""

    kind: str
    arguments: tuple[str, ...] = ()
    """The positional arguments, as written."""
    options: tuple[tuple[str, str], ...] = ()
    """Pairs of the key and the value of each named argument, as written."""

    def __str__(self) -> str:
        inside = [*self.arguments, *(f"{key}={value}" for key, value in self.options)]
        return f"{self.kind}({', '.join(inside)})" if inside else self.kind


def split(text: str) -> list[str]:
    """Split a list at the commas outside parentheses.

    >>> split("random, rl(nb, related, bins=4), optimal")
    ['random', 'rl(nb, related, bins=4)', 'optimal']
    """
    parts = [""]
    depth = 0
    for letter in text:
        depth += (letter == "(") - (letter == ")")
        if depth < 0:
            break
        if letter == "," and depth == 0:
            parts.append("")
        else:
            parts[-1] += letter
    if depth:
        raise UsageError(f"The parentheses in {text!r} do not match.")
    return [part for part in map(str.strip, parts) if part]


def parse(text: str) -> SpiderName:
    """Parse one name.

    >>> parse("rl(nb, related, bins=4)")
    SpiderName(kind='rl', arguments=('nb', 'related'), options=(('bins', '4'),))
    >>> str(parse("rl( nb,bins = 4 )")), str(parse("random"))
    ('rl(nb, bins=4)', 'random')
    >>> parse("change-policy(rl(svm, bins=3), rl(nb), at=0.3)").arguments
    ('rl(svm, bins=3)', 'rl(nb)')
    >>> parse("spiders (old)/mine.lyc").kind
    'spiders (old)/mine.lyc'
    """
    text = text.strip()
    if text.endswith(SUFFIX) or ("(" not in text and ")" not in text):
        return SpiderName(text)
    call = _CALL.fullmatch(text)
    if not call:
        raise UsageError(f"{text!r} is no spider name; write it like rl(nb, related, bins=4).")
    arguments: list[str] = []
    options: dict[str, str] = {}
    for part in split(call[2]):
        # An argument may be a spider with options.
        plain = "(" in part.partition("=")[0]
        key, equals, value = (piece.strip() for piece in part.partition("="))
        if not equals or plain:
            if options:
                raise UsageError(f"In {text!r}, {part!r} must stand before the options.")
            arguments.append(part)
        elif not key or not value or key in options:
            raise UsageError(f"In {text!r}, {part!r} is no option, or is given twice.")
        else:
            options[key] = value
    return SpiderName(call[1], tuple(arguments), tuple(options.items()))
