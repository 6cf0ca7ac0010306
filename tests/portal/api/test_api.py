from itertools import pairwise
from urllib.parse import quote

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from lycosa.portal.api import OPERATIONS
from lycosa.portal.catalogue import Catalogue
from portal.sample import ABSENT, MOVED, NASTY, document_id, work_id
from portal.web.portal_client import BASE, connect, shared_portal


@pytest.fixture(scope="module")
def api():
    with connect() as found:
        yield found


@pytest.fixture(scope="module")
def catalogue():
    return Catalogue.open(shared_portal())


def problem(response, status):
    assert response.status_code == status, response.text
    assert response.headers["content-type"] == "application/problem+json"
    found = response.json()
    assert found["status"] == status
    assert found["detail"].endswith(".")
    return found["detail"]


def local(url):
    """Return the part of a URL after our origin."""
    assert url.startswith(f"{BASE}/")
    return url.removeprefix(BASE)


def walked(api, path):
    """Return all items by following next links, and check the previous links on the way back."""
    items, pages, at = [], [], path
    while at:
        page = api.get(at).json()
        items += page["items"]
        pages.append(page)
        at = local(page["links"]["next"]) if "next" in page["links"] else ""
    for before, after in pairwise(pages):
        assert api.get(local(after["links"]["previous"])).json()["items"] == before["items"]
    assert "previous" not in pages[0]["links"]
    assert {page["total"] for page in pages} == {len(items)}
    return items


def test_a_work_has_all_its_fields(api, catalogue):
    found = api.get(f"/api/works/{work_id(3)}").json()
    work = catalogue.work(work_id(3))
    assert (found["title"], found["year"], found["cites"]) == (work.title, 1993, 3)
    assert [author["name"] for author in found["authors"]] == [a.name for a in work.authors]
    assert len(found["copies"]) == 2
    assert found["facts"]["title"]["source"] == document_id(3)
    assert found["citation"].startswith("Dmitri Ivanov, Ève O'Neil. Spiders that learn")


def test_every_link_of_a_work_resolves(api):
    for number in (0, 31, 45, 55):
        for name, url in api.get(f"/api/works/{work_id(number)}").json()["links"].items():
            assert api.get(local(url)).status_code == 200, name


def test_strings_are_unchanged(api):
    for number, title in enumerate(NASTY, 30):
        assert api.get(f"/api/works/{work_id(number)}").json()["title"] == title


def test_pages_add_up_to_the_whole_list(api, catalogue):
    works = walked(api, "/api/works?size=7")
    assert [work["id"] for work in works] == [work.id for work in catalogue.iter_works()]
    papers = walked(api, "/api/works?size=11&kind=paper&kind=cited")
    assert [w["id"] for w in papers] == [w.id for w in catalogue.iter_works("paper", "cited")]
    cites = walked(api, f"/api/works/{work_id(20)}/cites?size=3")
    assert [one["work"]["id"] for one in cites] == [work_id(n) for n in (19, 18, 15, 50)]
    cited_by = walked(api, f"/api/works/{work_id(55)}/cited-by?size=1")
    assert len(cited_by) == 4
    topic = walked(api, "/api/topics/machine-learning?size=10&order=new")
    assert len({work["id"] for work in topic}) == len(topic)
    assert len(walked(api, "/api/topics/machine-learning?size=2&order=seminal")) == 5
    assert len(walked(api, "/api/authors/lee-a?size=5")) == 16
    hits = walked(api, "/api/search?q=spiders&size=9&facets=false")
    assert len({hit["work"]["id"] for hit in hits}) == len(hits) > 9


def test_lists_works_between_two_ids(api, catalogue):
    ids = [work.id for work in catalogue.iter_works()]
    found = api.get(f"/api/works?after={ids[3]}&before={ids[6]}").json()["items"]
    assert [work["id"] for work in found] == ids[4:6]


def test_pages_after_the_last_are_empty_and_link_back(api):
    page = api.get(f"/api/works/{work_id(20)}/cites?page=9999&size=2").json()
    assert page["items"] == []
    assert page["links"]["previous"].endswith("page=2&size=2")
    assert "next" not in page["links"]


def test_a_merged_work_redirects(api):
    for side in ("", "/cites", "/related"):
        response = api.get(f"/api/works/{MOVED}{side}")
        assert response.status_code == 301
        assert response.headers["location"] == f"{BASE}/api/works/{work_id(0)}{side}"
    assert api.get(f"/api/works/{MOVED}/cites?size=3").headers["location"].endswith("?size=3")


