import tomllib

import pytest

from lycosa.errors import UnknownName, UsageError
from lycosa.goals import Listed, Query, read_goal
from lycosa.web.reader import Reader

PAGE = Reader().page(
    "http://a.edu/robots.html",
    b"<title>Robots</title>We build robots in the lab and this is what they do.<a href=/b>more</a>",
)


@pytest.mark.parametrize(
    ("text", "name", "reward"),
    [
        ('goal = "robot*"', "robot*", 1),
        ('goal.query = "robot* NOT lab"', "robot* NOT lab", 0),
        ("goal.paper = true", "research-paper", 0),
        ('goal.type = "text/*"', "text/*", 1),
        ('goal.language = "en"', "language:en", 1),
        ("goal.words = {least = 3}", "words:3-", 1),
        ("goal.words = {least = 3, most = 4}", "words:3-4", 0),
        ("goal.links = {most = 1}", "links:0-1", 1),
        ("goal.depth = {most = 0}", "depth:0-0", 1),
        ("goal.in-links = {least = 1}", "in-links:1-", 0),
        ("goal.pagerank = {least = 3}", "pagerank:3-", 0),
        ('goal.not = "lab"', "~lab", 0),
        ('goal.not = {paper = true, language = "en"}', "~(research-paper & language:en)", 1),
        ('goal.any = ["no", {query = "lab"}]', "no | lab", 1),
        ("goal.any = [{paper = true}]", "research-paper", 0),
        ('[goal]\nquery = "lab"\nlanguage = "en"', "lab & language:en", 1),
        ('[goal]\nquery = "lab"\nweight = 0.5', "0.5 lab", 0.5),
        ('goal.any = ["no", {query = "lab", weight = 2}]', "no | (2 lab)", 2),
        ('[goal.categories]\nlabs = "lab"\nothers = {not = "lab"}', "labs | others", 1),
    ],
)
def test_reads_every_kind_of_goal(text, name, reward):
    goal = read_goal(tomllib.loads(text)["goal"])
    assert goal.name == name
    assert goal(PAGE) == reward


def test_a_string_is_a_query():
    assert isinstance(read_goal("robot* AND lab"), Query)


def test_urls_are_read_from_a_file(tmp_path):
    (tmp_path / "mine.txt").write_text("# mine\nHTTP://A.edu/robots.html\n\nhttp://a.edu/x\n")
    goal = read_goal({"urls": "mine.txt"}, tmp_path)
    assert isinstance(goal, Listed)
    assert (goal.name, goal(PAGE)) == ("mine", 1)


def test_examples_are_read_from_folders(tmp_path):
    for kind, text in {"yes": "robots lab", "no": "homework exam"}.items():
        (tmp_path / kind).mkdir()
        for n in range(4):
            (tmp_path / kind / f"{n}.txt").write_text(text)
    spec = {"positive": ["yes"], "negative": "no", "least": 0.6, "share": 0.5}
    goal = read_goal({"examples": spec}, tmp_path)
    assert (goal(PAGE), goal.least, set(goal.words)) == (1, 0.6, {"robots", "lab"})
    alone = read_goal({"examples": {"positive": ["yes/0.txt", "yes/1.txt", "yes/2.txt"]}}, tmp_path)
    assert alone.probability(PAGE) < 1


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ({}, "goal is empty; write one of query, paper"),
        ({"weight": 2}, "goal is empty"),
        (3, "goal must be a query or a table, not 3."),
        ("robot AND", "goal: The query 'robot AND' lacks something"),
        ({"query": "robot AND"}, "goal.query: The query 'robot AND' lacks something"),
        ({"query": 3}, "goal.query must be a string, not 3."),
        ({"paper": "yes"}, "goal.paper must be true or false, not 'yes'."),
        ({"paper": 1}, "goal.paper must be true or false, not 1."),
        ({"paper": False}, "goal.paper must be true; for all but papers write not ="),
        ({"type": "pdf"}, "goal.type: 'pdf' is not a MIME type"),
        ({"language": "English"}, "goal.language: There is no language 'English'"),
        ({"words": 3}, "goal.words must be a table, not 3."),
        ({"words": {}}, "goal.words is empty; write one of least, most."),
        ({"words": {"least": True}}, "goal.words.least must be a whole number, not True."),
        ({"words": {"least": 2.5}}, "goal.words.least must be a whole number, not 2.5."),
        ({"depth": {"least": 3, "most": 1}}, "goal.depth: No page has from 3 to 1 depth"),
        ({"pagerank": {"least": -1}}, "goal.pagerank: No page has -1 times"),
        ({"pagerank": {}}, "goal.pagerank is empty"),
        ({"urls": "none.txt"}, "goal.urls: '.*none.txt' cannot be read"),
        ({"urls": "empty.txt"}, "goal.urls: there are no URLs in '.*empty.txt'"),
        ({"urls": "wrong.txt"}, "goal.urls: line 2 of '.*wrong.txt' is no web address"),
        ({"examples": {"negative": []}}, "goal.examples.positive is missing"),
        ({"examples": {"positive": []}}, "goal.examples.positive is empty"),
        ({"examples": {"positive": [1]}}, "goal.examples.positive must be a list of file names"),
        ({"examples": {"positive": ["none"]}}, "goal.examples: There is no example '.*none'"),
        ({"examples": {"positive": "empty.txt"}}, "goal.examples: 1 positive examples"),
        (
            {"examples": {"positive": ["none"], "least": "much"}},
            "goal.examples.least must be a number, not 'much'.",
        ),
        ({"not": {}}, "goal.not is empty"),
        ({"not": {"words": {"most": "x"}}}, "goal.not.words.most must be a whole number"),
        ({"any": []}, "goal.any must be a list of one or more"),
        ({"any": "lab"}, "goal.any must be a list of one or more"),
        ({"any": ["lab", {"paper": 3}]}, r"goal.any\[1\].paper must be true or false"),
        ({"categories": {}}, "goal.categories: Categories need at least one goal"),
        ({"categories": ["lab"]}, "goal.categories must be a table"),
        ({"categories": {"a": {"type": "x"}}}, "goal.categories.a.type: 'x' is not a MIME type"),
        (
            {"query": "lab", "weight": 0},
            "goal.weight: The weight of a goal must be finite",
        ),
        ({"query": "lab", "weight": "much"}, "goal.weight must be a number"),
    ],
)
def test_errors_name_their_key(tmp_path, spec, message):
    (tmp_path / "empty.txt").write_text("# nothing\n")
    (tmp_path / "wrong.txt").write_text("http://a.edu/\nmailto:x@a.edu\n")
    with pytest.raises(UsageError, match=f"^{message}") as caught:
        read_goal(spec, tmp_path)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ({"qeury": "lab"}, "There is no key in goal 'qeury'; did you mean 'query'?"),
        ({"words": {"lest": 1}}, "There is no key in goal.words 'lest'; did you mean 'least'"),
        (
            {"any": [{"papers": 1}]},
            r"There is no key in goal.any\[0\] 'papers'; did you mean 'paper",
        ),
        (
            {"examples": {"postive": []}},
            "There is no key in goal.examples 'postive'; did you mean 'positive'?",
        ),
    ],
)
def test_an_unknown_key_has_suggestions(spec, message):
    with pytest.raises(UnknownName, match=message):
        read_goal(spec)
