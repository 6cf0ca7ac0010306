import subprocess
import sys
import threading
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lycosa.errors import StoreError, UnknownName, UsageError
from lycosa.goals.syntax import And, Not, Phrase
from lycosa.portal.search import Engine, Index, IndexEntry
from lycosa.portal.search.free_words import split_query
from lycosa.portal.search.query_repair import parse_query
from portal.search.sample_works import IDS, WORDS, entries, holds, index_of, required_parts

WORKS = entries()
LEAVES = [
    *WORDS.split(),
    "rob*",
    "le*",
    '"the robot"',
    '"learning"',
    '"robot* learn*"',
    '"web the"',
    "e-mail",
    "学习",
    "Müller",
    "smith",
    "title:robot",
    'title:"learning"',
    "title:le*",
    "author:lee",
    "author:lee-a",
    'author:"bo muller"',
    "year:1996",
    "year:199*",
    "year:1996..1999",
    "year:..1990",
    "year:1999..",
    "venue:robots",
    'venue:"conf*"',
    'venue:"jour* of"',
    'author:"b* muller"',
    "author:smi*",
    'title:"the rob*"',
    '"e ma*"',
    "venue:conference",
    "topic:ai",
    "topic:machine-learning",
    "site:b.org",
    "site:edu",
    "cites:w7",
    "type:pdf",
    "type:paper",
    "zebra",
]
TEXTS = st.recursive(
    st.sampled_from(LEAVES),
    lambda part: st.one_of(
        part.map(lambda text: f"NOT ({text})"),
        st.lists(part, min_size=2, max_size=3).map(lambda texts: " ".join(f"({t})" for t in texts)),
        st.lists(part, min_size=2, max_size=3).map(
            lambda texts: " OR ".join(f"({t})" for t in texts)
        ),
    ),
    max_leaves=5,
)


@pytest.fixture(scope="module")
def engine(tmp_path_factory):
    return index_of(tmp_path_factory.mktemp("index"), WORKS)


@settings(deadline=None)
@given(text=TEXTS)
def test_matches_what_a_naive_implementation_does(engine, text):
    tree = parse_query(text).tree
    words, conditions = split_query(tree)
    results = engine.search(text, size=100)
    if not words:
        expected = {entry.id for entry in WORKS if holds(tree, entry)}
        if expected or "matches all" not in results.notice:
            assert (results.total, results.complete) == (len(expected), None)
            assert {hit.id for hit in results.hits} == expected
        return
    allowed = [entry for entry in WORKS if conditions is None or holds(conditions, entry)]
    parts = [Phrase("text", (part,)) for word in words for part in word.words if len(part) > 1]
    some = {entry.id for entry in allowed if any(holds(word, entry) for word in [*words, *parts])}
    complete = {entry.id for entry in allowed if all(holds(word, entry) for word in words)}
    if not some and "searched as the others" in results.notice:
        return
    found = [hit.id for hit in results.hits]
    by_meaning = {hit.id for hit in results.hits if hit.signals.by_meaning}
    assert {*found} - by_meaning == some
    assert by_meaning <= {entry.id for entry in allowed}
    assert {*found[: len(complete)]} == complete, text
    assert (results.total, results.complete) == (len(found), len(complete))


@settings(deadline=None)
@given(parts=st.lists(st.sampled_from(LEAVES), min_size=2, max_size=4, unique=True))
def test_other_orders_list_the_works_that_match_most_parts(engine, parts):
    tree = parse_query(" ".join(parts)).tree
    assert isinstance(tree, And)
    expected = [part for part in required_parts(tree) if not isinstance(part, Not)]
    counts = {entry.id: sum(holds(part, entry) for part in expected) for entry in WORKS}
    most = max(counts.values())
    results = engine.search(" ".join(parts), size=100, sort="date")
    best = {work for work, count in counts.items() if count == most} if most else set()
    assert {hit.id for hit in results.hits} == best
    assert ("No work matches all" in results.notice) == (0 < most < len(expected))


@settings(deadline=None)
@given(text=st.text(max_size=60) | st.text('ab:"()*-!.OR ANDNT0', max_size=30))
def test_any_text_can_be_searched(engine, text):
    results = engine.search(text)
    assert results.text == text
    assert results.total >= len(results.hits)


@pytest.mark.parametrize(
    "text",
    ["a" * 100_000, "a " * 50_000, "(" * 100_000, '"' * 99_999, "\0\x1b[31m", "a* " * 1000,
     "title:" * 10_000, "/.*.*.*/", "x^1e9 ~3 [a TO *] {b}", "NOT " * 20_000 + "robot",
     "\ud800", "year:99999999999999999999", "OR " * 1000, "🕷 ∀", '"' + "a " * 5000 + '"'],
    ids=lambda text: ascii(text[:12]),
)  # fmt: skip
def test_hostile_texts(engine, text):
    results = engine.search(text)
    assert results.total <= len(WORKS)
    assert results.notice == "" or results.notice.endswith(".")


