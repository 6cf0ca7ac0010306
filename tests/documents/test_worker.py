import gzip
import hashlib
import logging
import os
import random
import signal
import threading
import time
import zlib
from concurrent.futures import ThreadPoolExecutor

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lycosa.documents.conversion import Converter
from lycosa.documents.formats import is_document
from lycosa.documents.worker import OUTCOMES, DocumentWorker, ReaderResult
from lycosa.errors import UsageError
from lycosa.sites.generated import World
from lycosa.sites.generated.pdf import PdfWriter


def pdf(*pages):
    writer = PdfWriter("A title")
    for lines in pages:
        writer.page()
        for n, line in enumerate(lines):
            writer.line(72, 720 - 14 * n, line, "roman", 12)
    return bytes(writer)


def built(objects, trailer=b""):
    """A PDF of these objects; the library rebuilds the table of their places."""
    body = b"".join(b"%d 0 obj\n%b\nendobj\n" % (n, o) for n, o in enumerate(objects, 1))
    end = b"trailer\n<< /Size %d /Root 1 0 R %b >>\n%%%%EOF\n" % (len(objects) + 1, trailer)
    return b"%PDF-1.4\n" + body + end


def stream(data, more=b""):
    return b"<< %b /Length %d >>\nstream\n%b\nendstream" % (more, len(data), data)


def one_page(content, resources):
    return [
        b"<< /Type /Catalog /Pages 2 0 R >>",
        b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
        b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 600 800] /Resources << %b >> "
        b"/Contents 4 0 R >>" % resources,
        stream(content),
    ]


def endless(width=30, depth=8):
    """Drawings that each hold the next one many times over: 30 to the 7th in all."""
    objects = one_page(b"/X Do", b"/XObject << /X 5 0 R >>")
    for level in range(depth):
        next_one = b"/XObject << /X %d 0 R >>" % (6 + level)
        form = b"/Type /XObject /Subtype /Form /BBox [0 0 9 9] /Resources << %b >>" % next_one
        objects.append(stream(b"/X Do " * width if level < depth - 1 else b"q Q", form))
    return built(objects)


def locked():
    """A PDF that wants a password: no password has these check values."""
    objects = one_page(b"BT /F1 12 Tf (secret) Tj ET", b"")
    check = hashlib.sha256(b"").hexdigest().encode()
    objects.append(
        b"<< /Filter /Standard /V 1 /R 2 /P -4 /O <%b> /U <%b> >>" % (check, check[::-1])
    )
    return built(objects, b"/Encrypt 5 0 R /ID [<00> <00>]")


HELLO = pdf(["Hello spider"])


@pytest.fixture(scope="module")
def converter():
    with Converter() as converter:
        yield converter


@pytest.mark.parametrize(
    ("body", "type", "expected"),
    [
        (HELLO, "application/pdf", ("Hello spider", "text")),
        (HELLO, "", ("Hello spider", "text")),
        (gzip.compress(HELLO, mtime=0), "application/gzip", ("Hello spider", "text")),
        (gzip.compress("Größe".encode(), mtime=0), "application/gzip", ("Größe", "text")),
        (b"caf\xe9", "text/plain; charset=latin1", ("café", "text")),
        (b"junk before\n" + HELLO, "application/octet-stream", ("Hello spider", "text")),
        (b"", "application/pdf", ("", "damaged")),
        (b"<html>404</html>", "application/pdf", ("", "damaged")),
        (random.Random(1).randbytes(50_000), "application/pdf", ("", "damaged")),
        (HELLO[:60], "application/pdf", ("", "damaged")),
        (
            gzip.compress(HELLO, mtime=0)[:5] + b"x" * 99,
            "application/gzip",
            ("", "damaged"),
        ),
        (gzip.compress(gzip.compress(HELLO), mtime=0), "application/gzip", ("", "no-text")),
        (bytes(pdf([])), "application/pdf", ("", "no-text")),
        (b"", "text/plain", ("", "no-text")),
        (locked(), "application/pdf", ("", "encrypted")),
    ],
)
def test_every_body_has_an_outcome(converter, body, type, expected):
    found = converter.convert(body, type)
    assert (found.text, found.outcome) == expected


