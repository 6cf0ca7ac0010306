"""What authors ask for, in a whole crawl: which pages a server is asked for."""

import asyncio

import pytest

from crawler.http.hostile import answer
from crawler.live.small import Web, crawl, links, walk
from lycosa.core import Budget
from lycosa.crawler.live.page_rules import NO_RULES, PageRules, RuleHistory
from lycosa.crawler.storage.repair import repair_crawl
from lycosa.crawler.storage.store import UNKNOWN_RULES


def directive_web() -> Web:
    meta = '<head><meta name="{}" content="nofollow"></head>'
    return Web(
        {
            "a.example/": links("/rel", "/meta", "/named", "/other", "/tag", "/tagged", "/copy"),
            "a.example/rel": '<a href=/1 rel="nofollow">no</a> <a href=/2 rel=ugc>yes</a>',
            "a.example/meta": meta.format("robots") + links("/3"),
            "a.example/named": meta.format("lycosa") + links("/4"),
            "a.example/other": meta.format("otherbot") + links("/5"),
            "a.example/tag": answer(body=links("/6").encode(), X_Robots_Tag="nofollow"),
            "a.example/tagged": answer(
                body=links("/7").encode(), X_Robots_Tag="otherbot: nofollow"
            ),
            "a.example/copy": "<head><link rel=canonical href=/8></head>" + links("/9"),
        }
    )


FIRST = ["/", "/rel", "/meta", "/named", "/other", "/tag", "/tagged", "/copy"]


def requested(runs, folder=None, between=lambda: None):
    """Return the paths that a crawl requested, in runs of so many pages with such settings."""

    async def run():
        async with directive_web() as web:
            for n, (pages, given) in enumerate(runs):
                if n:
                    between()
                await walk(crawl(web, folder=folder, budget=Budget(pages=pages), **given))
            return [place.partition("/")[2] for place in web.places]

    found = asyncio.run(run())
    assert sorted(found) == sorted(set(found)), "every page is requested once"
    assert {path.removeprefix("/") for path in FIRST} <= set(found)
    return sorted(path for path in found if path.isdecimal())


@pytest.mark.parametrize(
    ("options", "paths"),
    [
        ({}, "2 5 7 8 9"),
        ({"nofollow": False}, "1 2 3 4 5 6 7 8 9"),
        ({"canonical": False}, "2 5 7 9"),
        ({"nofollow": False, "canonical": False}, "1 2 3 4 5 6 7 9"),
    ],
)
def test_links_are_followed_as_the_author_asks(options, paths):
    assert requested([(None, options)]) == paths.split()


def test_a_resumed_crawl_requests_the_same(tmp_path):
    assert (
        requested([(pages, {}) for pages in (3, 7, None)], tmp_path / "crawl")
        == "2 5 7 8 9".split()
    )


def test_a_changed_setting_does_not_change_what_earlier_runs_have_read(tmp_path):
    runs = [(len(FIRST), {}), (None, {"nofollow": False})]
    assert requested(runs, tmp_path / "crawl") == "2 5 7 8 9".split()
    runs = [(len(FIRST), {"nofollow": False}), (None, {})]
    assert requested(runs, tmp_path / "other") == "1 2 3 4 5 6 7 8 9".split()


def test_rules_are_noted_with_the_step_from_which_they_are_valid():
    strict = PageRules(nofollow=True, canonical=True, name="spider")
    noted = RuleHistory().extended(0, strict)
    assert RuleHistory(noted).at(1) == strict
    assert RuleHistory(noted).extended(7, strict) is None
    changed = RuleHistory(noted).extended(7, NO_RULES)
    assert [RuleHistory(changed).at(n) for n in (1, 7, 8, 99)] == [strict] * 2 + [NO_RULES] * 2
    # Another run that made no step leaves nothing behind.
    again = RuleHistory(changed).extended(7, strict._replace(name="other"))
    assert RuleHistory(again).at(8).name == "other"


@pytest.mark.parametrize("noted", [None, {}, "x", [1], [[1, {}]], [["1", {"nofollow": True}]]])
def test_a_damaged_note_means_no_rules(noted):
    assert RuleHistory(noted).at(1) == NO_RULES


def test_a_crawl_from_before_there_were_rules_is_read_without_any():
    noted = RuleHistory(None).extended(5, PageRules(nofollow=True, canonical=True))
    assert RuleHistory(noted).at(5) == NO_RULES
    assert RuleHistory(noted).at(6).nofollow


def test_without_its_note_a_crawl_is_read_by_the_rules_of_the_run_that_resumes_it():
    strict = PageRules(nofollow=True, canonical=True)
    history = RuleHistory(UNKNOWN_RULES, strict)
    assert history.at(1) == strict
    assert RuleHistory(history.extended(5, strict)).at(1) == strict


def test_a_crawl_that_lost_its_step_log_and_was_repaired_follows_no_other_links(tmp_path):
    def lose_and_repair():
        (tmp_path / "crawl" / "crawl.db").unlink()
        repair_crawl(tmp_path / "crawl")

    runs = [(len(FIRST), {}), (None, {})]
    assert requested(runs, tmp_path / "crawl", between=lose_and_repair) == "2 5 7 8 9".split()
