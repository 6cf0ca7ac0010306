import pytest
from hypothesis import given
from hypothesis import strategies as st

from goals.queries import QUERIES
from lycosa.errors import UsageError
from lycosa.goals.syntax import Not, Phrase, parse
from lycosa.portal.search.analysis import clean, plain
from lycosa.portal.search.query_repair import FIELDS, MOST, NUMBERS, parse_query

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
        ('a "b c', "a AND b AND c", "A quote was not closed"),
        ("a AND", "a", "AND, OR and NOT that have nothing beside them"),
        ("OR a OR OR b NOT", "a OR b", "nothing beside them"),
        ("a AND OR NOT", "a", "nothing beside them"),
        ("AND OR", "and AND or", "stand alone, so they were searched as words"),
        ("((a) b", "a AND b", "Parentheses that do not match"),
        ("a) (b", "a AND b", "Parentheses that do not match"),
        ("a () b", "a AND b", ""),
        ("title:() b", "title AND b", "Nothing stands after “title:”"),
        ("title:", "title", "Nothing stands after “title:”"),
        ("title:author:a", "title AND author:a", "Nothing stands after “title:”"),
        ("title:-a", "title:a", ""),
        ("foo:bar x:y", "foo AND bar AND x AND y", "There is no field “foo:” or “x:”"),
        ("a*b c", "a AND b AND c", "A star may only end a word"),
        ("year:soon", "soon", "There is no number in “year:soon”"),
        ("year:(soon OR 1999)", "soon OR year:1999", "There is no number"),
        ('year:"1999 2000"', '"1999 2000"', "There is no number"),
        ("year:99999999999", "99999999999", "There is no number"),
        ("a\0b\x1b[31m", 'a AND b AND "31m"', ""),
        ("?!", None, "no letter or digit, so everything is shown"),
        ("", None, ""),
        (" \n\0", None, ""),
        ("a " * 100, " AND ".join("a" * MOST), "only the first 64"),
        ("(" * 60 + "a" + ")" * 60, "a", "Parentheses"),
    ],
)
def test_what_a_text_is_understood_as(text, meant, notice):
    asked = parse_query(text)
    assert (None if meant is None else parse(meant, FIELDS, NUMBERS)) == asked.tree
    assert notice in asked.notice
    assert bool(notice) == bool(asked.notice)


@given(SOUP.map(" ".join) | SOUP.map("".join) | st.text())
def test_any_text_is_understood_and_what_was_done_is_said(text):
    asked = parse_query(text)
    if asked.tree is None:
        return
    assert parse(str(asked.tree), FIELDS, NUMBERS) == asked.tree
    try:
        strict = parse(plain(text), FIELDS, NUMBERS)
    except UsageError:
        return
    if not asked.notice and text.isprintable() and clean(text) == text:
        assert asked.tree == strict


@given(QUERIES)
def test_what_the_grammar_takes_is_not_touched(query):
    text = query.text.replace("url:", "author:")
    assert parse_query(text) == (parse(text, FIELDS), "")


def test_quotes_are_remembered_also_around_one_word():
    asked = parse_query('"robots" NOT "a b"').tree
    (first, second) = asked.parts
    assert first.quoted
    assert second == Not(Phrase("text", ("a", "b")))
    assert not parse_query("robots").tree.quoted
