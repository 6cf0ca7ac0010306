"""Directives of authors: meta elements, headers, canonical URLs."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lycosa.content import Table
from lycosa.web.decoding import decode
from lycosa.web.directives import NO_DIRECTIVES, Directives, read_directives, response_directives
from lycosa.web.html import FollowedLinks
from lycosa.web.reader import Reader

URL = "http://a.example/dir/page"
B = "http://a.example/b"


def rules(html=None, **headers):
    found = read_directives(URL, html, **headers)
    return found.noindex, found.nofollow


@pytest.mark.parametrize(
    ("head", "noindex", "nofollow"),
    [
        ('<meta name="robots" content="noindex">', True, False),
        ('<META NAME="ROBOTS" CONTENT="NOFOLLOW">', False, True),
        ('<meta name=" Robots " content=" noindex , NoFollow ">', True, True),
        ('<meta content="none" name="robots">', True, True),
        ('<meta name="robots" content="index noindex">', True, False),
        ('<meta name="lycosa" content="nofollow">', False, True),
        ('<meta name="robots" content="noindex"><meta name="lycosa" content="index">', True, False),
        ('<meta name="otherbot" content="none">', False, False),
        ('<meta name="description" content="noindex">', False, False),
        ('<meta name="robots" content="index, follow, max-snippet:-1">', False, False),
        ('<meta name="robots" content="noimageindex, nofollowing">', False, False),
        ('<!-- <meta name="robots" content="none"> -->', False, False),
        ('<script>"<meta name=robots content=none>"</script>', False, False),
        ('<body><meta name="robots" content="none">', False, False),
        ('<p>text<meta name="robots" content="none">', False, False),
    ],
)
def test_robots_meta_elements_of_the_head_are_read(head, noindex, nofollow):
    assert rules(f"<!doctype html><html><head>{head}") == (noindex, nofollow)


@pytest.mark.parametrize(
    ("tags", "noindex", "nofollow"),
    [
        (["noindex"], True, False),
        (["NoIndex, NOFOLLOW"], True, True),
        (["none"], True, True),
        (["lycosa: noindex"], True, False),
        (["Lycosa : none, nofollow"], True, True),
        (["otherbot: noindex, nofollow"], False, False),
        (["otherbot: noindex", "nofollow"], False, True),
        (["otherbot: noindex, lycosa: nofollow"], False, True),
        (["otherbot: noindex, *: nofollow"], False, True),
        (["max-snippet: 20, noindex"], True, False),
        (["unavailable_after: 25 Jun 2010 15:00:00 PST, nofollow"], False, True),
        (["unavailable_after: Friday, 25-Jun-10 15:00:00 UTC, nofollow"], False, True),
        (["", ",", ":", "all"], False, False),
    ],
)
def test_the_header_names_its_crawlers(tags, noindex, nofollow):
    assert rules(robots_tags=tags) == (noindex, nofollow)


@pytest.mark.parametrize(
    ("head", "links", "found"),
    [
        ('<link rel="canonical" href="/b">', [], B),
        ('<link rel="Canonical alternate" href="http://A.example:80/b#x">', [], B),
        ('<link rel="canonical" href="page">', [], None),  # itself
        ('<base href="/x/"><link rel="canonical" href="../b">', [], B),
        ('<link rel="canonical" href="/b"><link rel="canonical" href="/b">', [], B),
        ('<link rel="canonical" href="/b"><link rel="canonical" href="/c">', [], None),
        ('<link rel="canonical" href="/b">', ["</c>; rel=canonical"], None),
        ('<link rel="canonical" href="mailto:x">', [], None),
        ('<body><link rel="canonical" href="/b">', [], None),
        ('<link rel="shortlink" href="/b">', [], None),
        ("", ["</b>; rel=canonical"], B),
        ("", ['<http://a.example/b>; type="x, y"; REL="up canonical"'], B),
        ("", ["</c>; rel=next, </b>; rel=canonical"], B),
        ("", ["</c>; rel=next", "</b>; rel=canonical"], B),
        ("", ["</c>; rel=preload", "<", "b; rel=canonical"], None),
    ],
)
def test_the_canonical_url_is_named_in_the_head_or_in_a_header(head, links, found):
    assert read_directives(URL, f"<head>{head}", links=links).canonical == found


def test_a_header_counts_for_what_is_no_html():
    headers = {"x-robots-tag": "otherbot: none\nnoindex", "link": f"<{B}>; rel=canonical"}
    found = response_directives(URL, b"%PDF <meta name=robots content=none>", "application/pdf",
                                headers, "lycosa")  # fmt: skip
    assert found == Directives(True, False, B)


@given(st.text(), st.text(), st.text())
def test_any_text_is_read(html, tag, link):
    read_directives(URL, html, robots_tags=[tag], links=[link])


@given(st.lists(st.sampled_from(["<", ">", ";", '"', ",", "rel=", "canonical", " ", "x"])))
def test_any_link_header_is_read(parts):
    read_directives(URL, links=["".join(parts)])


def test_plain_pages_have_none():
    assert read_directives(URL, "<head><title>Hi</title></head>") == NO_DIRECTIVES


PAGE = b"""<link rel=next href=/next> <a href=/a>A</a> <a rel="ugc" href=/u>U</a>
<a rel="NoFollow noopener" href=/n>N</a> <area rel=nofollow href=/m>
<a rel=nofollow href=/twice>T</a> <a href=/twice>T</a> <a rel=sponsored href=/s>S</a>"""


@pytest.mark.parametrize(
    ("followed", "paths"),
    [
        (FollowedLinks(), "next a u n m twice s"),
        (FollowedLinks(only_unmarked=True), "next a u twice s"),
        (FollowedLinks(only_unmarked=True, further=("http://a.example/c",)), "next a u twice s c"),
        (FollowedLinks(none=True), ""),
        (FollowedLinks(none=True, further=("http://a.example/c",)), ""),
    ],
)
def test_both_parsers_leave_out_links_that_are_not_followed(followed, paths):
    reader = Reader(urls=Table())
    whole = reader.page(URL, PAGE, followed=followed)
    lazy = reader.lazy_page(URL, PAGE, followed=followed, on_content=lambda: None)
    for page in (whole, lazy):
        found = [reader.urls[n].rpartition("/")[2] for n in page.targets]
        assert found == paths.split()
        assert len(page.content.paths) == len(page.targets)
        assert page.text == "a u n t t s"
        for index in range(len(page.targets)):
            page.link(index)


FRAGMENTS = (
    "<meta name=robots content=NoIndex>", "<meta name=lycosa content='none'>", "<body >", "<BODY",
    "<link rel=Canonical href=/b>", "~\n", "no~\nindex", "\x1b(B", "日本語", "~{<:Ky2;VS{#~}", "\0",
)  # fmt: skip


@given(
    st.lists(st.sampled_from(FRAGMENTS), max_size=6).map("".join),
    st.sampled_from(("utf-8", "utf-16", "utf-16-be", "iso-2022-jp", "hz", "gbk", "latin-1")),
    st.sampled_from(("text/html", "text/html; charset={}")),
)
def test_the_bytes_of_a_page_never_hide_its_directives(html, encoding, kind):
    body, kind = html.encode(encoding, "ignore"), kind.format(encoding)
    read = response_directives("http://a.example/", body, kind, {}, "lycosa")
    assert read == read_directives("http://a.example/", decode(body, kind))
