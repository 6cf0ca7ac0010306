import gzip
import io
import lzma
import random
from datetime import UTC, datetime

import pytest
import zstandard
from hypothesis import given, settings
from hypothesis import strategies as st
from warcio.archiveiterator import ArchiveIterator
from warcio.statusandheaders import StatusAndHeaders
from warcio.warcwriter import WARCWriter

from lycosa.archive.http_message import response_of
from lycosa.archive.reader import ReadReport, read_member, read_warc, read_warc_at
from lycosa.archive.writer import RecordSerialiser, WarcWriter
from lycosa.errors import ArchiveError

DATE = datetime(2026, 1, 1, tzinfo=UTC)
BODIES = [random.Random(i).randbytes(3000).hex().encode() for i in range(12)]


def url(i):
    return f"http://a.example/{i}"


@pytest.fixture
def written(tmp_path):
    path = tmp_path / "a.warc.gz"
    with WarcWriter(path, date=DATE) as writer:
        for i, body in enumerate(BODIES):
            writer.response(url(i), body, headers={"Content-Type": "text/html"}, date=DATE)
    return path


def whole(path, report=None):
    """Return the numbers of all responses; check each body against the written one."""
    found = []
    for record in read_warc(path, report):
        response = response_of(record)
        if response:
            number = int(record.url.rpartition("/")[2])
            assert response.body == BODIES[number]
            found.append(number)
    return found


COMPRESSED = {
    ".warc": bytes,
    ".warc.gz": gzip.compress,
    ".warc.xz": lzma.compress,
    ".warc.zst": zstandard.compress,
}


@pytest.mark.parametrize("suffix", COMPRESSED)
def test_reads_every_compression(written, tmp_path, suffix):
    path = tmp_path / ("b" + suffix)
    path.write_bytes(COMPRESSED[suffix](gzip.decompress(written.read_bytes())))
    report = ReadReport()
    assert whole(path, report) == list(range(12))
    assert report.damage("b") is None
    assert report.records == 13
    assert report.reached == path.stat().st_size


def test_reads_a_record_at_its_offset(written, tmp_path):
    for record in read_warc(written):
        assert read_warc_at(written, record.offset).block == record.block
    plain = tmp_path / "b.warc"
    plain.write_bytes(gzip.decompress(written.read_bytes()))
    for record in read_warc(plain):
        assert read_warc_at(plain, record.offset).block == record.block


def test_same_calls_give_the_same_bytes(written, tmp_path):
    again = tmp_path / "again" / "a.warc.gz"
    again.parent.mkdir()
    with WarcWriter(again, date=DATE) as writer:
        for i, body in enumerate(BODIES):
            writer.response(url(i), body, headers={"Content-Type": "text/html"}, date=DATE)
    assert again.read_bytes() == written.read_bytes()


def test_another_tool_reads_written_archives(written):
    with written.open("rb") as file:
        iterator = ArchiveIterator(file, check_digests="raise")
        bodies = [r.content_stream().read() for r in iterator if r.rec_type == "response"]
    assert bodies == BODIES


@settings(deadline=None, max_examples=60)
@given(
    st.lists(
        st.tuples(
            st.from_regex(r"http://[a-z]{1,5}\.example/[a-z]{0,5}", fullmatch=True),
            st.binary(max_size=300),
            st.integers(200, 599),
            st.from_regex(r"[A-Za-z][A-Za-z0-9-]{0,9}", fullmatch=True).filter(
                lambda n: n.lower() not in ("transfer-encoding", "content-encoding")
            ),
            st.text(st.characters(codec="latin-1", exclude_categories=["C"]), max_size=10),
        ),
        max_size=6,
    )
)
def test_round_trip(tmp_path_factory, rows):
    path = tmp_path_factory.mktemp("w") / "r.warc.gz"
    with WarcWriter(path) as writer:
        for address, body, status, name, value in rows:
            writer.response(address, body, status=status, headers={name: value})
    back = [(r.url, response_of(r)) for r in read_warc(path)][1:]
    assert [(u, a.body, a.status) for u, a in back] == [(u, b, s) for u, b, s, _, _ in rows]


