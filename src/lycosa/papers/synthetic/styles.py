"""Styles of bibliographies of the 1980s and 1990s, as data.

A style has a pattern for each kind of work. A pattern is a sequence of fields,
`label=text`, in the order in which they are printed; the text has the placeholders of
`references.pattern_values`, and text in square brackets is left out if one of its
placeholders is empty. As in the corpora of Seymore, McCallum & Rosenfeld 1999,
punctuation belongs to the field before it and words like `In` or `pages` to the field
they introduce.
"""

from __future__ import annotations

import re
from typing import NamedTuple


class NameStyle(NamedTuple):
    """The format of names, such as `J. Smith` or `Smith, J.`, and their separators."""

    order: str
    """Which name comes first: `first`, `last`, or `last-first` for the first author only."""
    full: bool = False
    """Whether the first given name is printed in full."""
    between: str = ", "
    """The separator of three or more people, except before the last."""
    final: str = ", and "
    """The separator before the last of three or more people."""
    pair: str = " and "
    """The separator of two people."""
    space: str = " "
    """The separator of initials."""
    comma: str = ","
    """The separator of family and given names."""
    dots: bool = True
    """Whether initials end with a dot; without dots they are printed without spaces as well."""
    capitals: bool = False
    """Whether family names are printed in capitals."""


class Style(NamedTuple):
    """A bibliography style."""

    names: NameStyle
    """The format of authors and editors."""
    patterns: dict[str, str]
    """The pattern of each kind of work."""
    capitals: bool = False
    """Whether the words of titles are capitalised."""


def _patterns(text: str, base: dict[str, str] | None = None) -> dict[str, str]:
    rows = [line.partition(":") for line in re.sub(r"\n +", " ", text).strip().splitlines()]
    return {**(base or {}), **{kind.strip(): pattern.strip() for kind, _, pattern in rows}}


