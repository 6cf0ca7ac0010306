"""The HTTP fetcher against the fault server."""

import asyncio
import gzip
import random
import re
import shutil
import ssl
import subprocess
import tracemalloc
from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st
from warcio.archiveiterator import ArchiveIterator

from crawler.http import hostile
from crawler.http.hostile import (
    EXPECTED,
    PAGE,
    PATIENT,
    FakeNames,
    Hostile,
    LimitsByPath,
    closed_port,
    deaf_port,
    limits_for,
)
from lycosa.archive.http_message import response_of
from lycosa.archive.reader import read_warc
from lycosa.archive.writer import WarcWriter
from lycosa.crawler.http.addresses import AddressPolicy
from lycosa.crawler.http.faults import Fault
from lycosa.crawler.http.fetcher import ClientConfig, Limits, only
from lycosa.crawler.http.http_fetcher import _PLAIN, HttpFetcher
from lycosa.crawler.http.response import retry_after
from lycosa.errors import StoreError, UsageError
from lycosa.web.urls import canonical, host_of

CLIENT = ClientConfig("spider@example.org")
HERE = AddressPolicy(allow_loopback=True)
# Only one limit is short in each of these, so that no other can be exceeded on a busy machine.
CONNECT_SOON = Limits(connect=0.3, read=20, total=30)
READ_SOON = Limits(connect=20, read=0.3, total=30)


def visit(ask, limits=PATIENT, client=CLIENT, addresses=HERE, robots="plain", **options):
    """Run the fault server and a fetcher, and call `ask` with both."""

    async def run():
        async with (
            Hostile(robots=robots) as server,
            HttpFetcher(client, limits, addresses, **options) as fetcher,
        ):
            return await asyncio.wait_for(ask(server, fetcher), 300)

    return asyncio.run(run())


def outcome(fetched):
    """Return the status or the fault; assert that there is one of them only."""
    assert (fetched.status == 0) == (fetched.fault is not None)
    if fetched.fault is not None:
        assert fetched.body == b""
        return str(Fault(fetched.fault))
    return fetched.status


def test_any_bytes_give_a_response_or_a_fault():
    noise = random.Random(1)
    chunked = hostile.chunk(PAGE) + b"0\r\n\r\n"
    whole = [
        hostile.answer(Set_Cookie="a=b; Max-Age=9", Retry_After="9"),
        hostile.answer(body=chunked, length=None, Transfer_Encoding="chunked"),
        hostile.answer(body=gzip.compress(PAGE), Content_Encoding="gzip"),
        hostile.answer("302 Found", b"", Location="http://[::1/é"),
    ]
    extra = [b"\r\n", b"\0", b"HTTP/1.1 ", b"Content-Length: 5\r\n", b"Content-Encoding: br\r\n"]

    def damaged():
        data = bytearray(noise.choice(whole))
        for _ in range(noise.randint(0, 4)):
            at = noise.randrange(min(len(data), 150))
            kind = noise.randrange(3)
            data[at : at + kind] = noise.choice([*extra, noise.randbytes(kind)])
        return bytes(data)

    async def greet(reader, writer):
        await reader.readuntil(b"\r\n\r\n")
        writer.write(damaged())
        await writer.drain()
        writer.close()

    async def run():
        server = await asyncio.start_server(greet, "127.0.0.1", 0)
        url = f"http://a.example:{server.sockets[0].getsockname()[1]}/"
        client = ClientConfig("spider@example.org", cookies=True)
        names = FakeNames({"a.example": [["127.0.0.1"]]})
        async with server, HttpFetcher(client, PATIENT, HERE, lookup=names) as fetcher:
            found = [await fetcher.fetch(url) for _ in range(300)]
        for fetched in found:
            assert fetched.location is None or canonical(fetched.location) == fetched.location
            assert dict(fetched.stored)["Content-Length"] == str(len(fetched.body))
        return {outcome(fetched) for fetched in found}

    assert asyncio.run(run()) >= {200, 302, "bad-answer", "broken-body"}


def test_the_docstring_of_the_fault_server_has_every_path():
    rows = re.findall(r"^    (/\S+) +(?:\S+ )+ +(\S+)$", hostile.__doc__ or "", re.MULTILINE)
    for path, expected in rows:
        pattern = re.sub(r"[A-Z]\w*", r"\\w+", path)
        matching = [e for p, e in EXPECTED.items() if re.fullmatch(pattern, p)]
        assert matching, path
        assert {str(e) for e in matching} <= {expected, "200"}, path
    assert len(rows) > 35


