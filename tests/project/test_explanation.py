"""Accounts of real crawls, against what their steps and their spiders say."""

import json
import shutil
import sqlite3
import time
from contextlib import closing
from dataclasses import replace
from datetime import UTC, datetime

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from generated_departments import department
from lycosa.crawler.http.fetcher import ClientConfig
from lycosa.crawler.http.response import Response
from lycosa.crawler.live.job import Job
from lycosa.crawler.politeness.pace import Pace
from lycosa.crawler.storage.reader import CrawlReader
from lycosa.crawler.storage.sqlite import SqliteStore
from lycosa.errors import UsageError
from lycosa.project import Project
from lycosa.project.block_reasons import BlockReasons, forbidding_rule
from lycosa.project.explanation import MAX_PATH_STEPS, why
from lycosa.project.similar_urls import similar_urls
from lycosa.spiders import BreadthFirst, Setup, spider
from lycosa.spiders.traps import Wary
from lycosa.web.robots import Robots
from lycosa.web.urls import Scope
from project.crawled_projects import crawled, waiting

HTML = ((b"Content-Type", b"text/html"),)


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """One request at a time, so that the replay has the very order of the crawl."""
    folder = tmp_path_factory.mktemp("asked") / "crawl"
    pace = Pace(delay=0.0, slowness=0.0, per_host=1, per_address=1)
    with crawled(folder, max_in_flight=1, pace=pace) as (project, steps, _):
        yield project, steps


def ask(project, url, **options):
    policy = options.pop("policy", None) or project.policy()
    with CrawlReader.open(project.folder) as ledger:
        return why(ledger, url, project.job, policy, **options)


def test_explains_every_step_as_it_happened(made):
    project, steps = made
    urls = {step.page.number: step.page.url for step in steps}
    for step in steps:
        account = ask(project, step.page.url)
        (visit,) = account.visits
        assert (visit.n, visit.reward, visit.final) == (step.n, step.reward, step.page.url)
        if step.source < 0:
            assert (visit.score, account.seed, len(account.way)) == (None, True, 1)
            continue
        assert visit.score == step.score
        assert account.explained.page == urls[step.source] == account.way[-2].url
        assert account.explained.score == account.standing.score == step.score
        # Nothing is as good as what comes next.
        assert account.standing.rank == 1
        assert account.way[0].n == 1
        (opinion,) = account.opinions
        assert opinion.value == pytest.approx(step.score)
        assert account.notes == ()


def test_the_path_is_a_chain_of_links(made):
    project, steps = made
    account = ask(project, steps[-1].page.url)
    by_number = {step.page.number: step for step in steps}
    chain = [steps[-1]]
    while chain[0].source >= 0:
        chain.insert(0, by_number[chain[0].source])
    assert [stop.n for stop in account.way] == [step.n for step in chain]
    for stop, before in zip(account.way[1:], chain, strict=False):
        targets = [before.page.tables.urls[n] for n in before.page.targets.tolist()]
        link = before.page.link(targets.index(stop.url))
        assert stop.anchor == " ".join(link.bags["anchor"])
    assert account.way[0].anchor is None


def test_ranks_match_the_order_of_the_resumed_crawl(made, tmp_path):
    project, steps = made
    accounts = [ask(project, url) for url in waiting(project)]
    ranks = sorted((one.standing.rank, one.url) for one in accounts)
    assert [rank for rank, _ in ranks] == list(range(1, len(ranks) + 1))
    for account in accounts:
        assert not account.visits
        assert account.standing.waiting == len(ranks)
        best = max(link.score for link in account.links)
        assert account.standing.score == best == account.explained.score
        assert account.way[-1] == replace(account.way[-1], n=None, url=account.url, score=best)
        pages = [step for step in steps if account.url in leads(step.page)]
        assert account.all_links == len(pages) >= len(account.links)
        assert account.first == (pages[0].n, pages[0].page.url)
        assert account.reason == "budget: pages"


def leads(page):
    return {page.tables.urls[n] for n in page.targets.tolist()}


def test_changes_nothing_in_the_folder(made):
    project, steps = made

    def state():
        files = sorted(project.folder.rglob("*"))
        return {
            file: file.read_bytes()
            for file in files
            if file.is_file() and not file.name.endswith(("-shm", "-wal"))
        }

    before = state()
    ask(project, steps[5].page.url)
    ask(project, waiting(project)[0])
    assert state() == before


