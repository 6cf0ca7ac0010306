"""Bodies to documents: papers, pages, and what cannot be read."""

import json
import os
import signal
import threading
import time

import psutil
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.documents.sample_sentences import CODE, REFERENCES, SENTENCES
from tests.papers.golden.make import body, one_column
from tests.portal.build.crawls import papers, printed

from lycosa.papers.extraction.fields import Header, Reference
from lycosa.portal.build.pages import describe
from lycosa.portal.build.reading import DAMAGED, DocumentReader, document_pool, fields_of
from lycosa.sites.generated import World

MADE = papers(8)


@pytest.fixture(scope="module")
def reader():
    with DocumentReader() as reader:
        yield reader


def test_reads_fields_and_references_of_a_paper(reader):
    found = reader.read(printed(MADE[5], MADE), "text/plain; charset=utf-8")
    assert (found.kind, found.outcome, found.title) == ("paper", "text", MADE[5].title)
    assert found.confidence > 0.5
    assert found.date == str(MADE[5].year)
    header = Header(fields_of(json.loads(found.fields)))
    assert [f"{name.given} {name.family}" for name in header.authors] == list(MADE[5].authors)
    assert header.abstract == found.abstract
    assert [one.number for one in found.references] == [1, 2, 3]
    for one, cited in zip(found.references, MADE[5].cites, strict=True):
        reference = Reference(fields_of(json.loads(one.fields)))
        assert reference.title == MADE[cited].title
        assert MADE[cited].title in one.text
        assert f"[{one.number}]" in json.loads(one.contexts)[0]
        assert one.page == 1
        assert one.line > 20


def test_year_venue_and_doi_come_from_notices(reader):
    notice = b"Web Letters 12 (1999) 1-9, doi:10.1234/Webs.7\n"
    found = reader.read(notice + printed(MADE[5], MADE), "text/plain; charset=utf-8")
    assert found.date == "1999"
    fields = json.loads(found.fields)
    assert fields["venue"][0][0] == "Web Letters"
    assert fields["year"][0][2:] == [1, 1]
    assert fields["doi"][0][0] == "10.1234/webs.7"


def test_the_name_of_a_file_confirms_its_date(reader):
    sheets = one_column("")
    body(sheets, notice="")
    made = b"/Producer (Lycosa) /CreationDate (D:20120420175457)"
    printed_paper = sheets.pdf().replace(b"/Producer (Lycosa)", made)
    alone = reader.read(printed_paper, "application/pdf")
    named = reader.read(printed_paper, "application/pdf", None, "webs-2012.pdf")
    assert (alone.kind, alone.date, named.date) == ("paper", "", "2012")


def test_reads_pdf_files_of_a_generated_department(reader):
    site = World(seed=31, departments=1, pages=120).sites[0]
    wanted = sorted(site.plan.wanted("papers"))[:3]
    for number in wanted:
        found = reader.read(site.response(number).body, "application/pdf")
        assert found.kind == "paper"
        assert found.abstract
        assert found.language == "en"


def test_reads_the_metadata_of_a_page(reader):
    html = """<html lang="de"><head><title>Die  Spinnen</title>
      <meta property="article:published_time" content="2001-05-03T10:00:00Z">
      <meta name="description" content="Alles &uuml;ber Spinnen"></head>
      <body><h1>Spinnen</h1><p>Die Spinne sitzt in der Mitte und wartet auf die Fliege, die nicht
      kommt, weil es nicht so ist.<script>alert(1)</script>"""
    found = reader.read(html.encode(), "text/html; charset=utf-8")
    assert (found.kind, found.title, found.date) == ("page", "Die Spinnen", "2001-05-03")
    assert (found.abstract, found.language) == ("Alles über Spinnen", "de")
    assert "alert" not in found.text
    assert "wartet" in found.text
    assert found.references == ()


