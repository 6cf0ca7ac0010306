r"""LaTeX remnants: accents, letters and markup of LaTeX in a text become what they print.

Titles and abstracts from BibTeX files and web pages often keep the source. Only
known commands are replaced, so that paths and program code keep their
backslashes. One pass takes linear time, whatever the nesting.

>>> print(replace_latex(r"Schr\"odinger, Erd{\H o}s and {\L}ukasiewicz"))
Schrödinger, Erdős and Łukasiewicz
>>> print(replace_latex(r"\emph{On \textbf{the}} $\alpha$-stable law; C:\temp"))
On the $α$-stable law; C:\temp
"""

# ruff: noqa: RUF001, RUF002 (letters of other scripts look like Latin ones)

from __future__ import annotations

import re
from collections.abc import Mapping
from types import MappingProxyType
from unicodedata import lookup, normalize

ACCENTS: Mapping[str, str] = MappingProxyType(
    {
        "`": "\u0300", "'": "\u0301", "^": "\u0302", "~": "\u0303", "=": "\u0304",
        "u": "\u0306", ".": "\u0307", '"': "\u0308", "r": "\u030a", "H": "\u030b",
        "v": "\u030c", "d": "\u0323", "c": "\u0327", "k": "\u0328",
    }
)  # fmt: skip
"""The combining character of each accent command."""

LETTERS: Mapping[str, str] = MappingProxyType(
    {
        "ss": "ß", "ae": "æ", "AE": "Æ", "oe": "œ", "OE": "Œ", "aa": "å", "AA": "Å",
        "o": "ø", "O": "Ø", "l": "ł", "L": "Ł", "i": "ı", "j": "ȷ", "dh": "ð", "th": "þ",
    }
)  # fmt: skip
"""The commands of single letters."""

GREEK: Mapping[str, str] = MappingProxyType(
    {
        name: lookup(f"GREEK SMALL LETTER {name}")
        for name in "alpha beta gamma delta epsilon zeta eta theta iota kappa mu nu xi pi rho "
        "sigma tau upsilon phi chi psi omega".split()
    }
    | {"lambda": lookup("GREEK SMALL LETTER LAMDA")}
    | {
        name: lookup(f"GREEK CAPITAL LETTER {name.upper()}")
        for name in "Gamma Delta Theta Xi Pi Sigma Upsilon Phi Psi Omega".split()
    }
    | {"Lambda": lookup("GREEK CAPITAL LETTER LAMDA")}
)
"""Greek letters by the names that LaTeX and English give them."""

MARKUP = (
    "emph", "text", "textbf", "textit", "textrm", "textsc", "textsf", "texttt", "textsl",
    "textup", "textnormal", "mathbb", "mathbf", "mathcal", "mathfrak", "mathit", "mathrm",
    "mathsf", "mathtt", "mbox", "operatorname", "underline", "textsubscript", "textsuperscript",
)  # fmt: skip
"""Commands whose argument is printed; the command and its braces are removed."""

_LETTER = r"(?:\\(?P<{0}>[ij])(?![A-Za-z])|(?P<{1}>[A-Za-z]))"
_ACCENT_COMMAND = r"\\(?:(?P<{0}>[`'^~=.\"])|(?P<{1}>[urHvdck])(?=[\s{{\\])\s?)"
_BARE = _ACCENT_COMMAND.format("sign", "name") + _LETTER.format("dotless", "letter")
_BRACED = (
    _ACCENT_COMMAND.format("sign2", "name2") + r"\{" + _LETTER.format("dotless2", "letter2") + r"\}"
)
_NAMES = "|".join(sorted((*LETTERS, *GREEK, *MARKUP), key=len, reverse=True))
_COMMAND = re.compile(
    rf"(?P<accent>{_BRACED}|{_BARE})"
    rf"|\\(?P<command>{_NAMES})(?![A-Za-z])(?:\{{\}}|(?P<open>\{{)|[ ](?=[a-z]))?"
    r"|\\(?P<escaped>[&%#_$])"
    r"|(?P<brace>[{}])"
)


def replace_latex(text: str) -> str:
    """Return a text with the LaTeX commands that are known replaced by what they print.

    Braces around a single letter or around what was replaced go too; others stay.
    """
    if "\\" not in text:
        return text
    pieces: list[str] = []
    opened: list[tuple[int, bool]] = []  # the piece of each open brace; whether it is removed
    replaced: list[bool] = []
    """For each open brace, whether something in it was replaced."""
    at = 0
    for match in _COMMAND.finditer(text):
        pieces.append(text[at : match.start()])
        at = match.end()
        if match["brace"] == "{":
            opened.append((len(pieces), False))
            replaced.append(False)
            pieces.append("{")
        elif match["brace"]:
            pieces.append("}")
            if opened:
                where, removed = opened.pop()
                if replaced.pop() or removed:
                    pieces[where] = pieces[-1] = ""
        elif match["command"] in MARKUP and not match["open"]:
            pieces.append(match[0])
        else:
            pieces.append(_printed(match))
            if replaced and pieces[-1] != match[0]:
                replaced[-1] = True
            if match["open"]:
                opened.append((len(pieces), match["command"] in MARKUP))
                replaced.append(False)
                pieces.append("{")
    # An argument that is never closed keeps its brace, so that nothing else changes.
    return "".join([*pieces, text[at:]])


def _printed(match: re.Match[str]) -> str:
    """Return what a command prints, without its argument."""
    if match["escaped"]:
        return str(match["escaped"])
    if match["accent"]:
        accent = match["sign"] or match["name"] or match["sign2"] or match["name2"]
        letter = match["dotless"] or match["letter"] or match["dotless2"] or match["letter2"]
        whole = normalize("NFC", letter + ACCENTS[accent])
        return whole if len(whole) == 1 else str(match[0])
    name = match["command"]
    return LETTERS.get(name) or GREEK.get(name) or ""