def test_works_while_the_crawl_runs(made):
    project, steps = made
    with SqliteStore.open(project.folder):
        assert ask(project, steps[3].page.url).at_work


def test_accepts_sloppy_urls(made):
    project, steps = made
    url = steps[3].page.url
    for spelled in (url.removeprefix("http://"), f"  {url}#top ", url.replace("http", "HTTP")):
        account = ask(project, spelled)
        assert (account.url, account.asked) == (url, spelled)
        assert account.visits[0].n == 4
    wait = waiting(project)[0]
    assert ask(project, wait.partition("//")[2]).url == wait


@pytest.mark.parametrize("url", ["", "http://", "no where/", "ftp://a.example/"])
def test_refuses_texts_that_are_not_urls(made, url):
    with pytest.raises(UsageError, match="not a web address"):
        ask(made[0], url)


def test_suggests_similar_urls_for_an_unknown_url(made):
    project, steps = made
    url = steps[3].page.url
    with pytest.raises(UsageError, match="No page that was fetched links to") as caught:
        ask(project, url.rstrip("/") + "x")
    assert url in str(caught.value)
    assert "\n" not in str(caught.value)


def test_explains_a_url_out_of_scope_with_its_links(made):
    project, _ = made
    narrow = replace(project.job, scope=Scope(exclude=("~",), prefixes=project.job.scope.prefixes))
    outside = next(url for url in waiting(project) if "~" in url)
    # As if it had been so from the beginning: what was asked for is not forgotten.
    with CrawlReader.open(project.folder) as ledger:
        account = why(ledger, outside, narrow, project.policy())
    assert [one.kind for one in account.obstacles] == ["scope"]
    assert "'~'" in account.obstacles[0].words
    assert account.standing is None
    assert account.links
    assert {link.score for link in account.links} == {None}


def test_notes_another_spider_or_goal(made):
    project, steps = made
    account = ask(project, steps[5].page.url, policy=BreadthFirst(), goal="others")
    assert [note.split()[1] for note in account.notes] == ["spider", "goal"]
    # It says nothing of words, so they are given as they are.
    assert account.opinions == ()
    anchor = " ".join(account.bags["anchor"])
    assert anchor == account.explained.anchor


def test_the_words_of_a_trained_spider_add_up_to_its_score(made):
    project, _ = made
    site = department()
    policy = spider("rl(nb)")(Setup(None, "papers", training=[site]))
    account = ask(project, waiting(project)[0], policy=policy)
    (opinion,) = account.opinions
    assert opinion.value == pytest.approx(account.standing.score)
    words = sum(effect.effect for effect in opinion.effects)
    assert words == pytest.approx(opinion.value - opinion.base, abs=1e-6)


def test_counts_and_skips_damaged_records(made, tmp_path):
    project, steps = made
    shutil.copytree(project.folder, tmp_path / "copy")
    other = Project.load(tmp_path / "copy")
    with CrawlReader.open(other.folder) as ledger:
        first = ledger.step(1)
    archive = next((other.folder / "archive").iterdir())
    data = bytearray(archive.read_bytes())
    data[first.offset + 40 : first.offset + 60] = b"x" * 20
    archive.write_bytes(data)
    account = ask(other, steps[-1].page.url)
    assert account.lost == 1
    assert "1 records of the archive are damaged" in account.notes[0]
    assert account.visits[0].n == len(steps)
    child = next(step for step in steps if step.source == steps[0].page.number)
    account = ask(other, child.page.url)
    assert (account.visits[0].n, account.way[0].n) == (child.n, 1)
    assert account.way[-1].anchor is None
    shutil.rmtree(other.folder / "archive")
    account = ask(other, steps[-1].page.url)
    with CrawlReader.open(other.folder) as reader:
        archived = sum(entry.file is not None for entry in reader.entries())
    assert account.lost == archived - 1 > 30
    assert account.explained is None


