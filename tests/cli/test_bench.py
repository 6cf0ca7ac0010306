import gzip
import json
import os
import re
import subprocess
import sys
import uuid
from pathlib import Path

import pytest
from click.testing import CliRunner

from ctrl_c import press
from lycosa.cli import main

BASE = "http://example.edu/"


def record(folder: Path, links, goals, family="departments"):
    """A recorded site as other tools would write it: path -> paths it links to."""
    folder.mkdir(parents=True)
    (folder / "site.toml").write_text(
        f'name = "{folder.name}"\nfamily = "{family}"\nseeds = ["{BASE}"]\n'
    )
    with (folder / "pages.warc.gz").open("wb") as file:
        for path, targets in links.items():
            anchors = "".join(f'<a href="/{target}">to {target}</a> ' for target in targets)
            answer = f"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<p>{anchors}"
            head = (
                f"WARC/1.1\r\nWARC-Type: response\r\nWARC-Target-URI: {BASE}{path}\r\n"
                f"WARC-Record-ID: <urn:uuid:{uuid.uuid4()}>\r\nWARC-Date: 2026-01-01T00:00:00Z\r\n"
                "Content-Type: application/http; msgtype=response\r\n"
                f"Content-Length: {len(answer)}\r\n\r\n"
            )
            file.write(gzip.compress(f"{head}{answer}\r\n\r\n".encode()))
    (folder / "leaves.txt").write_text("")
    (folder / "aliases.tsv").write_text("")
    for goal, paths in goals.items():
        (folder / f"targets-{goal}.txt").write_text("".join(f"{BASE}{p}\n" for p in paths))
    return folder


def tree(papers):
    links = {"": ["a", "b", "c"], "a": ["a1", "a2"], "b": ["b1", "b2"], "c": ["c1", ""]}
    links |= {leaf: [] for leaf in ("a1", "a2", "b1", "b2", "c1", "lost")}
    return links, {"papers": papers}


@pytest.fixture(scope="module")
def sites(tmp_path_factory):
    root = tmp_path_factory.mktemp("sites")
    record(root / "departments" / "one", *tree(["b1", "b2", "lost"]))
    record(root / "departments" / "two", *tree(["c1"]))
    record(root / "firms" / "three", tree([])[0], {"officers": ["a2"]}, family="firms")
    return root


def bench(*args):
    """Run the command in this process, unless the arguments say in how many."""
    return CliRunner().invoke(main, ["bench", "--jobs", "1", *map(str, args)])


def test_table(sites):
    result = bench(sites, "--goal", "papers")
    assert (result.exit_code, result.stderr) == (0, "")
    assert "one: 2 papers in 9 URLs" in result.stdout
    assert "two: 1 papers in 9 URLs" in result.stdout
    assert "three" not in result.stdout
    spiders = ("house", "breadth-first", "depth-first", "random", "optimal")
    for spider in spiders:
        assert result.stdout.count(spider) == 3
    places = [result.stdout.index(spider) for spider in spiders]
    assert places == sorted(places)


def test_json_on_stdout_replaces_the_table(sites):
    spiders = "breadth-first,optimal"
    result = bench(sites, "--goal", "papers", "--spiders", spiders, "--json", "-")
    data = json.loads(result.stdout)
    assert [(r["site"], r["spider"], r["pages"], r["targets"]) for r in data["runs"]] == [
        ("one", "breadth-first", 9, 2),
        ("one", "optimal", 9, 2),
        ("two", "breadth-first", 9, 1),
        ("two", "optimal", 9, 1),
    ]
    low, high = data["runs"][:2]
    assert low["requests_to"] == {"25": 7, "50": 7, "75": 8, "90": 8}
    assert high["requests_to"] == {"25": 3, "50": 3, "75": 4, "90": 4}
    assert low["integral"] == pytest.approx((3 + 2) / 18)
    assert high["integral"] == pytest.approx((7 + 6) / 18)
    assert [row["gap_closed"] for row in data["summary"]] == [0, 1]
    assert [row["interval"] for row in data["summary"]] == [[0, 0], [1, 1]]


def test_files_and_processes(sites, tmp_path):
    figures = []
    for jobs in (1, 2):
        where = tmp_path / f"{jobs}.json", tmp_path / f"{jobs}.html"
        options = ("--json", where[0], "--report", where[1], "--jobs", jobs, "--seed", 5)
        result = bench(sites, "--goal", "papers", *options)
        assert result.exit_code == 0, result.output
        text = where[0].read_text()
        figures.append(re.sub(r'"seconds": [\d.e-]+', "", text))
        assert "<svg" in where[1].read_text()
        assert "Summary over 2 sites" in result.stdout
    assert figures[0] == figures[1]


