"""Pages of the owner and of editors: exclusions, authors, accounts, the audit log; and the API."""

import pytest

from lycosa.portal.api.schemas import SCHEMAS
from lycosa.portal.corrections import Corrections
from lycosa.project.exclusions import Exclusions
from portal.sample import title_of, work_id
from portal.web.portal_client import BASE, TOKEN, connect, copy_portal, html, text

WORK = work_id(3)


@pytest.fixture
def folder(tmp_path):
    return copy_portal(tmp_path / "portal")


@pytest.fixture
def owner(folder):
    with connect(folder) as found:
        found.post("/sign-in", {"token": TOKEN})
        yield found


@pytest.fixture
def editor(owner, folder):
    with connect(folder, client="192.0.2.2") as found:
        found.token = add_editor(owner)
        assert found.post("/sign-in", {"token": found.token}).status_code == 303
        yield found


def send(client, path, **fields):
    """Send the form of a page as a browser would, with some fields filled in."""
    page = html(client.get(path))
    action = page.css_first("main form.fields").attributes["action"]
    token = page.css_first("main form.fields input[name=csrf_token]").attributes["value"]
    return client.post(action, {"csrf_token": token, **fields})


def add_editor(owner, name="ann"):
    page = html(send(owner, "/editors", name=name))
    return text(page.css_first(".token"))


def excluded(folder):
    with Exclusions.open(folder) as exclusions:
        return [(one.action, one.kind, one.target, one.account) for one in exclusions.all()]


def test_hides_a_work_and_undoes_it(owner, folder):
    page = html(owner.get(f"/correct?work={WORK}"))
    path = page.css_first("a[href^='/exclude']").attributes["href"]
    form = html(owner.get(path))
    assert form.css_first("#what").attributes["value"] == f"work:{WORK}"
    response = send(owner, path, what=f"work:{WORK}", action="hide", reason="A draft.")
    assert response.headers["location"] == "/dashboard#exclusions"
    assert excluded(folder) == [("hide", "work", WORK, "owner")]
    board = html(owner.get("/dashboard"))
    row = board.css_first("section[aria-labelledby=exclusions] tbody tr")
    assert title_of(3)[:20] in text(row)
    undo = {f.attributes["name"]: f.attributes["value"] for f in row.css("input")}
    owner.post("/exclude/undo", undo)
    assert excluded(folder) == []


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"what": "work:w0", "reason": "x"}, "no work 'w0'"),
        ({"what": "something", "reason": "x"}, "cannot be excluded"),
        ({"what": "host:a.example", "reason": " "}, "Give a reason"),
        ({"what": "author:nobody-x", "reason": "x"}, "no author"),
        ({"what": "host:a.example", "reason": "x", "action": "delete"}, "delete"),
    ],
)
def test_refuses_what_cannot_be_excluded(owner, folder, fields, words):
    response = send(owner, "/exclude", **fields)
    assert response.status_code == 422
    page = html(response)
    assert words in text(page.css_first("[role=alert]"))
    assert page.css_first("#what").attributes["value"] == fields["what"]
    assert excluded(folder) == []


def test_editors_hide_but_do_not_remove(owner, editor, folder):
    assert "remove" not in [
        f.attributes["value"] for f in html(editor.get("/exclude")).css("input[name=action]")
    ]
    what = f"work:{WORK}"
    refused = send(editor, "/exclude", what=what, action="remove", reason="No.")
    assert refused.status_code == 403
    assert send(editor, "/exclude", what=what, action="hide", reason="No.").status_code == 303
    assert excluded(folder) == [("hide", "work", WORK, "ann")]
    send(owner, "/exclude", what="host:b.example", action="remove", reason="Asked by its owner.")
    fields = {"csrf_token": csrf(editor), "id": "2"}
    assert editor.post("/exclude/undo", fields).status_code == 403
    assert len(excluded(folder)) == 2


def csrf(client):
    field = html(client.get("/exclude")).css_first("input[name=csrf_token]")
    return field.attributes["value"]


def test_editors_do_not_manage_accounts_or_read_the_audit_log(editor, folder):
    assert editor.get("/editors").status_code == 403
    assert editor.get("/audit").status_code == 403
    fields = {"csrf_token": csrf(editor), "name": "bob"}
    assert editor.post("/editors", fields).status_code == 403
    assert editor.post("/editors/revoke", fields | {"name": "ann"}).status_code == 403
    assert "/editors" not in editor.get("/dashboard").text


