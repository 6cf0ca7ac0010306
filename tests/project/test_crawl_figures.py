import json
import sqlite3
from datetime import datetime

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lycosa.crawler.recall import Estimate
from lycosa.crawler.storage.reader import CrawlReader
from lycosa.crawler.storage.sqlite import SqliteStore
from lycosa.project import crawl_figures as module
from lycosa.project.crawl_figures import MAX_CURVE_POINTS, MAX_INTERVALS, MAX_NEWEST, figures
from lycosa.project.crawl_figures import MAX_HOSTS as MOST_HOSTS
from lycosa.project.crawl_report import report
from project.crawl_folders import WHEN, add, answer, crawl


def read(folder):
    with CrawlReader.open(folder) as ledger:
        return figures(ledger)


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    place = tmp_path_factory.mktemp("crawl")
    crawl(place).close()
    return place


@pytest.fixture(scope="module")
def facts(folder):
    return read(folder)


def test_numbers_match_the_step_log(folder, facts):
    with SqliteStore.open(folder) as store:
        counts = store.counts()
    assert (facts.steps, facts.targets, facts.bytes) == (200, counts.targets, counts.bytes)
    assert facts.steps - facts.faults == counts.answers
    assert {n.name: n.count for n in facts.fault_names} == {
        "dns": 4, "timeout-read": 2, "a-new-fault": 2
    }  # fmt: skip
    assert [(n.name, n.count) for n in facts.statuses] == [("200", 191), ("404", 1)]
    assert [(n.name, n.count) for n in facts.types] == [("text/html", 192)]


def test_figures_include_the_notes_of_the_run(facts):
    assert (facts.goal, facts.spider, facts.reason) == ("papers", "rl(svm)", "budget: pages")
    assert facts.estimate == Estimate(40, 62.5, 0.5, 0.9)
    assert (facts.seconds, facts.requests, facts.known, facts.waiting) == (725.0, 230, 900, 700)
    assert facts.seeds == ("http://a.example/",)


def test_hosts_add_up(facts):
    assert [host.host for host in facts.hosts] == ["www.a.example", "b.example:8080"]
    for name in ("pages", "targets", "faults"):
        total = facts.steps if name == "pages" else getattr(facts, name)
        assert sum(getattr(host, name) for host in facts.hosts) == total
    assert [host.answer_seconds for host in facts.hosts] == [0.25, None]
    assert facts.all_hosts == 2


def test_lists_waiting_hosts_with_reasons(facts):
    assert [tuple(wait) for wait in facts.waits] == [
        ("www.a.example", "its turn", None, 2),
        ("b.example:8080", "back-off after 503", 30.0, 1),
        ("gone.example", "quarantine", 3000.0, 0),
    ]


def test_curve_and_histogram_cover_the_whole_crawl(facts):
    assert facts.curve[-1] == (200, facts.targets)
    assert sum(facts.pace.counts) == 200
    assert len(facts.pace.counts) == MAX_INTERVALS
    began, ended = map(datetime.fromisoformat, (facts.began, facts.ended))
    assert facts.pace.width * MAX_INTERVALS == pytest.approx((ended - began).total_seconds())


def test_words_distinguish_targets(facts):
    assert facts.target_words[0].word == "papers"
    assert facts.other_words[0].word == "people"
    assert not {w.word for w in facts.target_words} & {w.word for w in facts.other_words}


def test_newest_targets_come_first_with_titles(facts):
    assert facts.newest[0].n == 195
    assert facts.newest[0].title == "Page & number 195"
    numbers = [found.n for found in facts.newest]
    assert numbers == sorted(numbers, reverse=True)
    assert len(numbers) == min(MAX_NEWEST, facts.targets)


def test_figures_are_json(facts):
    text = json.dumps(facts.to_json(), allow_nan=False)
    data = json.loads(text)
    assert data["waits"][1] == {
        "host": "b.example:8080", "why": "back-off after 503", "seconds": 30.0, "urls": 1
    }  # fmt: skip
    assert data["estimate"] == {"found": 40, "total": 62.5, "low": 0.5, "high": 0.9}