def test_reads_archives_of_another_tool(tmp_path):
    path = tmp_path / "o.warc.gz"
    body = b"hello " * 100
    packed = gzip.compress(body)
    chunked = b"%x\r\n%s\r\n0\r\n\r\n" % (len(packed), packed)
    headers = StatusAndHeaders(
        "200 OK",
        [
            ("Content-Type", "text/html"),
            ("Content-Encoding", "gzip"),
            ("Transfer-Encoding", "chunked"),
        ],
        protocol="HTTP/1.1",
    )
    with path.open("wb") as file:
        writer = WARCWriter(file, gzip=True)
        args = {"payload": io.BytesIO(chunked), "length": len(chunked), "http_headers": headers}
        writer.write_record(writer.create_warc_record("http://a.example/", "response", **args))
        info = writer.create_warc_record(
            "http://a.example/r", "resource", payload=io.BytesIO(b"x"), length=1,
            warc_content_type="text/plain",
        )  # fmt: skip
        writer.write_record(info)
    responses = [response_of(record) for record in read_warc(path)]
    assert [(a.status, a.body, a.type) for a in responses] == [
        (200, body, "text/html"),
        (200, b"x", "text/plain"),
    ]


@pytest.mark.parametrize("suffix", [".warc", ".warc.gz"])
@pytest.mark.parametrize("fault", ["torn", "flipped", "cut"])
def test_damaged_file_gives_all_whole_records(written, tmp_path, suffix, fault):
    data = written.read_bytes()
    if suffix == ".warc":
        data = gzip.decompress(data)
    middle = len(data) // 2
    path = tmp_path / ("d" + suffix)
    if fault == "torn":
        path.write_bytes(data[:middle])
    elif fault == "flipped":
        path.write_bytes(data[:middle] + random.Random(1).randbytes(50) + data[middle + 50 :])
    else:
        path.write_bytes(data[:middle] + data[middle + 700 :])
    report = ReadReport()
    found = whole(path, report)
    assert report.places == 1
    assert report.lost > 0
    assert len(found) >= (5 if fault == "torn" else 10)
    assert found == sorted(found)
    sentence = report.damage("d")
    assert "1 place" in sentence
    assert f"{report.records:,} records" in sentence


@settings(deadline=None, max_examples=150)
@given(st.data())
def test_any_damage_gives_only_whole_records(tmp_path_factory, data):
    """However a file is changed, reading gives only whole records and never raises."""
    folder = tmp_path_factory.mktemp("f")
    path = folder / ("x" + data.draw(st.sampled_from(list(COMPRESSED))))
    with WarcWriter(folder / "s.warc.gz", date=DATE) as writer:
        for i, body in enumerate(BODIES[:4]):
            writer.response(url(i), body[:500], date=DATE)
    plain = gzip.decompress((folder / "s.warc.gz").read_bytes())
    raw = bytearray(COMPRESSED[path.name.removeprefix("x")](plain))
    for _ in range(data.draw(st.integers(1, 4))):
        at = data.draw(st.integers(0, max(0, len(raw) - 1)))
        change = data.draw(st.sampled_from(["delete", "insert", "overwrite", "truncate"]))
        if change == "delete":
            del raw[at : at + data.draw(st.integers(1, 200))]
        elif change == "insert":
            raw[at:at] = data.draw(st.binary(max_size=50))
        elif change == "overwrite":
            raw[at : at + 1] = data.draw(st.binary(min_size=1, max_size=1))
        else:
            del raw[at:]
    path.write_bytes(bytes(raw))
    for record in read_warc(path):
        # Of a damaged digest, such as "s", nothing can be checked.
        digest = record.headers.get("warc-block-digest", "")
        if record.type == "response" and digest.startswith("sha1:"):
            assert isinstance(response_of(record).body, bytes)


def test_junk_is_lost_and_counted(tmp_path):
    path = tmp_path / "j.warc"
    path.write_bytes(random.Random(0).randbytes(5000))
    report = ReadReport()
    assert list(read_warc(path, report)) == []
    assert (report.places, report.lost) == (1, 5000)


