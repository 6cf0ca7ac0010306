"""Pages as a browser shows them: what is rendered, what is requested, and what is not."""

import asyncio
import os
import signal
from itertools import pairwise

import psutil
import pytest

from crawler.browser.shown import (
    HERE,
    RUSH,
    Counting,
    needs_browser,
    rendering,
    response,
    script,
    text,
)
from crawler.live.small import Web
from lycosa.crawler.browser.config import RenderConfig
from lycosa.crawler.browser.fetcher import RenderingFetcher
from lycosa.crawler.http.addresses import AddressPolicy
from lycosa.crawler.http.checks import check_fetcher
from lycosa.crawler.http.fetcher import ClientConfig, Limits
from lycosa.crawler.http.http_fetcher import HttpFetcher
from lycosa.crawler.politeness.pace import Pace
from lycosa.crawler.politeness.robots_cache import RobotsCache
from lycosa.errors import UsageError
from lycosa.web.reader import Reader

pytestmark = needs_browser

MENU = script(
    HERE + "menu.js",
    """
    document.write('<a href="/written">w</a>');
    addEventListener('DOMContentLoaded', () => add('/loaded'));
    fetch('/menu.json').then(found => found.json()).then(names => names.forEach(add));
    setTimeout(() => add('/late'), 4000);
    function add(name) {
        const link = document.createElement('a');
        link.href = name;
        document.body.append(link);
    }
    """,
)
DATA = response(HERE + "menu.json", '["/json1", "/json2"]', "application/json")
LINKS = {"written", "loaded", "late", "json1", "json2"}
SITE = {
    HERE: response(HERE, "<title>Home</title><script src=/menu.js></script>"),
    MENU.url: MENU,
    DATA.url: DATA,
}


def fetched(fetcher, *urls):
    """Return the responses for some URLs, one after the other."""

    async def run():
        async with fetcher:
            return [await fetcher.fetch(url) for url in urls]

    return asyncio.run(run())


def one(html, **limits):
    [found] = fetched(rendering({HERE: response(HERE, html)}, **limits), HERE)
    return found


def links(html: str) -> set[str]:
    page = Reader().page(HERE, html.encode())
    return {page.link(n).target.removeprefix(HERE) for n in range(len(page.targets))}


def plain_fetcher(web):
    limits = Limits(connect=60, read=60, total=120)
    here = AddressPolicy(allow_loopback=True)
    return HttpFetcher(ClientConfig("t@example.org"), limits, here, lookup=web.lookup)


def test_links_that_scripts_write_are_in_the_rendered_document():
    [found] = fetched(rendering(SITE), HERE)
    assert links(text(found)) == LINKS
    assert found.body == SITE[HERE].body
    assert [one.url for one in found.resources] == [MENU.url, DATA.url]


def test_a_rendering_fetcher_keeps_the_contract():
    async def run():
        async with Web({"a.example/": "<script>document.title = 1</script>"}) as web:
            await check_fetcher(rendering(plain_fetcher(web)), web.url("a.example/"))

    asyncio.run(run())


def test_a_shared_script_is_requested_once():
    pages = {f"{HERE}{n}": "<script src=/menu.js></script>" for n in "abc"}
    lost = {f"{HERE}lost{n}": "<script src=/no.js></script>" for n in "ab"}
    site = {url: response(url, html) for url, html in {**pages, **lost}.items()}
    fetcher = Counting({**SITE, **site})
    found = fetched(rendering(fetcher), *site)
    assert all(links(text(one)) == LINKS for one in found[:3])
    assert sorted(fetcher.asked) == sorted([*site, MENU.url, DATA.url, HERE + "no.js"])


def test_a_script_that_must_not_be_stored_is_requested_each_time():
    menu = script(HERE + "menu.js", "", Cache_Control="no-store")
    fetcher = Counting({**SITE, menu.url: menu})
    fetched(rendering(fetcher), HERE, HERE)
    assert fetcher.asked.count(menu.url) == 2


def test_text_is_decoded_as_without_rendering():
    undeclared = response(HERE, "<title>Bücher</title><script>1</script>", "text/html")
    [found] = fetched(rendering({HERE: undeclared}), HERE)
    assert "<title>Bücher</title>" in text(found)


def test_a_page_to_which_a_script_leads_becomes_a_link():
    found = one("<script>location.href = '/there?a=1&b=2'</script>")
    assert links(text(found)) == {"there?a=1&b=2"}


