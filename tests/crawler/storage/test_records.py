"""The records of a rendered page: read by the project, by its older readers, and by warcio."""

from dataclasses import replace
from datetime import UTC, datetime
from io import BytesIO

import pytest
from warcio.archiveiterator import ArchiveIterator

from lycosa.archive.archive import Archive
from lycosa.archive.http_message import response_of
from lycosa.archive.reader import read_member
from lycosa.crawler.http.response import Response
from lycosa.crawler.storage.reader import CrawlReader
from lycosa.crawler.storage.records import read_response, response_records
from lycosa.crawler.storage.sqlite import SqliteStore

HEADERS = ((b"Content-Type", b"text/html; charset=iso-8859-1"),)
PLAIN = Response(
    "http://a.example/",
    datetime(2026, 1, 1, 12, tzinfo=UTC),
    200,
    "HTTP/1.1 200 OK",
    HEADERS,
    b"<script src=/menu.js></script>",
)
RENDERED = replace(PLAIN, rendered="\ufeff<a href=/b>Bücher</a>".encode())


def test_a_conversion_record_refers_to_its_response_and_has_valid_digests():
    [members], _, digest, _ = response_records(RENDERED)
    reader = ArchiveIterator(BytesIO(members), check_digests="raise")
    first, second = [(record.rec_headers, record.content_stream().read()) for record in reader]
    assert first[0].get_header("WARC-Type") == "response"
    assert first[0].get_header("WARC-Payload-Digest") == digest
    assert first[1] == RENDERED.body
    assert second[0].get_header("WARC-Type") == "conversion"
    assert second[0].get_header("WARC-Refers-To") == first[0].get_header("WARC-Record-ID")
    assert second[0].get_header("WARC-Target-URI") == RENDERED.url
    assert second[1] == RENDERED.rendered


def test_a_reader_of_one_record_gets_the_original_response():
    [members], *_ = response_records(RENDERED)
    assert response_of(read_member(members)).body == RENDERED.body


@pytest.mark.parametrize("lost", [1, 40])
def test_a_damaged_conversion_leaves_the_original_response(lost):
    [members], _, digest, _ = response_records(RENDERED)
    assert read_response(members[:-lost], digest).body == RENDERED.body


def test_a_damaged_response_is_lost_with_its_conversion():
    [members], _, digest, _ = response_records(RENDERED)
    assert read_response(b"\0" + members[1:], digest) is None
    assert read_response(members, "sha1:another") is None


def test_a_resumed_crawl_and_a_reader_get_the_rendered_document(tmp_path):
    with SqliteStore.open(tmp_path) as store:
        store.add(1, RENDERED.url, RENDERED)
        store.add(2, PLAIN.url, PLAIN)
    with SqliteStore.open(tmp_path) as store:
        assert [response.body for _, response in store.replay()] == [RENDERED.rendered, PLAIN.body]
        assert store.lost == 0
    with CrawlReader.open(tmp_path) as reader:
        bodies = [reader.answer(entry).body for entry in reader.entries()]
    assert bodies == [RENDERED.rendered, PLAIN.body]
    # In the archive itself both are found, each as what it is.
    archive = Archive(tmp_path / "archive" / "00001.warc.gz")
    assert [response.body for _, response in archive] == [PLAIN.body] * 2
