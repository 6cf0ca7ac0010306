"""Cookie files: both formats, the requests that a cookie is for, broken files."""

import json
from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lycosa.crawler.http.cookie_file import MAX_COOKIE_FILE_BYTES, parse_cookies, read_cookie_file
from lycosa.errors import UsageError

LINE = "a.example\tFALSE\t/\tFALSE\t0\tid\thunter2"


def test_both_formats_give_the_same_cookies():
    text = (
        "# Netscape HTTP Cookie File\n\n"
        "#HttpOnly_.a.example\tTRUE\t/in\tTRUE\t2000000000\tid\tx=y\r\n"
        "b.example\tFALSE\t/\tFALSE\t0\tlang\t\n"
    )
    listed = [
        {"domain": ".a.example", "path": "/in", "secure": True, "expirationDate": 2e9,
         "name": "id", "value": "x=y", "hostOnly": False, "httpOnly": True},
        {"domain": "b.example", "name": "lang", "value": "", "expires": -1},
    ]  # fmt: skip
    assert parse_cookies(text) == parse_cookies(json.dumps(listed))
    assert parse_cookies(text) == parse_cookies(json.dumps({"cookies": listed, "origins": []}))
    assert [str(cookie) for cookie in parse_cookies(text)] == ["id=x=y", "lang="]


@pytest.mark.parametrize(
    ("line", "url", "sent"),
    [
        ("a.example\tFALSE\t/\tFALSE\t0\tn\tv", "http://a.example/", True),
        ("A.Example\tFALSE\t/\tFALSE\t0\tn\tv", "http://a.example/", True),
        ("a.example\tFALSE\t/\tFALSE\t0\tn\tv", "http://www.a.example/", False),
        (".a.example\tTRUE\t/\tFALSE\t0\tn\tv", "http://www.a.example/", True),
        (".a.example\tTRUE\t/\tFALSE\t0\tn\tv", "http://a.example/", True),
        (".a.example\tTRUE\t/\tFALSE\t0\tn\tv", "http://xa.example/", False),
        ("a.example\tFALSE\t/in\tFALSE\t0\tn\tv", "http://a.example/in", True),
        ("a.example\tFALSE\t/in\tFALSE\t0\tn\tv", "http://a.example/in/x", True),
        ("a.example\tFALSE\t/in/\tFALSE\t0\tn\tv", "http://a.example/in/x", True),
        ("a.example\tFALSE\t/in\tFALSE\t0\tn\tv", "http://a.example/inside", False),
        ("a.example\tFALSE\t/\tTRUE\t0\tn\tv", "http://a.example/", False),
        ("a.example\tFALSE\t/\tTRUE\t0\tn\tv", "https://a.example/", True),
        ("a.example\tFALSE\t/\tFALSE\t1000\tn\tv", "http://a.example/", False),
        ("a.example\tFALSE\t/\tFALSE\t1001\tn\tv", "http://a.example/", True),
    ],
)
def test_a_cookie_is_for_its_domain_path_scheme_and_time(line, url, sent):
    [cookie] = parse_cookies(line)
    assert cookie.is_for(url, 1000.0) == sent


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (f"# fine\n{LINE}\n" + LINE.replace("\t", " "), "line 3 has 1 fields"),
        (LINE.replace("\t0\t", "\tsoon\t"), "line 1 has no number"),
        (LINE.replace("a.example", "a b"), "no host name"),
        (LINE.replace("hunter2", "hunter2;x"), "damaged"),
        (LINE.replace("\t/\t", "\tx\t"), "damaged"),
        ('[{"name": "id", "value": "hunter2"}]', "cookie 1 has no name, value and domain"),
        ('[{"name": "id", "value": "hunter2", "domain": "a", "expires": "soon"}]', "no number"),
        ('{"hunter2": 1}', "no list of cookies"),
        ("[hunter2", "not valid JSON"),
        ("[" * 100_000, "not valid JSON"),
    ],
)
def test_a_broken_file_is_refused_without_showing_a_secret(tmp_path, text, message):
    file = tmp_path / "cookies.txt"
    file.write_text(text)
    with pytest.raises(UsageError, match=message) as caught:
        read_cookie_file(file)
    assert str(file) in str(caught.value)
    assert "hunter2" not in str(caught.value)


def test_a_file_that_is_missing_huge_or_binary_is_refused(tmp_path):
    file = tmp_path / "cookies.txt"
    with pytest.raises(UsageError, match="No such file"):
        read_cookie_file(file)
    file.write_bytes(b"\xff\xfe")
    with pytest.raises(UsageError, match="not in UTF-8"):
        read_cookie_file(file)
    with file.open("wb") as out:
        out.truncate(MAX_COOKIE_FILE_BYTES + 1)
    with pytest.raises(UsageError, match="too large"):
        read_cookie_file(file)


def test_the_value_of_a_cookie_is_not_in_its_repr():
    assert "hunter2" not in repr(parse_cookies(LINE))


@given(st.text())
def test_any_text_is_read_or_refused(text):
    with suppress(UsageError):
        parse_cookies(text)