def test_another_goal(sites):
    result = bench(sites, "--goal", "officers", "--json", "-")
    assert {run["site"] for run in json.loads(result.stdout)["runs"]} == {"three"}


def test_a_query_as_goal(sites, tmp_path):
    page = tmp_path / "report.html"
    result = bench(sites, "--goal", "url:b* NOT url:b2", "--report", page)
    assert (result.exit_code, result.stderr) == (0, "")
    for site in ("one", "two", "three"):
        assert f"{site}: 2 url:b* NOT url:b2 in 9 URLs" in result.stdout
    assert "6 targets (url:b* NOT url:b2)" in page.read_text()


@pytest.mark.parametrize(
    ("args", "words"),
    [
        (["SITES/nowhere", "--goal", "papers"], "nowhere"),
        (["SITES", "--goal", "paper"], "no goal 'paper'; did you mean 'papers'?"),
        (["SITES", "--goal", "robot"], "text:robot (every page with the word)"),
        (["SITES", "--goal", "robot AND"], "lacks something at position 10"),
        (["SITES", "--goal", "text:zebra"], "No site has a page within reach"),
        (["SITES", "--goal", "papers", "--spiders", "optimum"], "did you mean 'optimal'"),
        (["SITES", "--goal", "papers", "--spiders", "rl(a"], "parentheses"),
        (["SITES", "--goal", "papers", "--spiders", ","], "at least one spider"),
        (["SITES", "--goal", "papers", "--report", "SITES"], "is a folder"),
        (["SITES", "--goal", "papers", "--json", "SITES/no/where.json"], "cannot be written"),
    ],
)
def test_misuse_is_one_sentence(sites, args, words):
    result = bench(*(arg.replace("SITES", str(sites)) for arg in args))
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr.startswith("lycosa: ")
    assert result.stderr.count("\n") == 1
    assert words in result.stderr


def test_no_target_within_reach(tmp_path):
    record(tmp_path / "site", *tree(["lost"]))
    result = bench(tmp_path, "--goal", "papers")
    assert result.exit_code == 2
    assert "None of the 1 targets of goal 'papers' can be reached" in result.stderr


def test_no_targets_at_all(tmp_path):
    record(tmp_path / "site", *tree([]))
    result = bench(tmp_path, "--goal", "papers")
    assert result.exit_code == 2
    assert "'site' has no targets for goal 'papers'" in result.stderr


def test_a_site_without_pages(tmp_path):
    record(tmp_path / "site", {}, {"papers": []})
    result = bench(tmp_path, "--goal", "papers")
    assert result.exit_code == 2
    assert result.stderr.startswith("lycosa: ")
    assert "site" in result.stderr


def test_a_damaged_archive_is_used_with_a_warning(tmp_path):
    folder = record(tmp_path / "site", *tree(["a1"]))
    archive = folder / "pages.warc.gz"
    archive.write_bytes(archive.read_bytes()[:-150])
    result = bench(folder, "--goal", "papers")
    assert result.exit_code == 2
    assert "1 papers in" in result.stdout
    assert result.stderr.startswith("lycosa: ")
    assert result.stderr.count("\n") == 1


def lycosa(*args, **options):
    command = [sys.executable, "-c", "from lycosa.cli import main; main()", *map(str, args)]
    return subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True, **options
    )


def test_a_closed_pipe_is_silent(sites):
    with lycosa("bench", sites, "--goal", "papers", "--jobs", 1) as process:
        process.stdout.close()
        assert process.stderr.read() == b""


def test_ctrl_c_with_several_processes(sites, tmp_path):
    # A spider that never ends would be a mock; a named pipe for the report waits for a reader.
    fifo = tmp_path / "report.html"
    os.mkfifo(fifo)
    with lycosa("bench", sites, "--goal", "papers", "--jobs", 2, "--report", fifo) as process:
        process.stdout.readline()  # the table is out, so the report is next
        press(process, os.killpg)
        assert process.stderr.read() == b"lycosa: interrupted.\n"
        assert process.returncode == 130


def test_lists_and_completes_spiders():
    from lycosa.cli.spider_option import complete_spiders
    from lycosa.spiders import SPIDERS

    done = CliRunner().invoke(main, ["bench", "--list-spiders"])
    assert done.exit_code == 0
    assert all(name in done.stdout for name in SPIDERS)
    completed = [item.value for item in complete_spiders(None, None, "random,rl-")]
    assert completed == ["random,rl-immediate", "random,rl-future", "random,rl-distance"]