def test_pages_follow_each_other(engine):
    for sort in ("relevance", "cited", "date"):
        whole = engine.search("robot OR web OR the", size=100, sort=sort)
        parts = [
            hit
            for page in range(1, 20)
            for hit in engine.search("robot OR web OR the", page=page, size=5, sort=sort).hits
        ]
        assert [hit.id for hit in parts] == [hit.id for hit in whole.hits]
        assert len(parts) == whole.total


def test_sort_orders(engine):
    by_id = {entry.id: entry for entry in WORKS}
    cited = [by_id[hit.id].cited_by for hit in engine.search("", size=100, sort="cited").hits]
    assert cited == sorted(cited, reverse=True)
    years = [by_id[hit.id].year or 0 for hit in engine.search("", size=100, sort="date").hits]
    assert years == sorted(years, reverse=True)
    assert len(cited) == len(WORKS)


def test_order_is_independent_of_the_order_of_indexing(tmp_path):
    one = index_of(tmp_path / "one", WORKS)
    two = index_of(tmp_path / "two", WORKS[::-1])
    for text in ("", "robot", "learning web", "type:pdf"):
        for sort in ("relevance", "cited", "date"):
            found = [[hit.id for hit in e.search(text, sort=sort).hits] for e in (one, two)]
            assert found[0] == found[1], (text, sort)


def test_ranks_title_above_name_abstract_and_text(tmp_path):
    other = IndexEntry("x", "paper", "Other things", ("Bo Lee",), ("lee-b",))
    other = replace(other, abstract="a word or two", text="some words about nothing")
    works = [
        replace(other, id="title", title="Other spiders"),
        replace(other, id="name", authors=("Ann Spiders",)),
        replace(other, id="abstract", abstract="a word or spiders"),
        replace(other, id="text", text="some words about spiders"),
        replace(other, id="form", text="some words about spider"),
        *(replace(other, id=f"x{k}") for k in range(20)),
    ]
    found = [hit.id for hit in index_of(tmp_path, works).search("spiders").hits]
    assert found == ["title", "name", "abstract", "text", "form"]


def test_citations_break_ties(tmp_path):
    works = [IndexEntry(f"w{k}", "paper", "Spiders", cited_by=k) for k in (3, 100, 0, 1, 10)]
    found = index_of(tmp_path, works).search("spiders").hits
    assert [hit.id for hit in found] == ["w100", "w10", "w3", "w1", "w0"]


def test_phrase_in_a_title_ranks_higher(tmp_path):
    works = [
        IndexEntry("apart", "paper", "Learning about the machine", cited_by=0),
        IndexEntry("together", "paper", "About the machine learning", cited_by=0),
    ]
    found = index_of(tmp_path, works).search("machine learning").hits
    assert [hit.id for hit in found] == ["together", "apart"]


def test_filters(engine):
    chosen = {"year": ["1996", "1997"], "type": ["pdf"], "author": [IDS[0], IDS[1]]}
    results = engine.search("", size=100, filters=chosen)
    expected = {
        entry.id
        for entry in WORKS
        if entry.year in (1996, 1997) and entry.type == "pdf" and {*IDS[:2]} & {*entry.author_ids}
    }
    assert {hit.id for hit in results.hits} == expected != set()
    assert engine.search("", filters={"year": ["soon"]}).total == 0
    assert engine.search("", filters={"site": []}).total == len(WORKS)
    for name in chosen:
        for odd in ("\ud800", "\0", "", "x" * 100_000, "1e9", "-5", "²"):
            assert engine.search("", filters={name: [odd]}).total in (0, len(WORKS))


def test_refuses_unknown_orders_and_facets(engine):
    with pytest.raises(UnknownName, match="order of results 'dates'; did you mean 'date'"):
        engine.search("a", sort="dates")
    with pytest.raises(UnknownName, match="facet 'topics'; did you mean 'topic'"):
        engine.search("a", filters={"topics": ["x"]})


def test_page_numbers_out_of_range(engine):
    assert engine.search("", page=-3, size=5).page == 1
    assert engine.search("", page=9, size=100).hits == []
    far = engine.search("", page=10**9, size=100)
    assert far.hits == []
    assert "first 10,000" in far.notice
    assert len(engine.search("", size=10**9).hits) == len(WORKS)
    assert engine.search("", size=0).total == len(WORKS)


def test_sees_a_commit_at_once_and_nothing_before_it(tmp_path):
    engine = index_of(tmp_path, WORKS[:3])
    index = Index.open(tmp_path)
    index.update([IndexEntry("new", "paper", "Tarantula")], removed=["w0"])
    assert (len(engine), engine.search("tarantula").total) == (3, 0)
    index.commit()
    assert (len(engine), engine.search("tarantula").total) == (3, 1)
    assert "w0" not in {hit.id for hit in engine.search("").hits}


def test_update_replaces_an_entry(tmp_path):
    engine = index_of(
        tmp_path, [IndexEntry("w1", "paper", "Old name"), IndexEntry("w2", "paper", "Other")]
    )
    index = Index.open(tmp_path)
    index.update([IndexEntry("w1", "paper", "New name")])
    index.update([IndexEntry("w1", "paper", "Newest name")])
    index.commit()
    assert [engine.search(word).total for word in ("old", "new", "newest", "name")] == [0, 0, 1, 1]


