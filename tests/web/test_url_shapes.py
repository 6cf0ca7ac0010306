from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lycosa.web.url_shapes import (
    ENDLESS,
    MAX_FOLDERS,
    MAX_URL_CHARACTERS,
    SESSION,
    UrlShapes,
    strip_session,
)

HOST = "http://a.org"
NUMBERS = st.integers(0, 10**6).map(str)
NAMES = st.text("abcdefgh", min_size=1, max_size=6)


def shape(path: str) -> str:
    return UrlShapes().of(HOST + path).removeprefix(HOST)


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("/", "/"),
        ("/a/b/", "/a/b/"),
        ("/a/b", "/a/*"),
        ("/a/b.tar.gz", "/a/*.gz"),
        ("/cs101/hw3.html", "/cs{n}/hw{n}.html"),
        ("/cal/2004/05/17/", "/cal/{date}/"),
        ("/cal/200405.html", "/cal/{date}.html"),
        ("/cal/2004-13.html", "/cal/{n}-{n}.html"),
        ("/x/0123456789abcdef0123/", "/x/{hash}/"),
        ("/x/550e8400-e29b-41d4-a716-446655440000", "/x/{hash}"),
        ("/x/facade.html", "/x/*.html"),
        ("/x/12345678901234567890", "/x/{n}"),
        ("/a?b=1&a=2", "/*?a&b"),
        ("/a?a=2&b=/c/d", "/*?a&b"),
        ("/a?phpsessid=abcdef0123456789&b=1", "/*?b&{session}"),
        ("/a;jsessionid=abcdef0123?b=1", "/*;{session}?b"),
        ("/a?session=closed", "/*?session"),
        ("/a/a/a/b", "/a/..."),
        ("/1/1/1/b", "/{n}/{n}/{n}/*"),
    ],
)
def test_shape_replaces_numbers_names_and_values_by_kinds(path, expected):
    assert shape(path) == expected


@given(NAMES, NUMBERS, NUMBERS, st.lists(st.tuples(NUMBERS, NAMES), min_size=2, max_size=2))
def test_urls_that_differ_in_numbers_and_values_have_one_shape(folder, one, two, values):
    def url(number, value):
        return f"/{folder}/{number[:3]}/p-{number}.html?q={value[0]}&r={value[1]}"

    # A year and a month in a row are a date, which is another kind.
    kinds = {shape(url(n, v)).replace("{date}", "{n}") for n, v in zip((one, two), values)}  # noqa: B905
    assert len(kinds) == 1


@given(st.lists(st.text(max_size=30), max_size=20))
def test_shape_of_any_text_does_not_depend_on_the_cache(texts):
    used = UrlShapes()
    for text in texts:
        url = f"http://{text}"
        used.of(url)
    for text in texts:
        url = f"http://{text}"
        assert used.of(url) == UrlShapes().of(url)
        assert len(strip_session(url)) <= len(url)


@given(
    st.sampled_from(["/a", "/a/b.html", "/"]),
    st.sampled_from(["", "x=1", "x=1&y=2"]),
    st.sampled_from(["PHPSESSID", "sid", "session_id"]),
    st.text("0123456789abcdef", min_size=8, max_size=20).map(lambda code: code + "1"),
    st.integers(0, 2),
)
def test_strip_session_restores_the_original_url(path, query, name, code, place):
    parameters = query.split("&") if query else []
    parameters.insert(place, f"{name}={code}")
    plain = f"{HOST}{path}" + ("?" + query if query else "")
    spelt = f"{HOST}{path}?{'&'.join(parameters)}"
    assert strip_session(spelt) == plain
    assert strip_session(plain) == plain
    assert SESSION in UrlShapes().of(spelt)
    assert SESSION not in UrlShapes().of(plain)


def test_a_path_that_is_too_deep_or_too_long_or_repeats_itself_is_endless():
    deep = "".join(f"/{chr(97 + n)}x" for n in range(MAX_FOLDERS + 1)) + "/"
    for path in (
        deep,
        "/a/" + "b" * MAX_URL_CHARACTERS,
        "/a/b/a/b/a/b/",
        "/up/top/up/in/up/x.html",
    ):
        assert shape(path).endswith(ENDLESS)
    for path in (deep[3:], "/a/b/a/b/c/", "/2003/03/03/03/03/"):
        assert not shape(path).endswith(ENDLESS)


def test_paths_that_grow_share_a_shape():
    assert shape("/a/b/b/b/") == shape("/a/b/b/b/b/b/x.html?y=1") == "/a/b/..."


@pytest.mark.parametrize(
    "piece", ["a1", "a", "1", "a-", "1-a", ";sid=a1", "&sid=", "/a", "2004-", "%"]
)
def test_long_urls_take_bounded_time(piece):
    url = f"{HOST}/{piece * (MAX_URL_CHARACTERS // len(piece))}"[: MAX_URL_CHARACTERS - 1] + "z"
    began = time.process_time()
    for start in ("", "?a=", ";"):
        UrlShapes().of(url.replace(f"{HOST}/", f"{HOST}/{start}"))
        strip_session(url.replace(f"{HOST}/", f"{HOST}/{start}"))
    assert time.process_time() - began < 0.5


def test_folder_cache_is_bounded(monkeypatch):
    monkeypatch.setattr("lycosa.web.url_shapes._MAX_CACHED_FOLDERS", 10)
    shapes = UrlShapes()
    for n in range(100):
        assert shapes.of(f"{HOST}/f{n}/x") == f"{HOST}/f{{n}}/*"
    assert len(shapes._folders) <= 10
