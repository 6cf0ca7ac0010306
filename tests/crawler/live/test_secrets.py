"""Secrets stay at their hosts: what servers receive in a whole crawl."""

import asyncio
import gzip
from dataclasses import replace

import pytest

from crawler.http.hostile import answer
from crawler.live.small import RUSH, Says, Web, job, links, moved, walk
from lycosa.crawler.live.engine import LiveCrawl
from lycosa.crawler.storage.sqlite import SqliteStore
from lycosa.spiders import BreadthFirst

MAP = "<urlset><url><loc>http://a.example:PORT/mapped</loc></url></urlset>"


def secret_web() -> Web:
    """Return a web in which the seed leads to other hosts in every way."""
    return Web(
        {
            "a.example/robots.txt": moved("http://robots.example:PORT/elsewhere.txt"),
            "robots.example/elsewhere.txt": "User-agent: *\nSitemap: http://maps.example:PORT/map.xml\n",
            "maps.example/map.xml": MAP,
            "a.example/": links("/moved", "http://b.example:PORT/", "http://sub.a.example:PORT/"),
            "a.example/moved": moved("http://c.example:PORT/there"),
            "a.example/mapped": "A mapped page",
            "b.example/": links("http://a.example:PORT/back"),
            "a.example/back": answer(body=b"Back", Set_Cookie="session=fresh-secret; Path=/"),
            "sub.a.example/": "A subdomain",
            "c.example/there": "There",
        }
    )


@pytest.mark.parametrize("cookies", [False, True])
def test_no_other_host_receives_a_configured_header_or_cookie(tmp_path, cookies, caplog):
    file = tmp_path / "cookies.json"
    file.write_text('[{"name": "id", "value": "hunter2", "domain": ".example"}]')

    async def run():
        async with secret_web() as web:
            given = job(web, sitemaps=True, pace=RUSH)
            client = replace(
                given.client,
                headers=(("X-Key", "swordfish"),),
                cookies=cookies,
                cookie_file=str(file),
            )
            given = replace(given, client=client)
            store = SqliteStore.open(tmp_path / "crawl")
            fetcher = given.http_fetcher(web.lookup)
            await walk(LiveCrawl(given, BreadthFirst(), Says(), store, fetcher))
            return web.seen

    with caplog.at_level("DEBUG"):
        seen = asyncio.run(run())
    hosts = {request.place.partition("/")[0] for request in seen}
    assert hosts == {"a.example", "b.example", "c.example", "maps.example", "robots.example",
                     "sub.a.example"}  # fmt: skip
    for request in seen:
        home = request.place.startswith("a.example/")
        assert request.headers.get("x-key") == ("swordfish" if home else None), request.place
        assert ("hunter2" in request.headers.get("cookie", "")) == home, request.place
        assert home or "fresh-secret" not in str(request.headers), request.place
    assert {"a.example/robots.txt", "a.example/mapped", "a.example/back"} <= {
        request.place for request in seen
    }
    for secret in ("swordfish", "hunter2", "fresh-secret"):
        assert secret not in caplog.text
        kept = [path for path in (tmp_path / "crawl").rglob("*") if path.is_file()]
        assert kept
        for path in kept:
            assert secret.encode() not in _content(path), path


def _content(path) -> bytes:
    return gzip.decompress(path.read_bytes()) if path.suffix == ".gz" else path.read_bytes()
