import os
import stat

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lycosa.errors import UsageError
from lycosa.portal.web.authentication import (
    SESSION_SECONDS,
    TOKEN_FILE,
    OwnerAuthenticator,
    load_owner_token,
)

TOKEN = "a long random token"


def test_accepts_only_the_token():
    owner = OwnerAuthenticator(TOKEN)
    assert owner.verify_token(TOKEN)
    for guess in ("", TOKEN[:-1], TOKEN + " ", TOKEN.upper(), "\ud800"):
        assert not owner.verify_token(guess)


def test_without_a_token_nothing_is_accepted():
    owner = OwnerAuthenticator("")
    assert not owner.verify_token("")
    assert not owner.is_valid_session(OwnerAuthenticator("").new_session())


def test_a_session_expires_with_time_and_with_the_token():
    now = [1000.0]
    owner = OwnerAuthenticator(TOKEN, clock=lambda: now[0])
    session = owner.new_session()
    assert owner.is_valid_session(session)
    assert TOKEN not in session
    assert not OwnerAuthenticator("another token of the owner").is_valid_session(session)
    now[0] += SESSION_SECONDS + 1
    assert not owner.is_valid_session(session)


@given(st.text())
def test_refuses_any_other_text_as_session_or_csrf_token(text):
    owner = OwnerAuthenticator(TOKEN)
    assert not owner.is_valid_session(text)
    assert not owner.verify_csrf_token(text, owner.new_session())


def test_the_expiry_of_a_session_cannot_be_changed():
    owner = OwnerAuthenticator(TOKEN)
    until, _, rest = owner.new_session().partition(".")
    assert not owner.is_valid_session(f"{int(until) + 1}.{rest}")


def test_csrf_tokens_are_bound_to_a_session_and_unique():
    owner = OwnerAuthenticator(TOKEN)
    own, other = owner.new_session(), owner.new_session()
    tokens = {owner.csrf_token(own) for _ in range(5)}
    assert len(tokens) == 5
    assert all(owner.verify_csrf_token(token, own) for token in tokens)
    assert not any(owner.verify_csrf_token(token, other) for token in tokens)


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
