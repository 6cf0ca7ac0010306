"""The state of a cluster crawl: what the tables say, as a screen and as JSON."""

import json
from dataclasses import replace
from datetime import timedelta

import pytest
from bench.cluster_world import create, read, served_world, work
from click.testing import CliRunner

from lycosa.cli import main
from lycosa.cluster.database import Database
from lycosa.cluster.status import find_troubles, rates, read_status

pytest.importorskip("asyncpg", reason="asyncpg is not installed: pip install lycosa[cluster]")
pytest.importorskip("fsspec", reason="fsspec is not installed: pip install lycosa[cluster]")


@pytest.fixture(scope="module")
def crawled(postgres, tmp_path_factory):
    """A crawl that has ended, and one that has not begun."""
    urls = [postgres.create_database(name) for name in ("status_ended", "status_new")]
    with served_world(hosts=2, pages=100) as served:
        orders = served.orders(archive=str(tmp_path_factory.mktemp("archive")), pages=20)
        for url in urls:
            create(url, orders, shards=4)
        work(urls[0], orders)
    yield urls
    for name in ("status_ended", "status_new"):
        postgres.drop_database(name)


def shown(url, *options):
    command = ["cluster", "status", "anywhere", "--cluster", url, "--seconds", "0.1", *options]
    done = CliRunner().invoke(main, command)
    assert done.exit_code == 0, done.output
    return done.output


def test_totals_are_those_of_the_step_log(crawled):
    found = json.loads(shown(crawled[0], "--json"))
    [(steps, targets)] = read(
        crawled[0], "SELECT count(*), count(*) FILTER (WHERE reward > 0) FROM steps"
    )
    assert found["totals"]["pages"] == steps >= 20
    assert found["totals"]["targets"] == targets
    assert found["reason"] == "budget: pages"
    assert [shard["shard"] for shard in found["shards"]] == [0, 1, 2, 3]
    assert {shard["owner"] for shard in found["shards"]} == {None}


def test_seeds_of_a_crawl_that_has_not_begun_are_on_the_way(crawled):
    found = json.loads(shown(crawled[1], "--json"))
    assert found["totals"]["lag"] == 2
    assert found["workers"] == []
    text = shown(crawled[1])
    assert "2 links on the way" in text
    assert "No worker is there." in text


def test_rates_are_pages_since_the_state_before(crawled):
    with Database(crawled[0]) as database:
        state = database.run(read_status)
    first, *rest = state.shards
    later = replace(
        state,
        time=state.time + timedelta(seconds=4),
        shards=(replace(first, pages=first.pages + 10), *rest),
    )
    assert rates(state, later).totals["rate"] == pytest.approx(2.5)


def test_the_password_of_the_database_is_never_shown(crawled):
    bad = crawled[0].replace("lycosa@", "lycosa:hunter2@").replace("status_ended", "nothing")
    command = ["cluster", "status", "x"]
    for done in (
        CliRunner().invoke(main, [*command, "--cluster", bad]),
        CliRunner().invoke(main, command, env={"LYCOSA_CLUSTER": bad}),
    ):
        assert done.exit_code == 2
        assert "hunter2" not in done.output


def test_hosts_that_fail_longest_come_first_and_damaged_notes_are_left_out():
    notes = {
        "a.example": {"tempo": {"failures": 1, "why": "503", "back-off": 5.0}},
        "b.example": {"tempo": {"failures": 0, "back-off": 0.0}},
        "c.example": {"tempo": {"failures": 6, "why": "timeout", "quarantine": 3600.0}},
    }
    found = find_troubles([(1, json.dumps(notes)), (2, "{"), (3, "[]")])
    assert [(each.host, each.seconds) for each in found] == [
        ("c.example", 3600.0),
        ("a.example", 5.0),
    ]


def test_a_folder_without_a_cluster_says_how_to_start_one(tmp_path):
    done = CliRunner().invoke(main, ["cluster", "status", str(tmp_path)])
    assert done.exit_code == 2
    assert "lycosa cluster up" in done.output