_PLAIN = _patterns("""
article: author={a}. | title={t}. | journal={j}, | volume={v}[({n})]: | pages={p}, | date={m} {y}.
    | note={note}.
paper: author={a}. | title={t}. | editor=In {e}, {eds}, | booktitle={B}, | volume=volume {sv}
    | booktitle=of {series}, | pages=pages {p}, | location={loc}, | date={m} {y}.
    | publisher={pub}. | note={note}.
chapter: author={a}. | title={t}. | editor=In {e}, {eds}, | booktitle={B}, | pages=pages {p}.
    | publisher={pub}, | location={loc}, | date={y}.
book: author={a}. | editor={e}, {eds}. | title={t}[, {edition} edition]. | publisher={pub},
    | location={loc}, | date={y}. | note={note}.
report: author={a}. | title={t}. | tech={tech} {code}, | institution={inst}, | location={loc},
    | date={m} {y}. | note={note}.
thesis: author={a}. | title={t}. | tech={thesis}, | institution={inst}, | location={loc},
    | date={m} {y}. | note={note}.
other: author={a}. | title={t}. | tech={draft}, | date={m} {y}. | note={note}. | location={url}.
""")
_ALPHA_PAGES = _patterns(
    """
article: author={a}. | title={t}. | journal={j}, | volume={v}[({n})], | pages={p}, | date={m} {y}.
paper: author={a}. | title={t}. | booktitle={B}, | pages=pages {p}, | location={loc},
    | date={m} {y}. | publisher={pub}.
""",
    _PLAIN,
)
_APALIKE = _patterns("""
article: author={a} | date=({y}{l}). | title={t}. | journal={j}, | volume={v}[({n})]: | pages={p}.
paper: author={a} | date=({y}{l}). | title={t}. | editor=In {e}, {eds}, | booktitle={B},
    | volume=volume {sv}, | pages=pages {p}, | location={loc}. | publisher={pub}. | note={note}.
chapter: author={a} | date=({y}{l}). | title={t}. | editor=In {e}, {eds}, | booktitle={B},
    | pages=pages {p}. | publisher={pub}, | location={loc}.
book: author={a} | editor={e}, {eds} | date=({y}{l}). | title={t}. | publisher={pub},
    | location={loc}.
report: author={a} | date=({y}{l}). | title={t}. | tech={tech} {code}, | institution={inst},
    | location={loc}. | note={note}.
thesis: author={a} | date=({y}{l}). | title={t}. | tech={thesis}, | institution={inst},
    | location={loc}. | note={note}.
other: author={a} | date=({y}{l}). | title={t}. | tech={draft}. | note={note}. | location={url}.
""")
_APA = _patterns(
    """
article: author={a} | date=({y}{l}). | title={t}. | journal={j}, | volume={v}[ ({n})], | pages={p}.
paper: author={a} | date=({y}{l}). | title={t}. | booktitle={B}, | volume=Vol. {sv},
    | pages=pp. {p} | location={loc}. | publisher={pub}.
chapter: author={a} | date=({y}{l}). | title={t}. | editor=In {e} ({Eds}), | booktitle={b}
    | volume=(Vol. {sv}), | pages=(pp. {p}). | location={loc}: | publisher={pub}.
book: author={a} | editor={e} ({Eds}). | date=({y}{l}). | title={t}[ ({edition} ed.)].
    | location={loc}: | publisher={pub}.
report: author={a} | date=({y}{l}). | title={t} | tech=({tech} {code}). | location={loc}:
    | institution={inst}.
thesis: author={a} | date=({y}{l}). | title={t}. | tech={thesis}, | institution={inst},
    | location={loc}.
""",
    _APALIKE,
)
_IEEE = _patterns("""
article: author={a}, | title="{t}," | journal={j}, | volume=vol. {v}[, no. {n}], | pages=pp. {p},
    | date={m} {y}.
paper: author={a}, | title="{t}," | booktitle={B}, | location=({loc}), | pages=pp. {p},
    | publisher={pub}, | date={m} {y}.
chapter: author={a}, | title="{t}," | booktitle=in {b} | editor=({e}, {eds}), | pages=pp. {p},
    | location={loc}: | publisher={pub}, | date={y}.
book: author={a}, | editor={e}, {Eds}, | title={t}[, {edition} ed.] | location={loc}:
    | publisher={pub}, | date={y}.
report: author={a}, | title="{t}," | tech={tech} {code}, | institution={inst}, | location={loc},
    | date={m} {y}. | note={note}.
thesis: author={a}, | title="{t}," | tech={thesis}, | institution={inst}, | location={loc},
    | date={m} {y}.
other: author={a}, | title="{t}," | tech={draft}, | note={note}, | date={m} {y}. | location={url}
""")
_IEEE_LATER = _patterns(
    """
article: author={a}, | title="{t}", | journal={j}, | volume=Vol. {v}[, No. {n}], | date={m} {y},
    | pages=pp. {p}.
paper: author={a}, | title="{t}", | booktitle={B}, | location={loc}, | date={m} {y},
    | pages=pp. {p}.
report: author={a}, | title="{t}", | tech={tech} {code}, | institution={inst}, | date={y}.
""",
    _IEEE,
)
_TICKS = {kind: p.replace('"{t},"', "``{t},''") for kind, p in _IEEE.items()}
_ACM = _patterns("""
article: author={a} | title={t}. | journal={j} | volume={v}[, {n}] | date=({m} {y}), | pages={p}.
    | note={note}.
paper: author={a} | title={t}. | booktitle={B} | location=({loc}, | date={m} {y}),
    | publisher={pub}, | pages=pp. {p}.
chapter: author={a} | title={t}. | booktitle=In {b}, | editor={e}, {Eds} | publisher={pub},
    | location={loc}, | date={y}, | pages=pp. {p}.
book: author={a} | editor={e}, {Eds} | title={t}[, {edition} ed]. | publisher={pub},
    | location={loc}, | date={y}.
report: author={a} | title={t}. | tech={tech} {code}, | institution={inst}, | location={loc},
    | date={m} {y}. | note={note}.
thesis: author={a} | title={t}. | tech={thesis}, | institution={inst}, | date={m} {y}.
other: author={a} | title={t}. | tech={draft}, | date={y}. | note={note}. | location={url}.
""")
_LNCS = _patterns("""
article: author={a}: | title={t}. | journal={j} | volume={v}[({n})] | date=({y}) | pages={p}
paper: author={a}: | title={t}. | editor=In: {e} ({eds}.): | booktitle={B}. | booktitle={series},
    | volume=Vol. {sv}. | publisher={pub}, | location={loc} | date=({y}) | pages={p}
chapter: author={a}: | title={t}. | editor=In {e} ({eds}): | booktitle={b}. | publisher={pub},
    | location={loc} | date=({y}) | pages={p}
book: author={a}: | editor={e} ({eds}.): | title={t}. | publisher={pub}, | location={loc}
    | date=({y})
report: author={a}: | title={t}. | tech={tech} {code}, | institution={inst}, | location={loc}
    | date=({y})
thesis: author={a}: | title={t}. | tech={thesis}, | institution={inst} | date=({y})
other: author={a}: | title={t}. | tech={draft} | date=({y}) | location={url}
""")
_AAAI = _patterns("""
article: author={a} | date={y}{l}. | title={t}. | journal={j} | volume={v}[({n})]: | pages={p}.
paper: author={a} | date={y}{l}. | title={t}. | booktitle={B}, | pages={p}. | location={loc}:
    | publisher={pub}.
chapter: author={a} | date={y}{l}. | title={t}. | editor=In {e}, {eds}, | booktitle={b}.
    | location={loc}: | publisher={pub}. | pages={p}.
book: author={a} | editor={e}, {eds} | date={y}{l}. | title={t}. | location={loc}:
    | publisher={pub}.
report: author={a} | date={y}{l}. | title={t}. | tech={tech} {code}, | institution={inst}.
    | note={note}.
thesis: author={a} | date={y}{l}. | title={t}. | tech={thesis}, | institution={inst}.
other: author={a} | date={y}{l}. | title={t}. | tech={draft}. | note={note}. | location={url}.
""")
_MATHS = _patterns("""
article: author={a}, | title={t}, | journal={j} | volume={v} | date=({y}), | pages={p}.
paper: author={a}, | title={t}, | booktitle={B}, | publisher={pub}, | location={loc}, | date={y},
    | pages=pp. {p}.
chapter: author={a}, | title={t}, | editor=in: {e} ({eds}), | booktitle={b}, | publisher={pub},
    | location={loc}, | date={y}, | pages=pp. {p}.
book: author={a}, | title={t}, | publisher={pub}, | location={loc}, | date={y}.
report: author={a}, | title={t}, | tech={tech} {code}, | institution={inst}, | location={loc},
    | date={y}.
thesis: author={a}, | title={t}, | tech={thesis}, | institution={inst}, | date={y}.
other: author={a}, | title={t}, | tech={draft}, | date={y}. | note={note}.
""")
_COMMAS = _patterns(
    """
article: author={a}, | title={t}, | journal={j}, | volume={v}[({n})], | pages={p}, | date={y}.
paper: author={a}, | title={t}, | booktitle={B}, | location={loc}, | date=[{m}, ]{y},
    | pages=pp. {p}.
""",
    _MATHS,
)
_CHICAGO = _patterns("""
article: author={a}. | date={y}{l}. | title="{t}." | journal={j} | volume={v}[ ({n})]: | pages={p}.
paper: author={a}. | date={y}{l}. | title="{t}." | booktitle={B}, | pages={p}. | location={loc}:
    | publisher={pub}.
chapter: author={a}. | date={y}{l}. | title="{t}." | booktitle=In {b}, | editor=ed. {e},
    | pages={p}. | location={loc}: | publisher={pub}.
book: author={a}. | date={y}{l}. | title={t}. | location={loc}: | publisher={pub}.
report: author={a}. | date={y}{l}. | title="{t}." | tech={tech} {code}. | institution={inst}.
thesis: author={a}. | date={y}{l}. | title="{t}." | tech={thesis}, | institution={inst}.
other: author={a}. | date={y}{l}. | title="{t}." | tech={draft}. | location={url}.
""")
_QUOTED_DATE = {k: p.replace("title={t}.", 'title="{t}".') for k, p in _APALIKE.items()}
_YEAR_COMMA = {k: p.replace("date=({y}{l}).", "date=({y}),") for k, p in _APA.items()}
_SIAM = _patterns(
    """
article: author={a}, | title={t}, | journal={j}, | volume={v} | date=({y}), | pages=pp. {p}.
""",
    _MATHS,
)
_NATURE = _patterns(
    """
article: author={a}. | title={t}. | journal={j} | volume={v}, | pages={p} | date=({y}).
book: author={a} | title={t} | publisher=({pub}, | location={loc}, | date={y}).
""",
    _PLAIN,
)
_KLUWER = _patterns(
    """
article: author={a}: | date={y}, | title='{t}'. | journal={j} | volume={v}[({n})], | pages={p}.
paper: author={a}: | date={y}, | title='{t}'. | booktitle={B}. | location={loc}, | pages=pp. {p}.
""",
    _LNCS,
)
_HARVARD = {k: p.replace("date=({y}{l}).", "date={y}{l},") for k, p in _APALIKE.items()}

