"""The report of a live crawl: whole, safe, and the same for crawls of every size."""

import re
import shutil
import subprocess
from html.parser import HTMLParser
from pathlib import Path

import pytest

from lycosa.crawler.http.faults import Fault
from lycosa.crawler.http.response import Response
from lycosa.crawler.storage.reader import CrawlReader
from lycosa.crawler.storage.sqlite import SqliteStore
from lycosa.project.crawl_figures import figures
from lycosa.project.crawl_report import report
from project.crawl_folders import NASTY, RUN, WHEN, add, answer, crawl

VOID = {"meta", "path", "circle", "br"}
CHROMIUM = shutil.which("chromium")


def read(folder):
    with CrawlReader.open(folder) as ledger:
        return report(figures(ledger))


class Reader(HTMLParser):
    """Fails where tags do not match; keeps tags with their attributes, and the text."""

    def __init__(self, page):
        super().__init__()
        self.open, self.tags, self.text = [], [], ""
        self.feed(page)
        assert self.open == []

    def handle_starttag(self, tag, attrs):
        self.tags.append((tag, dict(attrs)))
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attrs):
        assert tag in VOID

    def handle_endtag(self, tag):
        if tag not in VOID:  # a browser closes those too
            assert self.open.pop() == tag

    def handle_data(self, data):
        self.text += data


@pytest.fixture(scope="module")
def page(tmp_path_factory):
    folder = tmp_path_factory.mktemp("crawl")
    (folder / "lycosa.toml").write_text('[requests]\nproxy = "http://me:hunter2@p.example"\n')
    crawl(folder).close()
    return read(folder)


@pytest.fixture(scope="module")
def hostile(tmp_path_factory):
    folder = tmp_path_factory.mktemp("hostile")
    urls = [
        f"http://a.example/{NASTY}", f"http://{NASTY}.example/", "javascript:alert(1)",
        "data:text/html,<script>alert(1)</script>", NASTY, "http://a.example/\u202e\x1b[2J\x00",
        "", "http://" + "x" * 5000, "http://a.example/'onmouseover='alert(1)",
    ]  # fmt: skip
    with SqliteStore.open(folder) as store:
        for n, url in enumerate(urls, 1):
            title = NASTY if n % 2 else "&lt;script&gt;alert(2)&lt;/script&gt;\u202e"
            kind = b"text/html" if n % 3 else f"text/html{NASTY}".encode()
            add(store, n, url, answer(url, title=title, type=kind), reward=1.0)
        last = len(urls) + 1
        add(store, last, urls[0], Response(urls[0], WHEN, fault=NASTY))
        store.put("run", RUN | dict.fromkeys(("goal", "spider", "reason"), NASTY) | {"seeds": urls})
        waits = {"tempo": {"back-off": 9.0, "why": NASTY}, "waiting": 1}
        store.put("hosts", {NASTY: waits})
    (folder / "lycosa.toml").write_text(f"'{NASTY}' = '{NASTY}'\n")
    return read(folder)


def test_the_page_is_well_formed_and_labelled(page):
    reader = Reader(page)
    names = [tag for tag, _ in reader.tags]
    assert names.count("h1") == 1
    assert all("scope" in attrs for tag, attrs in reader.tags if tag == "th")
    ids = {attrs.get("id") for _, attrs in reader.tags}
    assert {attrs.get("aria-labelledby") for _, attrs in reader.tags} <= ids
    images = [attrs for tag, attrs in reader.tags if tag == "svg"]
    assert len(images) == 2
    assert all(attrs.get("role") == "img" for attrs in images)


def test_the_page_contains_all_figures(page):
    text = Reader(page).text
    for part in (
        "Looking for papers", "32 targets in 200 pages, 16 for every 100.",
        "Of the targets within reach: between 50 and 90 % found (likely 64 %).",
        "Stopped: the page budget is used up.",
        "Spider rl(svm), from http://a.example/", "people",
        "2026-01-02 03:04:12 UTC", "12 min 5 s",
        "Targets: between 44 and 80 (90 %), likely 62.",
        "back-off after 503", "50 min 0 s", Fault.DNS.words, "a-new-fault", "b.example:8080",
        "Page & number 195", "(not shown)", "22 more",
    ):  # fmt: skip
        assert part in text
    assert "hunter2" not in page


