import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lycosa.documents.conversion import Converter
from lycosa.documents.html import html_lines
from lycosa.documents.layout import TextLine
from lycosa.documents.plain_text import plain_lines
from lycosa.papers.extraction.contexts import citation_contexts
from lycosa.papers.extraction.reference_list import ReferenceEntry, split_references
from lycosa.papers.extraction.sections import find_sections, heading_text
from lycosa.sites.generated import World
from realdata import PAPERS

PAPER = """Spiders that learn
Ann Lee
University of Texas
{abstract}
{introduction}
Spiders hunt [2]. Others wait for
what comes [1, 3].
{references}
[1] A. Lee. Webs. 1997.
[2] B. Roe. Spiders that hunt in the net-
    works of others. 1998.
[3] C. Fox. Flies. 1999.
"""


def bare(text):
    return "".join(text.split()).replace("-", "")


@pytest.mark.parametrize("references", ["References", "REFERENCES", "7. References", "Bibliography",
                                        "R E F E R E N C E S", "Literaturverzeichnis"])  # fmt: skip
@pytest.mark.parametrize("introduction", ["1 Introduction", "Introduction", "I. INTRODUCTION"])
@pytest.mark.parametrize("abstract", ["Abstract\n", "Abstract. ", "ABSTRACT\n", "Abstract\u2014"])
def test_sections_are_found_by_their_headings(abstract, introduction, references):
    text = PAPER.format(
        abstract=f"{abstract}They hunt.", introduction=introduction, references=references
    )
    found = find_sections(plain_lines(text))
    assert found.abstract == "They hunt."
    assert found.header[0].text == "Spiders that learn"
    assert found.header[-1].text.endswith("They hunt.")
    assert found.body[0].text == introduction
    assert [entry.label for entry in found.references] == ["[1]", "[2]", "[3]"]
    assert found.references[1].text == "B. Roe. Spiders that hunt in the networks of others. 1998."
    assert [len(some) for some in found.contexts] == [1, 1, 1]


def test_line_numbers_refer_to_the_document():
    lines = plain_lines(PAPER.format(abstract="Abstract\nx", introduction="Introduction",
                                     references="References"))  # fmt: skip
    for entry in find_sections(lines).references:
        assert lines[entry.line].text.startswith(entry.label)
        assert lines[entry.stop - 1].text.endswith(entry.text[-5:])


def test_text_after_the_references_is_body():
    lines = plain_lines("T\n1 Introduction\nx\nReferences\n[1] A. Lee. 1997.\nAppendix A\nProofs.")
    found = find_sections(lines)
    assert len(found.references) == 1
    assert [line.text for line in found.body][-2:] == ["Appendix A", "Proofs."]


def test_chooses_the_heading_followed_by_years_over_the_contents():
    text = "T\nContents\nReferences\n1 Introduction\nx y\nReferences\n[1] A. Lee. 1997."
    assert [entry.text for entry in find_sections(plain_lines(text)).references] == [
        "A. Lee. 1997."
    ]


LISTED = [
    "Lee, A. and Roe, B. (1997). Spiders that learn to hunt in the dark, and webs that do not "
    "break. Machine Learning, 12:101-120.",
    "Roe, B. (1998). Webs. Proceedings of the Conference on Nets, 3-7.",
    "Zimmermann, C. (1999). What flies think of spiders and of their webs, seen from afar and "
    "from near. Journal of Flies, 4, 1-9.",
]


def wrapped(text, width=50):
    lines, line = [], ""
    for word in text.split():
        if line and len(line) + len(word) >= width:
            lines.append(line)
            line = ""
        line = f"{line} {word}".strip()
    return [*lines, line]


@pytest.mark.parametrize("label", ["[{n}] ", "{n}. ", "{n} ", "[Lee{n}] ", "({n}) "])
def test_labelled_lists_are_split_at_their_labels(label):
    texts = [label.format(n=n + 1) + text for n, text in enumerate(LISTED)]
    lines = plain_lines("\n".join(line for text in texts for line in wrapped(text)))
    assert [bare(entry.text) for entry in split_references(lines)] == [
        bare(text) for text in LISTED
    ]


@pytest.mark.parametrize("manner", ["hanging", "indented", "blank", "none", "paragraphs"])
def test_lists_without_labels_are_split_by_their_layout(manner):
    rows = []
    for text in LISTED:
        if manner == "paragraphs":
            rows.append(text)
            continue
        first, *rest = wrapped(text)
        rows.append(("    " if manner == "indented" else "") + first)
        rows += [("    " if manner == "hanging" else "") + line for line in rest]
        rows += [""] if manner == "blank" else []
    found = split_references(plain_lines("\n".join(rows)))
    assert [bare(entry.text) for entry in found] == [bare(text) for text in LISTED]


def test_list_items_of_html_are_separate_references():
    items = "".join(f"<li>{text}</li>" for text in LISTED)
    html = f"<h1>Spiders</h1><p>x</p><h2>1 Introduction</h2><p>y</p><h2>References</h2><ol>{items}"
    found = find_sections(html_lines(html))
    assert [entry.text for entry in found.references] == LISTED


def test_a_number_out_of_sequence_begins_no_reference():
    lines = plain_lines("1. A. Lee. Webs, volume\n12. Springer, 1997.\n2. B. Roe. 1998.")
    assert [entry.label for entry in split_references(lines)] == ["1.", "2."]


