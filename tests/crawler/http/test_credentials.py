"""Credentials: which request carries which header and cookie."""

import asyncio

import pytest
from hypothesis import given
from hypothesis import strategies as st

from crawler.http.hostile import Hostile, answer
from lycosa.crawler.http.addresses import AddressPolicy
from lycosa.crawler.http.credentials import Credentials, Origins, redacted_headers
from lycosa.crawler.http.fetcher import ClientConfig, Limits
from lycosa.crawler.http.http_fetcher import HttpFetcher
from lycosa.errors import UsageError

SECRET = (("Authorization", "Bearer abc"),)
PATIENT = Limits(connect=60.0, read=60.0, total=120.0)
HERE = AddressPolicy(allow_loopback=True)


def client(**options):
    return ClientConfig("spider@example.org", **options)


@pytest.mark.parametrize(
    ("seed", "url", "sent"),
    [
        ("https://a.example/", "https://a.example/x?y", True),
        ("https://a.example/", "https://a.example:443/x", True),
        ("https://a.example/", "http://a.example/x", False),
        ("https://a.example/", "https://a.example:8443/x", False),
        ("https://a.example/", "https://www.a.example/x", False),
        ("https://a.example/", "https://a.example.evil.example/", False),
        ("https://a.example/", "https://evil.example/?https://a.example/", False),
        ("https://a.example/", "https://a.example@evil.example/", False),
        ("https://www.a.example/", "https://a.example/", False),
        ("http://a.example/", "http://a.example/x", True),
        ("http://a.example/", "https://a.example/x", True),
        ("http://a.example:8080/", "http://a.example:8080/x", True),
        ("http://a.example:8080/", "http://a.example:8081/x", False),
        ("http://a.example:8080/", "https://a.example/x", False),
        ("http://[::1]:8080/", "http://[::1]:8080/x", True),
    ],
)
def test_headers_go_to_the_origins_of_the_seeds(seed, url, sent):
    found = Credentials(client(headers=SECRET), [seed]).credentials_for(url)
    assert found == (dict(SECRET) if sent else {})


@pytest.mark.parametrize(
    ("entry", "inside", "outside"),
    [
        ("a.example", "https://a.example/", "http://a.example/"),
        ("a.example:8443", "https://a.example:8443/", "https://a.example/"),
        ("http://a.example", "http://a.example/", "http://a.example:81/"),
        ("http://a.example", "https://a.example/", "https://b.example/"),
        ("*.a.example", "https://x.y.a.example/", "https://a.example/"),
        ("*.a.example", "https://x.a.example/", "https://xa.example/"),
        ("http://*.a.example:8080", "http://x.a.example:8080/", "http://x.a.example/"),
        ("bücher.example", "https://xn--bcher-kva.example/", "https://example/"),
    ],
)
def test_hosts_are_written_with_scheme_port_or_star(entry, inside, outside):
    origins = Origins([entry])
    assert inside in origins
    assert outside not in origins


@pytest.mark.parametrize(
    "entry",
    ["", "a.example/path", "me:pw@a.example", "a.*.example", "ftp://a.example", "a b", "*."],
)
def test_what_is_not_a_host_is_refused(entry):
    with pytest.raises(UsageError, match="is not a host"):
        Origins([entry])


@given(st.text(max_size=30))
def test_any_text_is_a_host_or_refused(text):
    try:
        origins = Origins([text])
    except UsageError:
        return
    assert ("https://elsewhere.example/" in origins) == (text == "*")


def test_a_list_of_hosts_replaces_those_of_the_seeds():
    found = Credentials(
        client(headers=SECRET, credential_hosts=("b.example",)), ["https://a.example/"]
    )
    assert found.credentials_for("https://a.example/") == {}
    assert found.credentials_for("https://b.example/") == dict(SECRET)


def test_a_host_gets_its_own_headers_and_no_other_host_does():
    given = client(
        headers=(("Accept-Language", "en"), ("x-key", "common")),
        host_headers=(("b.example", (("X-Key", "secret"),)),),
    )
    found = Credentials(given, ["https://a.example/", "https://b.example/"])
    assert found.credentials_for("https://a.example/") == {
        "Accept-Language": "en",
        "x-key": "common",
    }
    assert found.credentials_for("https://b.example/") == {
        "Accept-Language": "en",
        "X-Key": "secret",
    }
    assert found.credentials_for("https://c.example/") == {}


