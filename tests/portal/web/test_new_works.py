"""The page, feed and API of the works that were found since a moment."""

import re

import pytest

from lycosa.portal.catalogue import Catalogue
from portal.web.portal_client import connect, html, shared_portal, text


@pytest.fixture(scope="module")
def reader():
    with connect() as found:
        yield found


@pytest.fixture(scope="module")
def found():
    """When each work was found."""
    works = Catalogue.open(shared_portal()).iter_works("paper", "page")
    return {work.id: work.found for work in works}


def listed(page):
    return [link.attributes["href"].rpartition("/")[2] for link in page.css(".works .title a")]


@pytest.mark.parametrize("since", ["2026-01-20", "2026-01-20T00:19:00.5+00:00", "2026-01-25T12"])
def test_page_api_and_feed_agree_with_brute_force(reader, found, since):
    wanted = sorted(
        (work for work, time in found.items() if time > since), key=found.get, reverse=True
    )
    assert len(wanted) < len(found)
    page = html(reader.get("/new", params={"since": since}))
    assert text(page.css_first("#total")).startswith(f"{len(wanted)} work")
    assert listed(page) == wanted
    api = reader.get("/api/new", params={"since": since}).json()
    assert (api["total"], [each["id"] for each in api["items"]]) == (len(wanted), wanted)
    feed = reader.get(page.css_first(".feeds a").attributes["href"]).text
    assert re.findall(r"<entry><id>[^<]*/work/(\w+)", feed) == wanted


def test_nothing_is_new_since_the_latest_work_that_pages_name(reader, found):
    newest = html(reader.get("/about")).css_first("body").attributes["data-newest"]
    assert newest == max(found.values())
    assert reader.get("/api/new", params={"since": newest}).json()["total"] == 0
    page = html(reader.get("/new", params={"since": newest}))
    assert text(page.css_first("#total")).startswith("0 works found since")
    assert not listed(page)


def test_without_a_moment_the_page_offers_days(reader, found):
    page = html(reader.get("/new?since=yesterday"))
    links = page.css(".periods li:not([hidden]) a")
    for link in links:
        since = link.attributes["href"].rpartition("=")[2]
        count = sum(time > since for time in found.values())
        assert int(link.parent.css_first(".count").text(deep=False)) == count
    assert len(links) == 4
    assert page.css_first(".periods [aria-current]").attributes["href"].endswith("2026-01-18")


def test_pages_of_new_works_have_each_work_once(reader, found):
    first = html(reader.get("/new?since=2025-12-31"))
    pages = [link.attributes["href"] for link in first.css(".pages a")]
    assert len(pages) == 2
    seen = [work for path in pages for work in listed(html(reader.get(path)))]
    assert sorted(seen) == sorted(found)


def test_what_is_no_moment_means_all(reader, found):
    assert reader.get("/api/new?since=yesterday").json()["total"] == len(found)


@pytest.mark.parametrize(
    ("code", "words"), [("de", "Werke gefunden seit"), ("fr", "œuvres trouvées depuis le")]
)
def test_in_other_languages(reader, code, words):
    page = html(reader.get(f"/new?since=2026-01-20&lang={code}"))
    assert words in text(page.css_first("#total"))
