import pytest
from hypothesis import given
from hypothesis import strategies as st

from lycosa.goals.syntax import Phrase
from lycosa.portal.search import IndexEntry
from lycosa.portal.search.cost import MAX_COST, narrow
from lycosa.portal.search.expansion import MAX_EXPANSIONS
from lycosa.portal.search.query_repair import parse_query
from portal.search.sample_works import index_of

WORDS = ["robot", "robots", "spider", "web", "learning", "the", "zebra", "2x", "e-mail"]
STARS = ["r*", "ro*", "w*", "title:r*", "author:a*", '"r* web"', '"the w*"', "zz*"]
LEAVES = [*WORDS, *STARS, '"robot web"', '"the web"', "title:robot", "author:ann", "year:1996.."]
QUERIES = st.recursive(
    st.sampled_from(LEAVES),
    lambda part: st.one_of(
        part.map(lambda text: f"NOT ({text})"),
        st.lists(part, min_size=2, max_size=4).map(lambda parts: f"({' OR '.join(parts)})"),
        st.lists(part, min_size=2, max_size=4).map(lambda parts: f"({' AND '.join(parts)})"),
    ),
    max_leaves=8,
)


@pytest.fixture(scope="module")
def engine(tmp_path_factory):
    entries = [
        IndexEntry(
            f"w{number}",
            "paper",
            f"The web robot r{number}",
            ("Ann Lee",),
            ("lee-a",),
            1990 + number % 20,
            abstract=f"robots learning the web w{number} ra{number % 7}",
        )
        for number in range(300)
    ]
    return index_of(tmp_path_factory.mktemp("index"), entries)


@pytest.fixture(scope="module")
def costs(engine):
    return engine._latest().costs


def tree(text):
    return parse_query(text).tree


def test_frequent_words_cost_more(costs):
    assert costs.of(tree("the")) > costs.of(tree("ra1")) > costs.of(tree("zebra")) > 0


def test_phrases_cost_more_than_their_words(costs):
    assert costs.of(tree('"the web"')) > costs.of(tree('"the"')) + costs.of(tree('"web"'))


def test_everything_costs_nothing(costs):
    assert costs.of(None) == 0
    assert narrow(None, costs, 0) == (None, MAX_EXPANSIONS, "")


@given(QUERIES, st.integers(1, MAX_EXPANSIONS), st.integers(1, MAX_EXPANSIONS))
def test_more_expansions_never_cost_less(costs, text, one, other):
    fewer, more = sorted((one, other))
    assert costs.of(tree(text), fewer) <= costs.of(tree(text), more)


@given(QUERIES, st.sampled_from(LEAVES), st.sampled_from(["AND", "OR", "AND NOT"]))
def test_a_further_part_never_costs_less(costs, text, more, operator):
    assert costs.of(tree(f"({text}) {operator} {more}")) > costs.of(tree(text))


@given(st.sampled_from(WORDS), st.integers(1, 20))
def test_a_star_costs_no_less_than_the_exact_word(costs, word, count):
    texts = [f'"{word}"', f"{word}*"]
    exact, starred = (costs.of(tree(" OR ".join([text] * count))) for text in texts)
    assert starred >= exact


@given(QUERIES)
def test_a_query_within_the_limit_is_not_changed(costs, text):
    parsed = tree(text)
    assert narrow(parsed, costs, costs.of(parsed)) == (parsed, MAX_EXPANSIONS, "")
    assert narrow(parsed, costs, MAX_COST) == (parsed, MAX_EXPANSIONS, "")


@given(QUERIES, st.floats(0, 1))
def test_narrowing_keeps_within_the_limit_and_says_what_it_leaves_out(costs, text, share):
    parsed = tree(text)
    limit = share * costs.of(parsed)
    narrowed = narrow(parsed, costs, limit)
    leaves = narrowed.tree.phrases() if narrowed.tree else []
    assert costs.of(narrowed.tree, narrowed.expansions) <= limit or len(set(leaves)) == 1
    assert set(leaves) <= set(parsed.phrases())
    assert bool(narrowed.notice) == (set(leaves) != set(parsed.phrases()))
    # Whatever is wanted is not replaced by what is excluded alone.
    wanted = any(positive for _, positive in parsed.phrases())
    assert any(positive for _, positive in leaves) == wanted


def test_stars_share_what_one_may_have(costs):
    one = narrow(tree("r*"), costs, costs.of(tree("r*"))).expansions
    starred = " OR ".join(f"r{digit}*" for digit in range(1, 10))
    narrowed = narrow(tree(f"{starred} OR r*"), costs, costs.of(tree("r*")))
    assert one == MAX_EXPANSIONS
    assert 1 <= narrowed.expansions < one / 3
    assert not narrowed.notice


def test_repeated_parts_are_searched_once_instead_of_narrowed(costs):
    repeated = tree(" OR ".join(["r*"] * 50))
    narrowed = narrow(repeated, costs, costs.of(tree("r*")))
    assert narrowed == (Phrase("text", ("r*",)), MAX_EXPANSIONS, "")


def test_rare_words_stay(costs):
    narrowed = narrow(tree("the OR web OR zebra OR 2x"), costs, costs.of(tree("zebra OR 2x")))
    assert str(narrowed.tree) == "zebra OR 2x"
    assert narrowed.notice == "The query would take too long, so “the”, “web” were not searched."


def test_an_excluded_word_stays_before_wanted_ones(costs):
    limit = costs.of(tree("web OR zebra"))
    narrowed = narrow(tree("the AND zebra AND NOT web"), costs, limit)
    assert str(narrowed.tree) == "zebra AND NOT web"


def test_the_page_says_what_was_narrowed(engine, monkeypatch):
    starred = " ".join(f"r{number}*" for number in range(10, 20))
    assert "most frequent" not in engine.search(starred).notice
    limit = engine._latest().costs.of(tree(starred), 3)
    monkeypatch.setattr("lycosa.portal.search.engine.MAX_COST", limit)
    notice = engine.search(starred).notice
    assert "“r10*”, “r11*”" in notice
    assert "only the 3 most frequent of each were searched" in notice
