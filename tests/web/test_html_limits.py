import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from selectolax.lexbor import LexborHTMLParser

from lycosa.sites.checks import check_page
from lycosa.web import html_limits, open_elements
from lycosa.web.html_limits import limit_html
from lycosa.web.reader import Reader

HOSTILE = {
    "nesting": lambda n: "<div>" * n,
    "closed nesting": lambda n: "<div>" * n + "</div>" * n,
    "lists": lambda n: "<ul><li>" * n,
    "formatting": lambda n: "".join(f"<b x={i}>" for i in range(n)),
    "reopened formatting": lambda n: "".join(f"<i x={i}>" for i in range(n)) + "<p>x" * n,
    "attributes": lambda n: "<a " + " ".join(f"a{i}=1" for i in range(n)) + " href=x>y</a>",
    "quoted ends": lambda n: "<a " + " ".join(f'a{i}=">"' for i in range(n)) + " href=x>y</a>",
    "an endless tag": lambda n: "<a " + " ".join(f"a{i}" for i in range(n)),
    "anchors": lambda n: "<a href=x><font>" * n,
    "tables": lambda n: "<table><tr><td>" * n,
    "comments": lambda n: "<!--" * n,
    "quotes": lambda n: "<a b='" * n + '<a b="' * n,
    "angles": lambda n: "<" * n,
    "raw text": lambda n: "<script><!--<script>" * n,
    "entities": lambda n: "&amp&#x0;&bogus;" * n,
    "headings": lambda n: "<h1><h2><h3>" * n,
    "frames": lambda n: "<frameset>" * n + "<frame src=x>",
    "parts of no ruby": lambda n: "<rtc><rt>" * n,
    "parts of no select": lambda n: "<optgroup><option>" * n,
    "values that end with a slash": lambda n: "<svg>" + "<g a=b/>" * n,
    "empty values before a slash": lambda n: "<svg>" + "<g a= />" * n,
    "excess attributes before a slash": lambda n: (
        "<svg>" + f"<g {' '.join(f'a{i}' for i in range(70))}/>" * (n // 20)
    ),
    "names of elements": lambda n: "".join(f"<x{i}>y</x{i}>" for i in range(n)),
    "names of attributes": lambda n: "".join(f"<p a{i}=1>" for i in range(n)),
    "bodies": lambda n: "".join(f"<body a{i}=1>" for i in range(n)),
}
TAGS = (
    "a abbr acronym address applet area article aside audio b base basefont bdi bdo bgsound big "
    "blockquote body br button canvas caption center cite code col colgroup data datalist dd del "
    "details dfn dialog dir div dl dt em embed fieldset figcaption figure font footer form frame "
    "frameset h1 h6 head header hgroup hr html i iframe image img input ins isindex kbd keygen "
    "label legend li link listing main map mark marquee math menu menuitem meta meter mglyph mi "
    "nav nobr noembed noframes noscript object ol optgroup option output p param picture plaintext "
    "pre progress q rb rp rt rtc ruby s samp script search section select slot small source span "
    "strike strong style sub summary sup svg table tbody td template textarea tfoot th thead time "
    "title tr track tt u ul var video wbr xmp annotation-xml foreignobject desc own-element"
).split()
REPEATS = 200
"""More than the depth that the trees of the test may have."""
COMPANIONS = ("", "<p>", "<b>", "<table>", "<select>", "<svg>", "<li>", "<option>", "<a href=x>")


def assert_linear(html):
    """Check depth, attributes and size of the tree: the three that cost more than linear time."""
    root = LexborHTMLParser(limit_html(html)).root
    nodes = deepest = 0
    above = [(root, 1)] if root else []
    while above:
        node, depth = above.pop()
        nodes += 1
        deepest = max(deepest, depth)
        assert len(node.attributes or ()) <= html_limits.MAX_ATTRIBUTES
        above += [(child, depth + 1) for child in node.iter(include_text=True)]
    # Elements whose end tags may be omitted are not counted: at most three per level.
    assert deepest <= 4 * html_limits.MAX_DEPTH + 10
    assert nodes <= len(html) + 3


@pytest.mark.parametrize("kind", HOSTILE)
def test_costs_above_linear_are_bounded(kind):
    assert_linear(HOSTILE[kind](10_000))


@pytest.mark.parametrize("tag", TAGS)
def test_every_element_repeated_or_nested_is_bounded(tag, monkeypatch):
    monkeypatch.setattr(html_limits, "MAX_DEPTH", 32)
    monkeypatch.setattr(html_limits, "MAX_UNCHECKED_CHARACTERS", 0)
    for companion in COMPANIONS:
        assert_linear(f"<{tag}>{companion}" * REPEATS)
    assert_linear(f"<{tag}>x</{tag}>" * REPEATS)
    for block in ("p", "div", "span"):
        assert_linear(f"<{tag}><{block}></{tag}>" * REPEATS)
        assert_linear(f"<{tag}><{block}></{tag}></{block}>" * REPEATS)
    assert_linear(f"<{tag} " * REPEATS)


@pytest.mark.parametrize("kind", HOSTILE)
def test_hostile_pages_give_valid_pages(kind):
    reader = Reader()
    page = reader.page("http://a.example/", HOSTILE[kind](5_000).encode())
    check_page(page, page.number, len(reader.urls))


def test_small_page_is_unchanged():
    html = "<div>" * 1000 + "<b x=1>" * 500
    assert limit_html(html) is html


def test_dropped_tags_leave_their_words_and_links():
    html = "<div><b x=1>word <a href=x>anchor</a></b></div>" * 1 + "<section><i>w</i>" * 5000
    html += "<a href=last>last</a>"
    page = Reader().page("http://a.example/", html.encode())
    assert page.text.split().count("w") == 5000
    assert [page.link(i).bags["anchor"] for i in range(2)] == [("anchor",), ("last",)]


def test_excess_attributes_are_dropped_and_the_tag_kept():
    attributes = " ".join(f"a{i}='>'" for i in range(30_000))
    page = Reader().page("http://a.example/", f"<a href=x {attributes}>y</a>".encode())
    assert page.link(0).bags["anchor"] == ("y",)


@given(
    st.lists(
        st.sampled_from(
            [
                "<div>",
                "</div>",
                "<b>",
                "x ",
                "<a href=y>",
                "</a>",
                "<!-- -->",
                "<p c='>'>",
                "<br/>",
                "<script>if(a<b)</script>",
            ]
        ),
        max_size=60,
    )
)
def test_limits_do_not_change_a_harmless_page(parts):
    html = "".join(parts)
    assume(html.count("<b>") <= open_elements.MAX_UNCLOSED)
    assert "".join(html_limits._limited_pieces(html)) == html


PIECES = st.sampled_from([f"<{tag}>" for tag in TAGS] + [f"</{tag}>" for tag in TAGS] + ["x"])


@given(st.lists(PIECES, min_size=1, max_size=6))
def test_any_repeated_pattern_of_tags_is_bounded(pattern):
    with pytest.MonkeyPatch.context() as patch:  # a lower limit shows with fewer tags
        patch.setattr(html_limits, "MAX_DEPTH", 16)
        patch.setattr(html_limits, "MAX_UNCHECKED_CHARACTERS", 0)
        assert_linear("".join(pattern) * 150)


@given(st.lists(PIECES, max_size=300))
def test_any_tags_are_bounded(tags):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(html_limits, "MAX_DEPTH", 8)
        patch.setattr(html_limits, "MAX_UNCHECKED_CHARACTERS", 0)
        assert_linear("".join(tags))


QUOTED = st.sampled_from(
    """<a href="x">|<a href="y">|<a href="x" class="y>">|<a href="x"b="c">|<a x='|'>|<p a=b="c d">|
    <p a=b="| c">|"|=|>|/|<p title="q" ="|x">|<svg>|<g a="b"/>|<g a="c" />|<g a="/|<b id="1">|</b>|
    <script src="x">|</script>|<!--|-->|<p title="<q y="|b c"| z">|<i i j="1">|<i i="1" j="2">|
    <i="x">|<i ="x">|<td x="1">|<table>|</table>|<div>|</div>|</svg>""".split("|")
)


@given(st.lists(QUOTED, max_size=40))
def test_a_tag_seen_before_is_treated_as_if_read_again(parts):
    html = "".join(parts)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(html_limits, "MAX_NAMES", 5)
        patch.setattr(html_limits, "MAX_DEPTH", 6)
        patch.setattr(html_limits, "MAX_START_TAGS", 25)
        found = html_limits._limited_pieces(html)
        patch.setattr(html_limits, "MAX_CACHED_CHARACTERS", 0)  # nothing is remembered
        assert found == html_limits._limited_pieces(html)
