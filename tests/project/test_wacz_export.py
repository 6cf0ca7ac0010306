"""A crawl with revisits as WACZ: read by zip tools, by warcio, and replayed by pywb."""

import hashlib
import json
import shutil
import subprocess
import time
import zipfile
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from io import BytesIO
from urllib.error import HTTPError, URLError
from urllib.request import ProxyHandler, build_opener

import pytest
from click.testing import CliRunner
from warcio.archiveiterator import ArchiveIterator

from docs.reader import free_port
from lycosa.archive.wacz import WarcFile, write_wacz
from lycosa.cli import main
from lycosa.crawler.http.response import Response
from lycosa.crawler.storage.sqlite import SqliteStore
from lycosa.project.wacz_export import export_wacz

FIRST = datetime(2026, 1, 1, 12, tzinfo=UTC)
SECOND = FIRST + timedelta(days=1)
SENT = (("Host", "www.a.example"), ("User-Agent", "lycosa (+test@example.org)"))


def page(path, body, when=FIRST, status=200, **headers):
    raw = ((b"Content-Type", b"text/html; charset=utf-8"), (b"ETag", b'"1"'))
    raw += tuple((name.encode(), value.encode()) for name, value in headers.items())
    url = f"http://www.a.example{path}"
    return Response(url, when, status, f"HTTP/1.1 {status} X", raw, body, request=SENT)


HOME = page("/", b"<title>Home &amp; more</title><a href=/Dir/Paper/?b=2&amp;a=1>Paper</a>")
PAPER = page("/Dir/Paper/?b=2&a=1", b"<title>A paper</title>the paper")
CHANGED = page("/changed", b"before")


@pytest.fixture
def crawl(tmp_path):
    """Three pages; a day later one was answered 304, one has the same body, one has changed."""
    folder = tmp_path / "crawl"
    with SqliteStore.open(folder) as store:
        store.describe({"robots": "obey"})
        store.add(1, HOME.url, HOME)
        store.add(2, PAPER.url, PAPER, source=1, score=0.5, reward=1.0)
        store.keep(page("/moved", b"", status=302, Location="/changed"))
        store.add(3, "http://www.a.example/moved", CHANGED, source=1, score=0.1)
        store.add(4, "http://gone.example/", Response("http://gone.example/", FIRST, fault="dns"))
    with SqliteStore.open(folder) as store:
        store.describe({"robots": "obey"}, revisits=True)
        store.add(5, HOME.url, replace(HOME, when=SECOND, status=304, line="", body=b""))
        store.add(6, PAPER.url, replace(PAPER, when=SECOND))
        store.add(7, CHANGED.url, replace(CHANGED, when=SECOND, body=b"after"))
    return folder


def test_the_archive_has_requests_revisits_and_facts_with_valid_digests(crawl):
    with (crawl / "archive" / "00001.warc.gz").open("rb") as file:
        found = []
        for record in ArchiveIterator(file, check_digests="raise"):
            body = record.content_stream().read()
            found.append((record.rec_type, record.rec_headers, record.http_headers, body))
    kinds = [kind for kind, *_ in found]
    pair = ["request", "response"]
    again = ["request", "revisit"]
    assert kinds == ["warcinfo", *pair * 4, "metadata", "warcinfo", *again * 2, *pair]
    assert b"robots: obey\r\n" in found[0][3]
    for (_, request, http, _), (_, response, _, _) in zip(found[1:9:2], found[2:10:2], strict=True):
        assert request["WARC-Concurrent-To"] == response["WARC-Record-ID"]
        assert request["WARC-Target-URI"] == response["WARC-Target-URI"]
        assert http["User-Agent"] == "lycosa (+test@example.org)"
    revisits = [(headers, http) for kind, headers, http, _ in found if kind == "revisit"]
    profiles = [headers["WARC-Profile"].rpartition("/")[2] for headers, _ in revisits]
    assert profiles == ["server-not-modified", "identical-payload-digest"]
    for (headers, http), original in zip(revisits, (HOME, PAPER), strict=True):
        assert headers["WARC-Refers-To-Target-URI"] == original.url
        assert headers["WARC-Refers-To-Date"] == "2026-01-01T12:00:00.000000Z"
        assert http["ETag"] == '"1"'


