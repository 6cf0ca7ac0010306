import sqlite3

import pytest

from lycosa.crawler.storage.reader import CrawlReader
from lycosa.portal.web.documents import MAX_PAGE_LENGTH, SANDBOX
from portal.sample import document_id
from portal.web.portal_client import connect, copy_portal, html, text


@pytest.fixture
def folder(tmp_path):
    return copy_portal(tmp_path / "portal")


def change(folder, number, **columns):
    with sqlite3.connect(folder / "portal.db") as database:
        for name, value in columns.items():
            query = f"UPDATE documents SET {name} = ? WHERE id = ?"
            database.execute(query, (value, document_id(number)))
    database.close()


@pytest.mark.parametrize(
    ("type", "sent", "ending"),
    [
        ("application/pdf", "application/pdf", "pdf"),
        ("text/html", "application/octet-stream", "html"),
        ("image/svg+xml", "application/octet-stream", "bin"),
        ('text/html"\r\nX: y', "application/octet-stream", "bin"),
    ],
)
def test_originals_are_downloads_that_browsers_do_not_execute(folder, type, sent, ending):
    change(folder, 3, type=type, title='Spiders & "webs"/../x')
    with CrawlReader.open(folder) as ledger:
        body = ledger.answer(ledger.step(4)).body
    with connect(folder) as reader:
        response = reader.get(f"/document/{document_id(3)}/original")
    assert response.content == body
    assert response.headers["content-type"] == sent
    attachment = f'attachment; filename="spiders-webs-x.{ending}"'
    assert response.headers["content-disposition"] == attachment
    assert response.headers["content-security-policy"] == SANDBOX
    assert response.headers["x-content-type-options"] == "nosniff"


def test_reports_a_missing_archive(folder):
    for file in (folder / "archive").iterdir():
        file.unlink()
    with connect(folder) as reader:
        response = reader.get(f"/document/{document_id(3)}/original")
    assert response.status_code == 404
    assert "archive" in text(html(response).css_first("main"))


def test_reports_a_step_without_a_response(folder):
    change(folder, 3, step=10**6)
    with connect(folder) as reader:
        assert reader.get(f"/document/{document_id(3)}/original").status_code == 404


def test_splits_long_texts_into_pages(folder):
    lines = [f"Line {n} of a <b>long</b> text." for n in range(10_000)]
    change(folder, 3, text="\n".join(lines))
    seen, path = "", f"/document/{document_id(3)}"
    with connect(folder) as reader:
        while path:
            page = html(reader.get(path))
            part = page.css_first("pre.text").text()
            assert len(part) <= MAX_PAGE_LENGTH
            seen += part
            after = page.css_first("a[rel=next]")
            path = after.attributes["href"] if after else ""
        assert seen.split("\n") == lines
        for part in ("0", "-1", "99999", "x", "", "1" * 30):
            assert reader.get(f"/document/{document_id(3)}?part={part}").status_code == 200


def test_reports_why_a_document_has_no_text(folder):
    change(folder, 3, text="", outcome="encrypted")
    with connect(folder) as reader:
        page = html(reader.get(f"/document/{document_id(3)}"))
    assert "encrypted" in text(page.css_first(".notice"))


def test_links_only_to_http_urls(folder):
    change(folder, 3, url="javascript:alert(1)")
    with connect(folder) as reader:
        page = html(reader.get(f"/document/{document_id(3)}"))
    assert not page.css("a[href^=javascript]")