def test_threads_share_an_engine(engine):
    expected = {text: engine.search(text) for text in ("robot", "learning web", "rob*", "zebr")}
    wrong = []

    def search():
        for _ in range(20):
            wrong.extend(text for text, found in expected.items() if engine.search(text) != found)

    threads = [threading.Thread(target=search) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert wrong == []


def test_reports_a_missing_index(tmp_path):
    with pytest.raises(StoreError, match=r"There is no index in .*: build the portal first"):
        Engine.open(tmp_path / "index")


def test_completion(tmp_path):
    works = [
        IndexEntry("w1", "paper", "Spiders that learn", ("Ann Spinner",), ("spinner-a",)),
        IndexEntry("w2", "paper", "Spiders everywhere", ("Bo Lee",), ("lee-b",)),
        IndexEntry("w3", "paper", "Flies", ("Ann Spinner",), ("spinner-a",)),
    ]
    engine = index_of(tmp_path, works)
    assert engine.complete("sp") == ["spiders", "spinner", "Ann Spinner", "Spiders everywhere",
                                     "Spiders that learn"]  # fmt: skip
    assert engine.complete("Spiders th") == ["spiders that", "Spiders that learn"]
    assert engine.complete("ann s") == ["ann spiders", "ann spinner", "Ann Spinner"]
    assert engine.complete("bo sp") == ["bo spiders"]
    assert engine.complete("lee b") == ["lee bo", "Bo Lee"]
    assert engine.complete("sp", limit=2) == ["spiders", "spinner"]
    assert engine.complete("*!") == engine.complete("") == engine.complete("zzz") == []
    assert engine.complete("\ud800" * 9) == engine.complete("z" * 100_000) == []


def test_suggests_spellings(tmp_path):
    works = [
        *(IndexEntry(f"a{k}", "paper", "Reinforcement learning") for k in range(5)),
        *(IndexEntry(f"b{k}", "paper", "Spiders", ("Andrew McCallum",)) for k in range(5)),
    ]
    engine = index_of(tmp_path, works)
    assert engine.search("reinforcment learnign").suggestion == "reinforcement learning"
    assert engine.search('author:"Andrwe  McCalum" OR x').suggestion == (
        'author:"andrew  mccallum" OR x'
    )
    assert engine.search("learns").suggestion == ""  # its stem matches all of them
    assert engine.search("learning").suggestion == ""
    assert engine.search("qqqqqqqq").suggestion == ""
    assert engine.search("NOT learnign").suggestion == ""
    # A suggestion must have matches under the chosen filters.
    assert engine.search("spidres").suggestion == "spiders"
    assert engine.search("spidres", filters={"year": ["1900"]}).suggestion == ""


def test_refuses_a_second_writer(tmp_path):
    one, two = Index.open(tmp_path), Index.open(tmp_path)
    one.update([WORKS[0]])
    with pytest.raises(UsageError, match=r"Another process is writing to .*: wait until"):
        two.update([WORKS[1]])
    one.commit()
    two.update([WORKS[1]])
    two.commit()
    assert len(one) == 2


KILLED = """
import os, sys
from lycosa.portal.search import IndexEntry, Index
index = Index.open(sys.argv[1])
index.update([IndexEntry(f"k{k}", "paper", "Killed " * 300) for k in range(300)], removed=["w1"])
os.kill(os.getpid(), 9)
"""


def test_a_kill_before_the_commit_changes_nothing(tmp_path):
    engine = index_of(tmp_path, WORKS[:5])
    code = subprocess.run([sys.executable, "-c", KILLED, str(tmp_path)], check=False).returncode
    assert code == -9
    assert (len(engine), engine.search("killed").total) == (5, 0)
    index = Index.open(tmp_path)
    index.update([IndexEntry("new", "paper", "Tarantula")])
    index.commit()
    assert len(engine) == 6


def test_notice_for_a_star_with_too_many_expansions(tmp_path):
    words = [
        f"spin{a}{b}" for a in "abcdefghijklmnopqrstuvwxyz" for b in "abcdefghijklmnopqrst" * 2
    ]
    works = [
        IndexEntry("many", "paper", " ".join(f"{word}{n}" for n in "12" for word in words)),
        IndexEntry("few", "paper", "spinner of webs, spinnet of webs", text="spinner"),
        *(IndexEntry(f"x{k}", "paper", "spinner") for k in range(5)),
    ]
    engine = index_of(tmp_path, works)
    assert "Too many words match “spin*”: only the 100" in engine.search("spin*").notice
    assert "Too many words match “spin*”: only the 50" in engine.search('"spin* of"').notice
    found = engine.search('"spin* of webs"')
    assert [hit.id for hit in found.hits] == ["few"]
    assert engine.search("spin*").total == len(works)
    assert engine.search("spinn*").notice == ""
