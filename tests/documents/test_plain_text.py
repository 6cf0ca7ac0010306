import gzip
import hashlib
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

from lycosa.documents.plain_text import OUTCOMES, Document, Documents, is_document
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
def documents():
    with Documents() as documents:
        yield documents


@pytest.mark.parametrize(
    ("body", "type", "expected"),
    [
        (HELLO, "application/pdf", Document("Hello spider", "text")),
        (HELLO, "", Document("Hello spider", "text")),
        (gzip.compress(HELLO, mtime=0), "application/gzip", Document("Hello spider", "text")),
        (gzip.compress("Größe".encode(), mtime=0), "application/gzip", Document("Größe", "text")),
        (b"caf\xe9", "text/plain; charset=latin1", Document("café", "text")),
        (b"junk before\n" + HELLO, "application/octet-stream", Document("Hello spider", "text")),
        (b"", "application/pdf", Document("", "damaged")),
        (b"<html>404</html>", "application/pdf", Document("", "damaged")),
        (random.Random(1).randbytes(50_000), "application/pdf", Document("", "damaged")),
        (HELLO[:60], "application/pdf", Document("", "damaged")),
        (
            gzip.compress(HELLO, mtime=0)[:5] + b"x" * 99,
            "application/gzip",
            Document("", "damaged"),
        ),
        (gzip.compress(gzip.compress(HELLO), mtime=0), "application/gzip", Document("", "no-text")),
        (b"%!PS-Adobe-2.0\n(Hello) show", "application/postscript", Document("", "no-text")),
        (bytes(pdf([])), "application/pdf", Document("", "no-text")),
        (b"", "text/plain", Document("", "no-text")),
        (locked(), "application/pdf", Document("", "encrypted")),
    ],
)
def test_every_body_has_an_outcome(documents, body, type, expected):
    assert documents.text(body, type) == expected


def test_a_truncated_document_gives_what_is_left_or_an_outcome(documents):
    whole = pdf(*[[f"Line {n} of page {p}" for n in range(30)] for p in range(5)])
    for share in (0.2, 0.5, 0.9, 0.99):
        found = documents.text(whole[: int(share * len(whole))], "application/pdf")
        assert (found.outcome == "text") == bool(found.text)
        assert found.outcome in ("text", "damaged")
    assert documents.text(whole, "application/pdf").text.count("Line") == 150


@settings(max_examples=60, deadline=None)
@given(st.binary(max_size=300), st.integers(0, len(HELLO)))
def test_no_bytes_stop_it(documents, junk, place):
    found = documents.text(HELLO[:place] + junk + HELLO[place:], "application/pdf")
    assert found.outcome in OUTCOMES
    assert (found.outcome == "text") == bool(found.text)


def test_the_papers_of_a_generated_department(documents):
    site = World(seed=3, departments=1, pages=200).department(0)
    numbers = [n for n in range(len(site)) if site.page(n).type == "application/pdf"][:10]
    assert numbers
    for number in numbers:
        found = documents.text(site.response(number).body, "application/pdf")
        assert found.outcome == "text"
        assert len(found.text.split()) > 20


def test_only_the_first_and_the_last_pages_are_read():
    whole = pdf(*[[f"page{n}"] for n in range(9)])
    with Documents(first=2, last=1) as documents:
        assert documents.text(whole).text.split() == ["page0", "page1", "page8"]
    with Documents(first=5, last=20) as documents:
        assert documents.text(whole).text.split() == [f"page{n}" for n in range(9)]


def test_words_that_a_line_cuts_are_joined_and_control_characters_are_gone(documents):
    found = documents.text(pdf(["We are learn-", "ing to hunt."]))
    assert found.text.split() == ["We", "are", "learning", "to", "hunt."]
    assert documents.text(b"a\x01b\x7fc", "text/plain").text == "a b c"


def test_a_document_that_never_ends_costs_its_time_and_nothing_else():
    with Documents(seconds=1.0) as documents:
        documents.text(HELLO)
        worker = documents.worker
        began = time.monotonic()
        assert documents.text(endless(), "application/pdf") == Document("", "too-long")
        assert 0.9 < time.monotonic() - began < 5
        assert not os.path.exists(f"/proc/{worker}")
        assert documents.text(HELLO).text == "Hello spider"
        assert documents.worker != worker


def test_a_worker_that_is_killed_costs_one_document():
    with Documents(seconds=20) as documents:
        documents.text(HELLO)
        worker = documents.worker
        timer = threading.Timer(0.3, os.kill, (worker, signal.SIGKILL))
        timer.start()
        assert documents.text(endless()) == Document("", "damaged")
        timer.join()
        assert documents.text(HELLO).text == "Hello spider"
        os.kill(documents.worker, signal.SIGKILL)  # while it waits
        time.sleep(0.1)
        assert documents.text(HELLO).text == "Hello spider"


def test_what_is_too_large():
    with Documents(size=1_000_000, memory=400_000_000) as documents:
        assert documents.text(bytes(1_000_001)) == Document("", "too-large")
        assert documents.worker is None, "it was not even sent"
        bomb = gzip.compress(bytes(30_000_000), mtime=0)
        assert documents.text(bomb) == Document("", "too-large")
        assert documents.text(HELLO).text == "Hello spider"


def test_a_document_that_eats_memory_is_stopped():
    swollen = zlib.compress(b"BT (a) Tj ET " * 8_000_000, 1)
    objects = one_page(b"", b"")
    objects[3] = stream(swollen, b"/Filter /FlateDecode")
    with Documents(seconds=20, memory=150_000_000, size=2_000_000) as documents:
        assert documents.text(built(objects)).outcome in ("damaged", "too-large")
        assert documents.text(HELLO).text == "Hello spider"


def test_a_type_may_be_anything(documents):
    for kind in ("\udcff", "x" * 10_000, "text/plain; charset=\0", "application/pdf\n"):
        assert documents.text(HELLO, kind).text == "Hello spider"


def test_threads_wait_for_each_other(documents):
    bodies = [pdf([f"number {n}"]) for n in range(20)]
    with ThreadPoolExecutor(8) as pool:
        texts = [found.text for found in pool.map(documents.text, bodies)]
    assert texts == [f"number {n}" for n in range(20)]


def test_it_ends_its_worker_and_can_begin_again():
    documents = Documents()
    assert documents.worker is None
    documents.close()
    assert documents.text(HELLO).outcome == "text"
    worker = documents.worker
    documents.close()
    assert documents.worker is None
    assert not os.path.exists(f"/proc/{worker}")
    with documents:
        assert documents.text(HELLO).outcome == "text"


def test_a_new_worker_takes_turns(monkeypatch):
    monkeypatch.setattr("lycosa.documents.plain_text._TURN", 2)
    with Documents() as documents:
        workers = []
        for _ in range(4):
            documents.text(b"text", "text/plain")
            workers.append(documents.worker)
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
        ("application/postscript", "http://a.edu/p.ps", False),
        ("", "http://[a/p.pdf", False),
    ],
)
def test_what_is_a_document(type, url, expected):
    assert is_document(type, url) is expected


@pytest.mark.parametrize(
    ("limits", "said"),
    [
        ({"first": 0}, "first above 0"),
        ({"last": -1}, "a last of 0 or more"),
        ({"seconds": 0}, "seconds above 0"),
        ({"size": 1000, "memory": 1999}, "do not fit"),
    ],
)
def test_limits_that_make_no_sense(limits, said):
    with pytest.raises(UsageError, match=said):
        Documents(**limits)
