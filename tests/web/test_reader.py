import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from lycosa.content import BAGS
from lycosa.web.reader import Reader
from lycosa.web.words import url_words

URL = "http://a.example/sitemap.xml"
PLACES = [f"http://a.example/{name}" for name in ("papers/tr-1.ps", "people", "b", "")]


def test_link_list_keeps_each_target_once_in_order():
    reader = Reader(in_scope=lambda url: not url.endswith("/b"))
    page = reader.link_list(URL, [PLACES[1], PLACES[0], PLACES[2], PLACES[1]], "text/xml")
    assert [reader.urls[n] for n in page.targets] == [PLACES[1], PLACES[0]]
    assert (page.url, page.status, page.type, page.error) == (URL, 200, "text/xml", None)
    assert (page.text, page.title) == ("", "")


def test_link_list_has_only_the_words_of_its_urls():
    reader = Reader()
    page = reader.link_list(URL, PLACES, "text/xml")
    for n, place in enumerate(PLACES):
        link = page.link(n)
        assert (link.source, link.target, link.path) == (URL, place, "")
        assert list(link.bags["url"]) == list(url_words(place))
        assert not any(words for name, words in link.bags.items() if name != "url")
    for name in BAGS:
        assert page.bag(name).size == len(PLACES)


@given(st.lists(st.sampled_from(PLACES)))
def test_link_list_shares_numbers_with_pages(places):
    reader = Reader()
    body = "".join(f'<a href="{place}">x</a>' for place in places).encode()
    page = reader.page("http://a.example/list", body)
    listing = reader.link_list(URL, places, "text/xml")
    assert np.array_equal(listing.targets, page.targets)
