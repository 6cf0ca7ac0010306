"""A crawl that meets damage, is repaired, and resumes."""

import shutil

import pytest

from crawler.live.small import crawl, links, moved, paths, rows, walk, within
from lycosa.crawler.storage.reader import CrawlReader
from lycosa.crawler.storage.repair import LostPage, repair_crawl

PAGES = {
    "a.example/": links("/1", "/2", "/3"),
    "a.example/1": "a paper",
    "a.example/2": moved("/two"),
    "a.example/two": "a paper " + links("/hidden"),
    "a.example/3": "nothing",
    "a.example/hidden": "a paper",
}


def damage(folder, final):
    with CrawlReader.open(folder) as reader:
        [step] = [step for step in reader.entries() if step.final.endswith(final)]
    path = folder / "archive" / "00001.warc.gz"
    data = bytearray(path.read_bytes())
    data[step.offset + step.length // 2] ^= 8
    path.write_bytes(data)
    return step.n


def test_a_damaged_record_costs_its_page_which_is_said_and_requested_again(tmp_path):
    async def scenario(web):
        await walk(crawl(web, folder=tmp_path))
        damage(tmp_path, "/two")
        live = crawl(web, folder=tmp_path)
        steps = await walk(live)
        assert paths(web, steps) == ["a.example/two"]
        [notice] = live.status().notices
        assert notice.kind == "damage"
        assert notice.words.startswith("1 page is damaged in the archive: run lycosa repair")
        live = crawl(web, folder=tmp_path)
        assert await walk(live) == [], "it is there now"

    within(30, PAGES, scenario)


@pytest.mark.parametrize("also", ["nothing", "crawl.db"])
def test_a_repaired_crawl_requests_the_lost_page_and_counts_it_once(tmp_path, also):
    async def scenario(web):
        await walk(crawl(web, folder=tmp_path))
        before = {row.final: row.reward for row in rows(tmp_path)}
        n = damage(tmp_path, "/two")
        if also == "crawl.db":
            (tmp_path / "crawl.db").unlink()
        report = repair_crawl(tmp_path)
        assert report.lost == [LostPage(n, web.url("a.example/2"))]
        live = crawl(web, folder=tmp_path)
        steps = await walk(live)
        assert paths(web, steps) == ["a.example/two"]
        assert live.status().notices == ()
        assert live.crawl.found == 3
        assert {row.final: row.reward for row in rows(tmp_path) if not row.fault} == before
        assert await walk(crawl(web, folder=tmp_path)) == []

    within(30, PAGES, scenario)


def test_a_crawl_without_its_step_log_resumes_as_if_nothing_happened(tmp_path):
    async def scenario(web):
        whole, broken = tmp_path / "whole", tmp_path / "broken"
        await walk(crawl(web, folder=whole))
        shutil.copytree(whole, broken)
        (broken / "crawl.db").unlink()
        repair_crawl(broken)
        assert rows(broken) == rows(whole)
        web.answers["a.example/3"] = links("/late")
        for folder in (whole, broken):
            live = crawl(web, folder=folder, refresh=True)
            assert sorted(paths(web, await walk(live)))[-1] == "a.example/two"
        assert [row.final for row in rows(broken)] == [row.final for row in rows(whole)]

    within(40, PAGES, scenario)