def test_without_seeds_and_hosts_no_request_carries_a_header():
    assert Credentials(client(headers=SECRET)).credentials_for("https://a.example/") == {}


def test_cookies_of_a_file_are_sent_with_a_cookie_header(tmp_path):
    file = tmp_path / "cookies.txt"
    file.write_text(
        "# Netscape HTTP Cookie File\n"
        ".a.example\tTRUE\t/\tFALSE\t0\twide\t1\n"
        "a.example\tFALSE\t/in\tTRUE\t2000\tdeep\t2\n"
        "other.example\tFALSE\t/\tFALSE\t0\tforeign\t3\n"
    )
    given = client(headers=(("cookie", "own=0"),), cookie_file=str(file))
    found = Credentials(given, ["http://a.example/", "https://a.example/"], clock=lambda: 1000.0)
    assert found.credentials_for("https://a.example/in/x") == {"cookie": "own=0; deep=2; wide=1"}
    assert found.credentials_for("http://a.example/in") == {"cookie": "own=0; wide=1"}
    # The cookie is for the subdomains, too, but these are not hosts of the seeds.
    assert found.credentials_for("https://www.a.example/in") == {}
    assert found.credentials_for("https://other.example/") == {}
    later = Credentials(given, ["https://a.example/"], clock=lambda: 3000.0)
    assert later.credentials_for("https://a.example/in/x") == {"cookie": "own=0; wide=1"}


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("b.example\tFALSE\t/\tFALSE\t0\tn\tv\n", "No cookie in .* is for https://a.example/"),
        ("a.example\tFALSE\t/\tFALSE\t10\tn\tv\n", "have expired"),
        ("", "No cookie in"),
    ],
)
def test_a_cookie_file_of_no_use_is_refused(tmp_path, text, message):
    file = tmp_path / "cookies.txt"
    file.write_text(text)
    with pytest.raises(UsageError, match=message):
        Credentials(client(cookie_file=str(file)), ["https://a.example/"])


def test_archived_request_headers_have_no_configured_value():
    sent = [("User-Agent", "lycosa"), ("authorization", "Basic x"), ("X-Anything", "y")]
    assert redacted_headers(sent) == [
        ("User-Agent", "lycosa"),
        ("authorization", "(not shown)"),
        ("X-Anything", "(not shown)"),
    ]


def test_new_cookies_of_a_session_are_not_kept_in_the_response():
    async def run():
        async with Hostile() as server:
            hosts = (f"http://127.0.0.1:{server.port}",)
            for given in (client(), client(headers=SECRET, credential_hosts=hosts)):
                async with HttpFetcher(given, PATIENT, HERE) as fetcher:
                    yield await fetcher.fetch(server.url("/cookie"))

    async def collect():
        return [page.header("Set-Cookie") async for page in run()]

    plain, private = asyncio.run(collect())
    assert "(not shown)" not in plain
    assert private.partition("=")[0] == plain.partition("=")[0]
    assert private.partition("=")[2].startswith("(not shown)")


def test_proxy_credentials_are_refused_among_the_headers():
    with pytest.raises(UsageError, match="address of the proxy"):
        client(headers=(("Proxy-Authorization", "Basic abc"),))


def test_proxy_credentials_go_to_the_proxy_and_into_no_log(caplog):
    heads = []

    async def serve(reader, writer):
        heads.append((await reader.readuntil(b"\r\n\r\n")).decode())
        refused = heads[-1].startswith("CONNECT")
        writer.write(answer("407 Proxy Authentication Required" if refused else "200 OK"))
        await writer.drain()
        writer.close()

    async def run():
        server = await asyncio.start_server(serve, "127.0.0.1", 0)
        port = server.sockets[0].getsockname()[1]
        proxy = f"http://me:hunter2@127.0.0.1:{port}"
        async with server, HttpFetcher(client(proxy=proxy), PATIENT) as fetcher:
            return [await fetcher.fetch(f"{s}://a.example/") for s in ("http", "https")]

    with caplog.at_level("DEBUG"):
        plain, refused = asyncio.run(run())
    assert (plain.status, refused.fault) == (200, "proxy")
    assert all("Proxy-Authorization: Basic bWU6aHVudGVyMg==" in head for head in heads)
    assert "hunter2" not in caplog.text
    assert "bWU6aHVudGVyMg" not in caplog.text
