"""Finds texts in templates that are not looked up in a catalogue."""

import re
from html.parser import HTMLParser

from jinja2 import nodes

CODE = ("code", "kbd", "script", "style")
"""Elements whose content is the same in all languages."""
TEXT_ATTRIBUTES = ("alt", "aria-label", "placeholder", "title")
VALUE = "\N{REPLACEMENT CHARACTER}"
"""Stands for what a template fills in."""
EMPTY = ("br", "circle", "hr", "img", "input", "link", "meta", "path")
ATTRIBUTE = re.compile(r'[a-z-]+="[^"]*"')
"""Macros return attributes without their tag."""
MACROS = ("parts", "owner_parts")


class _Texts(HTMLParser):
    def __init__(self):
        super().__init__()
        self.found = []
        self._open = []

    def handle_starttag(self, tag, attrs):
        attributes = dict(attrs)
        self.found += [attributes[n] for n in TEXT_ATTRIBUTES if has_letters(attributes.get(n))]
        if tag not in EMPTY:
            # What is marked as English is English by design: the reference of the API.
            self._open.append((tag, tag in CODE or attributes.get("lang") == "en"))

    def handle_endtag(self, tag):
        while self._open and self._open.pop()[0] != tag:
            pass

    def handle_data(self, data):
        text = ATTRIBUTE.sub("", data)
        if has_letters(text) and not any(skipped for _, skipped in self._open):
            self.found.append(text.strip())


def has_letters(text):
    return any(c.isalpha() for c in text or "")


def bare_texts(environment, source):
    """Return the texts of a template outside of `trans` and `_()`."""
    parser = _Texts()
    parser.feed(_skeleton(environment, source))
    parser.close()
    return parser.found + list(_literals(environment.parse(source)))


def _skeleton(environment, source):
    """Return the HTML of a template, with marks for expressions and translated texts."""
    pieces, tag, translated = [], [], False
    for _, kind, value in environment.lex(source):
        if kind == "block_begin":
            tag = []
        elif kind == "block_end":
            translated = translated or "trans" in tag[:1]
            if "endtrans" in tag[:1]:
                translated = False
                pieces.append(VALUE)
        elif kind == "name":
            tag.append(value)
        elif kind == "variable_begin" and not translated:
            pieces.append(VALUE)
        elif kind == "data" and not translated:
            pieces.append(value)
    return "".join(pieces)


def _literals(tree):
    """Yield the literals that expressions show."""
    for output in tree.find_all(nodes.Output):
        for expression in output.nodes:
            yield from _shown(expression)


def _shown(node):
    match node:
        case nodes.Const(value=str() as text) if has_letters(text) and text[0] != "-":
            yield text
        case nodes.CondExpr():
            yield from _shown(node.expr1)
            if node.expr2 is not None:
                yield from _shown(node.expr2)
        case nodes.Or() | nodes.And():
            yield from _shown(node.left)
            yield from _shown(node.right)
        case nodes.Concat():
            for part in node.nodes:
                yield from _shown(part)
        case nodes.Call(node=nodes.Getattr(node=nodes.Name(name=name))) if name in MACROS:
            # Macros show their arguments.
            for argument in node.args:
                yield from _shown(argument)
        case nodes.Filter() if node.name in ("default", "safe") and node.node is not None:
            for part in (node.node, *node.args):
                yield from _shown(part)
