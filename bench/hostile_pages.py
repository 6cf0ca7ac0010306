"""Pages that are one construct of HTML, nested, repeated or without an end, of any size.

They are what an attacker would try: every tag name in every form, every attribute
with one giant value, entities, comments, declarations, URLs and text.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import TypeAlias

Construct: TypeAlias = Callable[[int], str]
"""Returns a page of about so many characters."""

TAGS = (
    "a abbr acronym address applet area article aside audio b base basefont bdi bdo bgsound big "
    "blockquote body br button canvas caption center cite code col colgroup data datalist dd del "
    "details dfn dialog dir div dl dt em embed fieldset figcaption figure font footer form frame "
    "frameset h1 h2 h3 h4 h5 h6 head header hgroup hr html i iframe image img input ins isindex "
    "kbd keygen label legend li link listing main map mark marquee math menu menuitem meta meter "
    "mglyph mi mo mn ms mtext nav nobr noembed noframes noscript object ol optgroup option output "
    "p param picture plaintext pre progress q rb rp rt rtc ruby s samp script search section "
    "select slot small source span strike strong style sub summary sup svg table tbody td "
    "template textarea tfoot th thead time title tr track tt u ul var video wbr xmp "
    "annotation-xml foreignobject desc own-element"
).split()
ATTRIBUTES = (
    "href src class id style srcset sizes rel content http-equiv name title alt charset lang "
    "dir type value data-x onclick xlink:href integrity async"
).split()
CARRIERS = ("a", "meta", "link", "base", "img", "iframe", "area", "b", "div")
"""Elements that are read by name, and two that are not."""

REPEATED = {
    "an entity": "&amp;",
    "an entity without an end": "&amp",
    "an entity of no character": "&#x0;",
    "an unknown entity": "&bogus;",
    "the longest entity": "&CounterClockwiseContourIntegral;",
    "an ampersand": "&",
    "a comment": "<!--x-->",
    "a comment without an end": "<!--",
    "an empty comment": "<!-->",
    "a declaration": "<!",
    "a processing instruction": "<?x>",
    "a doctype": "<!doctype html>",
    "a doctype without an end": "<!doctype ",
    "a CDATA section": "<![CDATA[x]]>",
    "a CDATA section without an end": "<![CDATA[",
    "a CDATA section in SVG": "<svg><![CDATA[x]]>",
    "hyphens": "--",
    "a bracket": "<",
    "a closing bracket": ">",
    "the start of an end tag": "</",
    "a null character": "\0",
    "a carriage return": "\r",
    "a line end": "\r\n",
    "a blank": " ",
    "a letter": "x",
    "a word": "ab ",
    "a Chinese character": "\u4e00",
    "a character beyond the BMP": "\U0001f600",
    "a combining character": "e\u0301",
    "a script": "<script>x</script>",
    "a script in a comment in a script": "<script><!--<script>",
    "a style rule": "<style>a{b:c}",
    "text in a table": "<table>x",
    "a nested table": "<table><tr><td>",
    "formatting in a table": "<table><b>x",
    "a link in a table": "<table><a href=x>y",
    "a link around a block": "<a href=x><div>",
    "misnested formatting": "<b><p></b>",
    "misnested formatting, closed": "<b><p></b></p>",
    "an element in SVG": "<svg><g>",
    "a value that ends with a slash, in SVG": "<svg><g a=b/>",
    "HTML in MathML": "<math><annotation-xml encoding=text/html><p>",
    "HTML in SVG": "<svg><foreignobject><p>",
    "headings": "<h6>a<h5>b<h4>c<h3>d<h2>e<h1>f",
    "parts of no ruby": "<rtc><rt>",
    "a template": "<template><tr><td>",
    "a form around a block": "<form><div></form>",
    "a list": "<ul><li>",
    "a definition": "<dl><dt><dd>",
}
GIANT_VALUES = {
    "letters": "x",
    "blanks": " ",
    "digits": "1",
    "semicolons": "; ",
    "slashes": "/",
    "dots": "../",
    "escapes": "%41",
    "names": "a.",
    "credentials": "a:b@",
    "commas": "a 1x, ",
}


def constructs() -> dict[str, Construct]:
    """Return every construct by a description of it."""
    return {
        **{f"{name}, repeated": partial(_repeat, piece) for name, piece in REPEATED.items()},
        **dict(_of_attributes()),
        **dict(_distinct()),
        **{name: made for tag in TAGS for name, made in of_tag(tag).items()},
    }


def of_tag(tag: str) -> dict[str, Construct]:
    """Return the constructs of one tag name."""
    patterns = (
        f"<{tag}>",
        f"</{tag}>",
        f"<{tag}/>",
        f"<{tag} ",
        f"<{tag}>x</{tag}>",
        f"<{tag}><p>",
        f"<{tag}><p></{tag}>",
        f"<b><{tag}>x",
        f"<table><{tag}>",
        f"<svg><{tag}>",
        f"<select><{tag}>",
    )
    return {
        **{f"{pattern} repeated": partial(_repeat, pattern) for pattern in patterns},
        f"<{tag}> nested": lambda size: (
            _repeat(f"<{tag}>", size // 2) + _repeat(f"</{tag}>", size // 2)
        ),
        f"<{tag}> in a script": lambda size: "<script>" + _repeat(f"<{tag} ", size),
        f"<{tag}> with a giant text": lambda size: f"<{tag}>" + _repeat("word ", size),
        f"<{tag}> with many attributes": lambda size: f"<{tag} {_attributes(size)}>x",
        f"<{tag}> with a giant value": lambda size: (
            f"<{tag} href='{'x' * (size // 2)}' class='{'y' * (size // 4)}'>"
            + _repeat("<p>x", size // 4)
        ),
        f"<{tag}> with distinct links": lambda size: "".join(
            f"<{tag} href=x{i} src=y{i}>z" for i in range(size // 25)
        ),
    }


def _of_attributes() -> Iterator[tuple[str, Construct]]:
    for carrier in CARRIERS:
        for attribute in ATTRIBUTES:
            for name, piece in GIANT_VALUES.items():
                yield (
                    f"<{carrier} {attribute}> with {name}",
                    lambda size, start=f"<{carrier} {attribute}='", piece=piece: (
                        f"{start}{_repeat(piece, size)}'>x"
                    ),
                )
    for name, piece in {**GIANT_VALUES, "targets": "0;url="}.items():
        start = "<meta http-equiv=refresh content='"
        yield (
            f"a refresh with {name}",
            lambda size, start=start, piece=piece: f"{start}{_repeat(piece, size)}'>",
        )
    for name in ("x", "?x"):
        yield (
            f"a base of {name} and links",
            lambda size, name=name: (
                f"<base href='http://b.example/{name * (size // 2)}/'>"
                + "".join(f"<a href=y{i}>" for i in range(size // 26))
            ),
        )


def _distinct() -> Iterator[tuple[str, Construct]]:
    patterns = {
        "elements": "<x{0}>y</x{0}>",
        "attributes": "<p a{0}=1>",
        "values": "<b x={0}>",
        "attributes of the body": "<body a{0}=1>",
        "words": "w{0} ",
        "links": "<a href=x{0}>y</a>",
        "hosts": "<a href=http://h{0}.example/>y",
        "classes": "<div class=c{0}><a href=x{0}>y</a></div>",
        "headings": "<h1>h{0}</h1><a href=x{0}>y</a>",
    }
    for name, pattern in patterns.items():
        yield (
            f"distinct {name}",
            lambda size, pattern=pattern: "".join(
                pattern.format(i) for i in range(size // (len(pattern.format(99_999))))
            ),
        )
    for name, opened in {"formatting": "i", "links": "a"}.items():
        yield (
            f"unclosed {name} before blocks",
            lambda size, opened=opened: (
                "".join(f"<{opened} href={'y' * 1000}{i}>" for i in range(8))
                + _repeat("<p>x", size)
            ),
        )


def _repeat(piece: str, size: int) -> str:
    return piece * (size // len(piece) + 1)


def _attributes(size: int) -> str:
    return " ".join(f"a{i}=1" for i in range(size // 9))
