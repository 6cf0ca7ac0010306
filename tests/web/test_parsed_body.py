import json

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lycosa.web.parsed_body import _ARRAYS, _OF_CONTENT, BodyDecoder
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
    arrays = {name: getattr(page.content, name).tolist() for name in _OF_CONTENT}
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
    st.lists(BODIES, min_size=1, max_size=4),
    st.sampled_from(["text/html", "text/plain"]),
    st.sampled_from([0, 100, 1000]),
    st.data(),
)
def test_an_adopted_page_is_the_page_that_the_reader_would_have_parsed(
    bodies, kind, max_characters, data
):
    parsing, adopting = Reader(in_scope=in_scope), Reader(in_scope=in_scope)
    parser, decoder = BodyParser(max_characters), BodyDecoder()
    bodies = [(f"{URL}{n}", body.encode()) for n, body in enumerate(bodies)]
    parsed = [decoder.decode(parser.parse(url, body, kind)) for url, body in bodies]
    # The loop may adopt them in another order, and not all of them.
    for n in data.draw(st.permutations(range(len(bodies)))):
        (url, body), lazily = bodies[n], data.draw(st.sampled_from([None, bool]))
        if data.draw(st.booleans()):
            expected = parsing.page(url, body, kind)
            page = adopting.adopt(url, parsed[n], kind, on_content=lazily)
            assert facts(page, adopting) == facts(expected, parsing)
            assert page.content.tokens.dtype == page.content.owner.dtype == np.int32


def test_a_string_is_sent_once():
    parser, decoder = BodyParser(), BodyDecoder()
    body = b"<title>word</title><a href=/x>anchor</a>"
    first, second = (parser.parse(URL, body) for _ in range(2))
    assert b"anchor" in first
    assert b"anchor" not in second
    assert b"http" not in second
    reader = Reader()
    pages = [reader.adopt(URL, decoder.decode(message)) for message in (first, second)]
    assert pages[0].link(0) == pages[1].link(0)


def test_a_receiver_needs_the_messages_before():
    parser, decoder = BodyParser(), BodyDecoder()
    first, second = (parser.parse(URL, body) for body in (b"one", b"two"))
    assert decoder.decode(second) is None
    assert decoder.decode(first) is not None
    assert decoder.decode(b"damaged") is None
    assert decoder.decode(second) is None


@given(BODIES)
def test_the_words_of_a_lazily_adopted_page_are_numbered_when_they_are_read(body):
    reads = []
    reader = Reader(in_scope=in_scope)
    parsed = BodyDecoder().decode(BodyParser().parse(URL, body.encode()))
    page = reader.adopt(URL, parsed, on_content=lambda: reads.append(1))
    assert (len(reader.words), reads) == (0, [])
    assert page.text == Reader().page(URL, body.encode()).text
    assert reads == [1]


MESSAGE = BodyParser().parse(
    URL, b"<title>t</title><h1>head</h1><a href=x>one</a> two <a href=y>three</a>"
)
HEAD, NUMBERS = MESSAGE.split(b"\n", 1)
LENGTHS = json.loads(HEAD)[-1]


@pytest.mark.parametrize("name", _ARRAYS)
@pytest.mark.parametrize("wrong", [-2, 99, 2**31 - 1])
def test_a_number_that_refers_to_nothing_is_refused(name, wrong):
    numbers = np.frombuffer(NUMBERS, "<i4").copy()
    place = list(_ARRAYS).index(name)
    numbers[sum(LENGTHS[: place + 1]) - 1] = wrong
    assert BodyDecoder().decode(HEAD + b"\n" + numbers.tobytes()) is None


@pytest.mark.parametrize(
    ("name", "right", "wrong"),
    [("head_stop", 2, 0), ("url_stop", 4, 1), ("stop", 5, 3), ("head_above", 0, 1)],
)
def test_a_range_that_stops_before_it_starts_and_a_heading_above_itself_are_refused(
    name, right, wrong
):
    numbers = np.frombuffer(NUMBERS, "<i4").copy()
    last = sum(LENGTHS[: list(_ARRAYS).index(name) + 1]) - 1
    assert numbers[last] == right
    numbers[last] = wrong
    assert BodyDecoder().decode(HEAD + b"\n" + numbers.tobytes()) is None


@pytest.mark.parametrize(
    "fields",
    [
        None, {}, [], [1, 2, 3], [True, 0, "", [], [], [], []],
        [True, float("inf"), "", [], [], [], [0] * 13], [True, 0.0, "", [], [], [], [0] * 13],
        [True, 0, "", [1], [], [], [0] * 13], [True, 0, "", [], [], [], [0] * 12],
        [True, 0, "", [], [], [], [0.0] * 13], [True, 0, "", {}, [], [], [0] * 13],
        [True, 0, "", [], [], [], [True] + [0] * 12], [True, 1, "", [], [], [], [0] * 13],
        [True, 0, "", [], [], [], [-1, 1] + [0] * 11], [True, 0, "", [], [], [], [10**15] * 13],
        [False, 0, "", [], [], [], [0] * 13],
    ],
)  # fmt: skip
def test_any_other_message_is_refused(fields):
    assert BodyDecoder().decode(json.dumps(fields).encode() + b"\n") is None


def test_an_empty_page_is_a_message():
    fields = [True, 0, "", [], [], [], [0] * 13]
    assert BodyDecoder().decode(json.dumps(fields).encode() + b"\n") is not None


@given(st.integers(0, len(MESSAGE) - 1), st.integers(0, 255))
@settings(max_examples=300)
def test_a_changed_byte_gives_none_or_a_body_that_can_be_adopted(at, byte):
    message = MESSAGE[:at] + bytes([byte]) + MESSAGE[at + 1 :]
    if (parsed := BodyDecoder().decode(message)) is not None:
        page = Reader().adopt(URL, parsed)
        assert isinstance(page.text, str)
        for name in ("anchor", "near", "heads", "url", "path"):
            page.bag(name).rows()