@pytest.mark.parametrize("spider", ["yield(combined)", "wary(house)", "breadth-first"])
def test_explains_concurrent_requests(tmp_path, spider):
    with crawled(tmp_path, spider) as (project, steps, _):
        for step in steps[1::6]:
            account = ask(project, step.page.url)
            assert account.visits[0].score == step.score
            # Any number of better ones may have been found while its request was under way.
            assert 1 <= account.standing.rank <= account.standing.waiting
            total = sum(one.weight * one.value for one in account.opinions)
            if spider == "yield(combined)":
                # Waiting links are rescored when the estimate of siblings has changed by a fifth.
                assert total == pytest.approx(account.standing.score, rel=0.2)
        text = json.dumps(ask(project, steps[-1].page.url).to_json(), allow_nan=False)
        assert json.loads(text)["visits"][0]["n"] == len(steps)
        seed = json.dumps(ask(project, steps[0].page.url).to_json(), allow_nan=False)
        assert json.loads(seed)["seed"] is True


def test_contributions_of_the_house_spider_add_up_to_log_odds(made):
    project, _ = made
    models = spider("house").train([department()], "papers")
    always = {"keywords", "learned here", "folder", "depth"}
    for some, parts in ((models, always | {"taught", "without training"}), ([], always)):
        policy = Wary(spider("house").make(Setup(None, "papers"), some))
        for url in waiting(project)[::20]:
            account = ask(project, url, policy=policy)
            assert {one.part for one in account.opinions} - {"elsewhere"} == parts
            total = sum(one.weight * one.value for one in account.opinions)
            expected = 1 / (1 + np.exp(-total))
            assert account.standing.score == pytest.approx(expected, rel=1e-5)


def test_explains_links_deferred_as_traps(tmp_path, made):
    project, _ = made
    rows = []
    # A calendar: each page leads to the next, and to nothing else.
    for n in range(40):
        url = f"{A}cal?day={n}" if n else A
        body = f"Day {n}: {n * 7919} <a href=/cal?day={n + 1}>next</a>".encode()
        rows.append((url, answered(url, body), n, 1.0 if n else np.inf, ()))
    job = small(tmp_path, rows)
    with CrawlReader.open(tmp_path) as ledger:
        account = why(ledger, f"{A}cal?day=40", job, Wary(project.policy()))
    (obstacle,) = account.obstacles
    assert obstacle.kind == "trap"
    assert obstacle.words.endswith(": calendar.")
    assert [one.part for one in account.opinions] == ["keywords"]  # the spider inside


def answered(url, body=b"", status=200, fault=None):
    when = datetime.now(UTC)
    return Response(url, when, status, "", HTML, body, fault=fault)


def small(folder, rows, notes=None):
    """A store of (requested URL, response, source, score, between)."""
    with SqliteStore.open(folder) as store:
        for n, (url, fetched, source, score, between) in enumerate(rows, 1):
            store.add(n, url, fetched, source=source, score=score)
            if between:
                store.put(f"between:{n}", between)
        for key, value in (notes or {}).items():
            store.put(key, value)
    return Job(("http://a.example/",), ClientConfig("you@example.org"))


A = "http://a.example/"
HOME = b"<title>x</title>" + b"".join(
    b"<a href=/%s>%s</a> " % (name, name) for name in (b"old", b"gone", b"private/x", b"later")
)


@pytest.fixture
def redirected(tmp_path):
    job = small(
        tmp_path,
        [
            (A, answered(A, HOME), 0, np.inf, ()),
            (A + "old", answered(A + "new", b"hello"), 1, 3.0, [A + "middle"]),
            (A + "gone", answered(A + "gone", status=0, fault="dns"), 1, 2.0, ()),
        ],
        {
            f"robots:{'a.example'}": {
                "status": 200, "body": "User-agent: *\nDisallow: /private/",
                "until": time.time() + 9, "since": None, "fault": None,
            },
        },
    )  # fmt: skip
    return tmp_path, job


@pytest.mark.parametrize("place", ["old", "middle", "new"])
def test_finds_the_step_of_every_url_of_a_redirect(redirected, place):
    folder, job = redirected
    with CrawlReader.open(folder) as ledger:
        account = why(ledger, A + place, job, BreadthFirst())
    (visit,) = account.visits
    assert (visit.n, visit.url, visit.final) == (2, A + "old", A + "new")
    assert account.url == A + place
    assert account.explained.anchor == "old"
    assert [stop.url for stop in account.way] == [A, A + "old"]


