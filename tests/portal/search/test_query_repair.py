import pytest
from hypothesis import given
from hypothesis import strategies as st

from goals.queries import QUERIES
from lycosa.errors import UsageError
from lycosa.goals.syntax import Not, Phrase, parse
from lycosa.portal.search.analysis import clean, plain, split_words
from lycosa.portal.search.query_repair import FIELDS, MAX_WORDS, NUMBERS, parse_query

SOUP = st.lists(
    st.sampled_from(
        ["a", "b*", "-a", "-", "AND", "OR", "NOT", "(", ")", '"', "“", "title:", "x:", "year:",
         "1996..", "*", "a*b", ":", "!", "-(", '-"', "-title:", "\0", "c++", "..", "学习"]
    ),
    max_size=14,
)  # fmt: skip


@pytest.mark.parametrize(
    ("text", "meant", "notice"),
    [
        ("robots", "robots", ""),
        ("a b OR c", "(a AND b) OR c", ""),
        ("year:1996..1999 -b", "year:1996..1999 AND NOT b", ""),
        ("year:1996-1999 1996-1999", 'year:1996..1999 AND "1996 1999"', ""),
        ("year:1996.. year:..1999", "year:1996.. AND year:..1999", ""),
        ('-"a b" -(c d) -title:e', 'NOT "a b" AND NOT (c AND d) AND NOT title:e', ""),
        ("a -- b - !c", "a AND b AND NOT c", ""),
        ("a & b | c", "a AND b AND c", ""),
        ("“a b”", '"a b"', ""),
        ('a "b c', "a AND b AND c", "A quotation mark is not closed"),
        ("a AND", "a", "AND, OR and NOT without a word beside them"),
        ("OR a OR OR b NOT", "a OR b", "without a word beside them"),
        ("a AND OR NOT", "a", "without a word beside them"),
        ("AND OR", "and AND or", "only operators (AND, OR, NOT), so they were searched as words"),
        ("((a) b", "a AND b", "Unmatched parentheses"),
        ("a) (b", "a AND b", "Unmatched parentheses"),
        ("a () b", "a AND b", ""),
        ("title:() b", "title AND b", "“title:” has no value"),
        ("title:", "title", "“title:” has no value"),
        ("title:author:a", "title AND author:a", "“title:” has no value"),
        ("title:-a", "title:a", ""),
        ("foo:bar x:y", "foo AND bar AND x AND y", "There is no field “foo:” or “x:”"),
        ("a*b c", "a AND b AND c", "A star is valid only at the end of a word"),
        ("year:soon", "soon", "“year:soon” needs a number"),
        ("year:(soon OR 1999)", "soon OR year:1999", "needs a number"),
        ('year:"1999 2000"', '"1999 2000"', "needs a number"),
        ("year:99999999999", "99999999999", "needs a number"),
        ("a\0b\x1b[31m", 'a AND b AND "31m"', ""),
        ("?!", None, "no letters or digits, so all works are shown"),
        ("", None, ""),
        (" \n\0", None, ""),
        ("a " * 100, " AND ".join("a" * MAX_WORDS), "only its first 64 words"),
        ("(" * 60 + "a" + ")" * 60, "a", "Unmatched parentheses"),
    ],
)
def test_repairs_and_notices(text, meant, notice):
    query = parse_query(text)
    assert (None if meant is None else parse(meant, FIELDS, NUMBERS)) == query.tree
    assert notice in " ".join(query.notices)
    assert bool(notice) == bool(query.notices)


@given(SOUP.map(" ".join) | SOUP.map("".join) | st.text())
def test_parses_any_text_and_leaves_valid_queries_alone(text):
    query = parse_query(text)
    if query.tree is None:
        return
    assert parse(str(query.tree), FIELDS, NUMBERS, split_words) == query.tree
    try:
        strict = parse(plain(text), FIELDS, NUMBERS, split_words)
    except UsageError:
        return
    if not query.notices and text.isprintable() and clean(text) == text:
        assert query.tree == strict


@given(QUERIES)
def test_valid_queries_are_parsed_without_notice(query):
    text = query.text.replace("url:", "author:")
    assert parse_query(text) == (parse(text, FIELDS), ())


def test_keeps_quotes_around_a_single_word():
    tree = parse_query('"robots" NOT "a b"').tree
    (first, second) = tree.parts
    assert first.quoted
    assert second == Not(Phrase("text", ("a", "b")))
    assert not parse_query("robots").tree.quoted
