import pytest
from starlette.requests import Request

from lycosa.portal.web.links import Links
from lycosa.portal.web.settings import Settings


def request(host="a.example", scheme="http", **headers):
    fields = [(b"host", host.encode("latin-1"))] if host is not None else []
    fields += [(k.replace("_", "-").encode(), v.encode()) for k, v in headers.items()]
    return Request({"type": "http", "scheme": scheme, "path": "/", "headers": fields})


def test_urls_are_percent_encoded():
    links = Links(Settings())
    assert links.to("/topic/a b/ü?") == "/topic/a%20b/%C3%BC%3F"
    assert links.to("/search", q="a&b=c", year=["1", "2"]) == "/search?q=a%26b%3Dc&year=1&year=2"


def test_urls_have_the_prefix():
    links = Links(Settings(base_url="https://a.example/papers"))
    assert links.to("/") == "/papers/"
    assert links.absolute(request("other"), "/about") == "https://a.example/papers/about"
    assert links.absolute(request("other"), "/papers/x") == "https://a.example/papers/papers/x"


@pytest.mark.parametrize("host", ["a.example", "a.example:8000", "[::1]:8000", "127.0.0.1"])
def test_accepts_valid_hosts(host):
    links = Links(Settings())
    assert links.host(request(host)) == host
    assert links.absolute(request(host), "/x") == f"http://{host}/x"


@pytest.mark.parametrize(
    "host", [None, "", "a/b", "a.example@evil", 'x"><script>', "a b", "a:port", "x" * 300, "ä"]
)
def test_refuses_invalid_hosts(host):
    assert Links(Settings()).host(request(host)) is None


def test_refuses_other_hosts():
    links = Links(Settings(hosts=("localhost", "127.0.0.1")))
    assert links.host(request("localhost:8000")) == "localhost:8000"
    assert links.host(request("rebound.example:8000")) is None


def test_uses_forwarded_headers_only_if_trusted():
    proxied = request(x_forwarded_proto="http, https")
    assert Links(Settings()).origin(proxied) == "http://a.example"
    assert Links(Settings(trust_proxy=True)).origin(proxied) == "https://a.example"
    assert Links(Settings(trust_proxy=True)).scheme(request(x_forwarded_proto="gopher")) == "http"