@pytest.mark.parametrize("path", EXPECTED)
def test_every_path_has_its_outcome_and_the_next_request_works(path):
    async def ask(server, fetcher):
        fetched = await fetcher.fetch(server.url(path))
        assert outcome(fetched) == EXPECTED[path]
        assert fetched.url == server.url(path)
        assert abs((fetched.when - datetime.now(UTC)).total_seconds()) < 30
        assert 0 <= fetched.seconds < 25
        if path == "/surplus/later":
            assert fetched.body == PAGE[:100]
            await asyncio.sleep(0.2)  # the rest of it would be taken for the next answer
        again = await fetcher.fetch(server.url("/page/1"))
        assert (outcome(again), again.address) == (200, "127.0.0.1")
        assert b'<a href="/page/2">next</a>' in again.body

    visit(ask, limits_for(path))


@pytest.mark.parametrize("cookies", [False, True])
def test_all_paths_concurrently(cookies):
    """With cookies the requests go by aiohttp, which cannot tell a broken chunk at once."""
    client = ClientConfig("spider@example.org", cookies=cookies)
    expected = EXPECTED | ({"/chunks/at-once": "bad-answer"} if cookies else {})

    async def run():
        paths = [path for path in EXPECTED if path != "/surplus/later"]
        async with Hostile() as server, LimitsByPath(HERE, client=client, per_host=100) as fetcher:
            found = await asyncio.gather(*(fetcher.fetch(server.url(path)) for path in paths))
        assert dict(zip(paths, map(outcome, found), strict=True)) == {
            path: expected[path] for path in paths
        }

    asyncio.run(run())


@pytest.mark.parametrize("kind", hostile.BOMBS)
def test_a_bomb_takes_no_more_memory_than_is_allowed(kind):
    async def ask(server, fetcher):
        await fetcher.fetch(server.url("/page/1"))
        tracemalloc.reset_peak()
        before = tracemalloc.get_traced_memory()[0]
        assert outcome(await fetcher.fetch(server.url(f"/bomb/{kind}"))) == "bomb"
        return tracemalloc.get_traced_memory()[1] - before

    tracemalloc.start()
    try:
        peak = visit(ask)
    finally:
        tracemalloc.stop()
    assert peak < PATIENT.decoded + 4 * 2**20


def test_a_body_may_be_too_large_on_the_wire_or_decoded():
    async def ask(server, fetcher):
        return outcome(await fetcher.fetch(server.url("/good/gzip")))

    # 4,439 bytes, 99 when compressed.
    assert visit(ask, Limits(decoded=4438)) == "too-large"
    assert visit(ask, Limits(decoded=4438, ratio=20)) == "bomb"
    assert visit(ask, Limits(transferred=98)) == "too-large"
    assert visit(ask, Limits(decoded=4439, transferred=99)) == 200


@pytest.mark.parametrize("kind", hostile.GOOD)
def test_good_codings_are_decoded(kind):
    async def ask(server, fetcher):
        return await fetcher.fetch(server.url(f"/good/{kind}"))

    fetched = visit(ask)
    assert fetched.body == PAGE
    assert 0 < fetched.transferred < len(PAGE)


def test_unwanted_types_are_not_downloaded():
    async def ask(server, fetcher):
        asked = []

        def accept(status, type, length):
            asked.append((status, type, length))
            return Fault.TYPE_NOT_WANTED

        fetched = await fetcher.fetch(server.url("/image"), accept=accept)
        assert outcome(fetched) == "type-not-wanted"
        assert fetched.transferred == 0
        assert fetched.type == "image/png"
        assert asked == [(200, "image/png", 1004)]
        html = only("text/html")
        assert outcome(await fetcher.fetch(server.url("/image"), accept=html)) == "type-not-wanted"
        for path, status in (("/page/1", 200), ("/hop/1", 302), ("/busy", 429)):
            assert outcome(await fetcher.fetch(server.url(path), accept=html)) == status
        large = await fetcher.fetch(server.url("/large"))
        assert (outcome(large), large.transferred) == ("too-large", 0)

    visit(ask)


