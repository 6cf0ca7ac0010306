import gzip

from hypothesis import given
from hypothesis import strategies as st
from starlette.requests import Request
from starlette.responses import HTMLResponse

from lycosa.portal.web.page_cache import CachedPage, PageCache


def asked(**headers):
    fields = [(k.replace("_", "-").encode(), v.encode()) for k, v in headers.items()]
    return Request({"type": "http", "headers": fields})


def page(text="x" * 100):
    return CachedPage.of(HTMLResponse(text, headers={"Cache-Control": "max-age=60"}))


def test_a_page_is_sent_as_the_browser_can_take_it():
    kept = page()
    plain = kept.answer(asked())
    packed = kept.answer(asked(accept_encoding="br, gzip"))
    assert plain.body == gzip.decompress(packed.body)
    assert packed.headers["content-encoding"] == "gzip"
    assert int(packed.headers["content-length"]) == len(packed.body)
    assert plain.headers["content-type"] == "text/html; charset=utf-8"
    assert plain.headers["vary"] == "Accept-Encoding"


def test_what_the_browser_has_is_not_sent_again():
    kept = page()
    tag = kept.answer(asked()).headers["etag"]
    again = kept.answer(asked(if_none_match=f'"x", {tag}'))
    assert (again.status_code, again.body) == (304, b"")
    assert kept.answer(asked(if_none_match='"x"')).status_code == 200
    assert page("other").answer(asked(if_none_match=tag)).status_code == 200


def test_pages_end_with_time_and_with_a_new_generation():
    now = [0.0]
    cache = PageCache(seconds=10, clock=lambda: now[0])
    cache.get("a", "1")
    cache.put("a", "1", page())
    assert cache.get("a", "1")
    now[0] = 11
    assert cache.get("a", "1") is None
    cache.put("a", "1", page())
    assert cache.get("a", "2") is None
    cache.put("a", "1", page())  # it was begun before the new generation came
    assert cache.get("a", "2") is None


@given(st.lists(st.tuples(st.integers(0, 20), st.integers(0, 3000)), max_size=50))
def test_there_is_no_more_than_allowed_and_the_last_is_kept(puts):
    cache = PageCache(most=10_000)
    cache.get(0, "1")
    for key, size in puts:
        kept = page("ä" * size)
        cache.put(key, "1", kept)
        assert cache.get(key, "1") is kept
        held = [cache.get(k, "1") for k in range(21)]
        assert sum(len(p.plain) + len(p.packed) for p in held if p) <= 10_000
