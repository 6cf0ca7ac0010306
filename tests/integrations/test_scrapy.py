"""Real Scrapy, in processes of its own, on a real server."""

import asyncio
import json
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Event, Thread
from typing import Any

import numpy as np
import pytest
from aiohttp import web
from scrapy import Request, Spider
from scrapy.http import HtmlResponse
from scrapy.utils.misc import build_from_crawler, load_object
from scrapy.utils.test import get_crawler

from lycosa.core import Budget
from lycosa.crawler import Crawl, simulate
from lycosa.errors import UsageError
from lycosa.goals import Listed
from lycosa.sites.generated import GeneratedSite, World
from lycosa.sites.generated.server import application, bind, respond
from lycosa.spiders import BreadthFirst, Setup, spider
from lycosa.spiders.model_file import save_spider
from lycosa.web.reader import Reader
from lycosa.web.urls import Scope, canonical

QUEUE = "lycosa.integrations.scrapy.Queue"
PAGES = 60
EXACT = ("keywords", "yield(combined)", "house", "wary(house)")


@contextmanager
def served(make) -> Iterator[str]:
    """Serve the application that `make` returns for an address, in a thread."""
    with bind() as listener:
        root = f"http://127.0.0.1:{listener.getsockname()[1]}"
        loop = asyncio.new_event_loop()
        ready = Event()

        async def run() -> None:
            runner = web.AppRunner(make(root), access_log=None)
            await runner.setup()
            await web.SockSite(runner, listener).start()
            ready.set()
            await stop.wait()
            await runner.cleanup()

        stop = asyncio.Event()
        thread = Thread(target=lambda: loop.run_until_complete(run()))
        thread.start()
        try:
            assert ready.wait(120)
            yield root
        finally:
            loop.call_soon_threadsafe(stop.set)
            thread.join()
            loop.close()


class Department:
    """A generated department over HTTP, and the expected crawl of it."""

    def __init__(self, world: World) -> None:
        self.world = world
        self.site: GeneratedSite = world.department(0)
        self.seed = self.site.base + "/"
        self.papers = [self.site.tables.urls[n] for n in self.site.wanted("papers").tolist()]

    def job(self, name: str, **settings: Any) -> dict[str, Any]:
        return {
            "settings": {
                "SCHEDULER_PRIORITY_QUEUE": QUEUE,
                "LYCOSA_SPIDER": name,
                "CLOSESPIDER_PAGECOUNT": PAGES,
                **settings,
            },
            "start": [self.seed],
            "papers": self.papers,
        }

    def expected(self, name: str) -> list[str]:
        """Crawl with the state machine, with redirects and duplicates as Scrapy treats them."""
        reader = Reader(in_scope=Scope(domains=("127.0.0.1",)).allows)
        policy = spider(name)(Setup(None, "papers"))
        seeds = np.array([reader.urls.number(self.seed)])
        crawl = Crawl(policy, Listed("papers", self.papers), Budget(pages=PAGES), seeds)
        crawl.budget = Budget()  # which is spent by pages here, by requests there
        seen, asked = {self.seed}, []
        while len(asked) < PAGES and (number := crawl.next()) is not None:
            url = reader.urls[number]
            answer = respond(self.world, url)
            while answer.status in (301, 302):
                url = canonical(dict(answer.headers)["Location"], url) or ""
                if url in seen:
                    break
                seen.add(url)
                crawl.claim(reader.urls.number(url))
                answer = respond(self.world, url)
            else:
                page = reader.page(url, answer.body, answer.type, status=answer.status)
                asked.append(url)
                crawl.tell(page, number)
                seen |= {reader.urls[target] for target in page.targets.tolist()}
        return asked


SMALL = {
    "hub": "<a href=plain>Plain</a> <a href=robots>Our robots</a> <a href=moved>About robots, "
    "moved</a> <a href=last>Robots, robots</a>",
    "plain": "<title>Plain</title>",
    "robots": "<title>Robots</title>",
    "there": "<title>There</title>",
    "last": "<title>Last</title>",
    "form": "<title>Form</title>",
    "nowhere": "<title>Nowhere</title>",
}


def small(root: str) -> web.Application:
    async def handle(request: web.Request) -> web.Response:
        name = request.match_info["name"]
        if name == "robots.txt":
            return web.Response(text="User-agent: *\nDisallow: /private\n")
        if name == "moved":
            return web.Response(status=302, headers={"Location": "/there"})
        return web.Response(text=SMALL[name], content_type="text/html")

    app = web.Application()
    app.router.add_route("*", "/{name}", handle)
    return app


@pytest.fixture(scope="module")
def department() -> Iterator[Department]:
    worlds = []

    def make(root: str) -> web.Application:
        worlds.append(World(seed=3, departments=1, pages=400, base=root))
        return application(worlds[0])

    with served(make):
        yield Department(worlds[0])