def test_a_revoked_token_ends_its_sessions(owner, editor, folder):
    assert editor.get("/dashboard").status_code == 200
    page = html(owner.get("/editors"))
    fields = {f.attributes["name"]: f.attributes["value"] for f in page.css("td form input")}
    assert fields["name"] == "ann"
    owner.post("/editors/revoke", fields)
    assert editor.get("/dashboard").status_code == 303
    assert editor.post("/sign-in", {"token": editor.token}).status_code == 403
    assert "revoked" in text(html(owner.get("/editors")).css_first("tbody"))
    assert editor.token not in owner.get("/editors").text


def test_the_forms_of_other_sites_and_sessions_are_refused(owner, editor, folder):
    fields = {"what": "host:a.example", "action": "hide", "reason": "x"}
    mine = fields | {"csrf_token": csrf(owner)}
    assert owner.post("/exclude", mine, origin="http://evil.example").status_code == 403
    assert owner.post("/exclude", fields).status_code == 403
    assert editor.post("/exclude", mine).status_code == 403
    with connect(folder) as stranger:
        assert stranger.post("/exclude", mine).status_code == 403
        assert stranger.post("/editors", {"name": "eve"}).status_code == 403
    assert excluded(folder) == []


def test_the_audit_log_says_who_changed_what(owner, editor, folder):
    page = html(editor.get(f"/correct?work={WORK}"))
    token = page.css_first("#correct input[name=csrf_token]").attributes["value"]
    editor.post("/correct", {"csrf_token": token, "work": WORK, "title": "Another title"})
    editor.post("/correct/undo", {"csrf_token": token, "id": "1"})
    rows = [text(row) for row in html(owner.get("/audit")).css("tbody tr")]
    assert len(rows) == 3
    assert "ann undo title" in rows[0]
    assert "ann correct title" in rows[1]
    assert title_of(3)[:20] in rows[1]
    assert "Another title" in rows[1]
    assert "owner add editor ann" in rows[2]


def test_merges_and_splits_authors(owner, folder):
    page = html(owner.get("/author/lee-a"))
    path = page.css_first("a[href^='/correct/author']").attributes["href"]
    form = html(owner.get(path))
    works = [f.attributes["value"] for f in form.css("input[name=work]")]
    author, other = "lee-a", "roe-b"
    response = send(owner, path, author=author, work=works[0])
    assert "kept=1" in response.headers["location"]
    assert send(owner, path, author=author, work=works[1]).status_code == 303
    address = f"{BASE}/author/{other}?page=2"
    assert send(owner, path, author=author, same=address).status_code == 303
    assert send(owner, path, author=author, same="nobody").status_code == 422
    assert send(owner, path, author=author, same=other, work=works[0]).status_code == 422
    with Corrections.open(folder) as corrections:
        assert [(one.kind, one.work, one.value) for one in corrections.all()] == [
            ("other-author", works[0], "lee-a lee-a-2"),
            ("other-author", works[1], "lee-a lee-a-3"),
            ("same-author", "lee-a", "roe-b"),
        ]
    assert len(html(owner.get(path)).css("#corrections ~ div tbody tr")) == 3


def test_programs_correct_with_a_token(editor, folder):
    def ask(method, path="/api/corrections", token=editor.token, **options):
        headers = {"Authorization": f"Bearer {token}"} if token else {}
        return editor.ask(method, path, headers=headers, **options)

    editor.cookies.clear()
    for token in ("", "a guess"):
        assert ask("POST", token=token, json={}).status_code == 401
        assert ask("GET", token=token).status_code == 401
    made = ask("POST", json={"kind": "same", "work": WORK, "value": work_id(9)})
    assert (made.status_code, made.json()) == (201, {"id": 1})
    merge = {"kind": "same-author", "author": "lee-a", "value": "roe-b"}
    assert ask("POST", json=merge).status_code == 201
    for wrong in (
        {"kind": "same", "work": WORK, "value": "w0"},
        {"kind": "title", "work": "w0", "value": "x"},
        {"kind": "same-author", "author": "lee-a", "value": "nobody-x"},
        {"kind": "colour", "work": WORK, "value": "red"},
        {"kind": "topic", "work": WORK, "value": "none"},
    ):
        assert ask("POST", json=wrong).status_code == 422
    assert ask("POST", content=b"[1").status_code == 400
    assert ask("POST", json=[1]).status_code == 400
    found = ask("GET").json()["corrections"]
    assert {*found[0]} == {*SCHEMAS["Correction"]["properties"]}
    assert [(one["kind"], one["who"]) for one in found] == [("same", "ann"), ("same-author", "ann")]
    assert ask("DELETE", "/api/corrections/1").status_code == 204
    assert ask("DELETE", "/api/corrections/1").status_code == 404
    with Corrections.open(folder) as corrections:
        assert [one.kind for one in corrections.all()] == ["same-author"]
