"""Notifications, over a real mail server and a real webhook on loopback."""

import hmac
import logging
import sqlite3
from dataclasses import replace

import pytest
from tests.keep.receivers import MailServer, Webhook, running
from tests.portal.sample import sample, title_of, work_id

from lycosa.errors import LycosaError, UsageError
from lycosa.keep.notification import notify_owner
from lycosa.keep.outbox import Outbox
from lycosa.keep.sending import NotSent
from lycosa.portal.schema import BUILD_SCHEMA
from lycosa.portal.search.entry import IndexEntry
from lycosa.portal.search.index import Index
from lycosa.portal.search.work_vectors import LatentVectors
from lycosa.project import Project
from lycosa.project.sections import Notify

PASSWORD = "hunter2-never-logged"


def project(folder, **settings):
    made = Project.of_urls(folder, ["http://a.example/"], "robot*", contact="you@example.org")
    return replace(made, notify=Notify(**settings))


@pytest.fixture
def portal(tmp_path):
    """A portal whose first 20 works were there before; `find` finds more."""
    sample(tmp_path)

    def find(*numbers):
        with sqlite3.connect(tmp_path / "portal.db") as database:
            database.executescript(BUILD_SCHEMA)
            rows = [(work_id(n), "x", " ", f"2026-01-{n % 28 + 1:02}", "2026-02-01", 0)
                    for n in numbers]  # fmt: skip
            database.executemany("INSERT INTO history VALUES (?, ?, ?, ?, ?, ?)", rows)
        database.close()

    with sqlite3.connect(tmp_path / "portal.db") as database:
        database.execute("DELETE FROM history")
    database.close()
    find(*range(20))
    find.folder = tmp_path
    return find


@pytest.fixture
def mail_server():
    with running(MailServer()) as server:
        yield server


@pytest.fixture
def webhook():
    with running(Webhook()) as server:
        yield server


def by_mail(portal, server, **more):
    return project(
        portal.folder, mail_to="you@example.org", smtp_host="127.0.0.1",
        smtp_port=server.server_address[1], smtp_security="none", **more,
    )  # fmt: skip


def test_each_work_is_mailed_once(portal, mail_server):
    asked = by_mail(portal, mail_server)
    assert notify_owner(asked, {}) == 0  # what was there is not new
    portal(30, 31)
    assert notify_owner(asked, {}, "https://p.example/") == 2
    portal(32)
    assert notify_owner(asked, {}) == 1
    assert notify_owner(asked, {}) == 0
    first, second = mail_server.mails
    assert first["Subject"] == "2 new works in Spider papers"
    assert (first["To"], first["From"]) == ("you@example.org", "you@example.org")
    assert f"https://p.example/work/{work_id(31)}" in first.get_content()
    assert first["Message-ID"] != second["Message-ID"]


def test_what_cannot_be_sent_is_sent_later_with_the_same_id(portal, mail_server, webhook):
    settings = {"webhook": webhook.url, "webhook_private": True}
    asked = by_mail(portal, mail_server, **settings)
    notify_owner(asked, {})
    portal(30)
    webhook.status = 503
    with pytest.raises(NotSent, match="answered 503"):
        notify_owner(asked, {})
    assert len(mail_server.mails) == 1, "the other channel is used"
    portal(31)
    webhook.status = 200
    mail_server.refuses = True
    with pytest.raises(NotSent, match="451"):
        notify_owner(asked, {})
    mail_server.refuses = False
    notify_owner(asked, {})
    told = [[work["id"] for work in content["works"]] for _, _, _, content in webhook.posts]
    assert told == [[work_id(30)], [work_id(31)]]
    assert len(mail_server.mails) == 2


def test_a_kill_after_sending_repeats_the_id_and_nothing_else(portal, mail_server, monkeypatch):
    asked = by_mail(portal, mail_server)
    notify_owner(asked, {})
    portal(30)

    def killed(self, pending):
        raise KeyboardInterrupt

    monkeypatch.setattr(Outbox, "sent", killed)
    with pytest.raises(KeyboardInterrupt):
        notify_owner(asked, {})
    monkeypatch.undo()
    portal(31)
    notify_owner(asked, {})
    first, again, second = mail_server.mails
    assert first["Message-ID"] == again["Message-ID"] != second["Message-ID"]
    assert work_id(31) not in again.as_string()


def test_a_webhook_is_signed_and_private_addresses_are_refused(portal, webhook):
    asked = project(portal.folder, webhook=webhook.url)
    notify_owner(asked, {})
    portal(30)
    with pytest.raises(UsageError, match="webhook-private = true"):
        notify_owner(asked, {})
    assert webhook.posts == []
    asked = replace(asked, notify=replace(asked.notify, webhook_private=True))
    notify_owner(asked, {"LYCOSA_WEBHOOK_SECRET": "key"})
    [(path, headers, body, content)] = webhook.posts
    assert path == "/hook?key=secret"
    assert headers["X-Lycosa-Signature"] == f"sha256={hmac.new(b'key', body, 'sha256').hexdigest()}"
    assert headers["Idempotency-Key"] == content["id"]
    assert content["total"] == 1


def test_passwords_are_read_where_they_are_and_never_logged(portal, mail_server, tmp_path, caplog):
    caplog.set_level(logging.DEBUG)
    asked = by_mail(portal, mail_server, smtp_user="me")
    notify_owner(asked, {})
    portal(30)
    with pytest.raises(UsageError, match="LYCOSA_SMTP_PASSWORD"):
        notify_owner(asked, {})
    mail_server.refuses = True
    with pytest.raises(NotSent, match="wrong name or password"):
        notify_owner(asked, {"LYCOSA_SMTP_PASSWORD": PASSWORD})
    mail_server.refuses = False
    file = tmp_path / "password"
    file.write_text(PASSWORD + "\n")
    settings = replace(asked.notify, smtp_password_file=str(file))
    assert notify_owner(replace(asked, notify=settings), {}) == 1
    assert len(mail_server.logins) == 2
    assert mail_server.logins[0] == mail_server.logins[1]
    assert PASSWORD not in caplog.text
    assert PASSWORD not in repr(asked)


def test_a_query_chooses_and_the_rest_is_passed_over_for_good(portal, mail_server):
    asked = by_mail(portal, mail_server, query="robots")
    notify_owner(asked, {})
    portal(30, 31)
    index = Index.open(portal.folder / "index", LatentVectors())
    titles = {1: "Robots of old", 30: "Spiders", 31: "Robots"}
    index.update(IndexEntry(work_id(n), "paper", title) for n, title in titles.items())
    index.commit()
    assert notify_owner(asked, {}) == 1
    assert title_of(31) in mail_server.mails[0].get_content()
    assert notify_owner(by_mail(portal, mail_server), {}) == 0


def test_titles_add_no_headers_and_nobody_to_notify_is_an_error(portal, mail_server):
    with pytest.raises(LycosaError, match=r"\[notify\]"):
        notify_owner(project(portal.folder), {})
    asked = by_mail(portal, mail_server)
    notify_owner(asked, {})
    with sqlite3.connect(portal.folder / "portal.db") as database:
        title = "Evil\r\nBcc: all@example.org"
        database.execute("UPDATE works SET title = ? WHERE id = ?", (title, work_id(30)))
        database.execute("UPDATE meta SET value = ? WHERE key = 'title'", (title,))
    database.close()
    portal(30)
    notify_owner(asked, {})
    [mail] = mail_server.mails
    assert mail["Bcc"] is None
    assert mail["Subject"] == "1 new work in Evil Bcc: all@example.org"
