"""Errors of the server leave a traceback in the log, and secrets never do."""

import logging
import sqlite3

import pytest

from lycosa.portal.catalogue import Catalogue
from lycosa.portal.web import browsing
from portal.web.portal_client import BASE, TOKEN, connect, copy_portal, html, text

SECRET_QUERY = "a very private query"


@pytest.fixture
def log(caplog):
    caplog.set_level(logging.DEBUG, "lycosa")
    return caplog


def failures(log):
    """Return the records of the portal that have a traceback, at warning or above."""
    return [
        record
        for record in log.records
        if record.name == "lycosa.portal" and record.levelno >= logging.WARNING and record.exc_info
    ]


@pytest.mark.parametrize("path", ["/search", "/api/search", "/feed"])
def test_a_damaged_index_answers_503_and_logs_the_cause(tmp_path, log, path):
    folder = copy_portal(tmp_path)
    with connect(folder) as reader:
        (folder / "index" / "meta.json").unlink()
        response = reader.get(path, params={"q": SECRET_QUERY})
    assert response.status_code == 503
    assert response.headers["retry-after"] == "10"
    [record] = failures(log)
    assert repr(path) in record.getMessage()
    assert "meta.json" in log.text
    assert "Traceback" in log.text
    assert SECRET_QUERY not in log.text


def test_a_locked_database_answers_503_and_logs_the_cause(log, monkeypatch):
    def locked(*_):
        raise sqlite3.OperationalError("database is locked")

    monkeypatch.setattr(Catalogue, "author", locked)
    with connect() as reader:
        assert reader.get("/author/lee-a").status_code == 503
        assert reader.get("/api/authors/lee-a").status_code == 503
    assert len(failures(log)) == 2
    assert "database is locked" in log.text


@pytest.mark.parametrize("path", ["/", "/search", "/missing"])
def test_a_damaged_database_answers_with_an_error_page(tmp_path, log, path):
    folder = copy_portal(tmp_path)
    with connect(folder) as reader:
        (folder / "portal.db").write_bytes(b"garbage" * 1000)
        response = reader.get(path)
    status, title = (404, "Page not found") if path == "/missing" else (503, "Temporarily")
    assert response.status_code == status
    assert title in text(html(response).css_first("h1"))
    assert "file is not a database" in log.text


def test_a_bug_in_a_page_answers_500_and_logs_the_traceback(log, monkeypatch):
    def broken(*_):
        raise RuntimeError("a bug")

    monkeypatch.setattr(browsing, "about", broken)
    with connect() as reader:
        assert reader.get("/about").status_code == 500
    [record] = failures(log)
    assert record.levelno == logging.ERROR
    assert "RuntimeError: a bug" in log.text


def test_secrets_of_the_owner_are_never_logged(tmp_path, log, monkeypatch):
    folder = copy_portal(tmp_path)
    with connect(folder) as owner:
        refused = owner.post("/sign-in", {"token": TOKEN[::-1]})
        assert refused.status_code == 403
        owner.post("/sign-in", {"token": TOKEN})
        session = owner.cookies["lycosa-owner"]
        assert owner.get("/dashboard").status_code == 200
        (folder / "crawl.db").unlink()
        assert owner.get("/dashboard").status_code == 200

        def broken(*_):
            raise RuntimeError("a bug")

        monkeypatch.setattr("lycosa.portal.web.portal.Portal.session", broken)
        assert owner.get("/dashboard", params={"token": TOKEN}).status_code == 500
        assert owner.post("/correct", {"token": TOKEN}, origin=BASE).status_code == 500
    assert len(failures(log)) == 2
    for secret in (TOKEN, TOKEN[::-1], session):
        assert secret not in log.text
