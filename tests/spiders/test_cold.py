from __future__ import annotations

import re

import pytest

from generated_departments import crawl_steps, department
from lycosa.errors import UnknownName, UsageError
from lycosa.lab import experiment
from lycosa.spiders import SPIDERS, Setup, check_policy, cold, spider

PAGES = 80


@pytest.fixture
def people(tmp_path):
    """Write a file of profiles: people of the department, by the names in their URLs."""
    path = tmp_path / "people.txt"
    path.write_text("# wanted\nAnn: ann lee\nBob: bob stone\n")
    return path


# The names that the docstring writes, in small letters what is meant by capitals.
NAMES = [
    "keywords",
    "keywords(WORD)",
    "keywords(paper, Publications & Reports)",
    "yield",
    "yield(partial)",
    "yield(partial, depth=2, mode=anytime)",
    "yield(partial, depth=3, mode=contract)",
    *(
        f"yield({kind}, {learner}, depth=2)"
        for kind in ("generalised", "combined")
        for learner in ("knn", "tree", "ridge")
    ),
    "yield(generalised)",
    "yield(combined, mode=contract)",
    *(
        name
        for kind in ("front-advancement", "minimal-distance", "sum-of-distances")
        for name in (kind, f"{kind}(FILE)", f"{kind}(FILE, fade=0)", f"{kind}(fade=0.5)")
    ),
]


@pytest.mark.parametrize("name", NAMES)
def test_documented_names_make_spiders_of_that_name(name, people):
    name = name.replace("FILE", str(people))
    site = department()
    policy = spider(name)(Setup(site, "papers"))
    assert policy.name == spider(name).name == name
    steps = list(crawl_steps(policy, site, PAGES))
    assert len(steps) == PAGES
    assert len({step.page.number for step in steps}) == PAGES


def test_docstring_names_all_kinds_learners_and_modes_and_no_others():
    text = cold.__doc__ or ""
    spiders = {name for name, entry in SPIDERS.items() if entry.factory.startswith("cold:")}
    for word in (*spiders, *cold.KINDS, *cold.LEARNERS, "anytime", "contract", "fade"):
        assert re.search(rf"\b{re.escape(word)}\b", text), word
    assert set(re.findall(r"([a-z-]+)\(", text)) == spiders


@pytest.mark.parametrize(
    "name", ["keywords", "yield(combined)", "yield(partial, mode=contract)", "front-advancement"]
)
def test_keep_the_policy_contract(name):
    site = department()
    check_policy(spider(name)(Setup(site, "papers")), site, pages=PAGES)


def order(name, goal):
    """Return the pages that a spider requests, in order."""
    site = department(seed=3)
    policy = spider(name)(Setup(site, goal))
    return [step.page.number for step in crawl_steps(policy, site, PAGES)]


def test_words_default_to_those_of_the_goal():
    assert order("keywords", "papers") != order("keywords", "courses")
    assert order("keywords(syllabus)", "papers") == order("keywords(syllabus)", "courses")


def test_without_a_file_every_word_of_the_goal_is_a_profile(tmp_path):
    two, one = tmp_path / "two.txt", tmp_path / "one.txt"
    two.write_text("papers\ncourses\n")
    one.write_text("papers courses\n")
    goal = "papers courses"
    assert order("sum-of-distances", goal) == order(f"sum-of-distances({two})", goal)
    assert order("sum-of-distances", goal) != order(f"sum-of-distances({one})", goal)


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("yield(best)", "no kind of yield 'best'.* Known: combined, generalised, partial"),
        ("yield(combine)", "did you mean 'combined'"),
        (
            "yield(combined, trees)",
            r"no learner 'trees'; did you mean 'tree'\? Known: knn, ridge, tr",
        ),
        ("yield(generalised, mode=any)", "no mode 'any'.*Known: anytime, contract"),
        ("yield(partial, dept=2)", r"no option of yield 'dept'; did you mean 'depth' "),
        ("keywords(paper, near=2)", "no option of keywords 'near'"),
        ("minimal-distance(fades=1)", "no option of minimal-distance 'fades'; did you mean 'fade'"),
    ],
)
def test_unknown_names_list_the_known_ones(name, message):
    with pytest.raises(UnknownName, match=message):
        spider(name)


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("yield(partial, knn)", "'knn' is one argument too many"),
        ("yield(combined, knn, tree)", "'tree' is one argument too many"),
        ("yield(partial, depth=0)", r"In yield\(partial, depth=0\), depth must be from 1 to 8\."),
        ("yield(partial, depth=9)", "depth must be from 1 to 8"),
        ("yield(partial, depth=2.5)", "depth must be a whole number"),
        ("yield(partial, depth=deep)", "depth must be a number"),
        ("front-advancement(fade=2)", "fade must be from 0 .drop a found profile. to 1"),
        ("front-advancement(fade=-0.1)", "fade must be from 0"),
        ("front-advancement(fade=nan)", "fade must be from 0"),
        ("front-advancement(fade=no)", "fade must be a number"),
        ("sum-of-distances(/nowhere/people.txt)", "profiles in '/nowhere/people.txt' cannot be re"),
        ("minimal-distance(/dev/null, more)", "'more' is one argument too many"),
        ("minimal-distance(/dev/null)", "no profiles in '/dev/null'; write one on each line"),
    ],
)
def test_wrong_arguments_are_errors_at_lookup(name, message):
    with pytest.raises(UsageError, match=message):
        spider(name)


def test_wrong_names_stop_an_experiment_before_it_starts():
    with pytest.raises(UnknownName, match="learner"):
        experiment([department()], "papers", ["keywords", "yield(combined, svn)"], train="none")