def test_a_truncated_document_has_its_readable_part_or_an_outcome(converter):
    letters = "abcdefghijklmnopqrstuvwxyzABCD"  # no digits: equal lines but for them are removed
    whole = pdf(*[[f"Line {a} of page {p}" for a in letters] for p in "vwxyz"])
    for share in (0.2, 0.5, 0.9, 0.99):
        found = converter.convert(whole[: int(share * len(whole))], "application/pdf")
        assert (found.outcome == "text") == bool(found.text)
        assert found.outcome in ("text", "damaged")
    assert converter.convert(whole, "application/pdf").text.count("Line") == 150


@settings(max_examples=60, deadline=None)
@given(st.binary(max_size=300), st.integers(0, len(HELLO)))
def test_any_bytes_have_an_outcome(converter, junk, place):
    found = converter.convert(HELLO[:place] + junk + HELLO[place:], "application/pdf")
    assert found.outcome in OUTCOMES
    assert (found.outcome == "text") == bool(found.text)


def test_generated_papers_have_text(converter):
    site = World(seed=3, departments=1, pages=200).department(0)
    numbers = [n for n in range(len(site)) if site.page(n).type == "application/pdf"][:10]
    assert numbers
    for number in numbers:
        found = converter.convert(site.response(number).body, "application/pdf")
        assert found.outcome == "text"
        assert len(found.text.split()) > 20


def test_only_the_first_and_the_last_pages_are_read():
    whole = pdf(*[[f"page{n}"] for n in range(9)])
    with Converter(first=2, last=1) as converter:
        assert converter.convert(whole).text.split() == ["page0", "page1", "page8"]
    with Converter(first=5, last=20) as converter:
        assert converter.convert(whole).text.split() == [f"page{n}" for n in range(9)]


def test_joins_hyphenated_words_and_removes_control_characters(converter):
    found = converter.convert(pdf(["We are learn-", "ing to hunt."]))
    assert found.text.split() == ["We", "are", "learning", "to", "hunt."]
    assert converter.convert(b"a\x01b\x7fc", "text/plain").text == "a b c"


def test_ends_a_document_at_its_time_limit():
    with Converter(seconds=1.0) as converter:
        converter.convert(HELLO)
        worker = converter.pid
        began = time.monotonic()
        assert converter.convert(endless(), "application/pdf").outcome == "too-long"
        assert 0.9 < time.monotonic() - began < 5
        assert not os.path.exists(f"/proc/{worker}")
        assert converter.convert(HELLO).text == "Hello spider"
        assert converter.pid != worker


def waiting_reader(body, kind, first, last, size):
    time.sleep(float(body))
    return ReaderResult(b"done", "text")


def test_time_without_the_processor_does_not_count_up_to_a_limit():
    with DocumentWorker(seconds=0.5, reader=f"{__name__}:waiting_reader") as worker:
        assert worker.read(b"0.8").outcome == "text"
        assert worker.read(b"60").outcome == "too-long"
        assert worker.read(b"0").content == b"done"


def test_a_killed_worker_costs_one_document():
    with Converter(seconds=20) as converter:
        converter.convert(HELLO)
        worker = converter.pid
        timer = threading.Timer(0.3, os.kill, (worker, signal.SIGKILL))
        timer.start()
        assert converter.convert(endless()).outcome == "damaged"
        timer.join()
        assert converter.convert(HELLO).text == "Hello spider"
        os.kill(converter.pid, signal.SIGKILL)  # while it waits
        time.sleep(0.1)
        assert converter.convert(HELLO).text == "Hello spider"


def test_refuses_documents_that_are_too_large():
    with Converter(size=1_000_000, memory=400_000_000) as converter:
        assert converter.convert(bytes(1_000_001)).outcome == "too-large"
        assert converter.pid is None, "it was not even sent"
        bomb = gzip.compress(bytes(30_000_000), mtime=0)
        assert converter.convert(bomb).outcome == "too-large"
        assert converter.convert(HELLO).text == "Hello spider"


def test_ends_a_document_at_the_memory_limit():
    swollen = zlib.compress(b"BT (a) Tj ET " * 24_000_000, 1)
    objects = one_page(b"", b"")
    objects[3] = stream(swollen, b"/Filter /FlateDecode")
    with Converter(seconds=20, memory=400_000_000, size=2_000_000) as converter:
        assert converter.convert(built(objects)).outcome in ("damaged", "too-large")
        assert converter.convert(HELLO).text == "Hello spider"


