"""Reading the markup of a tree gives what walking the tree gives."""

import pytest
from bench.hostile_pages import constructs
from bench.modern_pages import modern_pages
from hypothesis import given, settings
from hypothesis import strategies as st
from selectolax.lexbor import LexborHTMLParser

from lycosa.web import markup
from lycosa.web.html import tidy
from lycosa.web.markup import LABELS, OTHER_LINKS, AmbiguousMarkup, unescape
from lycosa.web.markup_walk import walk_markup
from lycosa.web.outline import Outline
from lycosa.web.tree_walk import walk_tree

FIELDS = ("title", "base", "hrefs", "paths", "headings", "starts", "stops", "head_above",
          "head_starts", "head_stops")  # fmt: skip


def by_markup(html: str, *, nofollow: bool = False) -> dict[str, object] | None:
    """Return what is read from the markup of a page; None if it is ambiguous."""
    outline = Outline()
    try:
        walk_markup(LexborHTMLParser(html).root.html, outline, nofollow=nofollow)
    except AmbiguousMarkup:
        return None
    return facts(outline)


def by_tree(html: str, *, nofollow: bool = False) -> dict[str, object]:
    outline = Outline()
    walk_tree(LexborHTMLParser(html).root, outline, nofollow=nofollow)
    return facts(outline)


def facts(outline: Outline) -> dict[str, object]:
    words = outline.marked_text().split()
    return {name: getattr(outline, name) for name in FIELDS} | {"words": words}


UNAMBIGUOUS = {
    "entities": "<title>A &amp;amp; B</title>&lt;b&gt; &amp;lt; x&nbsp;y <img alt='&amp;lt;p'>",
    "comments": "a<!-- <a href=x> > -->b<!---->c<!-->d<!--->e<!a>f",
    "scripts": "a<script>if (a<b) '</b>'</script>b<style>a>b{}</style>c<noembed><a></noembed>d",
    "skipped": "a<object><a href=x>y</a><object>z</object>w</object>b<template><b>c</template>d",
    "skipped scripts": "<object><script>'</object>'</script><!-- </object> -->a</object>b",
    "frames": "<frameset><frame src=a><noframes><a href=b>x</a></noframes></frameset>",
    "iframes": "a<iframe src='x?a&amp;b'><a href=y></iframe>b",
    "maps": "<map><area href=r alt='the &quot;map&quot;'></map>b",
    "brackets in names": "<a <b c<d=1 href=x>y</a><x<y>z</x<y>",
    "odd attributes": "<a title='x href=' =\" ='q' href=y>z</a><a title=' href=' id=a=b>w</a>",
    "icons": "<svg viewbox=1><title>Menu</title><path d=M0 /><a href=x>y</a><style>a</style></svg>",
    "voids": "a<br>b<wbr>c<hr>d<input>e<source>f<param>g<keygen>h<basefont>i<bgsound>j<img>k",
    "headings": "<h2>a</h2><h3>b<a href=x>c</a></h3><h1 class=big>d</h1><a href=y>e</a>",
    "selected content": "<select><button><selectedcontent></selectedcontent></button>"
                        "<option>a<option selected>b</select>",
    "noscript": "<noscript><a href=x>&lt;y</a></noscript>",
    "text areas": "<textarea>\n<a href=x>&lt;y</textarea><select><option>z",
    "refresh and base": "<base href=/b/><meta http-equiv=refresh content='1;url=m'><link rel=next "
                        "href=n>",
    "no page": "",
}  # fmt: skip


@pytest.mark.parametrize("kind", UNAMBIGUOUS)
def test_markup_is_read_as_the_tree(kind):
    assert by_markup(UNAMBIGUOUS[kind]) == by_tree(UNAMBIGUOUS[kind])


