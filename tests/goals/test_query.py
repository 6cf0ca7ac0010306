import pickle

import pytest
from hypothesis import given

from goals.queries import PAGES, QUERIES, PageWords, page, tables
from lycosa.content import Tables
from lycosa.errors import UsageError
from lycosa.goals import Query
from lycosa.goals.query import MAX_TABLES
from lycosa.sites.tables import StoredTable

SAID = PageWords(
    "home page".split(), "our robots in the robotics lab".split(), "smith/lab".split("/")
)


@given(QUERIES, PAGES)
def test_rewards_equal_a_naive_matcher_while_the_table_grows(query, pages):
    if query.holds(PageWords()):
        with pytest.raises(UsageError, match="also matches pages without words"):
            Query(query.text)
        return
    goal, made = Query(query.text), tables()
    for sample in pages:
        assert goal(page(made, sample)) == float(query.holds(sample))


@pytest.mark.parametrize(
    ("text", "reward"),
    [
        ("robots", 1),
        ("robot", 0),
        ("robot*", 1),
        ("ROBOTS Lab", 1),
        ("page", 1),
        ("title:page", 1),
        ("title:robots", 0),
        ('"robotics lab"', 1),
        ('"lab robotics"', 0),
        ('"our robot* in"', 1),
        ('"page our"', 1),
        ('title:"page our"', 0),
        ("url:smith", 1),
        ('url:"smith lab"', 1),
        ("url:edu", 0),
        ("text:smith", 0),
        ("robots NOT title:home", 0),
        ("course OR lab", 1),
    ],
)
def test_one_page(text, reward):
    assert Query(text)(page(tables(), SAID)) == reward


def test_the_name_is_the_text_and_the_words_are_those_wanted():
    goal = Query('Robot* (lab OR "Home lab") NOT title:course')
    assert goal.name == 'Robot* (lab OR "Home lab") NOT title:course'
    assert goal.words == ("robot", "lab", "home")
    assert repr(Query("a")) == "Query('a')"


def test_failed_pages_have_no_reward():
    goal, made = Query("url:smith OR robots"), tables()
    assert goal(page(made, SAID)) == 1
    assert goal(page(made, SAID, error="timeout")) == 0
    assert goal(page(made, SAID, status=404)) == 0


@pytest.mark.parametrize("text", ["NOT a", "a OR NOT b", "NOT (a b)"])
def test_refuses_a_query_that_nearly_every_page_matches(text):
    with pytest.raises(UsageError, match="also matches pages without words; add a word"):
        Query(text)


def test_a_query_is_pickled_as_its_text():
    goal = Query("robots lab")
    goal(page(tables(), SAID))
    twin = pickle.loads(pickle.dumps(goal))
    assert (twin.name, twin(page(tables(), SAID))) == ("robots lab", 1)


def test_many_tables_in_turn():
    goal = Query("robots")
    # The number of the word is another in every table.
    samples = [
        PageWords(body=[f"w{n}" for n in range(k)] + ["robots"] * (k % 2))
        for k in range(MAX_TABLES + 3)
    ]
    pages = [page(tables(), one) for one in samples]
    for _ in range(2):
        assert [goal(one) for one in pages] == [k % 2 for k in range(MAX_TABLES + 3)]


def test_matches_words_that_parsing_adds_to_the_table():
    made = tables()
    ready = page(made, PageWords(body=["a"]))
    goal = Query("late*")
    assert goal(ready) == 0
    lazy = page(made, PageWords())
    lazy._content = lambda: page(made, PageWords(body=["a", "later"])).content
    assert goal(lazy) == 1


def test_tables_on_disk(tmp_path):
    made = tables()
    plain = page(made, SAID)
    StoredTable.write(tmp_path, "words", made.words)
    plain.tables = Tables(StoredTable(tmp_path, "words"), made.urls, made.paths)
    assert [Query(text)(plain) for text in ("robot*", "lab", "title:lab")] == [1, 1, 0]