def test_the_page_loads_nothing_from_other_hosts(page, hostile):
    for each in (page, hostile):
        reader = Reader(each)
        assert not {tag for tag, _ in reader.tags} & {"script", "link", "img", "iframe", "object"}
        for tag, attrs in reader.tags:
            assert not {"src", "srcset", "style", "action", "ping"} & attrs.keys()
            assert not [name for name in attrs if name.startswith("on")]
            assert tag == "a" or "href" not in attrs
        style = re.search("<style>(.*?)</style>", each, re.DOTALL)[1]
        assert not re.search(r"url\(|@import", style)
        assert "default-src 'none'" in each


def test_links_are_http_without_referrer(page, hostile):
    for each in (page, hostile):
        links = [attrs for tag, attrs in Reader(each).tags if tag == "a"]
        assert links
        assert all(re.match("https?://", attrs["href"]) for attrs in links)
        assert all("noreferrer" in attrs["rel"] for attrs in links)


def test_hostile_text_is_escaped(hostile):
    reader = Reader(hostile)
    assert "<script" not in hostile
    assert "alert(1)" in reader.text
    assert "alert(2)" in reader.text
    assert "\u202e" not in reader.text
    assert "\x1b" not in reader.text
    visible = hostile.replace("\n", "")
    shown = re.sub(r'href="[^"]*"', "", visible)  # an address must be what it is
    assert shown.isprintable()
    assert "x" * 500 not in reader.text


def test_an_empty_crawl_has_a_report(tmp_path):
    SqliteStore.open(tmp_path).close()
    text = Reader(read(tmp_path)).text
    assert "0 targets in 0 pages." in text
    assert "No target was found yet." in text
    assert "was interrupted; it can be resumed" in text


def test_a_crawl_of_one_page_has_a_report(tmp_path):
    with SqliteStore.open(tmp_path) as store:
        add(store, 1, "http://a.example/", answer("http://a.example/", title="One"), reward=1.0)
        store.put("run", RUN | {"estimate": [1, 1.0, 1.0, 1.0], "reason": "frontier empty"})
    text = Reader(read(tmp_path)).text
    assert "1 target in 1 page, 100 for every 100." in text
    assert "Of the targets within reach: all found." in text


def test_says_that_the_crawl_is_running(tmp_path):
    with crawl(tmp_path, 10, notes=False):
        assert "The crawl is running." in read(tmp_path)


def test_says_that_the_number_of_targets_is_not_known(tmp_path):
    with SqliteStore.open(tmp_path) as store:
        add(store, 1, "http://a.example/", answer("http://a.example/"), reward=1.0)
        store.put("run", RUN | {"estimate": [1, 2.0, 0.02, 1.0]})
    text = Reader(read(tmp_path)).text
    assert "share found not known yet" in text
    assert "How many targets there are is not known yet." in text


def test_draws_an_estimate_without_an_upper_bound(tmp_path):
    with SqliteStore.open(tmp_path) as store:
        add(store, 1, "http://a.example/", answer("http://a.example/"), reward=1.0)
        store.put("run", RUN | {"estimate": [1, 1e20, 1e-320, 0.5]})
    assert "any number" in read(tmp_path)


@pytest.mark.skipif(CHROMIUM is None, reason="there is no browser")
def test_a_browser_runs_no_script_of_a_page(hostile, tmp_path):
    """Whatever a browser makes of the page, no script is in it."""
    (tmp_path / "page.html").write_text(hostile)
    flags = "--headless --no-sandbox --disable-gpu --no-first-run --disable-background-networking"
    command = [CHROMIUM, *flags.split(), f"--user-data-dir={tmp_path / 'profile'}", "--dump-dom"]
    address = (tmp_path / "page.html").as_uri()
    found = subprocess.run(
        [*command, address], capture_output=True, text=True, timeout=300, check=True
    )
    assert "Looking for" in found.stdout
    tags = {tag for tag, _ in Reader(found.stdout).tags}
    assert "script" not in tags


def test_the_documentation_lists_every_figure(tmp_path):
    SqliteStore.open(tmp_path).close()
    with CrawlReader.open(tmp_path) as ledger:
        names = list(figures(ledger).to_json())
    docs = Path(__file__).parents[2] / "docs" / "how-to" / "read-the-report.md"
    (block,) = re.findall(r"```text\n(.*?)```", docs.read_text(), re.DOTALL)
    outer = re.sub(r": *(\[[^\[\]]*(\[[^\]]*\][^\]]*)*\]|\{[^}]*\})", "", block)
    assert sorted(re.findall(r'"(\w+)"', outer)) == sorted(names)