def test_search_returns_the_results_of_the_page(api):
    found = api.get("/api/search?q=spiders+year:1990..1995&topic=machine-learning").json()
    assert found["total"] > 0
    assert all(1990 <= hit["work"]["year"] <= 1995 for hit in found["items"])
    first = found["items"][0]
    assert "".join(piece["text"] for piece in first["title"]) == first["work"]["title"]
    assert any(piece["match"] for piece in first["title"] + first["snippet"])
    assert {facet["value"] for facet in found["facets"]["topic"] if facet["chosen"]} == {
        "machine-learning"
    }
    assert f"{found['total']} " in api.get(local(found["links"]["html"])).text
    misspelt = api.get("/api/search?q=spidres").json()
    assert misspelt["suggestion"] == "spiders"
    assert api.get(local(misspelt["links"]["suggestion"])).json()["total"] > 0


def test_explains_a_result(api):
    found = api.get("/api/search?q=spiders+nowhere&facets=false").json()
    assert found["complete"] == 0
    first = found["items"][0]
    assert first["signals"]["text"] > 0
    assert not first["signals"]["all_words"]
    why = api.get(f"/api/explain?q=spiders+nowhere&work={first['work']['id']}").json()
    assert why["matches"]
    assert why["missing"] == ["nowhere"]
    assert "title" in why["words"][0]["fields"]
    assert why["signals"] == first["signals"]
    assert why["sentences"]
    assert api.get(local(why["links"]["html"])).status_code == 200
    assert api.get(local(why["links"]["search"])).json()["total"] == found["total"]
    assert api.get("/api/search?q=year:1997").json()["complete"] is None


def test_explains_only_works_that_searches_find(api):
    assert api.get("/api/explain?q=spiders&work=nothing").status_code == 404
    assert api.get(f"/api/explain?q=spiders&work={work_id(50)}").status_code == 404
    moved = api.get(f"/api/explain?q=spiders&work={MOVED}")
    assert moved.status_code == 301
    assert moved.headers["location"] == f"{BASE}/api/explain?q=spiders&work={work_id(0)}"


def test_completes_text(api):
    assert "spiders" in api.get("/api/complete?q=spid").json()["completions"]
    typed, found = api.get("/api/suggestions?q=spid").json()
    assert typed == "spid"
    assert "spiders" in found
    assert api.get("/api/complete?q=").json()["completions"] == []


def test_related_works_are_grouped_by_relation(api, catalogue):
    found = api.get(f"/api/works/{work_id(20)}/related").json()
    assert work_id(20) not in [work["id"] for work in found["related"]]
    assert [(each["work"]["id"], each["count"]) for each in found["cocited"]] == [
        (work.id, count) for work, count in catalogue.cocited(work_id(20))
    ]


def test_the_index_lists_all_operations(api):
    index = api.get("/api").json()
    assert [each["path"] for each in index["operations"]] == [each.path for each in OPERATIONS]
    assert api.get("/api/status").json()["works"] == {"paper": 40, "page": 10, "cited": 10}


@pytest.mark.parametrize(
    ("path", "status", "words"),
    [
        (f"/api/works/{ABSENT}", 404, "There is no work"),
        (f"/api/works/{ABSENT}/cites", 404, "There is no work"),
        ("/api/documents/d0", 404, "There is no document 'd0'"),
        ("/api/topics/machine-learning/", 404, "There is no topic"),
        ("/api/authors/nobody", 404, "There is no author 'nobody'"),
        ("/api/nothing", 404, ""),
        ("/topic/nothing/feed", 404, "There is no topic 'nothing'"),
        ("/sitemap/9.xml", 404, "There is no sitemap 9"),
        ("/sitemap/-1.xml", 422, "number must be at least 0"),
        ("/api/works?size=0", 422, "size must be at least 1, not '0'"),
        ("/api/works?size=101", 422, "size must be at most 100"),
        ("/api/works?size=1e1", 422, "size must be an integer, not '1e1'"),
        ("/api/works?size=", 422, "size must be an integer"),
        ("/api/works?size=٣", 422, "size must be an integer"),
        (f"/api/works?size={'9' * 5000}", 422, "size must be an integer"),
        ("/api/works?size=5&size=6", 422, "size may be given only once"),
        ("/api/works?kind=book", 422, "kind must be one of paper, page, cited, not 'book'"),
        ("/api/search?page=51", 422, "page must be at most 50"),
        ("/api/search?page=-1", 422, "page must be at least 1"),
        ("/api/search?sort=title", 422, "sort must be one of relevance, cited, found, date"),
        ("/api/search?facets=1", 422, "facets must be true or false"),
        (f"/api/search?q={'x' * 1001}", 422, "q must have at most 1,000 characters"),
        ("/api/search?" + "&".join(["year=1997"] * 21), 422, "year may be given at most 20 times"),
        ("/api/search?yaer=1997", 400, "did you mean 'year'"),
        ("/api/complete", 422, "q is required"),
        (f"/api/search?q={'x' * 9000}", 414, "too long"),
    ],
)
def test_problems_name_the_invalid_parameter(api, path, status, words):
    assert words in problem(api.get(path), status)