def test_an_unchanged_page_is_a_304():
    async def ask(server, fetcher):
        url = server.url("/unchanged")
        first = await fetcher.fetch(url)
        assert (first.status, first.body) == (200, PAGE)
        etag, modified = first.header("etag"), first.header("LAST-MODIFIED")
        for known in ({"etag": etag}, {"modified": modified}):
            again = await fetcher.fetch(url, **known)
            assert (outcome(again), again.body) == (304, b"")
        assert outcome(await fetcher.fetch(url, etag='"other"')) == 200
        # An ETag comes from a server: it may be anything.
        odd = await fetcher.fetch(url, etag="a\r\nX-Injected: b", modified="\0")
        assert outcome(odd) == 200
        assert not {"x-injected", "if-none-match", "if-modified-since"} & set(server.heads[-1])

    visit(ask)


def test_redirects_are_not_followed():
    async def ask(server, fetcher):
        places = {}
        for path in ("/hop/2", "/loop", "/loop/back", "/away", "/page/1"):
            fetched = await fetcher.fetch(server.url(path))
            places[path] = fetched.location
        assert places == {
            "/hop/2": server.url("/hop/1"),
            "/loop": server.url("/loop/back"),
            "/loop/back": server.url("/loop"),
            "/away": "http://169.254.169.254/latest/",
            "/page/1": None,
        }
        assert server.seen == list(places)
        away = await fetcher.fetch(places["/away"])
        assert outcome(away) == "private-address"

    visit(ask)


def test_retry_after_is_read():
    async def ask(server, fetcher):
        paths = ("/busy", "/busy/60", "/busy/date", "/page/1")
        return [(await fetcher.fetch(server.url(path))).retry_after for path in paths]

    assert visit(ask) == [None, 60.0, 31_536_000.0, None]


NOW = datetime(2026, 1, 1, tzinfo=UTC)


@given(st.text(max_size=40) | st.integers(0, 10**400).map(str))
def test_any_retry_after_is_a_time_or_none(text):
    seconds = retry_after(text, NOW)
    assert seconds is None or 0 <= seconds <= 31_536_000


@pytest.mark.parametrize(
    ("text", "seconds"),
    [
        ("0", 0),
        (" 7 ", 7),
        ("Thu, 01 Jan 2026 00:10:00 GMT", 600),
        ("Thursday, 01-Jan-26 00:10:00 GMT", 600),
        ("Thu, 01 Jan 2026 00:10:00", 600),
        ("Wed, 31 Dec 2025 23:00:00 GMT", 0),
        ("-5", None),
        ("1.5", None),
        ("Thu, 99 Jan 2026 00:10:00 GMT", None),
    ],
)
def test_retry_after_as_seconds_and_as_date(text, seconds):
    assert retry_after(text, NOW) == seconds


def test_connections_are_reused_and_limited():
    async def ask(server, fetcher):
        for number in range(10):
            await fetcher.fetch(server.url(f"/page/{number}"))
        assert server.connections == 1
        urls = [server.url(f"/page/{number}") for number in range(40)]
        found = await asyncio.gather(*map(fetcher.fetch, urls))
        assert {fetched.status for fetched in found} == {200}
        assert server.connections <= 3

    visit(ask, per_host=3)


def test_a_cancelled_request_leaves_no_task_behind():
    async def ask(server, fetcher):
        for path in ("/silent", "/silent/body", "/drip", "/chunks/endless"):
            before = asyncio.all_tasks()
            task = asyncio.create_task(fetcher.fetch(server.url(path)))
            while path not in server.seen:
                await asyncio.sleep(0.01)
            await asyncio.sleep(0.05)
            task.cancel()
            with pytest.raises(asyncio.CancelledError):
                await task
            mine = {t for t in asyncio.all_tasks() - before if "_connected" not in repr(t)}
            assert not mine
        assert outcome(await fetcher.fetch(server.url("/page/1"))) == 200

    visit(ask, Limits(transferred=2**40), per_host=1)


def test_unreachable_hosts_have_named_faults():
    async def ask(server, fetcher):
        assert outcome(await fetcher.fetch(f"http://127.0.0.1:{closed_port()}/")) == "refused"
        with deaf_port() as port:
            assert outcome(await fetcher.fetch(f"http://127.0.0.1:{port}/")) == "timeout-connect"
        assert outcome(await fetcher.fetch("http://nowhere.example/")) == "dns"
        for url in ("mailto:a@b.example", "", "http://", "http://a.example:99999/", "/page/1"):
            assert outcome(await fetcher.fetch(url)) == "bad-url", url
        assert outcome(await fetcher.fetch(server.url("/page/1"))) == 200

    visit(ask, CONNECT_SOON, lookup=FakeNames({}))


def test_plain_http_on_an_https_url_is_a_tls_fault():
    async def ask(server, fetcher):
        return outcome(await fetcher.fetch(server.url("/page/1").replace("http:", "https:")))

    assert visit(ask) == "tls"


