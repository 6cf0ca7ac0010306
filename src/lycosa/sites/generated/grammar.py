"""English grammar for generated text: articles, plurals, lists, sentences from templates."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

_SLOT = re.compile(r"\{([^{}]+)\}")
_IRREGULAR = {
    "analysis": "analyses", "hypothesis": "hypotheses", "memory": "memories", "matrix": "matrices",
    "thesis": "theses", "automaton": "automata", "index": "indexes", "calculus": "calculi",
    "criterion": "criteria", "thesaurus": "thesauri",
}  # fmt: skip
_SPELT_WITH_A_VOWEL = ("one", "uni", "use", "usu", "eur", "uti")
"""Words that are written with a vowel first but spoken with a consonant."""
_SPOKEN_WITH_A_VOWEL = ("hour", "honest", "honour")


def indefinite(phrase: str) -> str:
    """Return a phrase with its indefinite article.

    >>> indefinite("image"), indefinite("uniform sample"), indefinite("unusual case")
    ('an image', 'a uniform sample', 'an unusual case')
    """
    word = phrase.lower()
    vowel = word[0] in "aeiou"
    if vowel and word.startswith(_SPELT_WITH_A_VOWEL):
        vowel = word.startswith(("unin", "unim"))
    elif word.startswith(_SPOKEN_WITH_A_VOWEL):
        vowel = True
    return f"an {phrase}" if vowel else f"a {phrase}"


def plural(noun: str) -> str:
    """Return the plural of a noun or of a phrase that ends with its noun.

    >>> plural("decision tree"), plural("edge query"), plural("hash"), plural("relay")
    ('decision trees', 'edge queries', 'hashes', 'relays')
    """
    if " of " in noun:
        head, _, rest = noun.partition(" of ")
        return f"{plural(head)} of {rest}"
    before, space, word = noun.rpartition(" ")
    if word in _IRREGULAR:
        word = _IRREGULAR[word]
    elif word.endswith(("s", "sh", "ch", "x", "z")):
        word += "es"
    elif word.endswith("y") and word[-2] not in "aeiou":
        word = word[:-1] + "ies"
    else:
        word += "s"
    return f"{before}{space}{word}"


def listed(items: Sequence[str]) -> str:
    """Return items as a list in running text.

    >>> listed(["mice"]), listed(["mice", "men"]), listed(["a", "b", "c"])
    ('mice', 'mice and men', 'a, b, and c')
    """
    if len(items) < 3:
        return " and ".join(items)
    return f"{', '.join(items[:-1])}, and {items[-1]}"


def capitalized(text: str) -> str:
    """Return a text with a capital first letter and the rest as it is."""
    return text[:1].upper() + text[1:]


_SMALL = frozenset("a an and as at by for from in of on or over the to under with without".split())


def title_case(text: str) -> str:
    """Return a text with the capitals of a title.

    >>> title_case("an index for work-stealing schedulers in Java")
    'An Index for Work-Stealing Schedulers in Java'
    """
    words = text.split(" ")
    last = len(words) - 1
    for place, word in enumerate(words):
        inner = 0 < place < last and not words[place - 1].endswith((":", "?"))
        if word in _SMALL and inner:
            continue
        parts = word.split("-")
        words[place] = "-".join(
            part if part in _SMALL and n else capitalized(part) for n, part in enumerate(parts)
        )
    return " ".join(words)


class Template:
    """A sentence with slots in braces, compiled once.

    >>> Template("{gain} rises by {percent} percent.").fill({"gain": "recall", "percent": "12"})
    'Recall rises by 12 percent.'
    """

    __slots__ = ("_pattern", "_starts_with_slot", "slots")

    def __init__(self, text: str) -> None:
        self.slots = tuple(_SLOT.findall(text))
        self._pattern = _SLOT.sub("%s", text.replace("%", "%%"))
        self._starts_with_slot = text.startswith("{")

    def fill(self, values: Mapping[str, str]) -> str:
        """Return the sentence with the slots filled."""
        text = self._pattern % tuple([values[slot] for slot in self.slots])
        return capitalized(text) if self._starts_with_slot else text


def templates(text: str) -> tuple[Template, ...]:
    """Return the templates of a text, one on each line."""
    return tuple(Template(line) for line in text.strip().splitlines())
