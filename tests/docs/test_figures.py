"""Figures on the pages that are constants of the code: changing one means changing the page."""

from __future__ import annotations

from importlib import import_module

import pytest

import realdata

DOCS = realdata.ROOT / "docs"

FIGURES = [
    ("explanation/live-crawl.md", "every {} steps", "crawler.live.recorder:COMMIT_STEPS"),
    ("explanation/live-crawl.md", "at most {} of a host", "crawler.live.page_reader:MAX_SITEMAPS"),
    (
        "explanation/traps.md",
        "after {} consecutive pages that",
        "spiders.traps.trap_statistics:MIN_BAD_PAGES",
    ),
    (
        "explanation/traps.md",
        "after {} consecutive pages, and",
        "spiders.traps.trap_statistics:MIN_CHAIN_PAGES",
    ),
    ("explanation/traps.md", "1 link in {}", "spiders.traps.wary:SAMPLE_INTERVAL"),
    ("explanation/topic-discovery.md", "at most {}, and", "topics.discovery:MAX_TOPICS"),
    ("explanation/topic-discovery.md", "one for {} doc", "topics.discovery:MEAN_TOPIC_DOCUMENTS"),
    ("explanation/topics.md", "{} documents", "topics.classifier:MAX_CALIBRATION_DOCUMENTS"),
    ("explanation/extraction.md", "up to {} words", "papers.extraction.extractor:MAX_WORDS"),
    ("explanation/search.md", "up to {} characters", "portal.search.highlight:MAX_SCANNED"),
    ("explanation/search.md", "at most {}, written", "portal.search.vocabulary:MAX_WORDS"),
    ("explanation/search.md", "up to {} works", "portal.search.selection:MAX_GATHERED"),
    ("explanation/state.md", "level {}:", "crawler.storage.records:COMPRESSION_LEVEL"),
    ("how-to/crawl-the-web.md", "{} pages", "project.template:NEW_PROJECT_PAGES"),
    ("how-to/serve-a-portal.md", "long run, {} by default", "portal.web.settings:RATE"),
    ("how-to/serve-a-portal.md", "{} characters", "portal.web.search_request:MAX_QUERY_LENGTH"),
    ("how-to/use-the-api.md", "end at page {}", "portal.api.searching:MAX_PAGES"),
    ("reference/topics-file.md", "at most {} topics deep", "topics.outline:MAX_DEPTH"),
]


@pytest.mark.parametrize(("page", "phrase", "constant"), FIGURES)
def test_the_page_has_the_figure_of_the_code(page, phrase, constant):
    module, _, name = constant.partition(":")
    figure = f"{int(getattr(import_module(f'lycosa.{module}'), name)):,}"
    assert phrase.format(figure) in (DOCS / page).read_text()
