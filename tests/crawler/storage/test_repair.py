"""Repair: every kind of damage, what is recovered and what is lost, counted and named."""

import math
import os
import random
import shutil
import sqlite3
import zlib
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from crawler.storage.writer import LIMIT, REQUEST, WHEN, page, responses, write
from lycosa.archive.members import Member, scan_members
from lycosa.archive.writer import RecordSerialiser
from lycosa.crawler.http.response import Response
from lycosa.crawler.storage.reader import CrawlReader
from lycosa.crawler.storage.records import RecordLocation
from lycosa.crawler.storage.repair import LostPage, repair_crawl
from lycosa.crawler.storage.sqlite import SqliteStore
from lycosa.errors import StoreError, UsageError
from lycosa.snapshots import StateWriter

STEPS = 60
FAULTS = STEPS // 7


@pytest.fixture(scope="module")
def original(tmp_path_factory):
    folder = tmp_path_factory.mktemp("original") / "crawl"
    with SqliteStore.open(folder, limit=LIMIT) as store:
        write(store, STEPS)
    return folder


@pytest.fixture
def crawl(original, tmp_path):
    return Path(shutil.copytree(original, tmp_path / "crawl"))


def rows(folder):
    """The steps of a crawl, with their bodies."""
    with SqliteStore.open(folder, limit=LIMIT) as store:
        found = [(row, answer and answer.body) for row, answer in store.replay()]
        assert store.lost == 0
    return found


def location(folder, n) -> RecordLocation:
    with CrawlReader.open(folder) as reader:
        step = reader.step(n)
    return RecordLocation(step.file, step.offset, step.length)


def volume(folder, file=1):
    return folder / "archive" / f"{file:05}.warc.gz"


def flip(path, offset):
    data = bytearray(path.read_bytes())
    data[offset] ^= 0x10
    path.write_bytes(data)


def lost_row(row):
    return replace(row, status=0, type="", fault="lost", reward=0.0, location=None, digest=None)


def without_places(found):
    return [(replace(row, location=None), body) for row, body in found]


def test_a_folder_without_damage_is_left_as_it_is(crawl):
    before = {p: p.read_bytes() for p in crawl.rglob("*") if p.is_file() and p.name != "lock"}
    report = repair_crawl(crawl)
    assert (report.repaired, report.lost, report.journal) == (False, [], "healthy")
    assert (report.steps, report.pages) == (STEPS, STEPS - FAULTS)
    after = {p: p.read_bytes() for p in crawl.rglob("*") if p.is_file() and p.name != "lock"}
    assert {p: after[p] for p in before} == before


def test_a_lost_step_log_is_rebuilt_from_the_archive(original, crawl):
    before = rows(original)
    (crawl / "crawl.db").unlink()
    with pytest.raises(StoreError, match="run lycosa repair"):
        SqliteStore.open(crawl)
    report = repair_crawl(crawl)
    assert (report.journal, report.lost, report.steps) == ("lost", [], STEPS)
    assert (report.pages, report.faults) == (STEPS - FAULTS, FAULTS)
    assert rows(crawl) == before


def damage_header(path):
    data = bytearray(path.read_bytes())
    data[:100] = bytes(100)
    path.write_bytes(data)


