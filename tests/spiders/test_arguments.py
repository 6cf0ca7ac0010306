from __future__ import annotations

import pytest

from lycosa.errors import UnknownName, UsageError
from lycosa.spiders.arguments import Arguments
from lycosa.spiders.names import parse


def arguments(text: str) -> Arguments:
    return Arguments(parse(text))


def test_takes_arguments_in_order_then_defaults():
    taken = arguments("x(a, b)")
    assert [taken.next("1"), taken.next("2"), taken.next("3")] == ["a", "b", "3"]
    taken.end()


def test_rest_is_all_that_is_left():
    taken = arguments("x(a, b, c)")
    assert (taken.next(""), taken.rest(), taken.rest()) == ("a", ["b", "c"], [])
    taken.end()


def test_parses_options_by_type():
    taken = arguments("x(a=1e-2, b=4, c=4.0, d=yes, e=no, f=some text, g=two)")
    assert taken.number("a", 0.0) == 0.01
    assert [taken.whole("b", 0), taken.whole("c", 0)] == [4, 4]
    assert [taken.flag("d"), taken.flag("e"), taken.flag("z")] == [True, False, False]
    assert taken.option("f", "") == "some text"
    assert taken.option_of("g", ["one", "two"], "one") == "two"
    taken.end()


def test_missing_options_have_defaults():
    taken = arguments("x")
    assert (taken.number("a", 0.5), taken.whole("b", 3)) == (0.5, 3)
    assert (taken.option("c", "c"), taken.option_of("d", ["d"], "d")) == ("c", "d")
    assert taken.choice("kind", ["one", "two"], "two") == "two"
    taken.end()


@pytest.mark.parametrize(
    ("text", "read", "message"),
    [
        ("x(a=much)", lambda a: a.number("a", 1), r"In x\(a=much\), a must be a number\."),
        ("x(a=1.5)", lambda a: a.whole("a", 1), r"In x\(a=1.5\), a must be a whole number\."),
        ("x(a=nan)", lambda a: a.whole("a", 1), "must be a whole number"),
        ("x(a=inf)", lambda a: a.whole("a", 1), "must be a whole number"),
        ("x(a=1)", lambda a: a.flag("a"), r"In x\(a=1\), a must be yes or no\."),
        ("x(b)", Arguments.end, r"In x\(b\), 'b' is one argument too many\."),
    ],
)
def test_errors_are_one_sentence(text, read, message):
    taken = arguments(text)
    with pytest.raises(UsageError, match=message):
        read(taken)


def test_wrong_choices_list_the_right_ones():
    with pytest.raises(
        UnknownName, match=r"no learner 'trees'; did you mean 'tree'\? Known: knn, tr"
    ):
        arguments("x(trees)").choice("learner", ["tree", "knn"], "knn")
    with pytest.raises(UnknownName, match=r"There is no mode 'fast'\. Known: anytime, contract"):
        arguments("x(mode=fast)").option_of("mode", ["anytime", "contract"], "anytime")


def test_unknown_options_list_the_known_ones():
    taken = arguments("x(dept=2)")
    taken.whole("depth", 1)
    taken.option("mode", "")
    with pytest.raises(
        UnknownName, match=r"no option of x 'dept'; did you mean 'depth' .*Known: depth, mode"
    ):
        taken.end()
