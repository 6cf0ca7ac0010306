"""Pages run no foreign scripts, load nothing external, and survive hostile queries."""

import random
import re
from itertools import pairwise
from urllib.parse import quote, urlsplit

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from selectolax.lexbor import LexborHTMLParser

from lycosa.portal.web.middleware import SECURITY_HEADERS
from portal.sample import NASTY, document_id, work_id
from portal.web.portal_client import BASE, TOKEN, connect, html

PAGES = [
    "/",
    "/search?q=",
    "/search?q=spiders",
    "/search?q=alert&year=%3Cscript%3Ealert(1)%3C/script%3E&venue=%22%20onload=%22x",
    "/search?q=%3Cscript%3Ealert(1)%3C/script%3E",
    "/search?q=%22%20onfocus=%22alert(1)",
    "/search?q=javascript:alert(1)",
    "/topics",
    "/topic/machine-learning",
    "/topic/machine-learning/neural-networks",
    "/author/lee-a",
    "/author/oneil-e",
    "/about",
    "/sign-in?then=%22%3E%3Cscript%3E",
    "/nothing/%3Cscript%3Ealert(1)%3C/script%3E",
    *(f"/work/{work_id(n)}" for n in range(60)),
    *(f"/work/{work_id(n)}/graph" for n in range(28, 38)),
    *(f"/document/{document_id(n)}" for n in range(28, 38)),
]
OURS = {"theme", "portal"}


@pytest.fixture(scope="module")
def reader():
    with connect() as found:
        yield found


def harmless(page: LexborHTMLParser) -> None:
    for element in page.css("*"):
        attributes = element.attributes
        assert not [name for name in attributes if name.startswith("on") or name == "style"]
        for name in ("href", "src", "action", "formaction", "data"):
            value = (attributes.get(name) or "").strip().lower()
            assert not value.startswith(("javascript:", "data:", "vbscript:")), value
    assert not page.css(
        "style, iframe, object, embed, base, foreignObject, img, form:not([action^='/'])"
    )
    for script in page.css("script:not([type='application/ld+json'])"):
        assert script.attributes["src"].split("/")[-1].split(".")[0] in OURS
        assert not script.text()


@pytest.mark.parametrize("path", PAGES)
def test_pages_run_no_foreign_scripts_and_load_nothing_external(reader, path):
    response = reader.get(path)
    page = html(response)
    harmless(page)
    for element in page.css("[href], [src]"):
        for name in ("href", "src"):
            url = element.attributes.get(name) or ""
            if urlsplit(url).netloc and not url.startswith(f"{BASE}/"):
                # Links to other sites send no Referer header.
                assert element.tag == "a"
                assert element.attributes["rel"] == "noopener noreferrer nofollow"
                assert re.match(r"https?://www\d\.example\.edu/", url)
    for nasty in NASTY:
        if "<" in nasty:
            assert nasty not in response.text


@pytest.mark.parametrize("path", PAGES)
def test_every_response_has_security_headers(reader, path):
    response = reader.get(path)
    for name, value in SECURITY_HEADERS.items():
        assert response.headers[name] == value
    assert "unsafe" not in response.headers["content-security-policy"]
    assert "set-cookie" not in response.headers


def test_ids_are_unique_and_labels_have_fields(reader):
    for path in PAGES:
        page = html(reader.get(path))
        ids = [element.attributes["id"] for element in page.css("[id]")]
        assert len(ids) == len(set(ids)), path
        for name in ("for", "aria-labelledby", "aria-describedby"):
            for element in page.css(f"[{name}]"):
                assert set(element.attributes[name].split()) <= set(ids), (path, name)
        for link in page.css("a[href^='#']"):
            assert link.attributes["href"][1:] in ids, (path, link.attributes["href"])


def test_heading_levels_are_consecutive(reader):
    for path in PAGES:
        page = html(reader.get(path))
        assert len(page.css("h1")) == 1, path
        # In the order of the page; facets stand after the results and begin anew at 2.
        levels = [int(h.tag[1]) for h in page.css("main h1, main h2, main h3, main h4")]
        for before, after in pairwise(levels):
            assert after <= before + 1, (path, levels)


def test_internal_links_resolve(reader):
    seen, waiting = set(), ["/"]
    while waiting and len(seen) < 150:
        path = waiting.pop()
        if path in seen:
            continue
        seen.add(path)
        response = reader.get(path)
        assert response.status_code in (200, 303), path
        if not response.headers.get("content-type", "").startswith("text/html"):
            continue
        found = [a.attributes["href"] for a in LexborHTMLParser(response.text).css("a[href^='/']")]
        found = [href.partition("#")[0] for href in found]
        outside = re.compile("/(api|export|feed|openapi|document/.*/original|topic/.*/feed)")
        waiting += [href for href in found if not outside.match(href)]
    assert len(seen) == 150