_FIRST = NameStyle("first")
_LAST = NameStyle("last")
_AMP = NameStyle("last", final=", & ", pair=", & ")

STYLES: dict[str, Style] = {
    "plain": Style(_FIRST, _PLAIN),
    "unsrt": Style(NameStyle("first", full=True), _PLAIN),
    "alpha": Style(NameStyle("first", full=True), _ALPHA_PAGES),
    "abbrv": Style(NameStyle("first", final=" and "), _ALPHA_PAGES),
    "siam": Style(NameStyle("first", capitals=True), _SIAM),
    "acm": Style(NameStyle("last", capitals=True), _ACM),
    "acm-transactions": Style(NameStyle("last"), _ACM),
    "sigplan": Style(NameStyle("first", full=True), _ACM),
    "ieeetr": Style(_FIRST, _IEEE),
    "ieee-transactions": Style(NameStyle("first", final=" and "), _IEEE_LATER, capitals=True),
    "ticks": Style(NameStyle("first", final=" and "), _TICKS),
    "lncs": Style(_FIRST, _LNCS),
    "lncs-families": Style(NameStyle("last", final=", ", pair=", "), _LNCS),
    "apalike": Style(NameStyle("last"), _APALIKE),
    "apa": Style(_AMP, _APA),
    "apa-full": Style(NameStyle("last", full=True, pair=" and ", final=" and "), _APA),
    "machine-learning": Style(_AMP, _YEAR_COMMA),
    "aaai": Style(NameStyle("last", between="; ", final="; and ", pair=", and "), _AAAI),
    "elsevier": Style(NameStyle("first", final=", ", pair=", "), _SIAM),
    "maths": Style(_FIRST, _MATHS),
    "maths-families": Style(NameStyle("last", final=" and "), _MATHS),
    "commas": Style(NameStyle("last", final=", ", pair=", "), _COMMAS, capitals=True),
    "commas-first": Style(NameStyle("first", final=", ", pair=", "), _COMMAS),
    "chicago": Style(NameStyle("last-first", full=True), _CHICAGO, capitals=True),
    "turned": Style(NameStyle("last-first"), _HARVARD),
    "quoted-date": Style(NameStyle("last", final=" and "), _QUOTED_DATE),
    "nature": Style(NameStyle("last", final=" & ", pair=" & "), _NATURE),
    "kluwer": Style(NameStyle("last", final=" and "), _KLUWER, capitals=True),
    "harvard": Style(
        NameStyle("last", comma="", dots=False, between=", ", final=" and "), _HARVARD
    ),
    "vancouver": Style(NameStyle("last", comma="", dots=False, final=", ", pair=", "), _NATURE),
    "manuscript": Style(NameStyle("first", full=True, final=" and "), _COMMAS, capitals=True),
    "close-initials": Style(NameStyle("first", space="", final=" and "), _IEEE_LATER),
}
