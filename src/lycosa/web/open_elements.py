"""The elements that are open at a place of a page, as the HTML parser sees them.

The tree-building rules of the HTML standard (WHATWG, section 13.2.6) are followed
only as far as needed for an upper bound of the depth: an element that the parser
may still have open is never taken for closed. An end tag that would need the
rules for misnested elements is refused; without it, the element stays open for
both.

>>> elements = OpenElements(max_depth=2)
>>> [elements.start(name) for name in ("div", "p", "p", "ul")], elements.end("div")
([True, True, True, False], True)
"""

from __future__ import annotations

MAX_UNCLOSED = 8
"""Formatting elements that are open at once; further ones are refused."""
MAX_ROOTS = 8
"""The `html` and `body` tags of a page: each adds attributes to those of the first."""

RAW = frozenset("script style textarea title xmp iframe noembed noframes plaintext".split())
"""Elements whose content is text, whatever it looks like."""
_VOID = frozenset(
    "area base basefont bgsound br col embed frame hr img input keygen link meta param source "
    "track wbr image".split()
)
_ROOTS = frozenset(("html", "body"))
_IGNORED = frozenset(("head",))
_FORMATTING = frozenset("b big code em font i nobr s small strike strong tt u".split())
_FOREIGN = frozenset(("svg", "math"))
_CELLS = frozenset(("td", "th", "caption"))
_TABLE_PARTS = frozenset("tbody thead tfoot colgroup tr".split()) | _CELLS
_HEADINGS = frozenset("h1 h2 h3 h4 h5 h6".split())
# Their end tags close all that is inside them.
_BLOCKS = (
    frozenset(
        "address applet article aside blockquote button center dd details dialog dir div dl dt "
        "fieldset figcaption figure footer header hgroup listing main marquee menu nav object ol "
        "pre search section select summary template ul".split()
    )
    | _HEADINGS
)
_SPECIAL = (
    _BLOCKS | _TABLE_PARTS | _FOREIGN | frozenset("form frameset li noscript p table".split()) | RAW
)
# What ends foreign elements around it, if it is not inside a place for HTML.
_NOT_FOREIGN = _SPECIAL | frozenset("ruby span sub sup var".split())
# No end tag but that of a table closes what is outside of these.
_SCOPES = frozenset("applet frameset marquee object table template svg math".split()) | _CELLS
_TABLE_SCOPES = frozenset("template svg math".split())


def _blocking(name: str) -> frozenset[str]:
    """Return the elements that keep an end tag from closing an element outside of them."""
    if name == "table":
        return _TABLE_SCOPES
    if name in _TABLE_PARTS:
        return _TABLE_SCOPES | {"table"}
    if name in _FOREIGN:
        return _NOT_FOREIGN
    if name == "li":
        return _SCOPES | {"ol", "ul"}
    return _SCOPES if name in _BLOCKS else _SPECIAL


_BLOCKING = {name: _blocking(name) for name in _SPECIAL}
_JUST = {name: frozenset((name,)) for name in _SPECIAL | {"a"}}
# What a new element closes, and which elements may not be between the two.
_ITEM_BLOCKING = _SPECIAL - {"address", "div", "p"}
_CLOSES = {
    "li": (frozenset(("li",)), _ITEM_BLOCKING),
    "dd": (frozenset(("dd", "dt")), _ITEM_BLOCKING),
    "dt": (frozenset(("dd", "dt")), _ITEM_BLOCKING),
    "a": (frozenset(("a",)), _SPECIAL),
}
_CLOSES_TOP = {
    "p": frozenset(("p",)),
    "option": frozenset(("option",)),
    "optgroup": frozenset(("option",)),
    **dict.fromkeys(_HEADINGS, _HEADINGS | {"p"}),
}
# What a new part of a table closes.
_CLOSES_PARTS = {
    **dict.fromkeys(_TABLE_PARTS - _CELLS, _TABLE_PARTS),
    "tr": _CELLS | {"tr"},
    **dict.fromkeys(_CELLS, _CELLS),
}
# All others are opened without further ado, such as div.
_WITH_RULES = (
    _FORMATTING | _ROOTS | RAW | _VOID | _IGNORED | _TABLE_PARTS | {*_CLOSES, *_CLOSES_TOP}
)