@pytest.mark.parametrize(
    "html",
    [
        "<plaintext>a</plaintext><b>c",
        "<script><!--<script></script>--></script>z",
        "<svg><style>&lt;/style><a href=x>y</a></style></svg>",
        "<svg><title>a<b>c</b></title></svg>",
        "<svg><link>a</link></svg>",
        "a<?x <b> ?>c",
        "<object><plaintext>a</object>b",
    ],
)
def test_ambiguous_markup_is_recognised(html):
    assert by_markup(html) is None


def test_modern_pages_are_read_as_the_tree():
    for _, body in modern_pages(2, seed=1):
        html = body.decode()
        assert by_markup(html) == by_tree(html)


@pytest.mark.parametrize("nofollow", [False, True])
def test_marked_links_are_text_if_asked(nofollow):
    html = "<a href=a rel='x NoFollow'>b</a> <a href=c>d</a> <iframe src=e rel=nofollow></iframe>"
    found = by_markup(html, nofollow=nofollow)
    assert found == by_tree(html, nofollow=nofollow)
    assert found["hrefs"] == (["c"] if nofollow else ["a", "c", "e"])


def test_caches_are_bounded(monkeypatch):
    monkeypatch.setattr(markup, "MAX_CACHED_TAGS", 10)
    LABELS.clear()  # what other tests of this process have left
    OTHER_LINKS.clear()
    html = "".join(f"<p id=a{n}><a href={n}>{n}</a><area href=a{n}>" for n in range(50))
    long = "x" * 2 * markup.MAX_CACHED_CHARACTERS
    html += f"<div class={long}><a href={long}>y</a>"
    assert by_markup(html) == by_tree(html)
    assert len(LABELS) <= 10
    assert len(OTHER_LINKS) <= 10


@given(st.text('&;<>"\xa0ampltgquonbs '))
def test_escapes_are_undone(text):
    escaped = text
    for character, escape in (("&", "&amp;"), ("<", "&lt;"), (">", "&gt;"), ("\xa0", "&nbsp;")):
        escaped = escaped.replace(character, escape)
    assert unescape(escaped) == text
    assert unescape(escaped.replace('"', "&quot;")) == text


def test_hostile_pages_are_read_as_the_tree():
    for name, made in list(constructs().items())[::7]:
        html = tidy(made(200))
        found = by_markup(html)
        assert found is None or found == by_tree(html), name


PIECES = st.sampled_from(
    "<a href=x>|<a rel=nofollow href='y z'>|<a title=' href='>|</a>|<h1>|</h1>|<h3 id=q>|<title>|"
    "</title>|<p class='a b'>|<table><tr><td>|</table>|<script>|</script>|<!--|-->|<!|"
    "<base href=//b.example/>|<frameset><frame src=f>|<b>|</b>|<i class=x>|</i>|"
    "<img alt='a &lt; b'>|<object>|</object>|<template>|</template>|<iframe src=i>|</iframe>|"
    "<style>|</style>|<xmp>|</xmp>|"
    "word | words and | 日本 |<svg>|</svg>|<math>|<mi>|<foreignObject>|<textarea>|<select><option>|"
    "&nbsp;|&amp;lt;|&lt;/style>|&lt;a href=z>|\r|<|>|\"|'|=|<link/>|<br/>|<noembed>|<noscript>|"
    "<plaintext>|<area href=r alt=t>|<x<y|<meta http-equiv=refresh content=1;url=q>|<li>|<ul>|"
    "</ul>|</li>|<wbr>|<div>|</div>|</p>|<own-element a=1>|</own-element>"
    .split("|")
)  # fmt: skip


@settings(max_examples=300)
@given(st.lists(PIECES | st.text(max_size=5), max_size=40))
def test_any_markup_is_read_as_the_tree_or_ambiguous(parts):
    html = tidy("".join(parts)).encode("utf-8", "replace").decode()
    found = by_markup(html)
    assert found is None or found == by_tree(html)


@given(st.text('ab ="/<', max_size=30).map("a".__add__))
def test_attributes_are_those_that_a_search_finds(tag):
    assert markup.escaped_attributes(tag) == dict(markup._ATTRIBUTE.findall(tag))