def test_accepts_any_type(converter):
    for kind in ("\udcff", "x" * 10_000, "text/plain; charset=\0", "application/pdf\n"):
        assert converter.convert(HELLO, kind).text == "Hello spider"


def test_threads_may_share_a_worker(converter):
    bodies = [pdf([f"number {n}"]) for n in range(20)]
    with ThreadPoolExecutor(8) as pool:
        texts = [found.text for found in pool.map(converter.convert, bodies)]
    assert texts == [f"number {n}" for n in range(20)]


def test_can_be_used_again_after_close():
    converter = Converter()
    assert converter.pid is None
    converter.close()
    assert converter.convert(HELLO).outcome == "text"
    worker = converter.pid
    converter.close()
    assert converter.pid is None
    assert not os.path.exists(f"/proc/{worker}")
    with converter:
        assert converter.convert(HELLO).outcome == "text"


def test_replaces_its_worker_after_some_documents(monkeypatch):
    monkeypatch.setattr("lycosa.documents.worker.DOCUMENTS_PER_WORKER", 2)
    with Converter() as converter:
        workers = []
        for _ in range(4):
            converter.convert(b"text", "text/plain")
            workers.append(converter.pid)
        assert workers[1] is workers[3] is None
        assert workers[0] != workers[2]


@pytest.mark.parametrize(
    ("type", "url", "expected"),
    [
        ("application/pdf", "", True),
        ("Application/PDF; x=y", "", True),
        ("application/octet-stream", "http://a.edu/P.PDF?x=1", True),
        ("", "http://a.edu/p.pdf", True),
        ("application/gzip", "http://a.edu/p.pdf.gz", True),
        ("application/x-gzip", "http://a.edu/p.tar.gz", False),
        ("application/gzip", "http://a.edu/p", False),
        ("application/octet-stream", "http://a.edu/p.exe", False),
        ("text/html", "http://a.edu/p.pdf", False),
        ("application/postscript", "http://a.edu/p.ps", True),
        ("application/octet-stream", "http://a.edu/p.ps", True),
        ("application/x-gzip", "http://a.edu/p.ps.gz", True),
        ("", "http://[a/p.pdf", False),
    ],
)
def test_is_document(type, url, expected):
    assert is_document(type, url) is expected


@pytest.mark.parametrize(
    ("limits", "message"),
    [
        ({"first": 0}, "first greater than 0"),
        ({"last": -1}, "last of 0 or more"),
        ({"seconds": 0}, "seconds greater than 0"),
        ({"size": 1000, "memory": 1999}, "do not fit"),
    ],
)
def test_refuses_senseless_limits(limits, message):
    with pytest.raises(UsageError, match=message):
        Converter(**limits)


def failing_reader(body, kind, first, last, size):
    """A reader with a bug."""
    raise ZeroDivisionError("a bug")


def shouting_reader(body, kind, first, last, size):
    """A reader that is not of the package."""
    return ReaderResult(body.upper(), "text")


def test_logs_the_traceback_of_a_bug_in_the_reader(caplog):
    with DocumentWorker(reader=f"{__name__}:failing_reader") as worker:
        assert worker.read(b"x", "text/plain").outcome == "damaged"
        pid = worker.pid
        assert worker.read(b"x", "text/plain").outcome == "damaged"
        assert worker.pid == pid, "it goes on after a bug"
    assert [record.levelname for record in caplog.records] == ["WARNING"] * 2
    assert "in failing_reader" in caplog.text
    assert "ZeroDivisionError: a bug" in caplog.text


def test_logs_why_a_document_is_damaged(converter, caplog):
    with caplog.at_level(logging.DEBUG, "lycosa.documents"):
        assert converter.convert(HELLO[:60], "application/pdf").outcome == "damaged"
    assert "PdfiumError" in caplog.text


def test_takes_any_reader_by_name():
    with DocumentWorker(reader="lycosa.documents.conversion:read_document") as worker:
        assert worker.read(b"hello", "text/plain").content.startswith(b"[1, [[")
    with DocumentWorker(reader=f"{__name__}:shouting_reader") as worker:
        assert worker.read(b"hello", "text/plain") == ReaderResult(b"HELLO", "text")


@pytest.mark.parametrize("name", ["", "lycosa.nowhere:read", "lycosa.documents.conversion:nothing"])
def test_refuses_a_reader_that_does_not_exist(name):
    with pytest.raises(UsageError, match="There is no reader"):
        DocumentWorker(reader=name)
