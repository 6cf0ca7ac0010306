import os
import stat

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lycosa.errors import UsageError
from lycosa.portal.editors import Editors
from lycosa.portal.web.authentication import (
    SESSION_SECONDS,
    TOKEN_FILE,
    Authenticator,
    load_owner_token,
)
from lycosa.project.owner_database import open_owner_database

TOKEN = "a long random token"


def new_session(authenticator):
    return authenticator.new_session(authenticator.sign_in(TOKEN))


def test_accepts_only_the_token():
    owner = Authenticator(TOKEN)
    assert owner.verify_token(TOKEN)
    for guess in ("", TOKEN[:-1], TOKEN + " ", TOKEN.upper(), "\ud800"):
        assert not owner.verify_token(guess)


def test_without_a_token_nothing_is_accepted():
    owner = Authenticator("")
    assert not owner.verify_token("")
    assert owner.sign_in("") is None
    assert owner.account(new_session(Authenticator(TOKEN))) is None


def test_a_session_expires_with_time_and_with_the_token():
    now = [1000.0]
    owner = Authenticator(TOKEN, clock=lambda: now[0])
    session = new_session(owner)
    assert owner.account(session).is_owner
    assert TOKEN not in session
    assert Authenticator("another token of the owner").account(session) is None
    now[0] += SESSION_SECONDS + 1
    assert owner.account(session) is None


@given(st.text())
def test_refuses_any_other_text_as_session_or_csrf_token(text):
    owner = Authenticator(TOKEN)
    assert owner.account(text) is None
    assert not owner.verify_csrf_token(text, new_session(owner))


def test_the_expiry_of_a_session_cannot_be_changed():
    owner = Authenticator(TOKEN)
    until, _, rest = new_session(owner).removeprefix("owner:").partition(".")
    assert owner.account(f"owner:{until}.{rest}").is_owner
    assert owner.account(f"owner:{int(until) + 1}.{rest}") is None


def test_csrf_tokens_are_bound_to_a_session_and_unique():
    owner = Authenticator(TOKEN)
    own, other = new_session(owner), new_session(owner)
    tokens = {owner.csrf_token(own) for _ in range(5)}
    assert len(tokens) == 5
    assert all(owner.verify_csrf_token(token, own) for token in tokens)
    assert not any(owner.verify_csrf_token(token, other) for token in tokens)


def test_the_session_of_an_editor_ends_with_the_token(tmp_path):
    with open_owner_database(tmp_path) as database:
        editors = Editors(database)
        authenticator = Authenticator(TOKEN, editors)
        token, other = editors.add("ann"), editors.add("bob")
        assert len({token, other, TOKEN}) == 3
        sessions = [authenticator.new_session(authenticator.sign_in(t)) for t in (token, other)]
        assert [authenticator.account(s).name for s in sessions] == ["ann", "bob"]
        assert not authenticator.account(sessions[0]).is_owner
        # A session is that of its account alone.
        assert authenticator.account(sessions[0].replace("ann:", "bob:")) is None
        assert authenticator.account(sessions[0].replace("ann:", "owner:")) is None
        form = authenticator.csrf_token(sessions[0])
        editors.revoke("ann")
        assert authenticator.account(sessions[0]) is None
        assert not authenticator.verify_csrf_token(form, sessions[0])
        assert authenticator.sign_in(token) is None
        assert authenticator.account(sessions[1]).name == "bob"
        again = editors.add("ann")
        assert again != token
        assert authenticator.account(sessions[0]) is None
    stored = (tmp_path / "owner.db").read_bytes()
    assert not any(t.encode() in stored for t in (token, other, again))


@pytest.mark.parametrize("name", ["owner", "", "Ann", "a b", "x" * 41, "../x", "ann:x"])
def test_names_of_editors(tmp_path, name):
    with open_owner_database(tmp_path) as database, pytest.raises(UsageError):
        Editors(database).add(name)


def test_creates_the_token_once_with_private_permissions(tmp_path):
    token = load_owner_token(tmp_path)
    assert len(token) > 40
    assert load_owner_token(tmp_path) == token
    assert stat.S_IMODE((tmp_path / TOKEN_FILE).stat().st_mode) == 0o600
    os.chmod(tmp_path / TOKEN_FILE, 0o644)
    load_owner_token(tmp_path)
    assert stat.S_IMODE((tmp_path / TOKEN_FILE).stat().st_mode) == 0o600


@pytest.mark.parametrize(
    ("content", "words"), [(b"short", "shorter than 16"), (b"\xff\xfe" * 20, "Cannot read")]
)
def test_refuses_unusable_token_files(tmp_path, content, words):
    (tmp_path / TOKEN_FILE).write_bytes(content)
    with pytest.raises(UsageError, match=words):
        load_owner_token(tmp_path)


def test_reports_a_missing_folder(tmp_path):
    with pytest.raises(UsageError, match="Cannot write"):
        load_owner_token(tmp_path / "nowhere")