def test_misuse(tmp_path, written):
    with pytest.raises(ArchiveError, match=r"written as \.warc\.gz"):
        WarcWriter(tmp_path / "a.warc")
    with pytest.raises(ArchiveError, match="no record at"):
        read_warc_at(written, written.stat().st_size)


def test_format_of_written_records_is_pinned(tmp_path):
    """The uncompressed bytes, pinned: the compression may differ with the build of zlib."""
    path = tmp_path / "pin.warc.gz"
    with WarcWriter(path, date=DATE) as writer:
        writer.response(
            "http://a.example/", b"body", status=404, headers={"X": "a\r\nb"}, date=DATE
        )
    lines = gzip.decompress(path.read_bytes()).decode().split("\r\n")
    assert lines == [
        "WARC/1.1",
        "WARC-Type: warcinfo",
        "WARC-Record-ID: <urn:uuid:912c2e13-bf7c-5a8b-bf1c-7a719b02feed>",
        "WARC-Date: 2026-01-01T00:00:00Z",
        "WARC-Filename: pin.warc.gz",
        "Content-Type: application/warc-fields",
        "WARC-Block-Digest: sha1:VMNJTFITDTPJDVJF7XMX2MRB2QIN3YPZ",
        "Content-Length: 48",
        "",
        "software: lycosa",
        "format: WARC File Format 1.1",
        "",
        "",
        "WARC/1.1",
        "WARC-Type: response",
        "WARC-Record-ID: <urn:uuid:461afffe-31d5-5852-ad61-b50f538930d4>",
        "WARC-Date: 2026-01-01T00:00:00Z",
        "WARC-Target-URI: http://a.example/",
        "WARC-Payload-Digest: sha1:AIED6RLZ4CFGCJBFYDA2C7XEPLOXQO4U",
        "Content-Type: application/http; msgtype=response",
        "WARC-Block-Digest: sha1:OVNSA5UKHCKFMS5ZWCNQCBW25RHRDD6A",
        "Content-Length: 58",
        "",
        "HTTP/1.1 404 Not Found",
        "X: a  b",
        "Content-Length: 4",
        "",
        "body",
        "",
        "",
    ]


def test_reads_one_member_and_refuses_damaged_ones():
    serialiser = RecordSerialiser(level=4)
    args = ("http://a.example/", "HTTP/1.1 200 OK", [("Content-Length", "5")], b"Hello", DATE)
    member, _ = serialiser.response(*args, address="192.0.2.1")
    record = read_member(member)
    assert (record.type, record.url, record.offset) == ("response", "http://a.example/", None)
    assert list(record.headers) == [
        "warc-type", "warc-record-id", "warc-date", "warc-target-uri", "warc-ip-address",
        "warc-payload-digest", "content-type", "warc-block-digest", "content-length",
    ]  # fmt: skip
    assert record.headers["warc-date"] == "2026-01-01T00:00:00.000000Z"
    assert response_of(record).body == b"Hello"
    plain = gzip.decompress(member)
    for damaged in (
        member[:-1],
        b"",
        b"junk",
        gzip.compress(plain[1:]),
        gzip.compress(plain[:-1]),
        gzip.compress(plain + b"x"),
        gzip.compress(plain.replace(b"Content-Length", b"Content-Width")),
    ):
        assert read_member(damaged) is None


def test_line_breaks_cannot_forge_fields():
    member, _ = RecordSerialiser(level=4).response(
        "http://a.example/\r\nWARC-Type: x", "HTTP/1.1 200 OK\n", [("A", "b\0\nc")], b"", DATE
    )
    record = read_member(member)
    assert record.type == "response"
    assert record.block == b"HTTP/1.1 200 OK \r\nA: b  c\r\n\r\n"


def test_damage_is_logged(written, caplog):
    data = written.read_bytes()
    written.write_bytes(data[: len(data) // 2] + b"damage" + data[len(data) // 2 :])
    report = ReadReport()
    with caplog.at_level("DEBUG", logger="lycosa.archive"):
        whole(written, report)
    info = [record.getMessage() for record in caplog.records if record.levelname == "INFO"]
    assert info == [report.damage(str(written))]
    assert any(record.exc_info for record in caplog.records)
