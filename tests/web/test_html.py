import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lycosa.core import Page
from lycosa.sites.checks import check_page
from lycosa.web.reader import Reader

URL = "http://www.example.org/dir/page.html"


def read(html: str | bytes, url: str = URL) -> Page:
    return Reader().page(url, html.encode() if isinstance(html, str) else html)


def links(page: Page, near: int = 10):
    return [page.link(i, near) for i in range(len(page.targets))]


def targets(html: str) -> list[str]:
    return [link.target for link in links(read(html))]


def test_bags_of_a_link():
    page = read(
        "<title>Home of Ann</title><h1>Research</h1><p>one two</p><h2>Papers</h2>"
        "<ul><li>see our <a href='/pubs/TR-96.ps'>latest <b>pa</b>per</a> in postscript</li></ul>"
        "<h2>Other</h2>end"
    )
    (link,) = links(page, near=2)
    assert link.target == "http://www.example.org/pubs/TR-96.ps"
    assert link.bags["anchor"] == ("latest", "paper")
    assert link.bags["url"] == ("pubs", "tr", "96", "ps")
    assert link.bags["near"] == ("see", "our", "in", "postscript")
    assert link.bags["heads"] == ("home", "of", "ann", "papers", "research")
    assert link.bags["page"][:4] == ("home", "of", "ann", "research")
    assert link.path == "/html/body/ul/li/a"
    assert (page.title, page.title_words) == ("Home of Ann", "home of ann")


def test_near_bag_excludes_the_title():
    (link,) = links(read("<title>far away</title><a href=x>y</a> z"))
    assert link.bags["near"] == ("z",)


def test_finds_every_kind_of_link():
    html = """<base href="http://base.example/"><link rel="Next" href=n><link rel=stylesheet href=s>
    <meta http-equiv=refresh content="5; URL='m'"><a href=a>a</a><a name=x>no</a>
    <map><area href=r alt="the map"></map><iframe src=i>text</iframe>"""
    names = [target.rpartition("/")[2] for target in targets(html)]
    assert names == ["n", "m", "a", "r", "i"]
    assert targets("<frameset><frame src=l><frame src=r></frameset>") == [
        "http://www.example.org/dir/l",
        "http://www.example.org/dir/r",
    ]


def test_base_applies_to_links_before_it():
    assert targets("<a href=x>y</a><base href=/other/>") == ["http://www.example.org/other/x"]


def test_two_anchors_to_one_target_are_one_link():
    html = (
        "<h1>One</h1><a href=x#a>first</a><h1>Two</h1>mid <a href=./x>second</a> end<a href=y>z</a>"
    )
    page = read(html)
    first, second = links(page, near=1)
    assert first.bags["anchor"] == ("first", "second")
    assert first.bags["heads"] == ("one", "two")
    assert sorted(first.bags["near"]) == ["end", "mid", "one", "two"]
    assert second.bags["anchor"] == ("z",)


def test_links_without_a_web_target_are_omitted():
    html = "<a href=#top>t</a><a href=''>e</a><a href=page.html>self</a><a href=mailto:x@y.z>m</a>"
    assert targets(html + "<a href='javascript:x()'>j</a><a href='http://[bad'>b</a>") == []


def test_scripts_styles_and_comments_are_not_text():
    html = (
        "a<script>'<a href=s>'</script><style>b{}</style><!-- <a href=n> -->d<template>t</template>"
    )
    page = read(html)
    assert page.text == "a d"
    assert len(page.targets) == 0


def test_unclosed_comment_hides_only_its_first_tag():
    assert targets("<!-- old <p> <a href=x>y</a> <!-- more > <a href=z>w</a>") == [
        "http://www.example.org/dir/x",
        "http://www.example.org/dir/z",
    ]


def test_block_tags_separate_words_and_inline_tags_do_not():
    assert (
        read("<b>W</b>ord<p>next<br>line<div>cell</div><i>x</i>y<!-- -->z").text
        == "word next line cell xyz"
    )


def test_alt_texts_are_words_and_anchors():
    (link,) = links(read("<a href=x><img src=i alt='Our Papers'></a>"))
    assert link.bags["anchor"] == ("our", "papers")


def test_headings_are_nested_by_level():
    html = "<h2>a</h2><h3>b</h3><a href=1>x</a><h3>c</h3><a href=2>x</a><h1>d</h1><a href=3>x</a>"
    assert [set(link.bags["heads"]) for link in links(read(html))] == [
        {"a", "b"},
        {"a", "c"},
        {"d"},
    ]


def test_tag_paths_have_classes_and_no_numbers():
    html = "<div id=post-17 class='wide  main'><ul><li><a class=l2 href=x>y</a></li></ul></div>"
    assert links(read(html))[0].path == "/html/body/div#post-0.wide.main/ul/li/a.l0"


def test_plain_text_and_binary_types():
    reader = Reader()
    text = reader.page("http://a.example/t", b"plain <a href=x>words</a>", "text/plain")
    assert (text.text, len(text.targets)) == ("plain a href x words a", 0)
    pdf = reader.page("http://a.example/p", b"%PDF-1.4", "application/pdf")
    assert (pdf.text, pdf.type) == ("", "application/pdf")


def test_reader_omits_links_out_of_scope():
    reader = Reader(in_scope=lambda url: url.endswith(".ps"))
    page = reader.page(URL, b"<a href=a.ps>a</a> <a href=b.html>b</a>")
    assert [reader.urls[n] for n in page.targets.tolist()] == ["http://www.example.org/dir/a.ps"]


PIECES = st.sampled_from(
    "<a href=x>|<a href='y z'>|</a>|<h1>|</h1>|<h3>|<title>|</title>|<p>|<table><tr><td>|</table>|"
    "<script>|</script>|<!--|-->|<base href=//b.example/>|<frameset><frame src=f>|"
    "word | words and | 日本 |<svg><title>|<textarea>|<select><option>|&nbsp;|\0|<|>|\"|'|"
    "<meta http-equiv=refresh content=1;url=q>"
    .split("|")
)  # fmt: skip


@settings(max_examples=300)
@given(st.lists(PIECES | st.text(max_size=5), max_size=40))
def test_any_markup_gives_a_valid_page(parts):
    reader = Reader()
    page = reader.page(URL, "".join(parts).encode("utf-8", "surrogatepass"))
    check_page(page, page.number, len(reader.urls))
    assert "\0" not in page.text


@given(st.binary(max_size=400))
def test_any_bytes_give_a_valid_page(body):
    assert isinstance(read(body).text, str)


@pytest.mark.parametrize("html", ["", " ", "\0", "<", "</", "<!", "<a", "<a href"])
def test_nearly_empty_pages(html):
    assert len(read(html).targets) == 0


@pytest.mark.parametrize(
    ("html", "title"),
    [
        ("<title>queues: Python 3.11.2\n  Guide</title>", "queues: Python 3.11.2 Guide"),
        ("<title>日本語のページ</title>", "日本語のページ"),
        ("<title>R&amp;D</title>", "R&D"),
        ("<p>none", ""),
    ],
)
def test_a_title_keeps_its_capitals_and_its_script(html, title):
    assert read(html).title == title