@pytest.fixture(scope="module")
def crawled(department: Department) -> dict[str, Any]:
    """Return the results of all crawls; they share one process, which is slow to start."""
    many = {"CLOSESPIDER_PAGECOUNT": 2 * PAGES, "CONCURRENT_REQUESTS": 8}
    jobs = {name: department.job(name) for name in (*EXACT, "breadth-first")}
    jobs["ours"] = department.job("keywords", **many)
    jobs["theirs"] = {"settings": many, "start": [department.seed]}
    with served(small) as root:
        jobs["mixed"] = {
            "settings": {
                "SCHEDULER_PRIORITY_QUEUE": QUEUE,
                "LYCOSA_SPIDER": "keywords(robots)",
                "ROBOTSTXT_OBEY": True,
            },
            "start": [f"{root}/hub"],
            "mixed": True,
            "ending": "robots",
        }
        command = [sys.executable, str(Path(__file__).with_name("crawling.py"))]
        done = subprocess.run(
            command,
            input=json.dumps(jobs),
            capture_output=True,
            text=True,
            check=False,
            timeout=300,
        )
    assert not done.returncode, done.stderr
    assert not done.stderr
    return json.loads(done.stdout)


@pytest.mark.parametrize("name", EXACT)
def test_order_equals_that_of_the_state_machine(crawled, department, name):
    done = crawled[name]
    # Scrapy does not remember start requests, and asks once more for the front page.
    asked = list(dict.fromkeys(canonical(url) for url in done["asked"]))
    assert len(asked) == len(done["asked"]) - 1 > PAGES / 2
    assert asked == department.expected(name)[: len(asked)]
    assert done["stats"]["lycosa/pages"] == len(asked)
    found = {url for url in asked if url in department.papers}
    assert done["stats"]["lycosa/targets"] == len(found) > 5


def test_breadth_first_equals_the_simulation(crawled, department):
    urls = department.site.tables.urls
    numbers = [urls.find(canonical(url)) for url in crawled["breadth-first"]["asked"]]
    first = list(dict.fromkeys(number for number in numbers if number is not None))
    assert len(first) > PAGES / 2
    budget = Budget(pages=len(first))
    steps = simulate(department.site, BreadthFirst(), Listed("papers", ()), budget)
    assert first == [step.page.number for step in steps]


def test_finds_more_than_scrapy_alone(crawled, department):
    def found(name: str) -> int:
        return len({canonical(url) for url in crawled[name]["asked"]} & set(department.papers))

    assert found("ours") > 1.3 * found("theirs") > 0


def test_priorities_forms_and_repeats_keep_their_place(crawled):
    done = crawled["mixed"]
    # Priority 3; without a score; by score, a redirect being followed at once; priority -5.
    assert done["asked"] == [
        "GET hub", "GET plain", "POST form", "GET nowhere", "GET robots", "GET there",
        "GET plain", "GET last",
    ]  # fmt: skip
    stats = done["stats"]
    assert (stats["lycosa/pages"], stats["lycosa/targets"]) == (7, 1)  # "plain" is one page
    assert stats["lycosa/unscored"] == 4  # hub, form, nowhere, and where the redirect leads
    assert stats["dupefilter/filtered"] == 1
    assert stats["item_scraped_count"] == 8


def made(settings: dict[str, Any], key: str = "") -> Any:
    crawler = get_crawler(Spider, settings)
    return build_from_crawler(load_object(QUEUE), crawler, downstream_queue_cls=None, key=key)


def test_spider_from_a_file_and_changed_pages(tmp_path):
    world = World(seed=3, departments=1, pages=150)
    path = tmp_path / "papers.lyc"
    recipe = spider("rl(nb)")
    models = recipe.train(world.sites, "papers")
    save_spider(path, recipe, "papers", models, sites=["generated"])
    queue = made({"LYCOSA_SPIDER": str(path), "LYCOSA_GOAL": "title:changed"})

    def respond(url: str, text: str, method: str = "GET") -> None:
        queue.push(Request(url, method=method, dont_filter=True))
        request = queue.pop()
        assert request.url == url
        response = HtmlResponse(url, body=text.encode(), headers={"Content-Type": "text/html"})
        queue._observe(response=response, request=request)
        queue._observe(response=response, request=request)  # a response counts once

    root = "http://a.example/"
    respond(root, "<a href=news>News</a> <a href=pubs/a.pdf>Paper</a>")
    respond(root, "<a href=news>News</a>")  # nothing new
    respond(root, "<title>Changed</title> <a href=pubs/b.pdf>Paper</a>")
    respond(root, "", "POST")
    for name in ("news", "pubs/a.pdf", "pubs/b.pdf"):
        queue.push(Request(root + name))
    assert len(queue) == 3
    asked = [queue.pop().url.removeprefix(root) for _ in range(3)]
    assert set(asked[:2]) == {"pubs/a.pdf", "pubs/b.pdf"}
    assert queue.pop() is None
    assert queue.close() == []
    stats = queue._stats.get_stats()
    assert (stats["lycosa/pages"], stats["lycosa/targets"]) == (3, 1)


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ({"LYCOSA_SPIDER": "keywords"}, "LYCOSA_GOAL must be a query"),
        ({"LYCOSA_GOAL": "robots"}, "LYCOSA_SPIDER must name a spider"),
        ({"LYCOSA_GOAL": "x", "LYCOSA_SPIDER": "keyword"}, "did you mean 'keywords'"),
        ({"LYCOSA_GOAL": "x", "LYCOSA_SPIDER": "rl(nb)"}, "set LYCOSA_SPIDER to mine.lyc"),
        ({"LYCOSA_GOAL": "x", "LYCOSA_SPIDER": "keywords", "JOBDIR": "j"}, "remove JOBDIR"),
    ],
    ids=["goal", "spider", "unknown", "untrained", "paused"],
)
def test_misuse_is_an_error_of_one_sentence(settings, words):
    with pytest.raises(UsageError, match=words):
        made(settings, settings.get("JOBDIR", ""))
