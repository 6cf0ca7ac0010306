import pytest

from lycosa.portal.web.authentication import COOKIE
from portal.web.portal_client import BASE, TOKEN, connect, html, text


@pytest.fixture
def reader():
    with connect() as found:
        yield found


@pytest.mark.parametrize(
    "path",
    [
        "/dashboard",
        "/correct?work=x",
        "/exclude?what=x",
        "/correct/author?author=x",
        "/editors",
        "/audit",
    ],
)
def test_pages_of_the_owner_require_sign_in(reader, path):
    response = reader.get(path)
    assert response.status_code == 303
    form = html(reader.get(response.headers["location"]))
    assert form.css_first("input[name=token]").attributes["type"] == "password"
    assert form.css_first("input[name=then]").attributes["value"] == path


def test_sign_in_and_out(reader):
    response = reader.post("/sign-in", {"token": f" {TOKEN}\n", "then": "/dashboard"})
    assert (response.status_code, response.headers["location"]) == (303, "/dashboard")
    cookie = response.headers["set-cookie"].lower()
    assert "httponly" in cookie
    assert "samesite=strict" in cookie
    assert "secure" not in cookie
    assert TOKEN not in response.headers["set-cookie"]
    page = reader.get("/dashboard")
    assert page.status_code == 200
    assert page.headers["cache-control"] == "no-store"
    assert reader.post("/sign-out", {}).status_code == 303
    assert reader.get("/dashboard").status_code == 303


def test_the_cookie_is_secure_over_https():
    with connect(base_url="https://papers.example/x", base="https://papers.example") as reader:
        sent = {"token": TOKEN, "then": ""}
        response = reader.post("/x/sign-in", sent, origin="https://papers.example")
        assert response.headers["location"] == "/x/dashboard"
        cookie = response.headers["set-cookie"].lower()
        assert "; secure" in cookie
        assert "path=/x/" in cookie
        assert reader.get("/x/dashboard").status_code == 200


def test_refuses_other_tokens(reader):
    response = reader.post(
        "/sign-in", {"token": "another token, not the owner's", "then": "/dashboard"}
    )
    assert response.status_code == 403
    assert "not the owner's token" in text(html(response).css_first("[role=alert]"))
    assert "another token" not in response.text
    assert "set-cookie" not in response.headers


def test_refuses_an_empty_token():
    with connect(token="") as reader:
        assert reader.post("/sign-in", {"token": ""}).status_code == 403


@pytest.mark.parametrize("cookie", ["x", "1.2.3", "99999999999.abc.def", "..", ""])
def test_refuses_forged_cookies(reader, cookie):
    reader.cookies.set(COOKIE, cookie)
    assert reader.get("/dashboard").status_code == 303


@pytest.mark.parametrize(
    "origin", [None, "null", "https://evil.example", f"{BASE}.evil", "http://x"]
)
def test_refuses_sign_in_from_other_origins(reader, origin):
    response = reader.post("/sign-in", {"token": TOKEN}, origin=origin)
    assert response.status_code == 403
    assert "set-cookie" not in response.headers
    assert reader.post("/sign-out", {}, origin=origin).status_code == 403


@pytest.mark.parametrize(
    ("then", "place"),
    [
        ("https://evil.example/", "/dashboard"),
        ("//evil.example/", "/dashboard"),
        ("/correct?work=w1", "/correct?work=w1"),
        ("/correct?work=w1\r\nSet-Cookie: x=1", "/correct"),
        ("/about", "/dashboard"),
        ("javascript:alert(1)", "/dashboard"),
    ],
)
def test_redirects_only_within_the_portal(reader, then, place):
    response = reader.post("/sign-in", {"token": TOKEN, "then": then})
    assert response.headers["location"] == place


def test_limits_attempts_to_sign_in():
    with connect(rate=2.0) as reader:
        codes = [reader.post("/sign-in", {"token": f"guess {n}"}).status_code for n in range(3)]
    assert codes == [403, 429, 429]


def test_refuses_malformed_forms(reader):
    assert reader.post("/sign-in", {"token": "x" * 70_000}).status_code == 413
    headers = {"Origin": BASE, "Content-Type": "application/json"}
    assert reader.ask("POST", "/sign-in", content=b"{}", headers=headers).status_code == 400
    headers["Content-Type"] = "application/x-www-form-urlencoded"
    for body in (b"\xff\xfe", b"&".join(b"a=%d" % n for n in range(100))):
        assert reader.ask("POST", "/sign-in", content=body, headers=headers).status_code == 400
