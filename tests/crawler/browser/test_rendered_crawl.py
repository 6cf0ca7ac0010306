"""A crawl of a site whose links are written by script: with rendering, without, and interrupted."""

import asyncio
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from bench.crawl_render import crawl_of, measure, run_to_end, serving

from crawler.browser.shown import needs_browser
from crawler.browser.test_fetcher import processes
from lycosa.archive.reader import read_warc
from lycosa.crawler.storage.sqlite import SqliteStore
from lycosa.project import Project

ROOT = Path(__file__).parents[3]
PAGES = 100


def test_a_crawl_that_does_not_render_finds_nothing_and_says_what_to_try():
    with serving(PAGES, scripted=True) as served:
        live = crawl_of(served, "never")
        assert asyncio.run(run_to_end(live)) == 0
    notices = {notice.kind: notice.words for notice in live.status().notices}
    assert notices["script-menus"] == (
        "1 page has few links and menus that may be written by script: try --render auto."
    )


def test_a_crawl_of_plain_pages_has_no_notice():
    with serving(PAGES, scripted=False) as served:
        live = crawl_of(served, "never")
        assert asyncio.run(run_to_end(live)) > 0
    assert not live.status().notices


@needs_browser
def test_rendering_finds_the_targets_at_little_more_requests_and_survives_a_resume(tmp_path):
    plain = measure(PAGES, scripted=False, mode="never")
    with serving(PAGES, scripted=True) as served:
        first = crawl_of(served, "auto", SqliteStore.open(tmp_path))
        found = asyncio.run(run_to_end(first))
        requests = served.requests
        # The second run reads the rendered documents: it finds every link again, and has
        # nothing left to request.
        second = crawl_of(served, "never", SqliteStore.open(tmp_path))
        assert asyncio.run(run_to_end(second)) == found
        assert served.requests == requests
    assert found >= 0.95 * plain.targets
    assert requests <= 1.3 * plain.requests
    assert first.status().requests == requests
    assert first.status().known == second.status().known
    records = [r for path in (tmp_path / "archive").glob("*.gz") for r in read_warc(path)]
    kinds = [record.type for record in records]
    assert kinds.count("conversion") > 10
    scripts = [r for r in records if r.type == "response" and r.url.endswith("/menus.js")]
    assert len(scripts) == 1


@needs_browser
def test_a_crawl_survives_kills_of_the_browser():
    kills = []

    async def run(live):
        async for step in live:
            if step.n in (5, 12, 20):
                kills.append(live._fetcher.renderer.pid)
                os.kill(kills[-1], signal.SIGKILL)
            elif step.n == 30:
                live.stop()

    with serving(PAGES, scripted=True) as served:
        live = crawl_of(served, "auto")
        asyncio.run(run(live))
    assert len(kills) == 3
    assert live.crawl.pages >= 30
    # A page is lost only to two kills, and a kill hits at most the two pages that are open.
    assert live.progress.render_faults.total() <= len(kills)
    assert set(live.progress.render_faults) <= {"browser-crashed"}
    assert not any(processes(pid) for pid in kills)


CRAWL = """
import asyncio, sys
from bench.crawl_render import crawl_of, serving

async def run(live):
    async for step in live:
        if step.n == 3:
            print(live._fetcher.renderer.pid, flush=True)

with serving(100, scripted=True) as served:
    asyncio.run(run(crawl_of(served, "auto")))
"""


@needs_browser
def test_no_browser_outlives_a_crawl_that_is_killed():
    command = [sys.executable, "-c", CRAWL]
    path = os.pathsep.join([str(ROOT), str(ROOT / "src")])
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, text=True, env={**os.environ, "PYTHONPATH": path}
    ) as crawl:
        browser = int(crawl.stdout.readline())
        assert processes(browser)
        crawl.kill()
    deadline = time.monotonic() + 60
    while processes(browser) and time.monotonic() < deadline:
        time.sleep(0.1)
    assert not processes(browser)


@needs_browser
def test_the_command_line_renders_and_remembers_it(tmp_path):
    with serving(PAGES, scripted=True) as served:
        command = [
            *(sys.executable, "-m", "lycosa.cli", "crawl", served.site.base + "/"),
            *("--goal", "paper", "--contact", "t@example.org", "-o", str(tmp_path / "project")),
            *("--render", "auto", "--pages", "5", "--delay", "0", "--loopback", "--quiet"),
        ]
        environment = {**os.environ, "PYTHONPATH": str(ROOT / "src")}
        done = subprocess.run(
            command, check=False, capture_output=True, text=True, env=environment, timeout=300
        )
    assert done.returncode == 0, done.stderr
    assert served.asked["/menus.js"] == 1
    assert Project.load(tmp_path / "project").job.rendering.mode == "auto"


@pytest.mark.parametrize("mode", ["sometimes", 3])
def test_a_mode_that_does_not_exist_is_refused(tmp_path, mode):
    project = Project.of_urls(tmp_path, ["http://a.example/"], "robot", contact="t@example.org")
    project.write()
    file = tmp_path / "lycosa.toml"
    text = file.read_text()
    assert '# mode = "never"' in text
    file.write_text(text.replace('# mode = "never"', f"mode = {mode!r}"))
    with pytest.raises(Exception, match=r'rendering\.mode must be "never", "auto" or "always"'):
        Project.load(tmp_path)