def test_dialogs_do_not_hold_a_page_up():
    found = one("<script>alert(1); confirm(2); prompt(3); document.write('<p>after</p>')</script>")
    assert "<p>after</p>" in text(found)


def test_a_page_may_not_replace_the_functions_that_read_it():
    html = """<p>true</p><script>
        Object.defineProperty(Element.prototype, 'outerHTML', {get: () => '<p>forged</p>'});
        </script>"""
    assert "<p>true</p>" in text(one(html))


def test_an_endless_script_is_ended_and_the_document_so_far_is_used():
    html = "<script>document.write('<a href=/found>f</a>'); while (true) {}</script>"
    assert links(text(one(html, seconds=2.0))) == {"found"}


@pytest.mark.parametrize(
    ("name", "code", "limits"),
    [
        ("page-crashed", "const a = []; while (true) a.push(new Array(1e5).fill(1.5))", {}),
        (
            "page-crashed",
            "const a = []; setInterval(() => a.push(new Uint8Array(1e8).fill(7)), 5)",
            {"process": 600 << 20},
        ),
        ("render-too-large", "document.write('<p>' + 'x'.repeat(3e6))", {"document": 2_000_000}),
    ],
    ids=["heap", "buffers", "document"],
)
def test_a_page_that_is_too_large_is_a_named_fault_and_costs_only_itself(name, code, limits):
    large = response(HERE + "large", f"<script>{code}</script>")
    bad, good = fetched(rendering({**SITE, large.url: large}, **limits), large.url, HERE)
    assert bad.render_fault == name
    assert (bad.status, bad.rendered, bad.body) == (200, None, large.body)
    assert links(text(good)) == LINKS


def test_the_requests_of_a_page_are_limited():
    html = "<script>for (let i = 0; i < 100; i++) fetch('/' + i)</script>"
    assert len(one(html, requests=7).resources) == 7


def test_only_scripts_and_data_are_requested_and_only_by_get():
    html = """
        <link rel=stylesheet href=/style.css><link rel=prefetch href=/prefetch>
        <link rel=preload as=image href=/preload><link rel=icon href=/icon>
        <link rel=manifest href=/manifest><img src=/image><video src=/video></video>
        <iframe src=/frame></iframe><object data=/object></object><embed src=/embed>
        <style>@font-face { font-family: f; src: url(/font) } p { font-family: f }</style><p>x
        <form id=form action=/form method=post></form>
        <script>
            fetch('/post', {method: 'POST', body: 'x'}); fetch('/put', {method: 'PUT'});
            navigator.sendBeacon('/beacon', 'x'); new EventSource('/events');
            new Worker('/worker'); form.submit(); fetch('/data'); open('/window');
            if (navigator.serviceWorker) navigator.serviceWorker.register('/service');
        </script>"""
    fetcher = Counting({HERE: response(HERE, html)})
    fetched(rendering(fetcher), HERE)
    assert fetcher.asked == [HERE, HERE + "data"]


def test_robots_are_obeyed_for_scripts_and_fetched_once_for_each_host():
    other = "http://c.example/"
    html = f"""<script src=/private/a.js></script><script src=/b.js></script>
        <script src={other}c.js></script><script src={other}no/d.js></script>"""
    robots = RobotsCache("lycosa")
    private = "User-agent: *\nDisallow: /private/"
    robots.learn("a.example", response(HERE + "robots.txt", private, "text/plain"))
    rules = response(other + "robots.txt", "User-agent: *\nDisallow: /no/", "text/plain")
    fetcher = Counting({HERE: response(HERE, html), rules.url: rules})
    fetched(rendering(fetcher, robots=robots), HERE, HERE)
    others = sorted(url for url in fetcher.asked if url != HERE)
    assert others == [HERE + "b.js", other + "c.js", rules.url]


def test_requests_for_scripts_keep_the_delay_of_their_host():
    html = "<script src=/a.js></script><script src=/b.js></script><script src=/c.js></script>"

    async def run():
        async with Web({"a.example/": html}) as web:
            async with rendering(plain_fetcher(web), pace=Pace(delay=0.3)) as fetcher:
                await fetcher.fetch(web.url("a.example/"))
            return web

    web = asyncio.run(run())
    assert len(web.seen) == 4
    assert web.most["a.example"] == 1
    assert min(after.began - before.ended for before, after in pairwise(web.seen)) > 0.25


