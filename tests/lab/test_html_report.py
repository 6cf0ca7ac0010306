import re
from html.parser import HTMLParser

import pytest
from rich.console import Console

from lycosa.lab import experiment, report, tables
from small_sites import DictSite, random_graph_site

SPIDERS = ["breadth-first", "depth-first", "random", "optimal"]
VOID = {"meta", "path", "circle"}


@pytest.fixture(scope="module")
def results():
    sites = [random_graph_site(seed, 300, 1200, 20) for seed in range(2)]
    sites[0].name, sites[1].name = "first", "<second & last>"
    return experiment(sites, "papers", SPIDERS, seeds=[1, 2])


@pytest.fixture(scope="module")
def page(results):
    return report(results, command="lycosa bench <x>", seeds=[1, 2])


class Nesting(HTMLParser):
    """Fails where tags do not match; keeps the attributes."""

    def __init__(self):
        super().__init__()
        self.open, self.attributes, self.ids, self.labels = [], [], set(), set()

    def handle_starttag(self, tag, attrs):
        attrs = dict(attrs)
        self.attributes.append((tag, attrs))
        self.ids.add(attrs.get("id"))
        self.labels.add(attrs.get("aria-labelledby"))
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attrs):
        assert tag in VOID

    def handle_endtag(self, tag):
        assert self.open.pop() == tag


def test_the_page_is_well_formed_and_labelled(page):
    parser = Nesting()
    parser.feed(page)
    assert parser.open == []
    assert parser.labels <= parser.ids
    tags = [tag for tag, _ in parser.attributes]
    assert tags.count("h1") == 1
    assert all("scope" in attrs for tag, attrs in parser.attributes if tag == "th")
    images = [a for t, a in parser.attributes if t == "svg"]
    assert all(a.get("role") == "img" or a.get("aria-hidden") == "true" for a in images)


def test_page_is_self_contained(page):
    assert not re.search(r"(https?:|src=|@import|url\(|<script|<link)", page)


def test_names_are_escaped_and_facts_shown(page):
    assert "<second" not in page
    assert "&lt;second &amp; last&gt;" in page
    assert "<code>lycosa bench &lt;x&gt;</code>" in page
    assert "1, 2" in page


def test_one_curve_for_every_run_and_a_row_too(page, results):
    assert page.count('<g class="curve"') == len(results.runs) == 12
    assert page.split('id="runs"')[1].count("<tr>") == len(results.runs) + 1
    assert "random (seed 2): integral" in page


def test_the_spread_over_seeds_is_shown(page, results):
    spread = f"{100 * results.summary[2].spread:.1f} %"
    summary = page.split('id="curves"')[0]
    assert "Spread</th>" in summary
    assert spread in summary
    console = Console(width=80)
    with console.capture() as capture:
        console.print(tables(results))
    random = [line for line in capture.get().splitlines() if line.startswith("random")][-1]
    assert spread in random


def test_single_seed_is_not_shown(results):
    site = DictSite({"s": ["a", "p"]}, {"papers": ["p"]})
    one = experiment([site], "papers", SPIDERS)
    assert "Seed</th>" not in report(one, command="")
    assert "one recorded site" in report(one, command="")
    console = Console(width=100)
    with console.capture() as capture:
        console.print(tables(one))
    assert "seed" not in capture.get()
    assert "spread" not in capture.get()
    assert "no interval" in capture.get()


def test_tables_fit_a_terminal_of_eighty_columns(results):
    console = Console(width=80)
    with console.capture() as capture:
        console.print(tables(results))
    text = capture.get()
    assert "…" not in text
    assert max(len(line.rstrip()) for line in text.splitlines()) < 80  # nothing was cut off
    assert "first: 18 papers in 286 URLs" in text
    assert "Summary over 2 sites" in text