HOSTILE = [
    "", " ", '"', '""', "'", "(", ")", "((((((((", "))))", "()", "AND", "OR", "NOT", "AND AND OR",
    "NOT NOT NOT x", "a AND", "OR a", "NOT", "-", "--", "+", "*", "**", "a*", "*a", "?", "~", "^",
    "a^2", "a~2", "[a TO b]", "{a TO b}", "title:", "title:()", 'title:"', "foo:bar", ":", "::",
    "year:", "year:..", "year:1996..", "year:..1999", "year:a..b", "year:1999..1996",
    "year:99999999999999999999", "year:-1", "author:", "cites:", "cites:x", "topic:/", "site:*",
    "type:pdf type:html", "\\", "\\\\", "a\\", "a:b:c:d", "/regex/", "/[/", "\x00", "\x1b[2J",
    "\ufeff", "\u202e", "\ud7ff", "\uffff", "e\u0301" * 100, "日本語", "עברית", "👩‍👩‍👧‍👦",
    "<script>alert(1)</script>", "' OR 1=1 --", "%", "%s%s%s%n", "%00", "{{7*7}}", "${7*7}",
    "../../etc/passwd", "a" * 5000, "a " * 3000, "(" * 2000, '"' * 1001, "NOT " * 400 + "a",
    "a OR " * 400 + "a", "title:" * 200, "a* " * 200, "\n\r\t", "&amp;", "&#0;", "a&b=c#d",
]  # fmt: skip
ALPHABET = [
    *'"()*:-+~^[]{}\\/.,&|!?<>\'`$%#@=; \t\n',
    "AND", "OR", "NOT", "title:", "author:", "year:", "venue:", "topic:", "site:", "cites:",
    "type:", "..", "1996", "spider", "learning", "é", "ß", "\u0301", "\u200f", "中", "\x00", "😀",
    " ", " ", "a", "zzzz",
]  # fmt: skip


@pytest.mark.parametrize("text", HOSTILE, ids=range(len(HOSTILE)))
def test_hostile_queries_get_a_page(reader, text):
    response = reader.get("/search", params={"q": text[:2000]})
    assert response.status_code == 200
    harmless(html(response))


@pytest.mark.parametrize("seed", range(5))
def test_a_thousand_hostile_queries_get_a_page(reader, seed):
    random_ = random.Random(seed)
    for number in range(1000):
        text = "".join(random_.choices(ALPHABET, k=random_.randint(1, 14)))
        response = reader.get(f"/search?q={quote(text)}")
        assert response.status_code == 200, text
        if number % 50 == 0:
            harmless(html(response))


@settings(
    max_examples=50, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(st.binary(max_size=60), st.sampled_from(["q", "page", "sort", "year", "topic", "author"]))
def test_any_bytes_in_a_url_get_a_page(reader, value, name):
    assert reader.get(f"/search?{name}={quote(value)}&{quote(value)}").status_code == 200
    for path in ("work", "author", "topic", "document", "static"):
        assert reader.get(f"/{path}/{quote(value, safe='')}").status_code in (200, 404)


def test_a_url_that_is_too_long_gets_a_page(reader):
    response = reader.get("/search?q=" + "a" * 9000)
    assert response.status_code == 414
    harmless(html(response))


def test_a_server_error_reveals_nothing(tmp_path, monkeypatch):
    from lycosa.portal.web import browsing

    def broken(*_):
        raise RuntimeError("the secret of the server")

    monkeypatch.setattr(browsing, "about", broken)
    with connect(token=TOKEN) as reader:
        response = reader.get("/about")
    assert response.status_code == 500
    assert "secret" not in response.text
    assert "RuntimeError" not in response.text
    assert "Traceback" not in response.text
    for name, value in SECURITY_HEADERS.items():
        assert response.headers[name] == value


@pytest.mark.parametrize("method", ["POST", "PUT", "DELETE", "PATCH"])
@pytest.mark.parametrize("path", ["/", "/search", "/work/x", "/dashboard", "/about"])
def test_pages_refuse_methods_that_write(reader, method, path):
    response = reader.ask(method, path)
    assert response.status_code == 405
    assert "GET" in response.headers["allow"]


def test_answers_head(reader):
    assert reader.ask("HEAD", "/").status_code == 200
