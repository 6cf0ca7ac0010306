import os
import stat

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lycosa.errors import UsageError
from lycosa.portal.web.owner import FILE, SECONDS, Owner, owners_token

TOKEN = "a token that nobody guesses"


def test_only_the_token_is_accepted():
    owner = Owner(TOKEN)
    assert owner.accepts(TOKEN)
    for guess in ("", TOKEN[:-1], TOKEN + " ", TOKEN.upper(), "\ud800"):
        assert not owner.accepts(guess)


def test_without_a_token_nobody_is_the_owner():
    owner = Owner("")
    assert not owner.accepts("")
    assert not owner.knows(Owner("").proof())


def test_a_proof_ends_with_time_and_with_the_token():
    now = [1000.0]
    owner = Owner(TOKEN, clock=lambda: now[0])
    proof = owner.proof()
    assert owner.knows(proof)
    assert TOKEN not in proof
    assert not Owner("another token of the owner").knows(proof)
    now[0] += SECONDS + 1
    assert not owner.knows(proof)


@given(st.text())
def test_no_text_is_a_proof_or_a_mark(text):
    owner = Owner(TOKEN)
    assert not owner.knows(text)
    assert not owner.confirms(text, owner.proof())


def test_a_later_end_cannot_be_written_into_a_proof():
    owner = Owner(TOKEN)
    until, _, rest = owner.proof().partition(".")
    assert not owner.knows(f"{int(until) + 1}.{rest}")


def test_marks_belong_to_one_proof_and_all_differ():
    owner = Owner(TOKEN)
    mine, other = owner.proof(), owner.proof()
    marks = {owner.mark(mine) for _ in range(5)}
    assert len(marks) == 5
    assert all(owner.confirms(mark, mine) for mark in marks)
    assert not any(owner.confirms(mark, other) for mark in marks)


def test_the_token_is_made_once_and_nobody_else_reads_it(tmp_path):
    token = owners_token(tmp_path)
    assert len(token) > 40
    assert owners_token(tmp_path) == token
    assert stat.S_IMODE((tmp_path / FILE).stat().st_mode) == 0o600
    os.chmod(tmp_path / FILE, 0o644)
    owners_token(tmp_path)
    assert stat.S_IMODE((tmp_path / FILE).stat().st_mode) == 0o600


@pytest.mark.parametrize(
    ("content", "words"), [(b"short", "shorter than 16"), (b"\xff\xfe" * 20, "cannot be read")]
)
def test_tokens_that_cannot_be_used(tmp_path, content, words):
    (tmp_path / FILE).write_bytes(content)
    with pytest.raises(UsageError, match=words):
        owners_token(tmp_path)


def test_a_folder_that_is_not_there(tmp_path):
    with pytest.raises(UsageError, match="cannot be written"):
        owners_token(tmp_path / "nowhere")