def damage_middle(path):
    data = bytearray(path.read_bytes())
    data[len(data) // 3 : len(data) // 2] = bytes(len(data) // 2 - len(data) // 3)
    path.write_bytes(data)


def damage_end(path):
    os.truncate(path, path.stat().st_size // 2)


def damage_all(path):
    path.write_bytes(random.Random(1).randbytes(5000))


@pytest.mark.parametrize("damage", [damage_header, damage_middle, damage_end, damage_all])
def test_a_damaged_step_log_is_rebuilt_and_kept_aside(original, crawl, damage):
    before = rows(original)
    damage(crawl / "crawl.db")
    broken = (crawl / "crawl.db").read_bytes()
    report = repair_crawl(crawl)
    assert (report.journal, report.lost, report.steps) == ("damaged", [], STEPS)
    assert "crawl.db.damaged" in report.kept
    assert (crawl / "crawl.db.damaged").read_bytes() == broken
    assert rows(crawl) == before


def test_a_crawl_that_meets_a_damaged_step_log_names_the_command(crawl):
    damage_all(crawl / "crawl.db")
    with pytest.raises(StoreError, match="run lycosa repair"):
        SqliteStore.open(crawl)


def test_a_flipped_byte_costs_one_page(original, crawl):
    before, (file, offset, length) = rows(original), location(original, 11)
    flip(volume(crawl, file), offset + length // 2)
    with SqliteStore.open(crawl, limit=LIMIT) as store:
        list(store.replay())
        assert store.lost == 1
    broken = volume(crawl, file).read_bytes()
    report = repair_crawl(crawl)
    assert report.lost == [LostPage(11, "http://a.example/from/11")]
    assert (report.pages, report.lost_bytes) == (STEPS - FAULTS - 1, length)
    assert report.damaged_files == [volume(crawl, file).name]
    assert volume(crawl, file).with_suffix(".gz.damaged").read_bytes() == broken
    expected = without_places(before)
    expected[10] = lost_row(expected[10][0]), None
    assert without_places(rows(crawl)) == expected
    assert len(responses(crawl)) == len(responses(original)) - 1
    assert not repair_crawl(crawl).repaired


def test_a_flipped_byte_and_a_lost_step_log_cost_one_page_that_is_named(original, crawl):
    before, (file, offset, length) = rows(original), location(original, 11)
    flip(volume(crawl, file), offset + length // 2)
    (crawl / "crawl.db").unlink()
    report = repair_crawl(crawl)
    assert report.lost == [LostPage(11, "http://a.example/from/11")]
    expected = without_places(before)
    expected[10] = lost_row(expected[10][0]), None
    assert without_places(rows(crawl)) == expected


def test_a_page_without_any_record_is_counted_and_the_others_keep_their_numbers(original, crawl):
    before, (file, offset, length) = rows(original), location(original, 11)
    [request] = [
        part
        for part in scan_members(volume(original, file))
        if isinstance(part, Member) and part.offset + part.length == offset
    ]
    assert request.record.type == "request"
    flip(volume(crawl, file), offset + length // 2)
    flip(volume(crawl, file), request.offset + request.length // 2)
    (crawl / "crawl.db").unlink()
    report = repair_crawl(crawl)
    assert report.lost == [LostPage(11, None)]
    assert report.steps == STEPS
    expected = without_places(before)
    known = lost_row(expected[10][0])
    url = "http://lost.invalid/11"
    expected[10] = replace(known, url=url, final=url, source=0, score=math.inf), None
    assert without_places(rows(crawl)) == expected


def test_a_truncated_archive_costs_the_pages_behind_the_cut(original, crawl):
    before = rows(original)
    last = max(row.location.file for row, _ in before if row.location)
    file, offset, length = location(original, 50)
    os.truncate(volume(crawl, file), offset + length - 3)
    with pytest.raises(StoreError, match="run lycosa repair"):
        SqliteStore.open(crawl)
    report = repair_crawl(crawl)
    gone = [
        row.n
        for row, _ in before
        if row.location and row.location.file == file and row.location.offset >= offset
    ]
    assert gone[0] == 50
    assert len(gone) > 1 or file < last
    assert report.lost == [LostPage(n, f"http://a.example/from/{n}") for n in gone]
    expected = [
        (lost_row(row), None) if row.n in gone else (row, body)
        for row, body in without_places(before)
    ]
    assert without_places(rows(crawl)) == expected


def test_an_archive_cut_between_two_records_stays_in_its_place(original, crawl):
    file, offset, _ = location(original, 50)
    os.truncate(volume(crawl, file), offset)
    report = repair_crawl(crawl)
    assert report.lost[0] == LostPage(50, "http://a.example/from/50")
    assert volume(crawl, file).stat().st_size == offset
    assert len(rows(crawl)) == STEPS


def test_a_missing_archive_file_costs_its_pages(original, crawl):
    before = rows(original)
    volume(crawl, 1).unlink()
    report = repair_crawl(crawl)
    gone = [row.n for row, _ in before if row.location and row.location.file == 1]
    assert [page.n for page in report.lost] == gone
    assert report.damaged_files == ["00001.warc.gz"]
    with SqliteStore.open(crawl, limit=LIMIT) as store:
        write(store, 5)
    assert len(rows(crawl)) == STEPS + 5


def test_a_damaged_first_record_is_replaced_by_a_new_one(original, crawl):
    flip(volume(crawl), 40)
    report = repair_crawl(crawl)
    assert (report.lost, report.repaired) == ([], True)
    assert len(responses(crawl)) == len(responses(original))  # each file begins with a warcinfo
    assert without_places(rows(crawl)) == without_places(rows(original))


def test_pages_that_an_old_copy_of_the_step_log_lacks_are_recovered(original, tmp_path):
    folder = tmp_path / "crawl"
    with SqliteStore.open(folder, limit=LIMIT) as store:
        write(store, 20)
    books = (folder / "crawl.db").read_bytes()
    with SqliteStore.open(folder, limit=LIMIT) as store:
        write(store, STEPS - 20)
    (folder / "crawl.db").write_bytes(books)
    report = repair_crawl(folder)
    assert (report.repaired, report.lost, report.steps) == (True, [], STEPS)
    assert [body for _, body in rows(folder)] == [body for _, body in rows(original)]


def test_what_a_killed_process_left_is_no_damage(crawl):
    last = sorted((crawl / "archive").glob("*.warc.gz"))[-1]
    with last.open("ab") as file:
        file.write(zlib.compress(b"half a record", wbits=31)[:-4])
    assert not repair_crawl(crawl).repaired
    assert len(rows(crawl)) == STEPS


def test_amended_rewards_and_notes_of_a_healthy_log_are_kept(crawl):
    with SqliteStore.open(crawl, limit=LIMIT) as store:
        store.amend(3, 7.0)
        store.put("between:3", ["http://a.example/via"])
        store.keep_conversion("key", b"text")
    file, offset, length = location(crawl, 11)
    flip(volume(crawl, file), offset + length // 2)
    repair_crawl(crawl)
    with SqliteStore.open(crawl, limit=LIMIT) as store:
        assert [row.reward for row, _ in store.replay()][2] == 7.0
        assert store.get("between:3") == ["http://a.example/via"]
        assert store.conversion("key") == b"text"
        assert store.get("steps") == STEPS
        assert store.get("hosts-saved")["exact"] is False


def test_redirects_are_recovered_from_the_archive(tmp_path):
    def moved(number, target):
        headers = ((b"Location", target.encode()),)
        url = f"http://a.example/{number}"
        return Response(url, WHEN, 302, "HTTP/1.1 302 Found", headers, request=REQUEST)

    with SqliteStore.open(tmp_path) as store:
        for number in (1, 2, 3):
            store.keep(moved(number, f"/{number + 1}"))
        store.add(1, "http://a.example/1", page(4), score=0.25)
    (tmp_path / "crawl.db").unlink()
    assert repair_crawl(tmp_path).steps == 1
    with CrawlReader.open(tmp_path) as reader:
        [step] = reader.entries()
        assert (step.url, step.final, step.score) == ("http://a.example/1", page(4).url, 0.25)
        assert reader.between(1) == ["http://a.example/2", "http://a.example/3"]


def test_pages_that_had_not_changed_are_recovered_with_their_bodies(tmp_path):
    with SqliteStore.open(tmp_path) as store:
        write(store, 5)
    later = WHEN + timedelta(days=1)
    with SqliteStore.open(tmp_path) as store:
        store.describe({}, revisits=True)
        store.add(6, page(1).url, replace(page(1), when=later))
        store.add(7, page(2).url, replace(page(2), when=later, status=304, body=b""))
    before = rows(tmp_path)
    assert [body for _, body in before[-2:]] == [page(1).body, b""]
    assert before[5][0].location == before[0][0].location
    (tmp_path / "crawl.db").unlink()
    assert repair_crawl(tmp_path).lost == []
    assert rows(tmp_path) == before


def test_a_rendered_page_is_recovered_with_its_rendering(tmp_path):
    rendered = replace(page(1), rendered=b"\xef\xbb\xbf<p>rendered")
    with SqliteStore.open(tmp_path) as store:
        store.add(1, rendered.url, rendered)
        store.add(2, page(2).url, page(2))
    before = rows(tmp_path)
    (tmp_path / "crawl.db").unlink()
    repair_crawl(tmp_path)
    assert rows(tmp_path) == before
    assert before[0][1] == rendered.rendered


def old_archive(folder):
    """An archive as it was written before its records carried steps: a redirect and 3 pages."""
    (folder / "archive").mkdir(parents=True)
    serialiser = RecordSerialiser(4)
    members = [serialiser.warcinfo("00001.warc.gz", WHEN)]
    responses = [
        ("http://a.example/robots.txt", "200 OK", [], b"x"),
        ("http://a.example/1", "200 OK", [("Content-Type", "text/html")], b"one"),
        ("http://a.example/2", "302 Found", [("Location", "/3")], b""),
        ("http://a.example/3", "200 OK", [("Content-Type", "text/html")], b"three"),
        ("http://a.example/4", "404 Not Found", [], b"none"),
    ]
    for url, line, headers, body in responses:
        members.append(serialiser.response(url, f"HTTP/1.1 {line}", headers, body, WHEN)[0])
    volume(folder).write_bytes(b"".join(members))


def test_an_older_archive_is_repaired_as_far_as_it_goes(tmp_path):
    old_archive(tmp_path)
    report = repair_crawl(tmp_path)
    assert (report.pages, report.unnumbered, report.lost) == (3, 3, [])
    assert [(row.n, row.url, row.final, row.status, body) for row, body in rows(tmp_path)] == [
        (1, "http://a.example/1", "http://a.example/1", 200, b"one"),
        (2, "http://a.example/2", "http://a.example/3", 200, b"three"),
        (3, "http://a.example/4", "http://a.example/4", 404, b"none"),
    ]


def test_rows_of_an_older_archive_are_found_by_their_places(tmp_path):
    old_archive(tmp_path)
    repair_crawl(tmp_path)
    with SqliteStore.open(tmp_path) as store:
        store.amend(2, 5.0)
        store.add(4, page(4).url, page(4))
    before = rows(tmp_path)
    file, offset, length = location(tmp_path, 1)
    flip(volume(tmp_path, file), offset + length // 2)
    report = repair_crawl(tmp_path)
    assert report.lost == [LostPage(1, "http://a.example/1")]
    assert without_places(rows(tmp_path))[1:] == without_places(before)[1:]


def test_checkpoints_of_a_repaired_crawl_are_not_used(crawl):
    with SqliteStore.open(crawl, limit=LIMIT) as store:
        store.checkpoints.write(STEPS, {}, StateWriter(store.checkpoints.lengths))
        assert store.checkpoints.latest(STEPS) is not None
    (crawl / "crawl.db").unlink()
    repair_crawl(crawl)
    with SqliteStore.open(crawl, limit=LIMIT) as store:
        assert store.checkpoints.latest(STEPS) is None


class Killed(Exception):
    pass


@pytest.mark.parametrize("killed_at", range(1, 9))
def test_a_repair_that_is_killed_is_finished_by_the_next(original, crawl, monkeypatch, killed_at):
    before, (file, offset, length) = rows(original), location(original, 11)
    flip(volume(crawl, file), offset + length // 2)
    moves = 0
    rename = Path.rename

    def die(self, target):
        nonlocal moves
        moves += 1
        if moves == killed_at:
            raise Killed
        return rename(self, target)

    monkeypatch.setattr(Path, "rename", die)
    try:
        repair_crawl(crawl)
    except Killed:
        assert moves == killed_at
    monkeypatch.undo()
    repair_crawl(crawl)
    expected = without_places(before)
    expected[10] = lost_row(expected[10][0]), None
    assert without_places(rows(crawl)) == expected
    assert not (crawl / "archive" / "repaired").exists()
    assert not list(crawl.glob("crawl.db.repaired*"))


def test_a_folder_in_use_or_without_a_crawl_is_refused(crawl, tmp_path):
    with SqliteStore.open(crawl), pytest.raises(UsageError, match="in use by process"):
        repair_crawl(crawl)
    (tmp_path / "empty").mkdir()
    with pytest.raises(UsageError, match="There is no crawl"):
        repair_crawl(tmp_path / "empty")


def test_a_step_log_of_a_newer_version_is_refused(crawl):
    database = sqlite3.connect(crawl / "crawl.db")
    database.execute("PRAGMA user_version = 99")
    database.close()
    with pytest.raises(UsageError, match="newer Lycosa"):
        repair_crawl(crawl)
    assert (crawl / "crawl.db").is_file()


@settings(max_examples=40, deadline=None)
@given(
    st.lists(st.tuples(st.integers(0, 2**31), st.integers(1, 300), st.booleans()), max_size=4),
    st.sampled_from(["healthy", "lost", "damaged"]),
    st.integers(0, 2**31),
)
def test_whatever_is_damaged_the_rest_is_right(original, tmp_path_factory, holes, log, place):
    folder = Path(shutil.copytree(original, tmp_path_factory.mktemp("crawl") / "crawl"))
    files = sorted((folder / "archive").glob("*.warc.gz"))
    for number, size, cut in holes:
        path = files[number % len(files)]
        at = number % max(path.stat().st_size, 1)
        data = bytearray(path.read_bytes())
        if cut:
            del data[at:]
        else:
            data[at : at + size] = random.Random(number).randbytes(len(data[at : at + size]))
        path.write_bytes(data)
    if log == "lost":
        (folder / "crawl.db").unlink()
    elif log == "damaged":
        data = bytearray((folder / "crawl.db").read_bytes())
        at = place % len(data)
        data[at : at + 2000] = random.Random(place).randbytes(len(data[at : at + 2000]))
        (folder / "crawl.db").write_bytes(data)
    report = repair_crawl(folder)
    if not report.repaired and not report.steps:
        return
    found = rows(folder)
    assert [row.n for row, _ in found] == list(range(1, report.steps + 1))
    readable = [(row, body) for row, body in found if row.location]
    assert len(readable) == report.pages
    for row, body in readable:
        number = int(row.final.rpartition("/")[2])
        assert (row.url, body) == (f"http://a.example/from/{number}", page(number).body)
    if log == "healthy":
        assert len(readable) + len(report.lost) == STEPS - FAULTS
        assert report.steps == STEPS
    responses(folder)  # read by warcio, with digests
    assert not repair_crawl(folder).repaired
