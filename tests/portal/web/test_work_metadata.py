"""What other tools read from the page of a work, read by extruct and by httpx."""

import json
from urllib.parse import urlsplit

import extruct
import httpx
import pytest

from lycosa.portal.catalogue import Catalogue
from portal.sample import NASTY, title_of, work_id
from portal.web.portal_client import BASE, connect, html, shared_portal


@pytest.fixture(scope="module")
def client():
    with connect() as found:
        yield found


def linked_data(response):
    [found] = extruct.extract(response.text, base_url=BASE, syntaxes=["json-ld"])["json-ld"]
    return found


@pytest.mark.parametrize("number", [1, 13, 45, 55, *range(30, 30 + len(NASTY))])
def test_the_page_has_the_work_as_json_ld(client, number):
    work = Catalogue.open(shared_portal()).work(work_id(number))
    found = linked_data(client.get(f"/work/{work.id}"))
    assert found["@context"] == "https://schema.org"
    assert found["@type"] == ("WebPage" if work.kind == "page" else "ScholarlyArticle")
    assert found["name"] == (title_of(number).strip() or work.url)
    assert [each["name"] for each in found.get("author", [])] == [a.name for a in work.authors]
    assert found.get("datePublished", "") == work.date
    assert found["url"] == f"{BASE}/work/{work.id}"
    urls = [each["contentUrl"] for each in found.get("encoding", [])]
    assert (work.url in urls) == (work.kind != "cited")
    for author in found.get("author", []):
        assert client.get(author["url"].removeprefix(BASE)).status_code == 200


def test_json_ld_is_data_that_no_browser_runs(client):
    page = html(client.get(f"/work/{work_id(30)}"))
    [script] = page.css("script:not([src])")
    assert script.attributes["type"] == "application/ld+json"
    assert json.loads(script.text())["name"] == NASTY[0]
    assert "<" not in script.text()


def test_the_link_header_leads_to_everything_about_a_work(client):
    response = client.get(f"/work/{work_id(13)}")
    assert len(response.headers["link"]) <= 2000
    by_relation = {}
    for part in response.headers["link"].split(", <"):
        # httpx keeps one link of each relation.
        [(relation, link)] = parsed(part).items()
        by_relation.setdefault(relation, []).append(link)
    assert by_relation["cite-as"][0]["url"] == "https://doi.org/10.1234/webs.13"
    assert {link["url"] for link in by_relation["type"]} == {
        "https://schema.org/ScholarlyArticle",
        "https://schema.org/AboutPage",
    }
    assert len(by_relation["item"]) == 2
    assert by_relation["item"][0]["type"] == "application/pdf"
    for relation in ("describedby", "author", "linkset"):
        for link in by_relation[relation]:
            found = client.get(urlsplit(link["url"]).path)
            assert found.status_code == 200
            assert found.headers["content-type"].startswith(link.get("type", "text/html"))


def parsed(text):
    return httpx.Response(200, headers={"Link": text if text[0] == "<" else f"<{text}"}).links


def test_the_link_set_has_the_links_of_the_header(client):
    header = client.get(f"/work/{work_id(13)}").links
    [found] = client.get(f"/work/{work_id(13)}/linkset").json()["linkset"]
    assert found.pop("anchor") == f"{BASE}/work/{work_id(13)}"
    assert found.keys() == header.keys()
    for relation, link in header.items():
        assert link["url"] in [each["href"] for each in found[relation]]
    response = client.ask("HEAD", f"/work/{work_id(13)}/linkset")
    assert response.headers["content-type"] == "application/linkset+json"
