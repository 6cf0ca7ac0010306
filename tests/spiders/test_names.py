import pytest
from hypothesis import given
from hypothesis import strategies as st

from lycosa.errors import UsageError
from lycosa.spiders.names import SpiderName, parse, split

WORDS = st.text("abcxyz-_.0123456789/", min_size=1, max_size=6)
NAMES = st.builds(
    SpiderName,
    WORDS,
    st.lists(WORDS, max_size=3).map(tuple),
    st.dictionaries(WORDS, WORDS, max_size=3).map(lambda d: tuple(d.items())),
)


@given(st.lists(NAMES, max_size=5))
def test_lists_of_names_survive_writing_and_parsing(names):
    assert [parse(text) for text in split(", ".join(map(str, names)))] == names


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("", []),
        (" , ,", []),
        ("a", ["a"]),
        ("a,b , c", ["a", "b", "c"]),
        ("rl(nb, future), b", ["rl(nb, future)", "b"]),
        ("change(rl(a, b), rl(c)), d", ["change(rl(a, b), rl(c))", "d"]),
    ],
)
def test_split(text, parts):
    assert split(text) == parts


def test_parses_nested_names():
    assert parse("change(rl(a, b), at=0.3)").arguments == ("rl(a, b)",)


@pytest.mark.parametrize("text", ["a(b", "a)b(", "a,b)", "a(b))", ")("])
def test_parentheses_must_match(text):
    with pytest.raises(UsageError, match="parentheses"):
        split(text)


@pytest.mark.parametrize("text", ["(a)", "a(b)c", "a(b=)", "a(=b)", "a(b=1, b=2)", "a(b=1, c)"])
def test_refuses_malformed_names(text):
    with pytest.raises(UsageError):
        parse(text)