def test_describes_faults(redirected):
    folder, job = redirected
    with CrawlReader.open(folder) as ledger:
        (visit,) = why(ledger, A + "gone", job, BreadthFirst()).visits
    assert (visit.fault, visit.status) == ("dns", 0)
    assert visit.fault_words == "the name of the host could not be looked up"


def test_names_the_rule_of_robots_txt(redirected):
    folder, job = redirected
    with CrawlReader.open(folder) as ledger:
        account = why(ledger, A + "private/x", job, BreadthFirst())
        assert [one.kind for one in account.obstacles] == ["robots"]
        assert "'Disallow: /private/'" in account.obstacles[0].words
        later = why(ledger, A + "later", job, BreadthFirst())
        assert later.obstacles == ()
        # A link that robots.txt forbids has a better rank, and is counted.
        assert later.standing[1:] == (2, 2, 1)
        assert (
            why(ledger, A + "private/x", replace(job, robots=False), BreadthFirst()).obstacles == ()
        )


def test_a_page_requested_twice_has_two_visits(tmp_path):
    page = answered(A, b"<a href=/b>b</a>")
    job = small(tmp_path, [(A, page, 0, np.inf, ()), (A, page, 0, np.inf, ())])
    with CrawlReader.open(tmp_path) as ledger:
        account = why(ledger, A, job, BreadthFirst())
        assert [visit.n for visit in account.visits] == [1, 2]
        assert why(ledger, A + "b", job, BreadthFirst()).all_links == 2


def test_a_seed_that_was_not_requested_waits(tmp_path):
    job = replace(small(tmp_path, [(A, answered(A), 0, np.inf, ())]), seeds=(A, A + "b"))
    with CrawlReader.open(tmp_path) as ledger:
        account = why(ledger, A + "b", job, BreadthFirst())
    assert account.seed
    assert account.standing[1:] == (1, 1, 0)
    assert account.to_json()["standing"]["score"] is None


def test_leaves_out_the_middle_of_a_long_path(tmp_path):
    urls = [A] + [f"{A}{n}" for n in range(1, 100)]
    rows = []
    for n, url in enumerate(urls):
        body = f"<a href=/{n + 1}>to {n + 1}</a>".encode()
        rows.append((url, answered(url, body), n, 1.0 if n else np.inf, ()))
    job = small(tmp_path, rows)
    with CrawlReader.open(tmp_path) as ledger:
        account = why(ledger, f"{A}99", job, BreadthFirst())
    assert account.left_out == 100 - MAX_PATH_STEPS
    assert [stop.n for stop in account.way] == [1, *range(102 - MAX_PATH_STEPS, 101)]
    assert [stop.anchor for stop in account.way[:3]] == [None, None, "to 52"]


def tempo(**facts):
    base = {"asked": 0.0, "slow": 0.1, "failures": 0, "since": 0.0, "back-off": 0.0, "why": ""}
    return {**base, "quarantine": 0.0, **facts}


@pytest.mark.parametrize(
    ("state", "robots", "kinds", "words"),
    [
        ({"quarantine": 50.0, "why": "dns"}, None, ["quarantine"], "until 1970-01-01 00:17:30 UTC"),
        ({"quarantine": 5.0, "why": "503"}, None, ["quarantine"], "was in quarantine after 503"),
        ({"back-off": 50.0, "why": "429"}, None, ["back-off"], "until 1970-01-01 00:17:30 UTC"),
        ({"back-off": 5.0}, None, [], ""),
        ({}, {"status": None, "body": "", "since": 990.0, "fault": "dns"},
         ["robots-unreachable"], "could not be looked up"),
        ({}, {"status": None, "body": "", "since": -9e9, "fault": "dns"}, [], ""),
        ({}, {"status": "what", "body": None, "since": "then"}, ["robots-unreachable"], ""),
    ],
)  # fmt: skip
def test_reasons_from_the_notes_of_a_host(tmp_path, state, robots, kinds, words):
    notes = {
        "hosts": {"a.example": {"tempo": tempo(**state), "pages": 7, "address": ""}},
        "hosts-saved": {"at": 1000.0, "exact": True},
        "robots:a.example": robots,
    }
    job = small(tmp_path, [], notes)
    with CrawlReader.open(tmp_path) as ledger:
        found = BlockReasons(ledger, job, lambda: 1020.0).of(A + "x")
        assert [one.kind for one in found] == kinds
        assert words in "".join(one.words for one in found)
        full = replace(job, pace=Pace(pages=7))
        assert "host-pages" in [one.kind for one in BlockReasons(ledger, full).of(A + "x")]


