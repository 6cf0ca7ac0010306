"""Blocked and removed URLs are not requested: not as links, seeds, redirects or revisits."""

from crawler.live.small import crawl, links, moved, outcomes, paths, walk, within
from lycosa.crawler.storage.expunge import expunge_pages
from lycosa.project.block_reasons import scope_reason
from lycosa.web.urls import BlockedUrls, Scope

PAGES = {
    "a.example/": links("/paper", "/other", "/old", "http://b.example:PORT/x"),
    "a.example/paper": "paper",
    "a.example/other": "other",
    "a.example/old": moved("http://a.example:PORT/paper"),
    "b.example/x": "paper",
}


def asked(web):
    return set(web.places)


def test_blocked_urls_are_not_requested(tmp_path):
    async def scenario(web):
        blocked = BlockedUrls.of([web.url("a.example/paper")], ["b.example"])
        steps = await walk(crawl(web, folder=tmp_path, blocked=blocked))
        assert asked(web) == {"a.example/", "a.example/other", "a.example/old"}
        assert outcomes(web, steps)["a.example/old"] == "out-of-scope"

    within(30, PAGES, scenario)


def test_the_reason_is_that_it_is_blocked():
    scope = Scope(blocked=BlockedUrls.of(["http://a.example/x"], ["b.example"]))
    for url in ("http://a.example/x", "http://www.b.example/"):
        assert scope_reason(scope, url).kind == "blocked"
    assert scope_reason(scope, "http://a.example/y") is None


def test_a_page_that_was_removed_is_not_requested_again(tmp_path):
    async def scenario(web):
        await walk(crawl(web, folder=tmp_path))
        gone = web.url("a.example/paper")
        assert expunge_pages(tmp_path, {gone}.__contains__) >= 1
        web.seen.clear()
        blocked = BlockedUrls.of([gone])
        steps = await walk(crawl(web, folder=tmp_path, refresh=True, blocked=blocked))
        assert "a.example/paper" not in asked(web)
        assert {"a.example/", "a.example/other", "b.example/x"} <= asked(web)
        assert "a.example/other" in paths(web, steps)

    within(30, PAGES, scenario)
