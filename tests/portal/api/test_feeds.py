import sqlite3
from datetime import datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lxml import etree

from lycosa.portal.api import crawlers
from lycosa.portal.api.crawlers import DISALLOWED
from lycosa.portal.api.xml import HEAD, element
from lycosa.web.robots import Robots
from portal.sample import NASTY, work_id
from portal.web.portal_client import BASE, connect, copy_portal

ATOM = "{http://www.w3.org/2005/Atom}"
MAPS = "{http://www.sitemaps.org/schemas/sitemap/0.9}"


@pytest.fixture(scope="module")
def api():
    with connect() as found:
        yield found


def parsed(response, media):
    assert response.status_code == 200
    assert response.headers["content-type"] == f"{media}; charset=utf-8"
    return etree.fromstring(response.content)


@pytest.mark.parametrize(
    "path",
    ["/feed", "/feed?q=spiders", "/feed?q=%3C%26%00%22&topic=machine-learning&year=1997",
     "/topic/machine-learning/feed", "/topic/information-retrieval/crawling/feed"],
)  # fmt: skip
def test_feeds_have_the_elements_that_atom_requires(api, path):
    feed = parsed(api.get(path), "application/atom+xml")
    links = {link.get("rel"): link.get("href") for link in feed.findall(f"{ATOM}link")}
    assert feed.findtext(f"{ATOM}id") == links["self"]
    assert api.get(links["self"].removeprefix(BASE)).content == api.get(path).content
    assert api.get(links["alternate"].removeprefix(BASE)).status_code == 200
    assert feed.find(f"{ATOM}author/{ATOM}name").text
    ids = [entry.findtext(f"{ATOM}id") for entry in feed.findall(f"{ATOM}entry")]
    assert len(set(ids)) == len(ids)
    for element_ in (feed, *feed.findall(f"{ATOM}entry")):
        assert element_.findtext(f"{ATOM}title")
        assert datetime.fromisoformat(element_.findtext(f"{ATOM}updated")).tzinfo
        alternates = element_.findall(f"{ATOM}link[@rel='alternate']")
        assert len(alternates) == 1


def test_feeds_list_what_was_found_last_first_with_escaped_titles(api):
    feed = parsed(api.get("/feed"), "application/atom+xml")
    found = [e.findtext(f"{ATOM}id") for e in feed.findall(f"{ATOM}entry")]
    # The sample's index says that works were found in the order of their numbers.
    assert found == [f"{BASE}/work/{work_id(number)}" for number in reversed(range(50))]
    titles = {e.findtext(f"{ATOM}title").strip() for e in feed.findall(f"{ATOM}entry")}
    assert {title.strip() for title in NASTY if title} <= titles
    assert "http://www2.example.edu/papers/34.pdf" in titles


def test_opensearch_description(api):
    found = parsed(api.get("/opensearch.xml"), "application/opensearchdescription+xml")
    space = "{http://a9.com/-/spec/opensearch/1.1/}"
    assert 0 < len(found.findtext(f"{space}ShortName")) <= 16
    urls = {url.get("type"): url.get("template") for url in found.findall(f"{space}Url")}
    assert len(urls) == 4
    for template in urls.values():
        url = template.replace("{searchTerms}", "spiders")
        assert api.get(url.removeprefix(BASE)).status_code == 200


def test_sitemaps_list_every_page_once(api, monkeypatch):
    monkeypatch.setattr(crawlers, "URLS_PER_SITEMAP", 8)
    index = parsed(api.get("/sitemap.xml"), "application/xml")
    maps = [loc.text for loc in index.iter(f"{MAPS}loc")]
    assert len(maps) == 1 + -(-50 // 8)
    urls = []
    for url in maps:
        part = parsed(api.get(url.removeprefix(BASE)), "application/xml")
        found = [loc.text for loc in part.iter(f"{MAPS}loc")]
        assert 0 < len(found) <= 8
        urls += found
    assert len(set(urls)) == len(urls)
    assert {f"{BASE}/work/{work_id(n)}" for n in range(50)} <= set(urls)
    assert f"{BASE}/topic/machine-learning" in urls
    for url in urls[::9]:
        assert api.get(url.removeprefix(BASE)).status_code == 200


def test_robots_txt_allows_pages_and_disallows_queries(api):
    response = api.get("/robots.txt")
    assert response.headers["content-type"] == "text/plain; charset=utf-8"
    rules = Robots.parse(response.content)
    for path in ("/", "/work/w1", "/topics", "/topic/machine-learning", "/author/lee-a"):
        assert rules.allows(f"{BASE}{path}", "lycosa"), path
    for path in (*DISALLOWED, "/search?q=x", "/api/works/w1"):
        assert not rules.allows(f"{BASE}{path}", "lycosa"), path
    assert f"Sitemap: {BASE}/sitemap.xml\n" in response.text


def test_omits_invalid_dates(tmp_path):
    folder = copy_portal(tmp_path)
    with sqlite3.connect(folder / "portal.db") as database:
        database.execute("UPDATE documents SET time = 'yesterday'")
        database.execute("UPDATE history SET found = 'yesterday'")
        database.execute("UPDATE works SET date = '99999' WHERE date = '1999'")
        database.execute("DELETE FROM meta WHERE key != 'generation'")
    database.close()
    with connect(folder) as api:
        feed = parsed(api.get("/topic/machine-learning/feed"), "application/atom+xml")
        times = {e.text for e in feed.iter(f"{ATOM}updated")}
        assert times == {"1970-01-01T00:00:00Z"}
        assert not any("9999" in e.text for e in feed.iter(f"{ATOM}published"))
        assert parsed(api.get("/opensearch.xml"), "application/opensearchdescription+xml")[0].text


@given(st.text(), st.text())
def test_xml_keeps_any_text(text, value):
    root = etree.fromstring(f"{HEAD}{element('a', element('b', text), c=value)}".encode())
    written = element("b", text)
    assert etree.fromstring(f"{written}".encode()).text == root[0].text
    for found, given_ in ((root[0].text or "", text), (root.get("c"), value)):
        left = iter(given_.replace("\r\n", "\n").replace("\r", "\n"))
        assert all(c in left for c in found if not c.isspace())
        assert {c for c in given_ if c.isalnum()} <= set(found)
