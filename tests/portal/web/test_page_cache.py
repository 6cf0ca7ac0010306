import gzip

from hypothesis import given
from hypothesis import strategies as st
from starlette.requests import Request
from starlette.responses import HTMLResponse

from lycosa.portal.web.page_cache import CachedPage, PageCache


def request(**headers):
    fields = [(k.replace("_", "-").encode(), v.encode()) for k, v in headers.items()]
    return Request({"type": "http", "headers": fields})


def page(text="x" * 100):
    return CachedPage.from_response(HTMLResponse(text, headers={"Cache-Control": "max-age=60"}))


def test_compresses_if_the_browser_accepts_it():
    cached = page()
    plain = cached.response(request())
    compressed = cached.response(request(accept_encoding="br, gzip"))
    assert plain.body == gzip.decompress(compressed.body)
    assert compressed.headers["content-encoding"] == "gzip"
    assert int(compressed.headers["content-length"]) == len(compressed.body)
    assert plain.headers["content-type"] == "text/html; charset=utf-8"
    assert plain.headers["vary"] == "Accept-Encoding"


def test_answers_304_for_a_known_etag():
    cached = page()
    tag = cached.response(request()).headers["etag"]
    again = cached.response(request(if_none_match=f'"x", {tag}'))
    assert (again.status_code, again.body) == (304, b"")
    assert cached.response(request(if_none_match='"x"')).status_code == 200
    assert page("other").response(request(if_none_match=tag)).status_code == 200


def test_pages_expire_with_time_and_with_a_new_generation():
    now = [0.0]
    cache = PageCache(seconds=10, clock=lambda: now[0])
    cache.get("a", "1")
    cache.put("a", "1", page())
    assert cache.get("a", "1")
    now[0] = 11
    assert cache.get("a", "1") is None
    cache.put("a", "1", page())
    assert cache.get("a", "2") is None
    cache.put("a", "1", page())  # rendered before the new generation
    assert cache.get("a", "2") is None


@given(st.lists(st.tuples(st.integers(0, 20), st.integers(0, 3000)), max_size=50))
def test_stays_within_its_size_and_keeps_the_latest(puts):
    cache = PageCache(max_bytes=10_000)
    cache.get(0, "1")
    for key, size in puts:
        cached = page("ä" * size)
        cache.put(key, "1", cached)
        assert cache.get(key, "1") is cached
        held = [cache.get(k, "1") for k in range(21)]
        assert sum(len(p.plain) + len(p.compressed) for p in held if p) <= 10_000
