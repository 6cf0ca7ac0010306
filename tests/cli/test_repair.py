import json

import pytest
from click.testing import CliRunner

from crawler.storage.writer import write
from lycosa.cli import main
from lycosa.cli.repair import MAX_NAMED
from lycosa.crawler.storage.reader import CrawlReader
from lycosa.crawler.storage.sqlite import SqliteStore


@pytest.fixture
def crawl(tmp_path):
    with SqliteStore.open(tmp_path / "crawl") as store:
        write(store, 60)
    return tmp_path / "crawl"


def run(*arguments):
    found = CliRunner().invoke(main, ["repair", *map(str, arguments)])
    assert found.exit_code == 0, found.output
    return found.stdout


def cut(folder, n):
    with CrawlReader.open(folder) as reader:
        step = reader.step(n)
    path = folder / "archive" / "00001.warc.gz"
    path.write_bytes(path.read_bytes()[: step.offset + 10])


def test_says_what_was_lost_and_what_to_do(crawl):
    cut(crawl, 59)
    lines = run(crawl).splitlines()
    assert lines[0].startswith("Damaged: 00001.warc.gz (")
    assert lines[1:4] == [
        "50 pages recovered, 2 pages lost.",
        "  lost: step 59, http://a.example/from/59",
        "  lost: step 60, http://a.example/from/60",
    ]
    assert lines[4].startswith("Originals: crawl.db.damaged, ")
    assert lines[5] == f"Resume, which requests lost pages again: lycosa crawl {crawl}"
    assert run(crawl) == "The crawl has no damage: 50 pages can be read.\n"


def test_many_lost_pages_are_counted_and_json_names_all(crawl):
    cut(crawl, 10)
    text = run(crawl)
    assert text.count("lost: step") == MAX_NAMED
    assert "which are steps with the fault lost" in text


def test_json_has_every_lost_page(crawl):
    cut(crawl, 10)
    found = json.loads(run(crawl, "--json"))
    numbers = [n for n in range(10, 61) if n % 7]
    assert [page["n"] for page in found["lost"]] == numbers
    assert (found["pages"], found["repaired"], found["index"]) == (8, True, "none")


def test_a_folder_without_a_crawl_is_refused(tmp_path):
    found = CliRunner().invoke(main, ["repair", str(tmp_path)])
    assert found.exit_code == 2
    assert "There is no crawl" in found.stderr
