import pytest
from hypothesis import given
from hypothesis import strategies as st

from lycosa import Reader, World

URL = "http://a.example/b/c.html"
PIECES = st.sampled_from(
    "<a href=x>|<a href=/y?q#z>|<A HREF='http://b.example/'>|<a name=n>|</a>|<a href=''>|<p>|"
    "<area href=m>|<map>|<frameset><frame src=f>|<iframe src=g></iframe>|<link rel=next href=n>|"
    "<link rel=stylesheet href=s>|<meta http-equiv=refresh content='0; url=r'>|<base href=/d/>|"
    "<base href='http://c.example/'>|<object><a href=o></object>|<template><a href=t></template>|"
    "<noframes><a href=q></noframes>|<script><a href=j></script>|<!-- <a href=k> -->|<!--|<svg>|"
    "<svg><a href=v></a></svg>|<math>|<title><a href=w></title>|<textarea>|<select>|<table><tr>|"
    "<h1>|words|<a href=c.html>|<a href=' x '>|<noscript><a href=ns></noscript>".split("|")
)


def both(html):
    """The links of a page read and glanced at; each time from nothing."""
    full, quick = Reader(), Reader()
    asked = []
    page = full.page(URL, html)
    glance = quick.glance(URL, html, asked=lambda: asked.append(True))
    return [[r.urls[n] for n in p.targets] for r, p in ((full, page), (quick, glance))]


@given(st.lists(PIECES | st.text(max_size=4), max_size=25))
def test_a_glance_finds_the_links_that_reading_finds(pieces):
    read, glanced = both("".join(pieces).encode())
    assert glanced == read


@given(st.binary(max_size=300))
def test_any_bytes_can_be_glanced_at(body):
    read, glanced = both(body)
    assert glanced == read


@pytest.mark.parametrize("family", ["department", "organisation"])
def test_generated_pages_lead_to_the_same_either_way(family):
    site = getattr(World(seed=6, departments=1, organisations=1, pages=300), family)(0)
    for number in range(len(site)):
        answer = site.answer(number)
        full, quick = Reader(), Reader()
        url = site.tables.urls[number]
        page = full.page(url, answer.body, answer.type)
        glance = quick.glance(url, answer.body, answer.type, asked=lambda: None)
        assert [quick.urls[n] for n in glance.targets] == [full.urls[n] for n in page.targets]


def test_words_are_read_when_somebody_asks():
    reader, asked = Reader(), []
    body = b"<title>Home</title>Our <a href=tr.ps>paper</a>"
    page = reader.glance(URL, body, asked=lambda: asked.append(True))
    assert len(page.targets) == 1
    assert not asked
    assert page.text == "home our paper"
    assert page.link(0).bags["anchor"] == ("paper",)
    assert asked == [True], "and only once"
