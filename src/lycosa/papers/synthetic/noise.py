"""Wear and tear: what scanners, line ends and tired typists do to words."""

from __future__ import annotations

import re

from lycosa.papers.extraction.tagged import Token
from lycosa.papers.synthetic.text_generator import TextGenerator

_LIGATURES = re.compile("ffi|ffl|fi|fl|ff")


def add_noise(muse: TextGenerator, tokens: list[Token]) -> list[Token]:
    """The same words with a little damage; most come through whole.

    A word may be cut in two by a line end, lose its ligatures or its dash, or
    be misspelt, and two initials may grow together. Labels stay with words.
    """
    c = muse.chance
    kind = c.random()
    found: list[Token] = []
    for token in tokens:
        word = token.text
        if kind < 0.05 and muse.maybe(0.3):
            word = _LIGATURES.sub("", word) or word
        if kind < 0.08 and re.fullmatch(r"\W*\d+-\d+\W*", word):
            word = word.replace("-", "")
        if kind > 0.9 and muse.maybe(0.03) and len(word) > 5 and word.isalpha():
            k = c.randrange(1, len(word) - 1)
            word = word[:k] + c.choice(("", word[k] * 2, c.choice("aeinrst"))) + word[k + 1 :]
        if muse.maybe(0.004) and len(word) > 7 and word.isalpha():
            k = c.randrange(3, len(word) - 3)
            found.append(token._replace(text=word[:k] + c.choice(("-", ""))))
            word = word[k:]
        if kind > 0.97 and word.endswith((",", ".")) and len(word) > 3 and muse.maybe(0.2):
            word = word[:-1]
        if re.search(r"\w", word) or not re.search(r"\w", token.text):
            found.append(token._replace(text=word))
        else:
            found.append(token)
    return found
