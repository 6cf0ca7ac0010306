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
def test_hides_possible_secrets(key):
    for value in (SECRET, [SECRET], {"inner": SECRET}, [{"inner": SECRET}]):
        assert SECRET not in str(redact({"part": {key: value}}))
    assert redact({key: SECRET}) == {key: HIDDEN}


@pytest.mark.parametrize("key", "goal keywords delay contact monkey path passes".split())
def test_shows_other_values(key):
    assert redact({key: "text"}) == {key: "text"}


def test_hides_every_key_declared_secret():
    secrets = [key for key in KEYS.values() if key.secret]
    assert secrets
    for key in secrets:
        assert redact({key.section: {key.name: SECRET}}) == {key.path: HIDDEN}


@given(st.text(), st.sampled_from(["seeds", "about", "deep"]))
def test_removes_passwords_from_urls(text, key):
    password = f"{SECRET}{text}".translate(dict.fromkeys(map(ord, "/?#"), "")).replace(" ", "")
    password = "".join(password.split())
    shown = redact({key: {"x": [f"http://me:{password}@a.example/b"]}})
    assert shown == {f"{key}.x": "http://a.example/b"}


def test_reads_a_file_or_says_that_it_cannot(tmp_path):
    file = tmp_path / "lycosa.toml"
    assert read_redacted(file) == {}
    file.write_text('goal = "papers"\n[[part]]\nx = 1\n[[part]]\ny = [true, 2.5]\n')
    assert read_redacted(file) == {"goal": "papers", "part.0.x": "1", "part.1.y": "yes, 2.5"}
    for wrong in (b"goal =", b"\xff\xfe", b"a = " + b"[" * 100_000):
        file.write_bytes(wrong)
        assert read_redacted(file) == {"lycosa.toml": "(cannot be read)"}