@pytest.mark.skipif(shutil.which("openssl") is None, reason="needs openssl to make a certificate")
def test_certificates_are_verified_by_default(tmp_path):
    names = ["-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=a.example"]
    files = ["-keyout", "key.pem", "-out", "certificate.pem"]
    command = ["openssl", "req", *names, *files]
    subprocess.run(command, cwd=tmp_path, check=True, capture_output=True)
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    context.load_cert_chain(tmp_path / "certificate.pem", tmp_path / "key.pem")

    async def greet(reader, writer):
        await reader.readuntil(b"\r\n\r\n")
        writer.write(hostile.answer())
        await writer.drain()
        writer.close()

    async def run(verify):
        server = await asyncio.start_server(greet, "127.0.0.1", 0, ssl=context)
        port = server.sockets[0].getsockname()[1]
        client = ClientConfig("spider@example.org", verify=verify)
        async with server, HttpFetcher(client, PATIENT, HERE) as fetcher:
            return outcome(await fetcher.fetch(f"https://127.0.0.1:{port}/"))

    assert asyncio.run(run(True)) == "tls"
    assert asyncio.run(run(False)) == 200


def test_odd_headers_can_be_archived(tmp_path):
    async def ask(server, fetcher):
        odd = await fetcher.fetch(server.url("/head/odd"))
        assert odd.line == "HTTP/1.1 200 OK"
        assert odd.header("x-latin") == "éÿ"
        assert odd.header("x-utf") == "é"
        assert odd.header("x-empty") == odd.header("x-missing") == ""
        assert (b"X-Latin", b"\xe9\xff") in odd.raw_headers
        coded = await fetcher.fetch(server.url("/good/br"))
        unknown = await fetcher.fetch(server.url("/coding"))
        return odd, coded, unknown

    pages = visit(ask)
    path = tmp_path / "a.warc.gz"
    with WarcWriter(path) as writer:
        for page in pages:
            headers = dict(page.stored)
            writer.response(
                page.url, page.body, status=page.status, headers=headers, date=page.when
            )
    answers = [response_of(record) for record in read_warc(path)][1:]
    assert [answer.body for answer in answers] == [PAGE] * 3
    assert answers[1].headers["x-crawl-content-encoding"] == "br"
    assert answers[1].headers["x-crawl-content-length"] == str(pages[1].transferred)
    assert answers[1].headers["content-length"] == str(len(PAGE))
    assert answers[2].headers["content-encoding"] == "utf-8"
    with path.open("rb") as file:
        iterator = ArchiveIterator(file, check_digests="raise")
        bodies = [r.content_stream().read() for r in iterator if r.rec_type == "response"]
    assert bodies == [PAGE] * 3


def test_requests_identify_the_crawler():
    async def ask(server, fetcher):
        await fetcher.fetch(server.url("/page/1"))
        (head,) = server.heads
        assert head["user-agent"] == "lycosa (+spider@example.org)"
        assert head["accept-encoding"] == "gzip, deflate, br, zstd"
        assert head["x-more"] == "yes"

    visit(
        ask,
        client=ClientConfig(
            "spider@example.org", headers=(("X-More", "yes"),), credential_hosts=("*",)
        ),
    )


@pytest.mark.parametrize("cookies", [False, True])
def test_cookies_are_off_by_default(cookies):
    async def ask(server, fetcher):
        for _ in range(2):
            await fetcher.fetch(server.url("/cookie", "a.example"))
        return ["cookie" in head for head in server.heads]

    client = ClientConfig("spider@example.org", cookies=cookies)
    names = FakeNames({"a.example": [["127.0.0.1"]]})
    assert visit(ask, client=client, lookup=names) == [False, cookies]


def test_a_proxy_gets_all_requests_but_those_for_private_addresses():
    async def run():
        async with Hostile() as server:
            proxy = f"http://user:secret@127.0.0.1:{server.port}"
            client = ClientConfig("spider@example.org", proxy=proxy)
            assert "secret" not in repr(client)
            async with HttpFetcher(client, PATIENT) as fetcher:
                page = await fetcher.fetch("http://a.example/page/1")
                assert outcome(page) == 200
                assert "secret" not in repr(page)
                for host in ("10.0.0.1", "0x7f.1", "[::1]"):
                    private = await fetcher.fetch(f"http://{host}/page/1")
                    assert outcome(private) == "private-address"
                assert server.seen == ["/page/1"]
        dead = ClientConfig("spider@example.org", proxy=f"http://127.0.0.1:{closed_port()}")
        async with HttpFetcher(dead, PATIENT) as fetcher:
            assert outcome(await fetcher.fetch("http://a.example/")) == "proxy"

    asyncio.run(run())


