"""Tokens of the portal: the words of a text in lower case, and the compounds that they form.

A token is a word of `lycosa.web.words`, with four additions, so that the names
that technical texts live on are words of their own: C++ and C# (any word before
++, a single letter before #), .NET, and formulas with subscripts (CO$_2$, H_2O
are co2, h2o). Hyphens separate words; as what else a run between spaces is found
is told by `further_words`: p-norm as pnorm, 5ghz as 5 and ghz.

All functions take a text in lower case, with the length that `analysis.plain`
keeps. Every expression matches in linear time.

>>> find_words("c++, the p-norm & h$_2$o")
['c++', 'the', 'p', 'norm', 'h2o']
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise

from lycosa.portal.search.latex import GREEK
from lycosa.web.words import CJK

_CHARACTER = rf"[^\W_{CJK}]"
_LETTER = rf"[^\W\d_{CJK}]"
_SUBSCRIPT = rf"\$?_\{{?[0-9]{{1,2}}\}}?\$?(?![0-9]){_LETTER}{{0,4}}"
_FORMULA = rf"(?<!{_CHARACTER}){_LETTER}{{1,4}}(?:{_SUBSCRIPT}){{1,8}}(?!{_CHARACTER})"
SPECIAL = re.compile(rf"{_FORMULA}|(?<!{_CHARACTER})(?:\.net(?!{_CHARACTER})|[a-z]♯)")
"""A token that does not begin with the letters of its word, or does not have only these."""
TOKEN = re.compile(
    rf"{_LETTER}{_CHARACTER}{{0,63}}+(?![+#♯$_])"  # most words; not needed, but faster
    rf"|(?<!{_CHARACTER})(?:\.net(?!{_CHARACTER})|[a-z][#♯](?!{_LETTER}))"
    rf"|{_LETTER}{_CHARACTER}{{0,63}}+\+\+"
    rf"|{_FORMULA}"
    rf"|{_CHARACTER}{{1,64}}|[{CJK}]"
)
"""A token; its word is `word_of` the text that matches."""
HYPHENS = "-\u2010\u2011"
"""Characters that join the words of a compound, of any number of words."""
JOINERS = f"{HYPHENS}._/"
"""Characters that join the words of a run of two words: node.js, tcp/ip, snake_case."""
MAX_JOINED = 32
"""Characters of a joined form; longer ones are lists rather than words."""

_SPELLING = str.maketrans({"$": "", "_": "", "{": "", "}": "", "♯": "#"})
_MEASURE = re.compile(rf"([0-9]+)({_LETTER}{{2,8}})")  # a single letter is mostly a label: 2b
_LETTERS = re.compile(_LETTER)
_NOT_UNITS = frozenset({"st", "nd", "rd", "th"})
_NOT_ACRONYMS = frozenset({"ie", "eg"})
_DOTNET_NAMES = ("net", "dotnet")
"""Other names of .NET: "net" finds .NET, but .NET does not find "net"."""
_GREEK_NAMES = {letter: name for name, letter in GREEK.items() if name.islower()}


def word_of(token: str) -> str:
    """Return the word of a token.

    >>> word_of("co$_2$")
    'co2'
    """
    return token if token.isalnum() else token.translate(_SPELLING)


def find_words(text: str) -> list[str]:
    """Return the words of a text in reading order."""
    return [word_of(token) for token in TOKEN.findall(text)]


def further_words(run: str, tokens: Sequence[re.Match[str]]) -> list[str]:
    """Return the words under which a run is found beside its own.

    These are joined forms, the parts of numbers with units, the names of .NET, and those of
    Greek letters in compounds.

    >>> run = "k-means-like"
    >>> further_words(run, list(TOKEN.finditer(run)))
    ['kmeans']
    """
    found = [joined_word(group) for group in joined_tokens(run, tokens)]
    found += [name for _, name in named_letters(run, tokens)]
    for token in tokens:
        word = token[0]
        if word[0].isdigit():
            found += measure(word)
        elif word == ".net":
            found += _DOTNET_NAMES
    return found


def named_letters(run: str, tokens: Sequence[re.Match[str]]) -> Iterator[tuple[re.Match[str], str]]:
    """Yield the Greek letters of a run that a hyphen joins to a word, and their names.

    In a formula, a letter is not a word.
    """
    for at, (letter, word) in enumerate(pairwise(tokens), 1):
        name = _GREEK_NAMES.get(letter[0])
        if name and len(word[0]) > 1 and _gap(run, tokens, at) in HYPHENS:
            yield letter, name


def measure(word: str) -> tuple[str, ...]:
    """Return the number and the unit of a word; none if it is not such a word.

    >>> measure("5ghz"), measure("2nd")
    (('5', 'ghz'), ())
    """
    match = _MEASURE.fullmatch(word)
    return (match[1], match[2]) if match and match[2] not in _NOT_UNITS else ()


def joined_tokens(run: str, tokens: Sequence[re.Match[str]]) -> list[Sequence[re.Match[str]]]:
    """Return the tokens of a run that are also written as one word.

    Two words with a hyphen are joined, of more words the first two if the first is a
    letter, as in p-norm-based; a run of two words also if another joiner is between
    them, and an acronym with dots whole.
    """
    if len(tokens) < 2:
        return []
    if _is_acronym(run, tokens):
        known = len(tokens) <= MAX_JOINED and joined_word(tokens) not in _NOT_ACRONYMS
        return [tokens] if known else []
    found: list[Sequence[re.Match[str]]] = []
    start = 0
    for end in range(1, len(tokens) + 1):
        if end < len(tokens) and _gap(run, tokens, end) in HYPHENS:
            continue
        group = tokens[start:end]
        if len(group) == 2 or (len(group) > 2 and len(group[0][0]) == 1):
            found.append(group[:2])
        start = end
    if not found and len(tokens) == 2 and _gap(run, tokens, 1) in JOINERS:
        found.append(tokens)
    return [
        pair
        for pair in found
        if len(joined_word(pair)) <= MAX_JOINED and all(_LETTERS.search(token[0]) for token in pair)
    ]


def joined_word(tokens: Sequence[re.Match[str]]) -> str:
    """Return tokens as one word."""
    return "".join(word_of(token[0]) for token in tokens)


def _gap(run: str, tokens: Sequence[re.Match[str]], at: int) -> str:
    """Return the character between a token and the one before it; a space if it is not one."""
    start, end = tokens[at - 1].end(), tokens[at].start()
    return run[start:end] if end - start == 1 else " "


def _is_acronym(run: str, tokens: Sequence[re.Match[str]]) -> bool:
    return len(tokens) > 1 and all(
        len(token[0]) == 1 and token[0].isalpha() and (not at or _gap(run, tokens, at) == ".")
        for at, token in enumerate(tokens)
    )
