"""No way out of the browser: whatever a page tries, only the crawl's own fetcher connects."""

import asyncio
import json
import os
import socket

import psutil

from crawler.browser.shown import (
    HERE,
    PageOver,
    needs_browser,
    rendering,
    response,
    text,
)
from crawler.http.hostile import FakeNames, answer
from crawler.http.test_addresses import NAMES, ODD
from crawler.live.small import Web
from lycosa.crawler.http.addresses import AddressPolicy
from lycosa.crawler.http.credentials import Credentials
from lycosa.crawler.http.fetcher import ClientConfig, Limits
from lycosa.crawler.http.http_fetcher import HttpFetcher
from lycosa.crawler.http.response import Response

pytestmark = needs_browser

PATIENT = Limits(connect=60, read=60, total=120)

ATTEMPTS = """
<link rel=preconnect href=http://127.0.0.1:PORT><link rel=dns-prefetch href=//127.0.0.1:PORT>
<link rel=prefetch href=http://127.0.0.1:PORT/><link rel=prerender href=http://127.0.0.1:PORT/>
<script type=speculationrules>
{"prefetch": [{"source": "list", "urls": ["http://127.0.0.1:PORT/s"], "eagerness": "immediate"}]}
</script>
<img src=http://127.0.0.1:PORT/i><iframe src=http://127.0.0.1:PORT/f></iframe>
<iframe src=file:///etc/passwd></iframe><iframe src=view-source:file:///etc/passwd></iframe>
<link rel=stylesheet href=http://127.0.0.1:PORT/c><video src=http://127.0.0.1:PORT/v></video>
<script src=http://127.0.0.1:PORT/x.js></script>
<script type=module>import "http://127.0.0.1:PORT/m.js"</script>
<form id=form action=http://127.0.0.1:PORT/p method=post target=_blank></form>
<script>
const here = '127.0.0.1:PORT', tried = [];
const attempt = (name, act) => { try { act(); } catch { } tried.push(name); };
const URLS = ODD_URLS;
for (const url of URLS) attempt(url, () => fetch(url, {mode: 'no-cors'}));
attempt('websocket', () => new WebSocket(`ws://${here}/`));
attempt('events', () => new EventSource(`http://${here}/`));
attempt('transport', () => new WebTransport(`https://${here}/`));
attempt('beacon', () => navigator.sendBeacon(`http://${here}/`, 'x'));
attempt('xhr', () => {
    const x = new XMLHttpRequest();
    x.open('GET', `http://${here}/`, false);
    x.send();
});
const blob = code => URL.createObjectURL(new Blob([code]));
const calls = `fetch('http://${here}/'); new WebSocket('ws://${here}/');`;
attempt('worker', () => new Worker(blob(calls + ` importScripts('http://${here}/')`)));
attempt('shared', () => new SharedWorker(blob(calls)));
attempt('service', () => navigator.serviceWorker.register('/sw.js'));
attempt('file', () => fetch('file:///etc/passwd'));
attempt('submit', () => form.submit());
attempt('window', () => open(`http://${here}/`));
attempt('rtc', () => {
    const peer = new RTCPeerConnection({iceServers: [{urls: `stun:${here}`},
        {urls: `turn:${here}?transport=tcp`, username: 'x', credential: 'x'}]});
    peer.createDataChannel('x');
    peer.createOffer().then(offer => peer.setLocalDescription(offer));
});
attempt('leave', () => { location.href = `http://${here}/`; });
document.title = 'tried ' + tried.length;
</script>
"""


def sockets(group: int) -> list[object]:
    """Return the network sockets of the browser's processes."""
    found: list[object] = []
    for process in psutil.process_iter():
        try:
            if os.getpgid(process.pid) == group:
                found += process.net_connections("inet")
        except (ProcessLookupError, psutil.Error):
            continue
    return found


class Canary:
    """A port on loopback, by TCP and by UDP, at which nobody may knock."""

    async def __aenter__(self):
        self.knocks: list[object] = []
        self._server = await asyncio.start_server(self._connected, "127.0.0.1", 0)
        self.port = self._server.sockets[0].getsockname()[1]
        self._udp = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self._udp.bind(("127.0.0.1", self.port))
        self._udp.setblocking(False)
        return self

    async def _connected(self, reader, writer):
        self.knocks.append(await reader.read(100))
        writer.close()

    async def __aexit__(self, *exc):
        self._server.close()
        self._udp.close()

    def packets(self) -> list[bytes]:
        found = []
        try:
            while True:
                found.append(self._udp.recv(2000))
        except BlockingIOError:
            return found


