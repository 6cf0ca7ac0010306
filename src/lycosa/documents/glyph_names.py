# ruff: noqa: RUF001, RUF002 - the characters that look like others are meant
"""Glyph names to characters: what a name in the encoding of a font prints.

Names are those of the Adobe Glyph List, composed ones by letter and accent; those that
dvips makes up for the bitmap fonts of TeX (code plus 360, in base 36); and a letter with a
number, which is a code of TeX's fonts.

>>> decode_glyphs(["one", "eacute", "ffi", "uni2013", "period", "no.such"])
['1', 'é', 'ffi', '–', '.', None]
>>> decode_glyphs(["BD", "CP", "AC"]), decode_glyphs(["a49", "a97", "a14"])
(['1', 'a', 'fi'], ['1', 'a', 'ffi'])
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence

_NAMED = dict(
    pair.split("=", 1)
    for pair in r"""
    space=\x20 exclam=! quotedbl=" numbersign=# dollar=$ percent=% ampersand=& quotesingle='
    quoteright=’ quoteleft=‘ parenleft=( parenright=) asterisk=* plus=+ comma=, hyphen=- minus=−
    period=. slash=/ zero=0 one=1 two=2 three=3 four=4 five=5 six=6 seven=7 eight=8 nine=9 colon=:
    semicolon=; less=< equal== greater=> question=? at=@ bracketleft=[ backslash=\ bracketright=]
    asciicircum=^ underscore=_ grave=` braceleft={ bar=| braceright=} asciitilde=~ exclamdown=¡
    cent=¢ sterling=£ currency=¤ yen=¥ section=§ dieresis=¨ copyright=© ordfeminine=ª
    guillemotleft=« guillemotright=» logicalnot=¬ registered=® macron=¯ degree=° plusminus=±
    acute=´ mu=µ paragraph=¶ periodcentered=· cedilla=¸ ordmasculine=º onequarter=¼ onehalf=½
    threequarters=¾ questiondown=¿ multiply=× divide=÷ germandbls=ß ae=æ AE=Æ oe=œ OE=Œ oslash=ø
    Oslash=Ø lslash=ł Lslash=Ł eth=ð Eth=Ð thorn=þ Thorn=Þ dotlessi=ı dotlessj=ȷ florin=ƒ
    fraction=⁄ endash=– emdash=— quotedblleft=“ quotedblright=” quotesinglbase=‚ quotedblbase=„
    guilsinglleft=‹ guilsinglright=› dagger=† daggerdbl=‡ bullet=• ellipsis=… perthousand=‰
    circumflex=ˆ tilde=˜ breve=˘ dotaccent=˙ ring=˚ hungarumlaut=˝ ogonek=˛ caron=ˇ Euro=€
    trademark=™ ff=ff fi=fi fl=fl ffi=ffi ffl=ffl st=st alpha=α beta=β gamma=γ delta=δ epsilon=ε
    zeta=ζ eta=η theta=θ iota=ι kappa=κ lambda=λ nu=ν xi=ξ omicron=ο pi=π rho=ρ sigma=σ tau=τ
    upsilon=υ phi=φ chi=χ psi=ψ omega=ω Gamma=Γ Delta=Δ Theta=Θ Lambda=Λ Xi=Ξ Pi=Π Sigma=Σ
    Upsilon=Υ Phi=Φ Psi=Ψ Omega=Ω infinity=∞ partialdiff=∂ summation=∑ product=∏ integral=∫
    radical=√ approxequal=≈ notequal=≠ lessequal=≤ greaterequal=≥ element=∈ arrowright=→
    arrowleft=← universal=∀ existential=∃ emptyset=∅ intersection=∩ union=∪ propersubset=⊂
    """.split()
)
_NAMED["space"] = " "
_ACCENTS = {
    "acute": "\u0301", "grave": "\u0300", "circumflex": "\u0302", "dieresis": "\u0308",
    "tilde": "\u0303", "ring": "\u030a", "caron": "\u030c", "cedilla": "\u0327",
    "breve": "\u0306", "ogonek": "\u0328", "macron": "\u0304", "dotaccent": "\u0307",
    "hungarumlaut": "\u030b",
}  # fmt: skip
_UNICODE = re.compile(r"(?:uni([0-9A-F]{4})|u([0-9A-F]{4,6}))$")
_DVIPS = re.compile(r"[0-9A-Z]{2}$")
_NUMBERED = re.compile(r"[a-zA-Z]{1,2}(\d{1,3})$")
_DVIPS_SHIFT = 360
# The codes of TeX's text fonts (OT1, Knuth 1986) that are no ASCII.
_TEX = {
    **dict(enumerate("ΓΔΘΛΞΠΣΥΦΨΩ")),
    **dict(enumerate(("ff", "fi", "fl", "ffi", "ffl", *"ıȷ`´ˇ˘¯˚¸ßæœøÆŒØ"), 11)),
    34: "”", 39: "’", 60: "¡", 62: "¿", 92: "“", 96: "‘", 123: "–", 124: "—", 125: "˝",
    126: "˜", 127: "¨",
}  # fmt: skip


def decode_glyphs(names: Sequence[str]) -> list[str | None]:
    """Return what each glyph of a font prints, None where its name does not tell.

    Numbers in names are only taken for codes if all names of the font are numbers, and not
    all are names as well: `AE` is both.
    """
    found = [_character(name) for name in names]
    if all(found):
        return found
    for pattern, base, shift in ((_DVIPS, 36, _DVIPS_SHIFT), (_NUMBERED, 10, 0)):
        codes = [code for name in names if (code := _code(pattern, base, shift, name)) is not None]
        if len(codes) == len(names):
            return [tex_character(code) for code in codes]
    return found


def tex_character(code: int) -> str | None:
    """Return the character of a code in TeX's text fonts.

    >>> tex_character(49), tex_character(12), tex_character(200)
    ('1', 'fi', None)
    """
    return _TEX.get(code, chr(code)) if code < 128 else None


def _code(pattern: re.Pattern[str], base: int, shift: int, name: str) -> int | None:
    match = pattern.match(name)
    code = int(match[match.lastindex or 0], base) - shift if match else -1
    return code if 0 <= code < 256 else None


def _character(name: str) -> str | None:
    plain = name.partition(".")[0]  # a.sc, one.oldstyle: variants of a glyph
    if len(plain) == 1 and plain.isascii() and plain.isalpha():
        return plain
    if plain in _NAMED:
        return _NAMED[plain]
    if accent := _ACCENTS.get(plain[1:]):
        whole = unicodedata.normalize("NFC", plain[0] + accent)
        return whole if len(whole) == 1 else None
    if match := _UNICODE.match(plain):
        code = int(match[1] or match[2], 16)
        return chr(code) if code < 0x110000 and not 0xD800 <= code < 0xE000 else None
    return None