def test_an_empty_crawl_has_figures(tmp_path):
    SqliteStore.open(tmp_path).close()
    facts = read(tmp_path)
    assert (facts.steps, facts.curve, facts.pace, facts.newest) == (0, (), None, ())
    assert facts.estimate is None


def test_a_crawl_of_one_page_has_figures(tmp_path):
    with SqliteStore.open(tmp_path) as store:
        add(store, 1, "http://a.example/", answer("http://a.example/"), reward=1.0)
    facts = read(tmp_path)
    assert facts.curve == ((1, 1),)
    assert facts.pace.counts == (1,)


def test_says_that_the_crawl_is_running(tmp_path):
    with crawl(tmp_path, 10, notes=False):
        assert read(tmp_path).at_work
    assert not read(tmp_path).at_work


@pytest.mark.parametrize("steps", [299, 300, 301, 2000])
def test_limits_the_points_of_the_curve(tmp_path, steps):
    many(tmp_path, steps)
    curve = read(tmp_path).curve
    assert len(curve) <= MAX_CURVE_POINTS
    assert curve[-1][0] == steps


def test_limits_lists_and_counts_the_rest(tmp_path):
    many(tmp_path, 300)
    facts = read(tmp_path)
    assert (len(facts.hosts), facts.all_hosts) == (MOST_HOSTS, 300)
    assert facts.types[-1].name == "others"
    assert sum(number.count for number in facts.types) == 300


def test_drops_rare_words_when_there_are_too_many(tmp_path, monkeypatch):
    crawl(tmp_path).close()
    monkeypatch.setattr(module, "_MAX_VOCABULARY", 20)
    facts = read(tmp_path)
    assert facts.target_words[0].word == "papers"


def many(folder, steps):
    """Rows without an archive, each on a host and of a type of its own."""
    SqliteStore.open(folder).close()
    database = sqlite3.connect(folder / "crawl.db")
    rows = (
        (n, f"http://h{n}.example/", "", 200, f"x/{n}", None, 0.0, 0, 0.0, WHEN.isoformat(),
         None, None, None, None)
        for n in range(1, steps + 1)
    )  # fmt: skip
    database.executemany(f"INSERT INTO steps VALUES ({', '.join('?' * 14)})", rows)
    database.commit()
    database.close()


ANYTHING = st.recursive(
    st.none() | st.booleans() | st.floats() | st.integers() | st.text(),
    lambda inner: st.lists(inner, max_size=5) | st.dictionaries(st.text(), inner, max_size=5),
)


NOTES = "goal spider seeds reason seconds requests known waiting estimate".split()
NUMBERS = st.lists(st.integers() | st.floats(), min_size=4, max_size=4)
TEMPO = st.fixed_dictionaries(
    {}, optional=dict.fromkeys(("slow", "quarantine", "back-off"), ANYTHING)
)
HOST = st.fixed_dictionaries({}, optional={"tempo": TEMPO, "waiting": ANYTHING})


@pytest.fixture(scope="module")
def store(tmp_path_factory):
    with SqliteStore.open(tmp_path_factory.mktemp("odd")) as store:
        add(store, 1, "http://a.example/", answer("http://a.example/"))
        yield store


@settings(deadline=None, max_examples=50)
@given(
    st.fixed_dictionaries(dict.fromkeys(NOTES, ANYTHING) | {"estimate": NUMBERS | ANYTHING}),
    st.dictionaries(st.text(), HOST | ANYTHING) | ANYTHING,
)
def test_accepts_malformed_notes(store, run, hosts):
    store.put("run", run)
    store.put("hosts", hosts)
    store.commit()
    facts = read(store.folder)
    assert json.dumps(facts.to_json(), allow_nan=False)
    assert report(facts)