def test_an_overloaded_host_gets_no_further_requests_for_scripts():
    page = response(HERE, "<script src=/a.js></script><script src=/b.js></script>")
    busy = type(page)(HERE + "a.js", page.when, 503, "HTTP/1.1 503 Busy")
    fetcher = Counting({HERE: page, busy.url: busy})
    fetched(rendering(fetcher, pace=Pace(delay=0.0, back_off=600.0)), HERE)
    assert len(fetcher.asked) == 2


# Which pages are rendered


def test_auto_renders_a_sample_of_each_host_and_goes_on_where_it_gains_links():
    pages = {}
    for host, html in (("gains", "<script src=/m.js></script>"), ("same", "<script>1</script>")):
        for n in range(8):
            url = f"http://{host}.example/{n}"
            pages[url] = response(url, html)
    menu = script("http://gains.example/m.js", "document.write('<a href=/x>x</a><a href=/y>y</a>')")
    found = fetched(rendering({**pages, menu.url: menu}, "auto"), *pages)
    rendered = [one.url for one in found if one.rendered is not None]
    assert sum("gains" in url for url in rendered) == 8
    assert sum("same" in url for url in rendered) == 3


def test_auto_renders_no_page_without_scripts_and_nothing_that_is_no_page():
    pages = {
        HERE: response(HERE, "<a href=/b>B</a>"),
        HERE + "data": response(HERE + "data", "<script>1</script>", "application/json"),
        HERE + "robots.txt": response(HERE + "robots.txt", "<script>1</script>"),
    }
    assert [one.rendered for one in fetched(rendering(pages, "auto"), *pages)] == [None] * 3


# Crashes


def processes(group):
    """Return the processes of a group."""
    found = []
    for process in psutil.process_iter():
        try:
            if os.getpgid(process.pid) == group and process.status() != psutil.STATUS_ZOMBIE:
                found.append(process)
        except (ProcessLookupError, psutil.NoSuchProcess):
            continue
    return found


def test_a_killed_browser_is_started_again_and_nothing_is_left_running():
    async def run():
        async with rendering(SITE) as fetcher:
            await fetcher.fetch(HERE)
            first = fetcher.renderer.pid
            os.kill(first, signal.SIGKILL)
            assert links(text(await fetcher.fetch(HERE))) == LINKS
            second = fetcher.renderer.pid
            assert second not in (first, None)
            assert processes(second)
        assert not processes(first)
        assert not processes(second)

    asyncio.run(run())


class Killing(Counting):
    """A fetcher during whose requests for scripts the browser is killed, so many times."""

    def __init__(self, pages, times) -> None:
        super().__init__(pages)
        self.times = times
        self.renderer = None

    async def fetch(self, url, **options):
        if url.endswith(".js") and self.times:
            self.times -= 1
            os.kill(self.renderer.pid, signal.SIGKILL)
            await asyncio.sleep(0.5)
        return await super().fetch(url, **options)


@pytest.mark.parametrize(("times", "fault"), [(1, None), (2, "browser-crashed")])
def test_a_page_is_rendered_again_once_if_the_browser_is_killed_meanwhile(times, fault):
    menu = script(MENU.url, "document.write('<a href=/x>x</a>')", Cache_Control="no-store")

    async def run():
        killing = Killing({**SITE, menu.url: menu}, times)
        async with rendering(killing) as fetcher:
            killing.renderer = fetcher.renderer
            found = await fetcher.fetch(HERE)
            assert found.render_fault == fault
            assert (found.rendered is None) == (fault is not None)
            assert found.body == SITE[HERE].body
            assert (await fetcher.fetch(HERE)).rendered is not None

    asyncio.run(run())


def test_a_browser_that_does_not_start_is_a_named_fault():
    fetcher = RenderingFetcher(Counting(SITE), RenderConfig("always", browser="false"), pace=RUSH)
    found = fetched(fetcher, *[HERE] * 5)
    assert {one.render_fault for one in found} == {"no-browser"}
    assert {one.status for one in found} == {200}


def test_a_missing_browser_and_an_unknown_mode_are_refused_in_one_sentence():
    with pytest.raises(UsageError, match="There is no browser /no/chromium"):
        RenderingFetcher(Counting(SITE), RenderConfig("auto", browser="/no/chromium"))
    with pytest.raises(UsageError, match="give never, auto or always"):
        RenderConfig("sometimes")
