"""The scan for links and scripts: what it counts, and what hostile pages cost."""

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lycosa.crawler.browser.links import count_links, count_scripts, has_script_menu
from lycosa.web.reader import Reader

HERE = "http://a.example/"
HOSTILE = (
    b"<a ", b"<a href=", b'<a href="', b"<a href='", b"<a x ", b"<a href =  ",
    b"<area ", b"<script ",
    b"<script type=", b"<script type= ", b"<script type " + b" " * 1000, b"<a " + b" " * 2000,
    b"<script type=" + b" " * 1900, b"<a " + b"x " * 900, b"<a href=" + b" " * 30, b" href=",
)  # fmt: skip


@pytest.mark.parametrize("piece", HOSTILE)
def test_a_megabyte_of_anything_is_scanned_in_a_moment(piece):
    html = piece * (1_000_000 // len(piece))
    started = time.process_time()
    has_script_menu(html)
    count_links(html)
    assert time.process_time() - started < 2


def test_only_the_start_of_a_large_page_is_scanned():
    assert count_links(b" " * (2 << 20) + b"<a href=/b>") == 0


@given(st.lists(st.sampled_from(["b", "c/d", "?e=1", "é"]), max_size=6), st.sampled_from("\"'"))
def test_links_are_counted_as_the_parser_finds_them(names, quote):
    html = "".join(f"<p><a class=x href={quote}/{name}{quote}>y</a>" for name in names).encode()
    page = Reader().page(HERE, html, "text/html; charset=utf-8")
    assert count_links(html) == len(page.targets)


@given(st.binary(max_size=400))
def test_any_bytes_can_be_scanned(html):
    assert count_scripts(html) >= 0
    assert count_links(html) >= 0


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        (b"<div id=root></div><script src=app.js></script>", True),
        (b"<a href=/>Home</a><script src=menu.js></script>", True),
        (b"<a href=/>Home</a><a href=/b>B</a><a href=/c>C</a><script>1</script>", False),
        (b"<p>No links, and no scripts.", False),
        (b'<a href=/>Home</a><script type="application/ld+json">{}</script>', False),
        (b"<script>1</script>" * 9 + b"".join(b"<a href=/%d>" % n for n in range(5)), False),
    ],
)
def test_pages_with_few_links_and_scripts_are_suspected(html, expected):
    assert has_script_menu(html) == expected
