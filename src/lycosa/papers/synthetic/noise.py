"""Noise of scanners, line ends and typing errors."""

from __future__ import annotations

import re

from lycosa.papers.extraction.tagged import Token
from lycosa.papers.synthetic.text_generator import TextGenerator

_LIGATURES = re.compile("ffi|ffl|fi|fl|ff")


def add_noise(gen: TextGenerator, tokens: list[Token]) -> list[Token]:
    """Return the tokens with a little noise; most are unchanged.

    A word can be split by a line end, lose its ligatures, dash or final punctuation, or
    be misspelt. Labels stay with their words.
    """
    rng = gen.rng
    kind = rng.random()
    noisy: list[Token] = []
    for token in tokens:
        word = token.text
        if kind < 0.05 and gen.maybe(0.3):
            word = _LIGATURES.sub("", word) or word
        if kind < 0.08 and re.fullmatch(r"\W*\d+-\d+\W*", word):
            word = word.replace("-", "")
        if kind > 0.9 and gen.maybe(0.03) and len(word) > 5 and word.isalpha():
            k = rng.randrange(1, len(word) - 1)
            word = word[:k] + rng.choice(("", word[k] * 2, rng.choice("aeinrst"))) + word[k + 1 :]
        if gen.maybe(0.004) and len(word) > 7 and word.isalpha():
            k = rng.randrange(3, len(word) - 3)
            noisy.append(token._replace(text=word[:k] + rng.choice(("-", ""))))
            word = word[k:]
        if kind > 0.97 and word.endswith((",", ".")) and len(word) > 3 and gen.maybe(0.2):
            word = word[:-1]
        if re.search(r"\w", word) or not re.search(r"\w", token.text):
            noisy.append(token._replace(text=word))
        else:
            noisy.append(token)
    return noisy
