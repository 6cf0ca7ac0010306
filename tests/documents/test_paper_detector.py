import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lycosa.documents.conversion import Converter
from lycosa.documents.layout import TextLine
from lycosa.documents.paper_detector import WEIGHTS, detect_paper, paper_features
from lycosa.documents.plain_text import plain_lines
from lycosa.papers.extraction.sections import find_sections
from lycosa.sites.generated import World
from realdata import PAPERS


def verdict(lines):
    return detect_paper(lines, find_sections(lines))


def test_tells_generated_papers_from_handouts_and_forms():
    site = World(seed=21, departments=1, pages=150).department(0)
    wanted = set(site.wanted("papers").tolist())
    documents = [n for n in range(len(site)) if site.page(n).type == "application/pdf"]
    assert 5 < len(wanted) < len(documents)
    with Converter() as converter:
        for number in documents:
            lines = converter.convert(site.response(number).body).lines
            assert verdict(lines).is_paper == (number in wanted)


def test_a_verdict_has_the_contribution_of_each_feature():
    body = "\n".join(["We study spiders [1] that hunt in webs, and find them fast."] * 80)
    cited = "\n".join(
        f"[{n}] A. Lee. Spiders that hunt. Machine Learning, 1997." for n in range(1, 9)
    )
    abstract = "We teach spiders to hunt. " * 10
    text = f"Spiders\nAnn Lee\nAbstract\n{abstract}\n1 Introduction\n{body}\nReferences\n{cited}"
    found = verdict(plain_lines(text))
    assert found.is_paper
    assert found.contributions["references"] > 0.5
    assert set(found.contributions) == set(WEIGHTS)
    bare = verdict(plain_lines(f"Spiders\nAnn Lee\n{body}"))
    assert not bare.is_paper
    assert bare.contributions["references"] == 0


@pytest.mark.parametrize(
    ("text", "signs"),
    [
        ("I hereby declare", 1),
        ("and thereby theories", 0),
        ("Signature: ______ Date: ______", 1),
        ("Signature of the applicant", 1),
        ("a type signature of the form t, and the signature of a metric", 0),
        ("Problem sets are due at office hours", 2),
        ("We constrain the problem setting", 0),
        ("submitted in partial fulfillment of the requirements", 1),
    ],
)
def test_counts_phrases_of_other_kinds_of_documents(text, signs):
    lines = plain_lines(text)
    assert paper_features(lines, find_sections(lines))["signs of others"] == signs / (signs + 3)


def test_an_empty_document_is_not_a_paper():
    assert not verdict([]).is_paper


@settings(max_examples=100, deadline=None)
@given(st.lists(st.builds(
    TextLine,
    st.sampled_from(["Abstract", "References", "1 Introduction", "[1] A. Lee. 1997.", "...... sign",
                     "We hunt [1] and others (Lee, 1997) too", "hereby", "x"]),
    st.integers(0, 200), st.floats(0, 500), st.floats(0, 700), st.floats(0, 400), st.floats(1, 20),
), max_size=60))  # fmt: skip
def test_features_are_numbers_from_0_to_1(lines):
    values = paper_features(lines, find_sections(lines))
    assert list(values) == list(WEIGHTS)
    assert all(0 <= value <= 1 for value in values.values())


@pytest.mark.realdata
@pytest.mark.skipif(not PAPERS.is_dir(), reason=f"the papers are not at {PAPERS}")
def test_classifies_real_documents_with_one_error_at_most():
    # All that are none, and a few of those that are: the benchmark reads the rest.
    table = [row.split("\t") for row in (PAPERS / "labels.tsv").read_text().splitlines()]
    table = [row for row in table if row[1] == "other"] + table[::6]
    with Converter() as converter:
        wrong = [
            name
            for name, label in table
            if verdict(converter.convert_file(PAPERS / name).lines).is_paper != (label == "paper")
        ]
    assert len(wrong) <= 1, wrong
