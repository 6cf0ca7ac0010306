import pytest
from hypothesis import given
from hypothesis import strategies as st

from lycosa.project.redaction import HIDDEN, read_redacted, redact
from lycosa.project.sections import KEYS

SECRET = "hunter2"


@pytest.mark.parametrize(
    "key",
    "password pass passwd Passphrase api_key api-key key private-key secret client_secret token "
    "auth Authorization proxy headers cookie user login credentials".split(),
)
def test_what_may_be_a_secret_is_hidden(key):
    for value in (SECRET, [SECRET], {"inner": SECRET}, [{"inner": SECRET}]):
        assert SECRET not in str(redact({"part": {key: value}}))
    assert redact({key: SECRET}) == {key: HIDDEN}


@pytest.mark.parametrize("key", "goal keywords delay contact monkey path passes".split())
def test_what_is_no_secret_is_shown(key):
    assert redact({key: "text"}) == {key: "text"}


def test_every_key_that_is_declared_secret_is_hidden():
    secrets = [key for key in KEYS.values() if key.secret]
    assert secrets
    for key in secrets:
        assert redact({key.section: {key.name: SECRET}}) == {key.path: HIDDEN}


@given(st.text(), st.sampled_from(["seeds", "about", "deep"]))
def test_no_address_keeps_its_password(text, key):
    password = f"{SECRET}{text}".translate(dict.fromkeys(map(ord, "/?#"), "")).replace(" ", "")
    password = "".join(password.split())
    shown = redact({key: {"x": [f"http://me:{password}@a.example/b"]}})
    assert shown == {f"{key}.x": "http://a.example/b"}


def test_a_file_is_read_and_one_that_cannot_be_is_said_to_be(tmp_path):
    file = tmp_path / "lycosa.toml"
    assert read_redacted(file) == {}
    file.write_text('goal = "papers"\n[[part]]\nx = 1\n[[part]]\ny = [true, 2.5]\n')
    assert read_redacted(file) == {"goal": "papers", "part.0.x": "1", "part.1.y": "yes, 2.5"}
    for wrong in (b"goal =", b"\xff\xfe", b"a = " + b"[" * 100_000):
        file.write_bytes(wrong)
        assert read_redacted(file) == {"lycosa.toml": "(cannot be read)"}