def is_probe(one) -> bool:
    """Return whether a socket is that of Chromium's look for a route to the Internet by IPv6.

    It names the peer of a datagram socket, always the same, which sends nothing, and closes it.
    """
    return one.type == socket.SOCK_DGRAM and one.raddr.ip == "2001:4860:4860::8888"


def test_no_page_makes_the_browser_connect_to_anything():
    async def run():
        async with Canary() as canary:
            port = str(canary.port)
            odd = json.dumps([url.replace("PORT", port) for url in ODD])
            html = ATTEMPTS.replace("ODD_URLS", odd).replace("PORT", port)
            plain = HttpFetcher(ClientConfig("t@example.org"), PATIENT, lookup=FakeNames(NAMES))
            pages = PageOver({HERE: response(HERE, html)}, plain)
            async with rendering(pages) as fetcher:
                task = asyncio.create_task(fetcher.fetch(HERE))
                seen: list[object] = []
                while not task.done():
                    await asyncio.sleep(0.05)
                    if fetcher.renderer.pid:
                        seen += await asyncio.to_thread(sockets, fetcher.renderer.pid)
                found = await task
            return found, pages.outcomes, canary.knocks, canary.packets(), seen

    found, outcomes, knocks, packets, seen = asyncio.run(run())
    # Every attempt was made, and the fetcher of the crawl has refused what reached it.
    assert f"<title>tried {len(ODD) + 13}</title>" in text(found)
    assert "root:" not in text(found)
    assert len([url for url in outcomes if url.endswith("/page/1")]) > 3
    assert set(outcomes.values()) <= {"private-address", "dns"}
    assert not knocks
    assert not packets
    # A socket that is bound to no peer takes nothing anywhere.
    assert not [one for one in seen if one.raddr and not is_probe(one)]


def test_a_redirect_of_a_sub_resource_leads_nowhere():
    async def run():
        async with Canary() as canary:
            there = f"http://127.0.0.1:{canary.port}/hop"
            hop = Response(
                HERE + "hop",
                response(HERE, "").when,
                302,
                "HTTP/1.1 302 Found",
                ((b"Location", there.encode()),),
            )
            plain = HttpFetcher(ClientConfig("t@example.org"), PATIENT, lookup=FakeNames(NAMES))
            html = "<script>fetch('/hop').catch(() => { document.title = 'refused'; })</script>"
            pages = PageOver({HERE: response(HERE, html), hop.url: hop}, plain)
            async with rendering(pages) as fetcher:
                found = await fetcher.fetch(HERE)
            return found, pages.outcomes, canary.knocks, there

    found, outcomes, knocks, there = asyncio.run(run())
    assert outcomes == {there: "private-address"}
    assert not knocks
    assert "<title>refused</title>" in text(found)


def test_a_canary_hears_a_fetcher_that_may_connect():
    """The control of the test above."""

    async def run():
        async with Canary() as canary:
            url = f"http://127.0.0.1:{canary.port}/x.js"
            here = AddressPolicy(allow_loopback=True)
            plain = HttpFetcher(ClientConfig("t@example.org"), PATIENT, here)
            page = response(HERE, f"<script src={url}></script>")
            async with rendering(PageOver({HERE: page}, plain)) as fetcher:
                await fetcher.fetch(HERE)
            return canary.knocks

    assert len(asyncio.run(run())) >= 1


def test_configured_headers_go_to_their_hosts_only_when_scripts_are_requested():
    html = """<script src=/a.js></script><script src=http://b.example:PORT/b.js></script>
        <script src=/hop.js></script>"""

    async def run():
        pages = {"a.example/": html}
        pages["a.example/hop.js"] = answer("302 Found", b"", Location="http://b.example:PORT/c.js")
        async with Web(pages) as web:
            client = ClientConfig("t@example.org", headers=(("X-Secret", "abc"),))
            plain = HttpFetcher(
                client,
                PATIENT,
                AddressPolicy(allow_loopback=True),
                lookup=web.lookup,
                credentials=Credentials(client, [web.url("a.example/")]),
            )
            async with rendering(plain) as fetcher:
                await fetcher.fetch(web.url("a.example/"))
            return {seen.place: seen.headers.get("x-secret") for seen in web.seen}

    assert asyncio.run(run()) == {
        "a.example/": "abc",
        "a.example/a.js": "abc",
        "a.example/hop.js": "abc",
        "b.example/b.js": None,
        "b.example/c.js": None,
    }


def test_the_browser_does_not_get_the_environment_of_the_crawl(monkeypatch):
    monkeypatch.setenv("TOKEN", "secret")

    async def run():
        async with rendering({HERE: response(HERE, "<script>1</script>")}) as fetcher:
            await fetcher.fetch(HERE)
            return psutil.Process(fetcher.renderer.pid).environ()

    assert "TOKEN" not in asyncio.run(run())
