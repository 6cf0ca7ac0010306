import json

import pytest

from portal.web.portal_client import BASE, connect, html, text


def test_limits_the_rate_of_a_client():
    # Of a page that is not rendered in a thread, so that its time does not count.
    with connect(rate=1.0) as reader:
        responses = [reader.get("/nothing") for _ in range(8)]
        assert [response.status_code for response in responses] == [404] * 5 + [429] * 3
        last = responses[-1]
        assert 1 <= int(last.headers["retry-after"]) <= 2
        assert "Too many requests" in text(html(last).css_first("h1"))
        assert last.headers["cache-control"] == "no-store"
        # A page that says so has its style.
        style = html(last).css_first("link[rel=stylesheet]").attributes["href"]
        assert reader.get(style).status_code == 200


def test_programs_get_a_problem_when_limited():
    with connect(rate=1.0) as reader:
        responses = [reader.get("/api/nothing-at-all") for _ in range(7)]
    assert responses[-1].status_code == 429
    assert responses[-1].headers["content-type"] == "application/problem+json"
    assert json.loads(responses[-1].text)["status"] == 429


def test_ignores_forwarded_headers_of_clients():
    with connect(rate=1.0) as reader:
        for number in range(5):
            reader.get("/nothing", headers={"X-Forwarded-For": f"10.0.0.{number}"})
        assert reader.get("/nothing", headers={"X-Forwarded-For": "10.0.0.9"}).status_code == 429


def test_distinguishes_clients_behind_a_proxy():
    with connect(rate=1.0, trust_proxy=True) as reader:
        for _ in range(6):
            last = reader.get("/nothing", headers={"X-Forwarded-For": "spoofed, 10.0.0.1"})
        assert last.status_code == 429
        assert reader.get("/nothing", headers={"X-Forwarded-For": "10.0.0.2"}).status_code == 404


@pytest.mark.parametrize("host", ["[", "[::", "a/b?c#d", "\xe4", "x" * 500, "[::1]:99999999"])
def test_refuses_malformed_host_headers(host):
    headers = {"Host": host.encode("latin-1")}
    with connect(base_url="https://papers.example") as reader:
        for path in ("/", "/search?q=spiders", "/nothing", "/dashboard", "/api", "/feed"):
            assert reader.get(path, headers=headers).status_code in (200, 303, 404)
    with connect() as reader:
        assert reader.get("/", headers=headers).status_code in (200, 400)


@pytest.mark.parametrize("host", ["evil.example", "", "a b", "portal.example@evil"])
def test_refuses_hosts_that_are_not_served(host):
    with connect(hosts=("portal.example",)) as reader:
        assert reader.get("/").status_code == 200
        response = reader.get("/", headers={"Host": host})
    assert response.status_code == 400
    assert "--base-url" in text(html(response).css_first("main"))
    assert "evil" not in response.text


def test_ignores_the_host_header_with_a_base_url():
    with connect(base_url="https://papers.example") as reader:
        response = reader.get("/about", headers={"Host": "evil.example"})
    assert "https://papers.example/api" in response.text
    assert "evil" not in response.text


def test_serves_under_a_prefix():
    with connect(base_url="https://papers.example/spiders") as reader:
        assert reader.get("/").status_code == 404
        page = html(reader.get("/spiders/"))
        for element in page.css("a[href^='/'], link[href^='/'], script[src], form[action]"):
            address = next(
                element.attributes[name]
                for name in ("href", "src", "action")
                if name in element.attributes
            )
            assert address.startswith("/spiders/")
        assert html(reader.get("/spiders/search?q=spiders")).css(".hit")
        style = page.css_first("link[rel=stylesheet]").attributes["href"]
        assert reader.get(style).status_code == 200
        assert reader.get("/spiders/nothing").status_code == 404
        bare = reader.get("/spiders", headers={"Host": "evil.example"})
        assert (bare.status_code, bare.headers["location"]) == (301, "/spiders/")


def test_redirects_never_use_the_host_header():
    with connect(base_url="https://papers.example") as reader:
        for path in ("/about/", "/work/x/", f"{BASE}//evil.example/", "/search/?q=x", "/api/"):
            response = reader.get(path, headers={"Host": "evil.example"})
            assert response.status_code == 404
            assert "evil" not in response.headers.get("location", "")
