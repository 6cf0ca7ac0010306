"""Scrapy spiders in a separate process: jobs as JSON in, requests and statistics out."""

import json
import sys
from typing import Any

import scrapy
from scrapy.crawler import CrawlerProcess
from scrapy.linkextractors import LinkExtractor

from lycosa.goals import Listed


class Plain(scrapy.Spider):
    name = "plain"
    allowed_domains = ("127.0.0.1",)
    links = LinkExtractor(
        allow=[r"^http://127\.0\.0\.1:"],
        deny_extensions=[],
        tags=["a", "area", "frame"],
        attrs=["href", "src"],
    )

    def parse(self, response):
        self.asked.append(response.url)
        if isinstance(response, scrapy.http.HtmlResponse):
            for link in self.links.extract_links(response):
                yield scrapy.Request(link.url)


class Mixed(Plain):
    """Requests of all kinds for the pages of one small site."""

    def parse(self, response):
        yield {"page": response.url}
        self.asked.append(f"{response.request.method} {response.url.rpartition('/')[2]}")
        if response.url.endswith("/hub"):
            for name in ("plain", "robots", "moved", "last"):
                yield response.follow(name, priority=-5 if name == "last" else 0)
            yield response.follow("plain", priority=3, dont_filter=True)
            yield response.follow("robots")
            yield scrapy.FormRequest(response.urljoin("form"), formdata={"q": "x"})
            yield response.follow("nowhere")


def main(jobs: dict[str, dict[str, Any]]) -> None:
    """Run all jobs at once, each with its own settings."""
    process = CrawlerProcess({"LOG_LEVEL": "ERROR", "TELNETCONSOLE_ENABLED": False})
    crawlers, asked = {}, {}
    for name, job in jobs.items():
        settings = {
            "CONCURRENT_REQUESTS": 1,
            "SCRAPER_SLOT_MAX_ACTIVE_SIZE": 1,  # no request while a page is parsed
            "HTTPERROR_ALLOW_ALL": True,
            "RETRY_ENABLED": False,
            **job["settings"],
        }
        if "papers" in job:
            settings["LYCOSA_GOAL"] = Listed("papers", job["papers"])
        if "ending" in job:
            ending = job["ending"]
            settings["LYCOSA_GOAL"] = lambda response, end=ending: response.url.endswith(end)
        kind = Mixed if job.get("mixed") else Plain
        spider = type(kind.name, (kind,), {"custom_settings": settings})
        asked[name] = []
        crawlers[name] = process.create_crawler(spider)
        process.crawl(crawlers[name], start_urls=job["start"], asked=asked[name])
    process.start()
    done = {}
    for name, crawler in crawlers.items():
        stats = {k: v for k, v in crawler.stats.get_stats().items() if isinstance(v, int)}
        done[name] = {"asked": asked[name], "stats": stats}
    print(json.dumps(done))


if __name__ == "__main__":
    main(json.loads(sys.stdin.read()))
