"""Topic trees: parsing, writing, and mistakes with their lines."""

import re
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lycosa.errors import UnknownName, UsageError
from lycosa.topics.hierarchy import Hierarchy, Topic
from lycosa.topics.outline import MAX_CHARACTERS, MAX_DEPTH, MAX_MISTAKES_SHOWN
from lycosa.web.words import words

TREE = """\
# Papers
> Of all years.
Artificial Intelligence: ai
  Machine Learning: machine learning,
    # a comment between keywords
      supervised learning
    > Not people's.
    >
    > Nor animals'.
    Neural Networks: neural network, perceptron

  Planning: planning
"C: and others": c, "a, b", "x: y"
"""


def parsed(text: str) -> Hierarchy:
    return Hierarchy.parse(text, "t.txt")


def mistakes(text: str) -> list[str]:
    with pytest.raises(UsageError) as caught:
        parsed(text)
    return str(caught.value).splitlines()


def only_mistake(text: str) -> str:
    (mistake,) = mistakes(text)
    return mistake


def test_topics_are_read_in_the_order_of_the_file() -> None:
    tree = parsed(TREE)
    assert list(tree) == [
        Topic("Papers", (), "Of all years."),
        Topic("Artificial Intelligence", ("ai",), "", parent=0, depth=1),
        Topic(
            "Machine Learning",
            ("machine learning", "supervised learning"),
            "Not people's.\n\nNor animals'.",
            parent=1,
            depth=2,
        ),
        Topic("Neural Networks", ("neural network", "perceptron"), "", parent=2, depth=3),
        Topic("Planning", ("planning",), "", parent=1, depth=2),
        Topic("C: and others", ("c", "a, b", "x: y"), "", parent=0, depth=1),
    ]
    assert [topic.line for topic in tree] == [1, 3, 4, 10, 12, 13]


def test_topics_have_numbers_and_paths() -> None:
    tree = parsed(TREE)
    assert tree.parents.tolist() == [-1, 0, 1, 2, 1, 0]
    assert tree.leaves.tolist() == [3, 4, 5]
    assert np.issubdtype(tree.leaves.dtype, np.integer)
    assert [tree.children(t) for t in range(len(tree))] == [[1, 5], [2, 4], [3], [], [], []]
    assert tree.ancestors(3) == [3, 2, 1, 0]
    assert tree.ancestors(0) == [0]
    assert tree.path(0) == ""
    assert tree.path(3) == "Artificial Intelligence/Machine Learning/Neural Networks"
    assert [tree.find(tree.path(t)) for t in range(len(tree))] == list(range(len(tree)))
    assert tree.find("artificial intelligence/PLANNING/") == 4


def test_unknown_path_suggests_the_nearest() -> None:
    with pytest.raises(UnknownName, match="did you mean 'Artificial Intelligence/Planning'"):
        parsed(TREE).find("Artificial Intelligence/Planing")


def test_returned_children_are_a_copy() -> None:
    tree = parsed(TREE)
    tree.children(0).clear()
    assert tree.children(0) == [1, 5]


def test_accepts_tabs_alone() -> None:
    assert parsed("A: a\n\tB: b\n\t\tC: c\n\tD: d").parents.tolist() == [-1, 0, 1, 2, 1]


def test_accepts_all_line_endings() -> None:
    lines = ["\ufeff# T", "A: a,", "  b", "  B: c", ""]
    assert len({Hierarchy.parse(end.join(lines)) for end in ("\n", "\r\n", "\r")}) == 1


def test_only_a_first_comment_is_the_title() -> None:
    assert parsed("\n\n## A title\nA: a")[0].name == "A title"
    assert parsed("A: a\n# no title")[0].name == ""


def test_same_name_in_different_places() -> None:
    tree = parsed("A\n  Theory: a\nB\n  Theory: b")
    assert tree.find("A/Theory") != tree.find("B/Theory")


