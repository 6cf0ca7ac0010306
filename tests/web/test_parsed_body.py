import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lycosa.content import Content
from lycosa.web.parsed_body import _ARRAYS, ParsedBody
from lycosa.web.reader import BodyParser, Reader

URL = "http://a.example/d/"
PIECES = st.sampled_from(
    [
        "<title>Home page</title>", "<h1>", "</h1>", "<h2>Papers</h2>", "<div class=menu>",
        "<a href=x>one word</a>", "<a href=/x/y.ps id='a b'>", "</a>", "<a href=http://b.example/>b",
        "<a href=http://b.example/x>c</a>", "<a href=x>again</a>", "words of a text ", "<p>",
        "é 数学", "</div>",
        "<link rel=next href=z>", "<base href=http://b.example/>", "<!-- -->", "<img alt=image>",
    ]
)  # fmt: skip
BODIES = st.lists(PIECES, max_size=25).map("".join)


def in_scope(url: str) -> bool:
    return "b.example" not in url


def facts(page, reader):
    """Return everything that two equal pages have in common, numbers included."""
    arrays = {name: getattr(page.content, name).tolist() for name in _ARRAYS}
    tables = tuple(map(list, (reader.words, reader.urls, reader.paths)))
    own = (
        page.url,
        page.title,
        page.status,
        page.type,
        page.targets.tolist(),
        page.content.title_size,
    )
    return own, arrays, tables


@given(
    st.lists(BODIES, min_size=1, max_size=3),
    st.sampled_from(["text/html", "text/plain"]),
    st.sampled_from([0, 10, 1000]),
)
def test_an_adopted_page_is_the_page_that_the_reader_would_have_parsed(bodies, kind, max_strings):
    parsing, adopting = Reader(in_scope=in_scope), Reader(in_scope=in_scope)
    parser = BodyParser(max_strings)
    for n, body in enumerate(bodies):
        url = f"{URL}{n}"
        expected = parsing.page(url, body.encode(), kind)
        parsed = ParsedBody.from_text(parser.parse(url, body.encode(), kind).to_text())
        page = adopting.adopt(url, parsed, kind)
        assert facts(page, adopting) == facts(expected, parsing)
        assert page.content.tokens.dtype == page.content.owner.dtype == np.int32


@given(BODIES)
def test_the_words_of_a_lazily_adopted_page_are_numbered_when_they_are_read(body):
    reads = []
    reader = Reader(in_scope=in_scope)
    parsed = BodyParser().parse(URL, body.encode())
    page = reader.adopt(URL, parsed, on_content=lambda: reads.append(1))
    assert (len(reader.words), reads) == (0, [])
    assert page.text == Reader().page(URL, body.encode()).text
    assert reads == [1]


PARSED = BodyParser().parse(
    URL, b"<title>t</title><h1>head</h1><a href=x>one</a> two <a href=y>three</a>"
)


@pytest.mark.parametrize("name", _ARRAYS)
@pytest.mark.parametrize("wrong", [-2, 99, 2**31 - 1])
def test_a_number_that_refers_to_nothing_is_refused(name, wrong):
    values = getattr(PARSED.content, name).astype(np.int32)
    values[-1] = wrong
    content = {each: getattr(PARSED.content, each) for each in _ARRAYS} | {name: values}
    damaged = ParsedBody(PARSED.targets, PARSED.words, PARSED.paths, Content(**content))
    assert ParsedBody.from_text(damaged.to_text()) is None


@pytest.mark.parametrize(
    "text", ["", "{}", "[]", "[1,2,3,4,5]", '[[],[],[],0,{}]', '[[1],[],[],0,{"tokens":"x"}]']
)  # fmt: skip
def test_any_other_text_is_refused(text):
    assert ParsedBody.from_text(text) is None


@given(st.integers(0, 4), st.integers(0, 40), st.integers(0, 255))
def test_a_flipped_byte_gives_none_or_a_body_that_can_be_adopted(part, at, byte):
    fields = json.loads(PARSED.to_text())
    text = json.dumps(fields[part])
    at %= len(text)
    fields[part] = text[:at] + chr(byte) + text[at + 1 :]
    whole = "[" + ",".join(t if k == part else json.dumps(t) for k, t in enumerate(fields)) + "]"
    if (parsed := ParsedBody.from_text(whole)) is not None:
        page = Reader().adopt(URL, parsed)
        assert isinstance(page.text, str)
        for name in ("anchor", "near", "heads", "url", "path"):
            page.bag(name).rows()