@pytest.mark.parametrize("code", ["fr", "ja", "de", "ru", "ko"])
def test_english_references_and_listings_do_not_make_a_chapter_english(reader, code):
    body = "".join(f"<p>{sentence}</p>" for sentence in SENTENCES[code])
    listings = "".join(f"<pre>{listing}</pre>" for listing in CODE)
    listed = "".join(f"<p>{reference}</p>" for reference in REFERENCES * 4)
    html = f"<html lang=en><title>Debian</title><h1>Debian</h1>{body}{listings}"
    html += f"<h2>References</h2>{listed}"
    assert reader.read(html.encode(), "text/html; charset=utf-8").language == code


def test_the_first_pages_do_not_decide_the_language(reader):
    preface, chapters = " ".join(SENTENCES["en"]), " ".join(SENTENCES["fr"])
    text = "\n".join([preface] * 45 + [chapters] * 150)
    assert reader.read(text.encode(), "text/plain; charset=utf-8").language == "fr"


def test_a_list_of_publications_has_the_language_of_its_entries(reader):
    text = "Publications\n\nReferences\n\n" + "\n\n".join(REFERENCES * 5)
    assert reader.read(text.encode(), "text/plain").language == "en"


def test_the_first_line_is_the_title_of_a_plain_document(reader):
    found = reader.read(b"Request for leave\nName: ........\nSignature: ......", "text/plain")
    assert (found.kind, found.title, found.abstract) == ("page", "Request for leave", "")


@pytest.mark.parametrize(
    ("body", "kind", "outcome"),
    [
        (b"%PDF-1.4 nothing", "application/pdf", "damaged"),
        (b"\0\1\2\3" * 100, "application/octet-stream", "no-text"),
        (b"", "text/html", "no-text"),
        (b"\x1f\x8bnothing", "application/gzip", "damaged"),
    ],
)
def test_an_unreadable_body_has_an_outcome(reader, body, kind, outcome):
    found = reader.read(body, kind)
    assert (found.kind, found.outcome, found.text) == ("none", outcome, "")


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=60)
@given(
    body=st.binary(max_size=200)
    | st.text(max_size=200).map(lambda t: t.encode("utf-16", "replace")),
    kind=st.sampled_from(["text/html", "text/plain", "", "application/pdf; x=\ud800"]),
)
def test_any_bytes_become_rows_of_a_database(reader, body, kind):
    found = reader.read(body, kind)
    for text in (found.title, found.abstract, found.text, found.date, found.language):
        assert text.encode().decode() == text
        assert "\0" not in text


@given(st.text(max_size=300))
def test_any_page_can_be_described(text):
    found = describe(f'<meta name="date" content="{text}"><title>{text}</title>{text}')
    assert found.title == " ".join(found.title.split())


# Several processes


def test_several_processes_read_the_same(reader):
    bodies = [printed(made, MADE) for made in MADE[:3]]
    with document_pool(2) as pool:
        found = [pool.submit(body, "text/plain") for body in bodies]
        assert [one.result() for one in found] == [reader.read(b, "text/plain") for b in bodies]


def test_a_crashing_worker_loses_no_document(reader):
    bodies = [printed(made, MADE) for made in MADE[:3]]
    with document_pool(2) as pool:
        found = [pool.submit(body, "text/plain") for body in bodies]
        for pid in list(pool._workers._processes):
            os.kill(pid, signal.SIGKILL)
        assert [one.result() for one in found] == [reader.read(b, "text/plain") for b in bodies]
        assert pool.submit(b"Hello", "text/plain").result().text == "Hello"


def test_a_document_that_crashes_every_worker_is_damaged():
    """Every process that begins to read it is killed."""
    done = threading.Event()
    spared = {child.pid for child in psutil.Process().children(recursive=True)}

    def hunt():
        while not done.is_set():
            for child in psutil.Process().children():
                if child.pid not in spared and "spawn_main" in " ".join(_command(child)):
                    child.kill()
            time.sleep(0.02)

    hunter = threading.Thread(target=hunt)
    with document_pool(2) as pool:
        hunter.start()
        try:
            assert pool.submit(b"Hello", "text/plain").result() is DAMAGED
        finally:
            done.set()
            hunter.join()


def _command(process):
    try:
        return process.cmdline()
    except psutil.Error:
        return []