@pytest.mark.parametrize("note", [None, 3, "x", [], {"a.example": 3}, {"a.example": {"tempo": []}}])
def test_ignores_malformed_notes(tmp_path, note):
    job = small(tmp_path, [], {"hosts": note, "hosts-saved": note, "robots:a.example": None})
    with CrawlReader.open(tmp_path) as ledger:
        assert BlockReasons(ledger, job).of(A) == []


ROBOTS = [
    (b"User-agent: *\nDisallow: /a\nDisallow: /a/b\nAllow: /a/c", "Disallow: /a/b"),
    (b"User-agent: other\nDisallow: /a/b\nUser-agent: lycosa\nDisallow: /a", "Disallow: /a"),
    (b"User-agent: *\nDisallow: /a\nAllow: /a/\nDisallow: /*b$", "Disallow: /*b$"),
    (b"User-agent: *\nDisallow: /a\nDisallow: /*b$\nAllow: /a/b", None),
    (b"User-agent: x\nUser-agent: *\nDisallow: /a # why\r\nDisallow: /a", "Disallow: /a"),
    (b"User-agent: *\nDisallow: /*/b\nAllow: /a/", "Disallow: /*/b"),
    (b"Disallow: /a/b\nuser-agent:lycosa\ndisalow:/a", "disalow:/a"),
]


@pytest.mark.parametrize(("body", "rule"), ROBOTS)
def test_finds_the_forbidding_rule(body, rule):
    url = A + "a/b"
    assert Robots.parse(body).allows(url, "lycosa") == (rule is None)
    if rule is not None:
        assert forbidding_rule(body, url, "lycosa") == rule


LINES = st.one_of(
    st.sampled_from([b"User-agent: *", b"User-agent: lycosa", b"User-agent: other", b"# no", b""]),
    st.builds(
        lambda field, path: field + b": " + path,
        st.sampled_from([b"Disallow", b"Allow"]),
        st.sampled_from([b"/", b"/a", b"/a/b", b"/a/b$", b"/*b", b"/a/*", b"/c", b"/a/b/c", b""]),
    ),
)


@given(st.lists(LINES, max_size=12))
@example([b"User-agent: *", b"Disallow: /", b"User-agent: other", b"Disallow: /a"])
def test_removing_the_rule_allows_the_url(lines):
    body, url = b"\n".join(lines), A + "a/b"
    robots = Robots.parse(body)
    if not robots.allows(url, "lycosa"):
        rule = forbidding_rule(body, url, "lycosa")
        assert rule is not None
        assert rule.startswith("Disallow")
        mine = rule.encode()
        turned = [line.replace(b"Disallow", b"Allow") if line == mine else line for line in lines]
        assert Robots.parse(b"\n".join(turned)).allows(url, "lycosa")


def test_suggestions_are_of_the_same_host_and_fast():
    urls = [f"http://a.example/{n % 7}/{n}" for n in range(20_000)] + ["http://b.example/robots"]
    began = time.process_time()
    assert similar_urls("https://www.a.example/3/1704/", urls)[0] == "http://a.example/3/1704"
    assert time.process_time() - began < 5
    assert similar_urls("http://b.example/robots", urls) == []
    assert similar_urls("http://c.example/", urls) == []


def test_an_invalid_source_ends_the_path(tmp_path):
    job = small(tmp_path, [(A, answered(A), 0, np.inf, ()), (A + "b", answered(A + "b"), 1, 1, ())])
    with closing(sqlite3.connect(tmp_path / "crawl.db")) as database:
        database.execute("UPDATE steps SET source = 2 WHERE n = 2")
        database.commit()
    with CrawlReader.open(tmp_path) as ledger:
        assert [stop.n for stop in why(ledger, A + "b", job, BreadthFirst()).way] == [2]