@pytest.mark.parametrize(
    ("text", "line", "reason", "advice"),
    [
        ("A: a\n  B: b\n\tC: c", 3, "tabs and spaces are mixed", "use only spaces"),
        ("A: a\n \tB: b", 2, "tabs and spaces are mixed", "use only spaces"),
        ("A: a\n\u00a0B: b", 2, "mixed", "use only spaces"),
        ("A: a\n    B: b\n  C: c", 3, "indented by 2, but the topics above by 0, 4", "sibling"),
        ("  A: a", 1, "the first topic is indented", "left margin"),
        ("A: a\nB: b\na: c", 3, "has a sibling of the same name (line 1)", "join them or rename"),
        ("A: a\n  B\n    a: b", 3, "is under a topic of that name (line 1)", "rename one"),
        ("A: a\nB", 2, "neither keywords nor topics under it", "write keywords"),
        ("A: a\n  b, c", 2, "neither keywords", "end the line above with a comma"),
        ("A: a, b,\n   A", 2, "the keyword 'A' occurs twice under 'A'", "remove one"),
        ("A: a b, A-B", 1, "the keyword 'A-B' occurs twice", "remove one"),
        ("A: a, ++", 1, "the keyword '++' has no letters", "give it some"),
        ("A: a,, b", 1, "a keyword is empty", "remove a comma"),
        ("A: a,", 1, "end with a comma", "remove it"),
        ("A: a,\nB: b", 2, "a colon or a quote among keywords", "comma at the end of line 1"),
        ("A: a: b", 1, "a colon or a quote among keywords", "in quotes"),
        ('A: "a', 1, "a colon or a quote among keywords", "in quotes"),
        ('"A: a', 1, "a quote is not closed", "write"),
        (": a", 1, "no name", "before the colon"),
        ("A/B: a", 1, "'/'", "without it"),
        ("A" * (MAX_CHARACTERS + 1) + ": a", 1, "too long", "shorten"),
        ("A: " + "a" * (MAX_CHARACTERS + 1), 1, "too long", "shorten"),
        ("A: a\nB: b\0", 2, "control character", "remove"),
        ("", 1, "there is no topic", "write one"),
        ("# only a title\n\n", 1, "there is no topic", "write one"),
    ],
)
def test_reports_a_mistake_with_line_reason_and_advice(
    text: str, line: int, reason: str, advice: str
) -> None:
    told = mistakes(text)[0]
    assert told.startswith(f"t.txt, line {line}: ")
    assert reason in told
    assert advice in told
    assert told.endswith(".")


def test_reports_all_mistakes_in_the_order_of_the_file() -> None:
    told = mistakes("A: a, a\nB\nC/D: c\nA: !, a, ,b")
    assert [mistake.split(":")[0] for mistake in told] == [
        f"t.txt, line {line}" for line in (1, 2, 3, 4, 4, 4)
    ]


def test_limits_the_number_of_reported_mistakes() -> None:
    told = mistakes("\n".join(f"A{n}" for n in range(MAX_MISTAKES_SHOWN + 7)))
    assert len(told) == MAX_MISTAKES_SHOWN + 1
    assert told[-1] == "t.txt: 7 more mistakes follow."


def test_no_further_mistakes_after_mixed_tabs() -> None:
    assert "mixed" in only_mistake("A: a\n  B\n\tC: c\n\tD: d")


def test_limits_the_depth() -> None:
    def chain(depth: int) -> str:
        return "\n".join("  " * n + f"T{n}: k{n}" for n in range(depth))

    assert len(parsed(chain(MAX_DEPTH))) == MAX_DEPTH + 1
    told = only_mistake(chain(MAX_DEPTH + 5))
    assert told.startswith(f"t.txt, line {MAX_DEPTH + 1}: ")
    assert "levels deep" in told


def test_a_file_is_read(tmp_path: Path) -> None:
    file = tmp_path / "topics.txt"
    file.write_text(TREE, encoding="utf-8")
    assert Hierarchy.read(file) == Hierarchy.read(str(file)) == parsed(TREE)


def test_refuses_other_encodings_with_the_line(tmp_path: Path) -> None:
    file = tmp_path / "topics.txt"
    file.write_bytes("A: a\nB: café".encode("latin-1"))
    with pytest.raises(UsageError, match=r"topics.txt, line 2: .*save the file as UTF-8"):
        Hierarchy.read(file)


def test_refuses_an_unreadable_file(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="There is no file"):
        Hierarchy.read(tmp_path / "none.txt")
    with pytest.raises(UsageError, match="cannot be read"):
        Hierarchy.read(tmp_path)
    with pytest.raises(UsageError, match="cannot be read"):
        Hierarchy.read("a\0b")