def is_plain(name: str, *, is_end: bool, self_closing: bool) -> bool:
    """Return whether a tag opens an element, or closes the innermost, and does nothing else.

    `OpenElements.names` may then be changed without `start` and `end`: the start tag adds
    its name if there is room, the end tag takes it away if it is the last.
    """
    if is_end:
        return name not in _VOID and name not in _FOREIGN
    return name not in _WITH_RULES and name not in _FOREIGN and not self_closing


class OpenElements:
    """Follows the tags of a page; `start` and `end` return whether a tag is to be kept.

    `max_depth` elements may be open at once; `names` are theirs, the innermost last.
    """

    __slots__ = ("_foreign", "_max_depth", "_roots", "_unclosed", "names")

    def __init__(self, max_depth: int) -> None:
        self._max_depth = max_depth
        self.names: list[str] = []
        self._unclosed: list[str] = []  # formatting elements
        self._foreign = self._roots = 0

    def start(self, name: str, *, self_closing: bool = False) -> bool:
        """Open an element."""
        if name not in _WITH_RULES and not self_closing:
            return self._push(name)
        if name in _FORMATTING:
            if len(self._unclosed) >= MAX_UNCLOSED:
                return False
            self._unclosed.append(name)
            return True
        if name in _ROOTS:
            return self._is_first_root()
        if self._foreign and self_closing:
            return True
        if name in RAW:
            # Whether their text is raw in there depends on more than is known here.
            if self._foreign or "frameset" in self.names:
                return False
            self.names.append(name)  # at any depth: nothing is inside it
            return True
        if not self._foreign:
            if name in _VOID or name in _IGNORED:
                return True
            if name in _TABLE_PARTS:
                return self._table_part(name)
            self._close_siblings(name)
            if name == "a":  # at any depth: a link closes the one before it
                self.names.append(name)
                return True
        return self._push(name)

    def end(self, name: str) -> bool:
        """Close an element, with those inside it."""
        if self.names and self.names[-1] == name and name not in _VOID:
            self.names.pop()
            self._foreign -= name in _FOREIGN
            return True
        if name in _FORMATTING:
            if name in self._unclosed:
                self._unclosed.remove(name)
            return True
        if name in _ROOTS:
            return self._is_first_root()
        if name in _VOID:
            return True
        if name in ("a", "form"):
            return self._take_away(name)
        just = _JUST.get(name) or frozenset((name,))
        at = self._find(just, _BLOCKING.get(name, _SPECIAL))
        if at < 0:
            return name not in self.names  # then it closes nothing
        self._cut(at)
        return True

    def _is_first_root(self) -> bool:
        self._roots += 1
        return self._roots <= MAX_ROOTS

    def _push(self, name: str) -> bool:
        if len(self.names) >= self._max_depth:
            return False
        self.names.append(name)
        self._foreign += name in _FOREIGN
        return True

    def _cut(self, at: int) -> None:
        self._foreign -= sum(each in _FOREIGN for each in self.names[at:])
        del self.names[at:]

    def _find(self, names: frozenset[str], blocking: frozenset[str]) -> int:
        """Return the place of the innermost of some elements; -1 if another is in the way."""
        for at in range(len(self.names) - 1, -1, -1):
            if self.names[at] in names:
                return at
            if self.names[at] in blocking:
                return -1
        return -1

    def _close_siblings(self, name: str) -> None:
        if name in _CLOSES_TOP:
            if self.names and self.names[-1] in _CLOSES_TOP[name]:
                self._cut(len(self.names) - 1)
        elif name in _CLOSES:
            siblings, blocking = _CLOSES[name]
            at = self._find(siblings, blocking)
            if at >= 0:
                self._cut(at)

    def _table_part(self, name: str) -> bool:
        """Open a row or a cell, which closes those before it; outside of a table it is ignored."""
        table = self._find(_JUST["table"], _TABLE_SCOPES)
        if table < 0:
            return False
        closes = _CLOSES_PARTS[name]
        for at in range(table + 1, len(self.names)):
            if self.names[at] in closes:
                self._cut(at)
                break
        return self._push(name)

    def _take_away(self, name: str) -> bool:
        """Close an element; what is inside it stays open."""
        at = self._find(_JUST[name], _SCOPES)
        if at < 0:
            return name not in self.names
        del self.names[at]
        return True
