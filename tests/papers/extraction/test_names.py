"""Parsing of names."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lycosa.papers.extraction.names import PersonName, parse_names
from lycosa.papers.synthetic.entities import Person
from lycosa.papers.synthetic.references import format_people
from lycosa.papers.synthetic.styles import STYLES
from lycosa.papers.synthetic.text_generator import TextGenerator

MARKS = ("*", "**", "\u2020", "\u2021\u00a7", "\u2217", "1", "1,2", "\u00b2", "(1)", "[a]", "")


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("J. Smith", [("Smith", "J.")]),
        ("Smith, J.", [("Smith", "J.")]),
        ("J Smith and A. Doe", [("Smith", "J"), ("Doe", "A.")]),
        ("Smith, J., & Doe, A. B.", [("Smith", "J."), ("Doe", "A. B.")]),
        ("Scott, D., and de Souza, C. S.", [("Scott", "D."), ("de Souza", "C. S.")]),
        ("Ludwig van Beethoven", [("van Beethoven", "Ludwig")]),
        ("J. von Neumann.", [("von Neumann", "J.")]),
        ("G. L. Steele Jr.", [("Steele Jr.", "G. L.")]),
        ("Steele, Jr., G. L.", [("Steele Jr.", "G. L.")]),
        ("C. Amza, A. L. Cox et al.", [("Amza", "C."), ("Cox", "A. L.")]),
        (
            "Umrigar, Zerksis D. and Pitchumani, Vijay",
            [("Umrigar", "Zerksis D."), ("Pitchumani", "Vijay")],
        ),
        (
            "Dale, R.; Mellish, C.; and Zock, M.",
            [("Dale", "R."), ("Mellish", "C."), ("Zock", "M.")],
        ),
        ("David Garlan, Mary Shaw", [("Garlan", "David"), ("Shaw", "Mary")]),
        ("In D. S. Touretzky, editor,", [("Touretzky", "D. S.")]),
        ("In H. Gallaire and J. Minker (eds.),", [("Gallaire", "H."), ("Minker", "J.")]),
        ("Eric Brill 1 and John Long2", [("Brill", "Eric"), ("Long", "John")]),
        ("Ann Lee\u2217 and Bob Roe\u00b6\u2016", [("Lee", "Ann"), ("Roe", "Bob")]),
        ("Ann Lee\u00b9,\u00b2, Bob Roe\u00b2", [("Lee", "Ann"), ("Roe", "Bob")]),
        ("Ann Lee (1), Bob Roe [2]", [("Lee", "Ann"), ("Roe", "Bob")]),
        ("Ann Lee a,b, Bob Roe (ii)", [("Lee", "Ann"), ("Roe", "Bob")]),
        ("Ann Lee y Bob Roe z", [("Lee", "Ann"), ("Roe", "Bob")]),
        ("Uma Zed ? Ilk Roe ?", [("Zed", "Uma"), ("Roe", "Ilk")]),
        ("Lee*, Ann and Roe\u2020, Bob", [("Lee", "Ann"), ("Roe", "Bob")]),
        ("* M?ller, J.", [("M?ller", "J.")]),
        ("\u2217 \u2020 1,2", []),
        ("James E. Burns Mary Lee", [("Burns", "James E."), ("Lee", "Mary")]),
        ("Nelson EJ, Stone AB", [("Nelson", "EJ"), ("Stone", "AB")]),
        ("", []),
        ("., 12 &", []),
    ],
)
def test_parses_the_usual_orders_of_names(text, names):
    assert parse_names(text) == tuple(PersonName(family, given) for family, given in names)


@given(st.text(max_size=200))
def test_parses_any_text(text):
    for name in parse_names(text):
        assert name.family


@given(
    st.lists(st.tuples(st.sampled_from(("", " ")), st.sampled_from(MARKS)), min_size=4),
    st.sampled_from((", ", " and ", "; ", ", and ", " & ")),
    st.randoms(use_true_random=False),
)
def test_footnote_marks_do_not_change_names(marks, between, chance):
    names = ["Ann Lee", "B. C. Roe", "Carl van Poe", "Erd\u0151s"]
    chance.shuffle(names)
    marked = [name + glue + mark for name, (glue, mark) in zip(names, marks, strict=False)]
    assert parse_names(between.join(marked)) == parse_names(between.join(names))


@given(st.lists(st.sampled_from(MARKS[:-1]), min_size=2, max_size=2))
def test_a_footnote_mark_separates_names_without_comma(marks):
    one, two = marks
    found = parse_names(f"Zuk Wenz{one} Orl Bimm{two}")
    assert found == (PersonName("Wenz", "Zuk"), PersonName("Bimm", "Orl"))


@pytest.mark.parametrize("style", sorted(STYLES))
def test_family_names_are_parsed_from_every_style(style):
    """Initials and plain families: what a style adds must come off again."""
    names = STYLES[style].names
    muse = TextGenerator(random.Random(5))
    right = 0
    for _ in range(40):
        persons = [Person(p.given, p.family.split()[-1].title()) for p in muse.people(4)]
        found = {name.family.lower() for name in parse_names(format_people(persons, names))}
        right += found == {p.family.lower() for p in persons}
    assert right >= 32


@pytest.mark.parametrize(
    ("text", "families"),
    [
        ("Lee A. B., Roe C., van der Poe D. E.", ["Lee", "Roe", "van der Poe"]),
        ("Lee A B and Roe C", ["Lee", "Roe"]),
        ("Lee J.-P.", ["Lee"]),
        ("Chambers SR, Hunter N, Lee JR", ["Chambers", "Hunter", "Lee"]),
        ("Lee, A. B., Jr., and Roe, C.", ["Lee Jr.", "Roe"]),
    ],
)
def test_initials_can_follow_the_family_name_without_a_comma(text, families):
    assert [name.family for name in parse_names(text)] == families