def test_the_wacz_is_a_zip_with_index_pages_and_hashes(crawl, tmp_path):
    out = tmp_path / "crawl.wacz"
    done = export_wacz(crawl, out)
    assert (done.records, done.pages, done.damage) == (6, 3, 0)
    with zipfile.ZipFile(out) as wacz:
        assert all(info.compress_type == zipfile.ZIP_STORED for info in wacz.infolist())
        package = json.loads(wacz.read("datapackage.json"))
        for resource in package["resources"]:
            data = wacz.read(resource["path"])
            assert resource["hash"] == f"sha256:{hashlib.sha256(data).hexdigest()}"
            assert resource["bytes"] == len(data)
        digest = json.loads(wacz.read("datapackage-digest.json"))
        data = wacz.read("datapackage.json")
        assert digest["hash"] == f"sha256:{hashlib.sha256(data).hexdigest()}"
        lines = wacz.read("indexes/index.cdx").splitlines()
        pages = [json.loads(line) for line in wacz.read("pages/pages.jsonl").splitlines()]
        others = [json.loads(line) for line in wacz.read("pages/extraPages.jsonl").splitlines()]
        warc = wacz.read("archive/00001.warc.gz")
    assert (package["title"], package["mainPageUrl"]) == ("crawl", HOME.url)
    titles = [(found["url"], found["title"]) for found in pages[1:]]
    assert titles == [(HOME.url, "Home & more"), (PAPER.url, "A paper")]
    assert [found["url"] for found in others[1:]] == [CHANGED.url]
    assert lines == sorted(lines)
    for line in lines:
        key, date, text = line.decode().split(" ", 2)
        entry = json.loads(text)
        place = slice(int(entry["offset"]), int(entry["offset"]) + int(entry["length"]))
        [record] = ArchiveIterator(BytesIO(warc[place]))
        assert record.rec_headers["WARC-Target-URI"] == entry["url"]
        assert (record.rec_type == "revisit") == (entry["mime"] == "warc/revisit")
        assert key.startswith("example,a)/")
        assert date in ("20260101120000", "20260102120000")


def test_the_command_writes_one_file_or_says_why_not(crawl, tmp_path):
    def run(*arguments):
        return CliRunner().invoke(main, ["export", str(crawl), *map(str, arguments)])

    out = tmp_path / "crawl.wacz"
    assert run("-o", out).stdout == f"{out}\n"
    assert zipfile.is_zipfile(out)
    assert run("--wacz", "-o", out).exit_code == 0
    assert "ends in .wacz" in run("--wacz", "-o", tmp_path / "crawl.zip").stderr
    assert "--kind selects works" in run("--kind", "paper", "-o", out).stderr


def test_damaged_records_are_not_in_the_index(crawl, tmp_path):
    path = crawl / "archive" / "00001.warc.gz"
    data = bytearray(path.read_bytes())
    data[len(data) // 2] ^= 1
    path.write_bytes(data)
    done = export_wacz(crawl, tmp_path / "crawl.wacz")
    assert done.damage > 0


def test_only_the_committed_part_of_a_file_is_exported(crawl, tmp_path):
    path = crawl / "archive" / "00001.warc.gz"
    size = path.stat().st_size
    with path.open("ab") as file:
        file.write(b"half a record")
    assert export_wacz(crawl, tmp_path / "crawl.wacz").damage == 0
    with zipfile.ZipFile(tmp_path / "crawl.wacz") as wacz:
        assert wacz.getinfo("archive/00001.warc.gz").file_size == size


def test_an_index_that_does_not_fit_into_memory_is_sorted(crawl, tmp_path, monkeypatch):
    whole, parts = tmp_path / "whole.wacz", tmp_path / "parts.wacz"
    path = crawl / "archive" / "00001.warc.gz"
    warcs = [WarcFile(path, path.stat().st_size)]
    write_wacz(whole, warcs, [])
    monkeypatch.setattr("lycosa.archive.wacz._LINES_IN_MEMORY", 2)
    write_wacz(parts, warcs, [])
    indexes = [zipfile.ZipFile(out).read("indexes/index.cdx") for out in (whole, parts)]
    assert indexes[0] == indexes[1]


@pytest.mark.skipif(shutil.which("wb-manager") is None, reason="pywb is not installed")
def test_pywb_replays_the_pages_and_the_revisits(crawl, tmp_path):
    out = tmp_path / "crawl.wacz"
    export_wacz(crawl, out)
    for command in (["init", "found"], ["add", "--unpack-wacz", "found", str(out)]):
        subprocess.run(["wb-manager", *command], cwd=tmp_path, check=True, capture_output=True)
    port = free_port()
    command = ["wayback", "--bind", "127.0.0.1", "--port", str(port)]
    server = subprocess.Popen(
        command, cwd=tmp_path, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    browser = build_opener(ProxyHandler({}))

    def replayed(when, url):
        address = f"http://127.0.0.1:{port}/found/{when:%Y%m%d%H%M%S}id_/{url}"
        for _ in range(300):
            try:
                with browser.open(address, timeout=60) as response:
                    return response.status, response.read()
            except HTTPError as error:
                return error.code, error.read()
            except URLError:
                assert server.poll() is None
                time.sleep(0.2)
        raise AssertionError("pywb did not start")

    try:
        for when in (FIRST, SECOND):
            assert replayed(when, HOME.url) == (200, HOME.body)
            assert replayed(when, PAPER.url) == (200, PAPER.body)
        assert replayed(FIRST, CHANGED.url) == (200, b"before")
        assert replayed(SECOND, CHANGED.url) == (200, b"after")
        assert replayed(FIRST, "http://a.example/missing")[0] == 404
    finally:
        server.terminate()
        server.wait(60)