def test_links_to_copies_are_not_labels():
    lines = plain_lines("1. A. Lee. Webs. 1997.\n[CrossRef]\n2. B. Roe. Nets. 1998. [PubMed]")
    assert [entry.text for entry in split_references(lines)] == [
        "A. Lee. Webs. 1997. [CrossRef]", "B. Roe. Nets. 1998. [PubMed]",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("body", "cited"),
    [
        ("as in [1].", [1, 0, 0]),
        ("as in [1, 2].", [1, 1, 0]),
        ("as in [1-2], [2].", [1, 2, 0]),
        ("as in [99] and 1.", [0, 0, 0]),
        ("(Fox, 1999)", [0, 0, 1]),
        ("Fox (1999) and Fox et al. 1999", [0, 0, 2]),
        ("(Fox and Hen, 1999)", [0, 0, 1]),
        ("(Fox, 1998)", [0, 0, 0]),
    ],
)
def test_citations_are_found_by_label_or_by_name_and_year(body, cited):
    listed = [ReferenceEntry("[1]", "A. Lee. 1997.", 0, 0, 1),
              ReferenceEntry("[2]", "B. Roe. 1998.", 0, 1, 2),
              ReferenceEntry("", "Fox, C. (1999). Flies.", 0, 2, 3)]  # fmt: skip
    assert [len(some) for some in citation_contexts(body, listed, margin=2)] == cited


@pytest.mark.parametrize("margin", range(0, 40, 3))
def test_contexts_have_no_parts_of_words(margin):
    body = "Many spiders learn fast [1] from a few examples only."
    listed = [ReferenceEntry("[1]", "A. Lee. Spiders. 1997.", 9, 0, 1)]
    [[context]] = citation_contexts(body, listed, margin)
    assert f" {context} " in f" {body} "
    assert len(context) <= len("[1]") + 2 * margin


def test_headings_lose_number_and_case():
    assert (
        heading_text("4. Results")
        == heading_text("IV. RESULTS")
        == heading_text("results:")
        == "results"
    )
    assert heading_text("x" * 100) == ""


def test_header_lines_have_relative_sizes_and_centring():
    lines = [TextLine("Spiders", 0, 250, 700, 100, 16, True),
             TextLine("Ann Lee", 0, 260, 670, 80, 10),
             TextLine("Abstract", 0, 72, 640, 50, 10, True),
             *(TextLine("We hunt and hunt and hunt again", 0, 72, 628 - 12 * n, 456, 10)
               for n in range(8)),
             TextLine("1 Introduction", 0, 72, 500, 80, 10, True),
             *(TextLine("More", 1, 72, 700 - 12 * n, 456, 10) for n in range(20))]  # fmt: skip
    title, author, abstract, *_ = find_sections(lines).header_lines
    assert (title.size, title.bold, title.centred) == (1.6, True, True)
    assert (author.size, author.bold, author.centred) == (1.0, False, True)
    assert author.gap == pytest.approx(2.5)
    assert abstract.centred is False


def test_generated_papers_are_segmented_exactly():
    world = World(seed=8, departments=1, pages=200)
    site = world.department(0)
    with Converter() as converter:
        for number in site.wanted("papers").tolist():
            parts = find_sections(converter.convert(site.response(number).body).lines)
            assert bare(parts.abstract) == bare(world.library.paper(0, number).abstract)
            printed = [bare(one.text) for one in world.library.references(0, number)]
            found = [bare(one.label + one.text) for one in parts.references]
            assert len(found) == len(printed)
            assert sum(a == b for a, b in zip(found, printed, strict=True)) >= len(printed) - 1


heads = st.sampled_from(["Abstract", "References", "1 Introduction", "Appendix", "[1] A. 1997.",
                         "2. B. Roe 1998", "words [1] here", "Abstract. x", "1"])  # fmt: skip
any_line = st.builds(
    TextLine, st.one_of(heads, st.text(min_size=1, max_size=20)), st.integers(0, 3),
    st.floats(0, 500), st.floats(0, 700), st.floats(0, 400), st.floats(1, 20), st.booleans(),
)  # fmt: skip


@settings(max_examples=200, deadline=None)
@given(st.lists(any_line, max_size=40))
def test_sections_of_any_lines_are_disjoint(lines):
    found = find_sections(lines)
    assert len(found.header) + len(found.body) <= len(lines)
    assert len(found.contexts) == len(found.references)
    last = 0
    for entry in found.references:
        assert last <= entry.line < entry.stop <= len(lines)
        last = entry.stop
        assert entry.text
    assert len(found.header_lines) == len(found.header)


@pytest.mark.realdata
@pytest.mark.skipif(not PAPERS.is_dir(), reason=f"the papers are not at {PAPERS}")
@pytest.mark.parametrize(("name", "count"), [("tbourke-emsoft11", 14), ("fnielsen-piro2010", 12),
                                             ("fnielsen-2-MontrucchioPistone", 26)])  # fmt: skip
def test_number_of_references_of_real_papers(name, count):
    with Converter() as converter:
        found = find_sections(converter.convert_file(PAPERS / f"{name}.pdf").lines)
    assert len(found.references) == count
    assert all(found.contexts)
    assert len(found.abstract) > 300