def test_user_names_and_passwords_are_dropped():
    async def ask(server, fetcher):
        url = server.url("/page/1").replace("//", "//user:secret@")
        fetched = await fetcher.fetch(url)
        assert fetched.url == server.url("/page/1")
        assert "authorization" not in server.heads[0]

    visit(ask)


HOSTS = st.lists(st.text("ab0179xf-_", min_size=1, max_size=5), min_size=1, max_size=5)


@given(HOSTS, st.sampled_from(["", ":80", ":59999"]), st.text(max_size=9))
def test_the_pattern_of_canonical_urls_matches_no_other_host(labels, port, path):
    url = f"http://{'.'.join(labels)}{port}/{path}"
    if _PLAIN.fullmatch(url):
        normal = canonical(url)
        assert normal is None or host_of(normal) == ".".join(labels)
        assert url.isascii()
        assert url.isprintable()
        assert "#" not in url


@pytest.mark.parametrize(
    "url",
    [
        "http://a@b.example/",
        "http://0x7f/",
        "http://127.1/",
        "http://017.0.0.1/",
        "http://A.example/",
        "http://a.example/ b",
        "http://a.example/é",
        "http://a.example/a\r\nb",
        "http://a.example/\n",
        "http://a.example",
        "ftp://a.example/",
    ],
)
def test_other_urls_do_not_match_the_pattern(url):
    assert not _PLAIN.fullmatch(url)


def test_misuse_raises_a_usage_error():
    with pytest.raises(UsageError, match="a contact for complaints"):
        ClientConfig("nobody")
    with pytest.raises(UsageError, match="line breaks"):
        ClientConfig("a@b.example", headers=(("X", "a\r\nb"),))
    with pytest.raises(UsageError, match="async with"):
        asyncio.run(HttpFetcher(CLIENT).fetch("http://a.example/"))


def test_every_fault_has_a_description():
    for fault in Fault:
        assert fault.words.endswith(".")
        assert isinstance(fault.transient, bool)
        assert fault == str(fault) == fault.value
    assert {f for f in EXPECTED.values() if isinstance(f, str)} <= set(Fault)


@pytest.mark.parametrize("robots", ["redirect", "loop", "large", "binary", "missing", "error"])
def test_every_kind_of_robots_txt_is_fetched(robots):
    async def ask(server, fetcher):
        return await fetcher.fetch(server.url("/robots.txt"))

    statuses = {"redirect": 301, "loop": 301, "missing": 404, "error": 503}
    fetched = visit(ask, Limits(), robots=robots)
    assert outcome(fetched) == statuses.get(robots, 200)
    assert robots != "large" or len(fetched.body) > 5 * 10**6


def test_a_silent_robots_txt_times_out():
    async def ask(server, fetcher):
        return outcome(await fetcher.fetch(server.url("/robots.txt")))

    assert visit(ask, READ_SOON, robots="silent") == "timeout-read"


def test_the_endless_calendar_has_no_repeated_pages():
    async def ask(server, fetcher):
        path, seen = "/calendar/2026/11", set()
        for _ in range(30):
            fetched = await fetcher.fetch(server.url(path))
            seen.add(path)
            path = fetched.body.decode().partition("href=")[2].partition(">")[0]
        assert len(seen) == 30
        assert path == "/calendar/2029/5"

    visit(ask)


@pytest.mark.parametrize("cookies", [False, True])  # over its own connections, and by aiohttp
def test_a_request_can_be_stopped_right_before_it_is_sent(cookies):
    allowed = [True, True]

    def before_send():
        if not allowed:
            raise StoreError("no more requests")
        allowed.pop()

    async def ask(server, fetcher):
        assert outcome(await fetcher.fetch(server.url("/page/1"))) == 200
        assert outcome(await fetcher.fetch(server.url("/page/1"))) == 200
        with pytest.raises(StoreError, match="no more requests"):
            await fetcher.fetch(server.url("/page/1"))
        allowed.append(True)
        assert outcome(await fetcher.fetch(server.url("/page/1"))) == 200
        assert server.seen == ["/page/1"] * 3

    visit(ask, client=ClientConfig("spider@example.org", cookies=cookies), before_send=before_send)
