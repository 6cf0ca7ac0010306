import random
import time
from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lycosa.web import robots_rules
from lycosa.web.robots_rules import RobotsRules, normalise, normalise_rule

RULE = st.text("ab/.*", max_size=7).map("/".__add__) | st.text("ab*", min_size=1, max_size=9)
RULES = st.lists(st.tuples(RULE, st.booleans(), st.booleans()), max_size=40)
PATHS = st.lists(st.text("ab/.", max_size=12).map("/".__add__), min_size=1, max_size=5)


def matches(pattern: str, path: str) -> bool:
    """Return whether a pattern matches, by the set of the places that it may have reached."""
    whole = pattern.endswith("$")
    reached = {0}
    for character in pattern.removesuffix("$"):
        if character == "*":
            reached = set(range(min(reached, default=len(path) + 1), len(path) + 1))
        else:
            reached = {at + 1 for at in reached if path[at : at + 1] == character}
    return (len(path) in reached) if whole else bool(reached)


def allows(rules: Sequence[tuple[str, bool]], path: str) -> bool:
    """Return the verdict of the longest matching rule, by its definition."""
    found = [(len(normalise_rule(rule)), allow) for rule, allow in rules if matches(rule, path)]
    return max(found, default=(0, True))[1]


@pytest.mark.parametrize("scanned", [0, 32])
@given(rules=RULES, paths=PATHS)
def test_the_verdict_is_that_of_every_rule_tried_one_by_one(scanned, rules, paths):
    written = [(rule + "$" * whole, allow) for rule, whole, allow in rules]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(robots_rules, "MAX_SCANNED_RULES", scanned)
        arranged = RobotsRules(written)
        assert [arranged.allows(path) for path in paths] == [allows(written, p) for p in paths]


def test_the_verdict_holds_for_long_rules_that_share_their_ends(monkeypatch):
    monkeypatch.setattr(robots_rules, "MAX_SCANNED_RULES", 0)
    draw = random.Random(5)
    parts = ["".join(draw.choices("ab", k=draw.randint(1, 40))) for _ in range(30)]
    written = [
        ("/" + "*".join(draw.choices(parts, k=3)) + draw.choice(("", "$")), draw.random() < 0.5)
        for _ in range(300)
    ]
    arranged = RobotsRules(written)
    for _ in range(50):
        path = "/" + "".join(draw.choices(parts, k=4))
        assert arranged.allows(path) is allows(written, path)


FILES = {
    "distinct ends": ([f"/*a{i}" for i in range(20_000)], "/a/b/c7.html?x=7"),
    "one common string": ([f"/*index*{i}" for i in range(20_000)], "/index/" + "xyz" * 20),
    "distinct starts": ([f"/a{i}*x" for i in range(20_000)], "/a7/b/c.html"),
    "distinct suffixes": ([f"*.{i}$" for i in range(20_000)], "/a/b/c.7"),
    "two letters": (
        ["*" + "".join(random.Random(i).choices("ab", k=i % 20 + 5)) for i in range(20_000)],
        "/" + "".join(random.Random(0).choices("ab", k=60)),
    ),
}


@pytest.mark.parametrize("kind", FILES)
def test_a_url_costs_little_whatever_the_number_of_rules_with_a_star(kind):
    rules, path = FILES[kind]
    arranged = RobotsRules((rule, False) for rule in rules)
    start = time.process_time()
    for n in range(50):
        arranged.allows(f"{path}{n}")
    # Expected are 0.05 to 0.5 ms; trying every rule takes 5 to 60.
    assert time.process_time() - start < 50 * 0.003


@given(st.text("ab%2F/*$é", max_size=12))
def test_normalising_a_rule_keeps_what_is_special(rule):
    once = normalise_rule(rule)
    assert normalise_rule(once) == once
    assert once.count("*") == rule.count("*")
    assert normalise(normalise(rule)) == normalise(rule)