@pytest.mark.parametrize(
    "topics",
    [
        [],
        [Topic("", parent=0)],
        [Topic(""), Topic("second root")],
        [Topic(""), Topic("a", parent=0, depth=2)],
        [Topic(""), Topic("a", parent=1, depth=1)],
        [Topic(""), Topic("a", parent=0, depth=1), Topic("b", parent=0, depth=2)],
        [Topic("", depth=-1)],
    ],
)
def test_refuses_topics_that_are_not_a_tree(topics: list[Topic]) -> None:
    with pytest.raises(UsageError):
        Hierarchy(topics)


def test_documentation_examples_are_correct() -> None:
    page = Path(__file__).parents[2] / "docs" / "reference" / "topics-file.md"
    good, told = re.findall(r"```text\n(.*?)```", page.read_text(encoding="utf-8"), re.DOTALL)
    tree = parsed(good)
    assert tree[0] == Topic("Computer science papers", (), "Reports and articles.")
    assert tree.path(3) == "Artificial Intelligence/Machine Learning/Neural Networks"
    assert tree[tree.find("C++: the language")].keywords == ("c++", "templates, generic")
    bad = "\n\n\nBirds: owl, Owl\n\n    Owls: owls\n  Eagles: eagle\n\nFish"
    assert "\n".join(mistakes(bad)).replace("t.txt", "topics.txt") == told.strip()


def plain(text: str) -> str:
    return " ".join(text.split())


said = st.text(
    st.characters(exclude_categories=["Cc", "Cs"]) | st.sampled_from("#>:,\"' ab"), max_size=12
).map(plain)
names = said.filter(lambda name: name and "/" not in name)
keywords = st.lists(
    said.filter(words), min_size=1, max_size=20, unique_by=lambda keyword: tuple(words(keyword))
)
notes = st.lists(said, max_size=3).map(lambda lines: "\n".join(lines).strip("\n"))
titles = said.map(lambda title: plain(title.replace("#", "")))


@st.composite
def hierarchies(draw: st.DrawFn) -> Hierarchy:
    topics = [Topic(draw(titles), (), draw(notes))]
    above: list[int] = [0]
    taken: set[tuple[int, str]] = set()
    for depth in draw(st.lists(st.integers(1, 5), min_size=1, max_size=8)):
        del above[depth:]
        parent = above[-1]
        name = draw(names)
        if name.casefold() in {topics[n].name.casefold() for n in above[1:]}:
            continue
        if (parent, name.casefold()) in taken:
            continue
        taken.add((parent, name.casefold()))
        above.append(len(topics))
        topics.append(
            Topic(name, tuple(draw(keywords)), draw(notes), parent=parent, depth=len(above) - 1)
        )
    return Hierarchy(topics)


@given(hierarchies())
def test_written_text_is_parsed_to_the_same_tree(tree: Hierarchy) -> None:
    again = Hierarchy.parse(tree.text())
    assert again == tree
    assert hash(again) == hash(tree)
    assert again.text() == tree.text()


@given(hierarchies())
def test_parents_children_paths_and_leaves_agree(tree: Hierarchy) -> None:
    for number, topic in enumerate(tree):
        assert all(tree[child].parent == number for child in tree.children(number))
        assert (number in tree.leaves) == (not tree.children(number))
        assert len(tree.ancestors(number)) == topic.depth + 1
        assert tree.find(tree.path(number)) == number


bits = ["\n", "\n  ", "\n    ", "\n\t", "\r", ": ", ", ", '"', "#", ">", "A", "b", "é", "/", "\0"]


@given(st.lists(st.sampled_from(bits), max_size=60).map("".join) | st.text())
def test_any_text_parses_or_reports_mistakes(text: str) -> None:
    try:
        tree = Hierarchy.parse(text, "t.txt")
    except UsageError as error:
        lines = str(error).splitlines()
        assert all(line.startswith(("t.txt, line ", "t.txt: ")) for line in lines)
    else:
        assert Hierarchy.parse(tree.text()) == tree


@given(st.binary(max_size=80))
def test_any_bytes_parse_or_report_mistakes(
    tmp_path_factory: pytest.TempPathFactory, data: bytes
) -> None:
    file = tmp_path_factory.getbasetemp() / "hostile.txt"
    file.write_bytes(data)
    try:
        Hierarchy.read(file)
    except UsageError as error:
        told = str(error)
    else:
        return
    assert told.startswith(str(file))
