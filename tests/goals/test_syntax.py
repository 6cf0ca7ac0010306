import pytest
from hypothesis import given
from hypothesis import strategies as st

from goals.queries import QUERIES
from lycosa.errors import UsageError
from lycosa.goals.syntax import And, Not, Or, Phrase, parse

A, B, C = (Phrase("text", (word,)) for word in "abc")
SOUP = [
    "a",
    "b*",
    "-a",
    "++",
    "AND",
    "OR",
    "NOT",
    "(",
    ")",
    '"',
    '"a b*"',
    "title:",
    "x:",
    "URL:c",
    "*",
]


@pytest.mark.parametrize(
    ("text", "tree"),
    [
        ("a", A),
        (" A ", A),
        ("a b", And((A, B))),
        ("a AND b c", And((A, B, C))),
        ("a OR b c", Or((A, And((B, C))))),
        ("a b OR c", Or((And((A, B)), C))),
        ("a (b OR c)", And((A, Or((B, C))))),
        ("NOT a b", And((Not(A), B))),
        ("NOT (a b)", Not(And((A, B)))),
        ("NOT NOT a", A),
        ("NOT (NOT a)", A),
        ("a and b", And((A, Phrase("text", ("and",)), B))),
        ('"AND"', Phrase("text", ("and",))),
        ('a "OR" b', And((A, Phrase("text", ("or",)), B))),
        ('"a  B"', Phrase("text", ("a", "b"))),
        ("“a b”", Phrase("text", ("a", "b"))),
        ('"a* b"', Phrase("text", ("a*", "b"))),
        ("C++", C),
        ("b-C.a*", Phrase("text", ("b", "c", "a*"))),
        ("字*", Phrase("text", ("字*",))),
        ("text:a", A),
        ("TITLE: a", Phrase("title", ("a",))),
        ('url:"a b"', Phrase("url", ("a", "b"))),
        ("title:(a OR url:b) c", And((Or((Phrase("title", ("a",)), Phrase("url", ("b",)))), C))),
        ("a" * 65, Phrase("text", ("a" * 64, "a"))),
    ],
)
def test_queries_match_as_documented(text, tree):
    assert parse(text) == tree


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "is empty; write at least one word"),
        (" ", "is empty"),
        ("a AND", "lacks something at position 6: a word, a phrase"),
        ("OR a", "lacks something at position 1"),
        ("a NOT", "lacks something at position 6"),
        ("()", "lacks something at position 2"),
        ("title:", "lacks something at position 7"),
        ("title:NOT a", "lacks something at position 7"),
        ("title:url:a", "lacks something at position 7"),
        ("(a", "opens a parenthesis at position 1; close it"),
        ("a ((b) c", "opens a parenthesis at position 3"),
        ("a) b", "closes a parenthesis at position 2; leave it out"),
        ('a "b c', "opens a quote at position 3; close it"),
        ("body:a", "unknown field 'body' at position 1; write one of text:, title:, url:"),
        ("a :b", "has a colon without a field at position 3"),
        ("a*b", "has a star at position 1; it may only end a word"),
        ("a *", "has a star at position 3"),
        ("a | b", r"has no letter or digit in '\|' at position 3"),
        ('a ""', "has no letter or digit in '' at position 3"),
        ("a -b", "has '-b' at position 3; write NOT b"),
        ("a !b", "has '!b' at position 3; write NOT b"),
        ("(" * 51 + "a" + ")" * 51, "opens more than 50 parentheses at position 51"),
        ("(" * 100_000, "opens more than 50 parentheses"),
    ],
)
def test_errors_name_the_position(text, words):
    with pytest.raises(UsageError, match=words) as caught:
        parse(text)
    assert str(caught.value).endswith(".")


def test_long_queries_are_not_deep():
    assert parse("NOT " * 20_001 + "a") == Not(A)
    assert len(parse("a " * 20_000).parts) == 20_000
    assert parse("(" * 50 + "a" + ")" * 50) == A
    assert len(parse("(a) " * 60).parts) == 60


@given(QUERIES)
def test_a_printed_tree_parses_to_the_same_tree(query):
    tree = parse(query.text)
    assert parse(str(tree)) == tree


@given(st.lists(st.sampled_from(SOUP), max_size=12).map(" ".join) | st.text())
def test_any_text_is_a_query_or_a_usage_error(text):
    try:
        tree = parse(text)
    except UsageError:
        return
    assert parse(str(tree)) == tree


def test_phrases_under_an_odd_number_of_nots_are_not_wanted():
    tree = parse("a NOT (b NOT c)")
    assert [(str(phrase), wanted) for phrase, wanted in tree.phrases()] == [
        ("a", True),
        ("b", False),
        ("c", True),
    ]


def test_other_fields_and_ranges_of_numbers():
    fields, numbers = ("text", "year", "author"), {"year"}
    tree = parse("year:1996..1999 YEAR:1996.. year:..1999 author:1..2", fields, numbers)
    assert [phrase.words for phrase, _ in tree.phrases()] == [
        ("1996..1999",),
        ("1996..",),
        ("..1999",),
        ("1", "2"),
    ]
    assert parse(str(tree), fields, numbers) == tree
    assert parse("year:1996-1999 1996..1999", fields, numbers) == And(
        (Phrase("year", ("1996", "1999")), Phrase("text", ("1996", "1999")))
    )
    with pytest.raises(UsageError, match="write one of text:, year:, author: or put it in quotes"):
        parse("title:a", fields, numbers)
    with pytest.raises(UsageError, match="has no letter or digit in"):
        parse("year:..", fields, numbers)


def test_quotes_are_kept_but_not_compared():
    assert parse('"a"') == parse("a")
    assert [parse(text).quoted for text in ('"a"', "a", '"a b"', "a-b")] == [True, False] * 2
    assert [str(parse(text)) for text in ('"A"', "a", "a-b")] == ['"a"', "a", '"a b"']