@pytest.mark.parametrize("method", ["POST", "PUT", "PATCH", "DELETE", "TRACE", "SPIN"])
def test_refuses_methods_that_write(api, method):
    for each in OPERATIONS:
        response = api.ask(method, each.path.replace("{", "").replace("}", ""))
        assert "read-only" in problem(response, 405)
        assert response.headers["allow"] == "GET, HEAD, OPTIONS"


def test_allows_requests_from_other_origins(api):
    for path in ("/api/status", "/feed", "/openapi.json", f"/api/works/{ABSENT}", "/api?x=1"):
        assert api.get(path).headers["access-control-allow-origin"] == "*"
    response = api.ask("OPTIONS", "/api/status")
    assert response.status_code == 204
    assert "GET" in response.headers["access-control-allow-methods"]
    for path in ("/dashboard", "/correct", "/sign-in"):
        assert "access-control-allow-origin" not in api.get(path).headers


@pytest.mark.parametrize(
    "path", ["/api/status", "/api/search?q=spiders", "/feed?q=spiders", "/export/works.jsonl"]
)
def test_answers_304_for_a_known_etag(api, path):
    tag = api.get(path).headers["etag"]
    for known in (tag, f'"x", {tag}', tag.removeprefix("W/"), "*"):
        again = api.get(path, headers={"If-None-Match": known})
        assert (again.status_code, again.content) == (304, b"")
        assert again.headers["etag"] == tag
    assert api.get(path, headers={"If-None-Match": '"x"'}).status_code == 200


def test_head_sends_no_body(api):
    for path in ("/api/status", "/export/works.bib", "/robots.txt"):
        response = api.ask("HEAD", path)
        assert response.status_code == 200
        assert response.headers["etag"]


def test_urls_follow_the_base_url():
    with connect(base_url="https://example.org/papers") as found:
        page = found.get(f"/papers/api/works/{work_id(20)}/cites?size=1").json()
        assert page["links"]["self"] == (
            f"https://example.org/papers/api/works/{work_id(20)}/cites?size=1"
        )
        assert "Disallow: /papers/search\n" in found.get("/papers/robots.txt").text
        document = found.get("/papers/openapi.json").json()
        assert document["servers"] == [{"url": "https://example.org/papers"}]


paths = st.sampled_from([each.path for each in OPERATIONS])
texts = st.text(max_size=30) | st.sampled_from(
    ["\0", "../..", "%00", "%2e%2e%2f", "'; DROP TABLE works; --", "\ud7ff", "\U0010ffff", "a/b"]
)


@given(paths, texts, st.lists(st.tuples(st.sampled_from(["q", "size", "after", "x"]), texts)))
@settings(
    max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
def test_hostile_urls_get_a_problem(api, path, name, query):
    for hole in ("{id}", "{path}", "{number}"):
        path = path.replace(hole, quote(name, safe=""))
    query = "&".join(f"{key}={quote(value)}" for key, value in query)
    response = api.get(f"{path}?{query}")
    assert response.status_code in (200, 301, 400, 404, 414, 422)
    if path.startswith("/api/") and response.status_code >= 400:
        problem(response, response.status_code)


@pytest.mark.parametrize(
    "raw", ["/api/works/%FF%FE", "/api/works/%00", "/api/topics/a%0Ab", "/api/search?q=%FF%00",
            "/api/works/%", "/api/search?q=%zz", "/api/authors/" + "a" * 5000,
            "/api/topics/" + "a/" * 2000, "/topic/%2F%2F/feed", "/api//works", "/api/works//cites"]
)  # fmt: skip
def test_accepts_bytes_that_are_not_utf_8(api, raw):
    response = api.get(raw)
    assert response.status_code in (200, 404), response.text
    assert "json" in response.headers["content-type"]


def test_the_example_in_the_documentation_runs(api, monkeypatch, capsys):
    import io
    import re
    from pathlib import Path
    from urllib import request

    page = Path(__file__).parents[3] / "docs" / "how-to" / "use-the-api.md"
    (code,) = re.findall(r"```python\n(.*?)```", page.read_text(), re.DOTALL)
    monkeypatch.setattr(request, "urlopen", lambda url: io.BytesIO(api.get(local(url)).content))
    code = code.replace("http://127.0.0.1:8000", BASE)
    exec(compile(code, "use-the-api.md", "exec"), names := {})
    printed = capsys.readouterr().out
    assert len(printed.splitlines()) == names["most_cited"]["cited_by"] == 3
    assert printed.count("As was shown before") == 3
