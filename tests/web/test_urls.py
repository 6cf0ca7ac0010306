import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from lycosa.web import url_resolver, urls
from lycosa.web.url_resolver import Resolver
from lycosa.web.urls import Scope, canonical, host_of

BASE = "http://www.example.org/a/b.html?q=1"
CHARACTERS = st.characters(codec="utf-8", categories=("L", "N", "P", "S", "Z"))
PARTS = st.text(CHARACTERS | st.sampled_from("%/.?#&=~:@ "), max_size=30)


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("http://example.org", "http://example.org/"),
        ("HTTPS://EXAMPLE.org:443/", "https://example.org/"),
        ("http://example.org/./a/../b", "http://example.org/b"),
        ("http://example.org/%7esmith/%c3%a9", "http://example.org/~smith/%C3%A9"),
        ("http://example.org/a?", "http://example.org/a"),
        ("http://example.org/a?#x", "http://example.org/a"),
        ("http://example.org/a?x=?", "http://example.org/a?x=?"),
        ("http://u:p@example.org/@a", "http://example.org/@a"),
        ("http://example.org//a///b", "http://example.org/a/b"),
        ("http://example.org/web/http://other.org//x", "http://example.org/web/http://other.org/x"),
        ("http://example.org/a?u=http://b//c", "http://example.org/a?u=http://b//c"),
        ("http://bücher.example/", "http://xn--bcher-kva.example/"),
        ("http://example.org/a b", "http://example.org/a%20b"),
        ("  http://example.org/\n", "http://example.org/"),
        ("http://[::1]:8000/", "http://[::1]:8000/"),
    ],
)
def test_same_page_has_one_canonical_form(url, expected):
    assert canonical(url) == expected


@pytest.mark.parametrize(
    "url", ["", "x", "mailto:a@b.c", "javascript:void(0)", "ftp://a.b/", "http://", "http://a b/"]
)
def test_other_strings_have_no_canonical_form(url):
    assert canonical(url) is None


def test_scheme_slash_and_index_are_distinguished():
    forms = ["http://a.b/x", "https://a.b/x", "http://a.b/x/", "http://a.b/x/index.html"]
    assert len({canonical(f) for f in forms}) == 4


def test_lone_surrogate_is_not_a_url():
    assert canonical("http://example.org/\ud800") is None


@given(PARTS)
def test_canonical_is_idempotent(part):
    once = canonical(part, BASE)
    if once is not None:
        assert canonical(once) == once
        assert canonical(once, BASE) == once
        assert "#" not in once


BASES = (
    BASE,
    "http://x.example/",
    "https://y.example/d/",
    "http://x.example",
    "HTTP://X.example:80/A/",
    "http://x.example/~a/b.c/d?e/f",
    "http://x.example/a//b/",
    "http://x.example/a%7e/./b",
    "http://x.example/a b/c#/d",
)
SIMPLE = st.builds(
    "".join,
    st.lists(
        st.sampled_from(
            "/ . .. a B.c ~d -e_ ?x=1&y ? # http://x.example https://y.example:443 http: é".split()
        ),
        max_size=6,
    ),
)


@given(st.lists(PARTS | SIMPLE, max_size=8), st.sampled_from(BASES))
@example(["a/b?c=1", "/a", "a/../b", "//a/b", "a//b", "/", "http://x.example/a"], BASES[1])
def test_resolver_agrees_with_canonical(hrefs, base):
    resolver = Resolver()
    expected = [canonical(href, base) for href in hrefs]
    assert resolver.join(base, hrefs) == expected
    assert resolver.join(base, hrefs) == expected


@given(st.lists(PARTS, min_size=1, max_size=8))
def test_resolver_distinguishes_directories(hrefs):
    resolver = Resolver(capacity=3)
    for base in (
        "http://a.example/x/y?z",
        "http://a.example/x/",
        "https://a.example/",
        "http://a.example/w",
    ):
        assert resolver.join(base, hrefs) == [canonical(href, base) for href in hrefs]


def test_scope_is_hosts_prefixes_and_exclusions():
    around = Scope.around(["http://www.cs.example.edu/", "https://lab.example.edu:8080/x"])
    assert around.domains == ("lab.example.edu", "www.cs.example.edu")
    assert around.allows("http://sub.lab.example.edu/")
    assert not around.allows("http://notlab.example.edu/")
    narrow = Scope(prefixes=("http://a.example/x/",), exclude=(r"\.zip$",))
    assert narrow.allows("http://a.example/x/y")
    assert not narrow.allows("http://a.example/z")
    assert not narrow.allows("http://a.example/x/y.zip")


def test_host():
    assert host_of("http://[::1]:80/a") == "::1"


def test_a_url_beyond_the_limit_is_none():
    url = "http://a.example/" + "x" * (urls.MAX_URL_CHARACTERS - len("http://a.example/"))
    assert canonical(url) == url
    assert canonical(url + "x") is None
    assert canonical("x" * 1_000_000, "http://a.example/") is None


def test_links_of_a_page_beyond_the_limit_are_dropped(monkeypatch):
    monkeypatch.setattr(url_resolver, "MAX_LINKED_CHARACTERS", 3 * len("http://a.example/1") - 1)
    resolver = Resolver()
    for _ in range(2):  # whether they are cached or not
        joined = resolver.join("http://a.example/", ["1", "mailto:x", "2", "3", "4"])
        assert joined == [f"http://a.example/{n}" if n else None for n in (1, 0, 2, 3, 0)]
