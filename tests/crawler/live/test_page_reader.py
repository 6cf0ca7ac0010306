import gzip
from datetime import UTC, datetime

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lycosa.crawler.http.response import Response
from lycosa.crawler.live import page_reader as module
from lycosa.crawler.live.page_reader import PageReader
from lycosa.sites.generated.pdf import PdfWriter
from lycosa.web.urls import Scope

WHEN = datetime(2026, 1, 1, tzinfo=UTC)
URL = "http://a.example/"
MAP = (
    b"<urlset><url><loc>http://a.example/1</loc></url><url><loc>/2</loc></url>"
    b"<url><loc>http://b.test/</loc></url><url><loc>http://a.example/1</loc></url></urlset>"
)


def fetched(status=200, type="text/html", body=b"", url=URL, fault=None):
    headers = ((b"Content-Type", type.encode()),)
    return Response(url, WHEN, status, "HTTP/1.1 200 OK", headers, body, fault)


def reading(**options):
    return PageReader(Scope(domains=("a.example",)), **options)


def targets(page):
    return [page.tables.urls[n] for n in page.targets]


def pdf(line="A paper on spiders"):
    writer = PdfWriter("A title")
    writer.page()
    writer.line(72, 720, line, "roman", 12)
    return bytes(writer)


def test_only_links_in_scope_have_numbers():
    read = reading()
    page = read.read(0, fetched(body=b"<a href=/1>x</a><a href=http://b.test/>y</a>"))
    assert targets(page) == ["http://a.example/1"]
    assert len(read.urls) == 2
    assert not read.allows("http://b.test/")
    read.number("http://b.test/seed")
    assert read.allows("http://b.test/seed"), "what has a number is in scope"


def test_urls_out_of_scope_are_cached_up_to_a_limit(monkeypatch):
    monkeypatch.setattr(module, "_MAX_CACHED_OUTSIDE", 3)
    read = reading()
    for n in range(10):
        assert not read.allows(f"http://b.test/{n}")
        assert len(read._outside) <= 3


@pytest.mark.parametrize("status", [404, 500, 302, 206])
def test_only_a_success_has_links_and_words(status):
    page = reading().read(0, fetched(status, body=b"<a href=/1>word</a>"))
    assert (page.status, page.error) == (status, None)
    assert (targets(page), page.text) == (
        (["http://a.example/1"], "word") if status == 206 else ([], "")
    )


def test_faults_and_unchanged_pages():
    read = reading()
    number = read.number(URL)
    page = read.read(number, fetched(0, fault="dns"))
    assert (page.url, page.status, page.error, len(page.targets)) == (URL, 0, "dns", 0)
    page = read.read(number, fetched(304))
    assert (page.url, page.status, page.error, page.text) == (URL, 304, None, "")


@pytest.mark.parametrize("type", ["application/xml", "text/plain", "application/gzip", ""])
@pytest.mark.parametrize("pack", [bytes, gzip.compress])
def test_sitemaps_are_read_only_if_wanted(type, pack):
    page = reading(sitemaps=True).read(0, fetched(type=type, body=pack(MAP)))
    assert targets(page) == ["http://a.example/1", "http://a.example/2"]
    page = reading().read(0, fetched(type="text/plain", body=MAP))
    assert targets(page) == []


def test_sitemaps_of_other_hosts_are_ignored():
    read = reading()
    places = ["/map.xml", "http://a.example/2.xml", "http://b.test/3.xml", "ftp://a.example/"]
    found = [read.urls[n] for n in read.sitemap_numbers(places, "https://a.example/")]
    assert found == ["https://a.example/map.xml", "http://a.example/2.xml"]
    found = [read.urls[n] for n in read.sitemap_numbers(["/m.xml"], "http://c.test/")]
    assert found == ["http://c.test/m.xml"], "each may name its own"


def test_a_document_has_the_same_words_converted_early_or_late():
    read = reading()
    with read.converter:
        url = "http://a.example/p.pdf"
        answer = fetched(type="application/pdf", body=pdf(), url=url)
        assert read.is_document(answer)
        assert not read.is_document(fetched(404, "application/pdf", pdf(), url))
        late = read.read(0, answer)
        assert not read.reads_documents
        assert late.text == "a paper on spiders"
        assert read.reads_documents
        early = read.read(0, answer, read.convert(answer.body, answer.type))
        assert (early.text, early.url, early.type) == (late.text, url, "application/pdf")


@given(
    st.binary(max_size=300) | st.sampled_from([MAP, b"<urlset>", gzip.compress(MAP)[:40]]),
    st.sampled_from(["text/html", "text/xml", "application/gzip", "text/plain;charset=utf-16", ""]),
    st.booleans(),
)
@settings(deadline=None)
def test_any_bytes_make_a_page(body, type, sitemaps):
    page = reading(sitemaps=sitemaps).read(0, fetched(type=type, body=body))
    assert page.status == 200
    assert isinstance(page.text, str)
    assert all(target.startswith("http://a.example/") for target in targets(page))
