import pytest
from hypothesis import given
from hypothesis import strategies as st

from lycosa import Reader, World

URL = "http://a.example/b/c.html"
PIECES = st.sampled_from(
    "<a href=x>|<a href=/y?q#z>|<A HREF='http://b.example/'>|<a name=n>|</a>|<a href=''>|<p>|"
    "<area href=m>|<map>|<frameset><frame src=f>|<iframe src=g></iframe>|<link rel=next href=n>|"
    "<link title='<' rel=next href=n2>|<link |<meta |"
    "<link rel=stylesheet href=s>|<meta http-equiv=refresh content='0; url=r'>|<base href=/d/>|"
    "<base href='http://c.example/'>|<object><a href=o></object>|<template><a href=t></template>|"
    "<noframes><a href=q></noframes>|<script><a href=j></script>|<!-- <a href=k> -->|<!--|<svg>|"
    "<svg><a href=v></a></svg>|<math>|<title><a href=w></title>|<textarea>|<select>|<table><tr>|"
    "<h1>|words|<a href=c.html>|<a href=' x '>|<noscript><a href=ns></noscript>".split("|")
)


def both(html):
    """Return the links of the full page and of the lazy page, from two new readers."""
    full, quick = Reader(), Reader()
    parsed = []
    page = full.page(URL, html)
    lazy = quick.lazy_page(URL, html, on_content=lambda: parsed.append(True))
    return [[r.urls[n] for n in p.targets] for r, p in ((full, page), (quick, lazy))]


@given(st.lists(PIECES | st.text(max_size=4), max_size=25))
def test_lazy_page_has_the_links_of_the_full_page(pieces):
    full, lazy = both("".join(pieces).encode())
    assert lazy == full


@given(st.binary(max_size=300))
def test_any_bytes_give_a_lazy_page(body):
    full, lazy = both(body)
    assert lazy == full


@pytest.mark.parametrize("family", ["department", "organisation"])
def test_generated_pages_have_the_same_links_either_way(family):
    site = getattr(World(seed=6, departments=1, organisations=1, pages=300), family)(0)
    for number in range(len(site)):
        answer = site.response(number)
        full, quick = Reader(), Reader()
        url = site.tables.urls[number]
        page = full.page(url, answer.body, answer.type)
        lazy = quick.lazy_page(url, answer.body, answer.type, on_content=lambda: None)
        assert [quick.urls[n] for n in lazy.targets] == [full.urls[n] for n in page.targets]


def test_content_is_parsed_on_first_use():
    reader, parsed = Reader(), []
    body = b"<title>Home</title>Our <a href=tr.ps>paper</a>"
    page = reader.lazy_page(URL, body, on_content=lambda: parsed.append(True))
    assert len(page.targets) == 1
    assert not parsed
    assert page.text == "home our paper"
    assert page.link(0).bags["anchor"] == ("paper",)
    assert parsed == [True], "parsed once"
